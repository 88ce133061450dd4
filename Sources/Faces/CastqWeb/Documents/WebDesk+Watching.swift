import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// What the daemon says of itself, for those who watch castq through the page.
extension WebDesk {
  /// What the daemon has counted; empty without a daemon, and of one that does not answer.
  func daemonMetrics() async throws(Failure) -> String {
    guard let socket = daemonSocket,
      let replies = try await ControlClient(socket: socket, device: DeviceID(0)).watch(.metrics)
    else { return "" }
    var text = ""
    do {
      for try await reply in replies {
        if reply["more"]?.bool != true { return text }
        text += reply["text"]?.string ?? ""
        guard text.utf8.count <= Self.longestMetrics else { return "" }
      }
    } catch {
      // Half a document would look like counters that went back.
    }
    return ""
  }

  /// More is no answer of a daemon.
  private static let longestMetrics = 16 << 20

  /// `late` and `problems` of the daemon; both are null without one.
  func daemonHealth() async throws(Failure) -> JSONValue {
    guard let socket = daemonSocket,
      let health = try await ControlClient(socket: socket, device: DeviceID(0))
        .ask(.health, timeout: .seconds(10))
    else { return ["late": .null, "problems": .null] }
    return health
  }

  /// Whether a daemon runs, as its lock says, and who starts one.
  var daemonPresence: JSONValue {
    [
      "running": .bool(board.workspace.hasDaemon), "startable": .bool(daemonStart != nil),
      "service": JSONValue(daemonService) ?? .null,
    ]
  }

  /// Starts the daemon; where one runs already, that one is it.
  func startDaemon() async throws(Failure) -> WebDocument {
    guard let daemonStart else {
      let who = daemonService.map { "start the service \($0) of castq's computer" }
      throw Failure(
        "not_here", who ?? "castq is started where it is installed, and not from this page", exit: .no)
    }
    try await daemonStart.start()
    return WebDocument(daemonPresence)
  }

  private var daemonSocket: String? {
    DatabaseLock.holder(.daemon, of: board.workspace.database)?.socket
  }
}
