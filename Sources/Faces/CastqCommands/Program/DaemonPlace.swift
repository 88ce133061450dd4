import CastqOperations
import Glibc

/// Who starts the daemon of a page.
enum DaemonPlace: Hashable {
  /// On this computer, by a button of the page.
  case here
  /// By systemd, under this name.
  case service(String)
  /// Unknown: the page is the only program of its container.
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
