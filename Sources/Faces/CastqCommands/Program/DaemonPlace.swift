import CastqOperations
import Glibc

/// Where the daemon is started that belongs to a page.
enum DaemonPlace: Hashable {
  /// Beside the page, by whoever uses it.
  case here
  /// By systemd, under this name.
  case service(String)
  /// Nobody knows: the page is all that its container runs.
  case elsewhere

  /// That of this process.
  static func ofProcess(database: String) -> DaemonPlace {
    DaemonPlace(
      process: getpid(), systemd: Environment.value("SYSTEMD_EXEC_PID"),
      isSystems: database == "\(SystemService.folder)/castq.db")
  }

  /// - Parameters:
  ///   - systemd: the number of the process that systemd started, which what that starts inherits.
  ///   - isSystems: whether the database is that of the computer's service.
  init(process: Int32, systemd: String?, isSystems: Bool) {
    // What a service starts belongs to it: it would end with the page, and be confined as the page is.
    if systemd == "\(process)" || isSystems {
      self = .service("castq.service")
    } else {
      self = process == 1 ? .elsewhere : .here
    }
  }
}
