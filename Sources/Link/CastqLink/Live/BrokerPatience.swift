/// How long a link waits before it calls its broker again. One whose connections end soon after they began calls more and more rarely:
/// another client may have its name, and each of the two would push the other one off for ever.
package struct BrokerPatience: Sendable {
  /// Seconds before a call, by how many connections in a row were short; the last one repeats. The first calls of a link are not late.
  package static let pauses = [1, 1, 2, 4, 8, 15, 30, 60]
  /// A connection that lasts so long is none that somebody ended. Two that push each other off last as long as the longest pause.
  package static let lasting = Duration.seconds(120)
  /// So many short ones in a row are no chance.
  private static let suspicious = 3

  private var beginning: Duration?
  private var short = 0

  package init() {}

  /// Whether another client seems to have the name.
  package var isPushedOff: Bool { short >= Self.suspicious }

  /// - Parameter now: time since some moment, always the same one.
  package mutating func connected(at now: Duration) { beginning = now }

  /// Notes that a connection ended, or that there was none.
  /// - Parameters:
  ///   - now: as for `connected`.
  ///   - isTakenOver: whether the broker said that another client has the name.
  /// - Returns: seconds until the next call.
  package mutating func lost(at now: Duration, isTakenOver: Bool = false) -> Int {
    if let beginning {
      short = now - beginning < Self.lasting ? short + 1 : 0
      if isTakenOver { short = max(short, Self.suspicious) }
    }
    beginning = nil
    return Self.pauses[min(short, Self.pauses.count - 1)]
  }
}
