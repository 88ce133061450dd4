import CastSender
import Glibc

/// What a first connection needs is made while the arguments are parsed and the database is opened: it takes OpenSSL as long.
enum EarlyTransport {
  /// The commands that call a device where no daemon does.
  private static let words: Set = [
    "status", "cast", "run", "play", "pause", "toggle", "stop", "next", "prev", "seek", "volume", "mute",
    "unmute", "tracks",
  ]

  /// Begins with it, if the command is likely to need it.
  static func begin(_ arguments: [String]) {
    guard let word = arguments.first, words.contains(word),
      !arguments.contains(where: { $0.hasPrefix("--db") }),
      // A daemon has a connection to the device already.
      access(GlobalOptions.databasePath(named: nil) + ".daemon.lock", F_OK) != 0
    else { return }
    Task.detached { TLSTransport.prepare() }
  }
}
