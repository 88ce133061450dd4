package import CastProtocol

/// Replies to commands that were performed while the broker was away: they are sent when it is back, so that nobody has to guess.
package struct UnsentReplies: Sendable {
  package struct Reply: Sendable, Hashable {
    package let topic: String
    package let text: String

    package init(topic: String, text: String) {
      self.topic = topic
      self.text = text
    }
  }

  /// Replies that are kept; the oldest go first.
  package static let most = 64
  /// Nobody waits longer for a reply than a command may live.
  package static let longest = Duration.seconds(3600)

  private var replies: [(reply: Reply, at: Tick)] = []

  package init() {}

  package mutating func keep(_ reply: Reply, at now: Tick) {
    replies.append((reply, now))
    if replies.count > Self.most { replies.removeFirst() }
  }

  /// What is sent now, in its order; it is kept no longer.
  package mutating func take(at now: Tick) -> [Reply] {
    defer { replies = [] }
    return replies.filter { now - $0.at < Self.longest }.map(\.reply)
  }
}
