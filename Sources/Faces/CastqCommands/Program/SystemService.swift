import CastqText
import Glibc

/// `castq --system`: the queue of the computer's service instead of one's own, as the units in `systemd/` set it up.
///
/// The service's folder belongs to its user alone. Root becomes that user, so that root owns no file of the service. Other users are told
/// to use sudo.
enum SystemService {
  static let option = "--system"
  static let folder = "/var/lib/castq"

  /// Whether the arguments ask for it; what stands behind `--` is no option.
  static func isMeant(by arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains(option)
  }

  /// Takes the service's place. Call before anything else is read, and before there is a second thread.
  static func enter() throws(Failure) {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw Failure(
        "input_missing", "no service of castq is installed on this computer: \(folder) is missing",
        exit: .inputMissing)
    }
    if geteuid() == 0, status.st_uid != 0 { try become(status.st_uid) }
    guard geteuid() == status.st_uid else {
      throw Failure(
        "not_permitted",
        "the service's files belong to the user \(name(of: status.st_uid)); write 'sudo castq \(option) …'",
        exit: .notPermitted)
    }
    let settings = ["CASTQ_DB": "\(folder)/castq.db", "XDG_CONFIG_HOME": "/etc", "STATE_DIRECTORY": folder]
    for (name, value) in settings { setenv(name, value, 1) }
    for name in ["CASTQ_CONFIG", "CASTQ_DEVICE", "XDG_CACHE_HOME", "CACHE_DIRECTORY", "XDG_RUNTIME_DIR"] {
      unsetenv(name)
    }
  }

  private static func become(_ user: uid_t) throws(Failure) {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name,
      initgroups(name, entry.pointee.pw_gid) == 0, setgid(entry.pointee.pw_gid) == 0, setuid(user) == 0
    else {
      throw Failure(
        "not_permitted",
        "cannot become user \(user), who owns \(folder): \(String(cString: strerror(errno)))",
        exit: .notPermitted)
    }
    if let home = entry.pointee.pw_dir { setenv("HOME", home, 1) }
  }

  private static func name(of user: uid_t) -> String {
    getpwuid(user)?.pointee.pw_name.map { String(cString: $0) } ?? "\(user)"
  }
}
