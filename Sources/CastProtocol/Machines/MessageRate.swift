/// Tells a device that sends far more than any receiver has to say: each message costs its reader time, and the other devices pay.
///
/// Seconds are counted one after another; so many busy ones in a row are a flood.
struct MessageRate: Sendable {
  /// Busy seconds in a row that are too many.
  static let patience = 5

  private var begin: Tick
  private var count = 0
  private var busy = 0

  /// A connection that has just been opened.
  init(at now: Tick) { begin = now }

  /// Counts a message.
  /// - Parameter limit: messages of a second that are no flood.
  /// - Returns: whether it was one too many.
  mutating func heard(at now: Tick, limit: Int) -> Bool {
    let elapsed = now - begin
    if elapsed >= .seconds(1) {
      busy = count > limit && elapsed < .seconds(2) ? busy + 1 : 0
      (begin, count) = (now, 0)
    }
    count += 1
    return busy >= Self.patience
  }
}
