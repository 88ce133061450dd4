import CastProtocol
import CastSender
import CastqFeeding
import CastqMetrics
import CastqPlaylists

/// The text that Prometheus reads. The site is asked for it as for everything else, since it knows for how long screens were dark.
struct CountedText: Sendable {
  let inbox: SiteInbox
  /// What was counted so far; nil counts nothing.
  let registry: MetricRegistry?

  /// What was counted, and what is read now; without what is read now where the daemon has ended.
  func read() async -> String {
    let reply = await inbox.reply(to: ControlRequest(device: DeviceID(0), command: .metrics))
    guard case .done(let document) = reply, let text = document["text"]?.string else {
      return registry?.text() ?? ""
    }
    return text
  }

  /// The answer of the site.
  static func reply(_ text: String) -> ControlReply { .done(["text": .string(text)]) }

  /// The text in pieces that fit into the lines of the socket, and the mark of the end.
  func pieces() -> AsyncStream<ControlReply> {
    AsyncStream { continuation in
      let task = Task {
        var piece = ""
        func flush() {
          continuation.yield(.done(["text": .string(piece), "more": true]))
          piece = ""
        }
        for line in await read().split(separator: "\n") {
          piece += "\(line)\n"
          // Quotes take two bytes in JSON.
          if piece.utf8.count > ControlRequest.lineLimit / 4 { flush() }
        }
        flush()
        continuation.yield(.done(["more": false]))
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
