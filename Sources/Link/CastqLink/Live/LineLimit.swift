package import CastProtocol

/// How often something that anybody can cause is a line of the log: the first time, and then once in a period,
/// with the number of those that had none.
package struct LineLimit: Sendable {
  package static let period = Duration.seconds(10)

  private var last: Tick?
  private var silent = 0

  package init() {}

  /// Notes that it has happened.
  /// - Returns: how many before had no line; nil when this one has none.
  package mutating func admit(at now: Tick) -> Int? {
    if let last, now - last < Self.period {
      silent += 1
      return nil
    }
    defer { (last, silent) = (now, 0) }
    return silent
  }
}
