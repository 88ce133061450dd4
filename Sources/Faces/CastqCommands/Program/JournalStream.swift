import CastSender
import CastqOperations
import Glibc

/// The journal of systemd, when stderr leads to it. It has a time for each line, and takes its priority from a prefix
/// (sd-daemon(3)), so that `journalctl -p warning` finds what it is asked for.
enum JournalStream {
  /// Whether stderr is what systemd has connected with the journal: `JOURNAL_STREAM` names its device and inode (systemd.exec(5)).
  static let isStandardError: Bool = {
    guard let named = Environment.value("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return named == "\(status.st_dev):\(status.st_ino)"
  }()

  /// What stands before a line of this level: `<` priority `>`, as syslog numbers them.
  static func prefix(_ level: CastLogLevel) -> String {
    switch level {
    case .none, .verbose, .debug: "<7>"
    case .info: "<6>"
    case .warning: "<4>"
    case .error: "<3>"
    case .assert: "<2>"
    }
  }
}
