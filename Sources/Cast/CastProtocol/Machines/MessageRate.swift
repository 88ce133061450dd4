/// Tells a device that sends far more than any receiver has to say: each message costs its reader time, and the other devices pay.
///
/// Seconds are counted one after another; so many busy ones in a row are a flood. An answer to a request is no part of it: how many
/// there are is up to the one who asks.
struct MessageRate: Sendable {
  /// Busy seconds in a row that are too many.
  static let patience = 5

  private var begin: Tick
  private var count = 0
  /// The answers of the session when the second began.
  private var answersBefore: Int
  private var busy = 0

  /// A connection that has just been opened.
  /// - Parameter answers: the requests of the session that were answered before.
  init(at now: Tick, answers: Int) {
    begin = now
    answersBefore = answers
  }

  /// Counts a message.
  /// - Parameters:
  ///   - answers: the requests of the session that were answered until now.
  ///   - limit: messages of a second that are no flood, besides answers.
  /// - Returns: whether it was one too many.
  mutating func heard(at now: Tick, answers: Int, limit: Int) -> Bool {
    let elapsed = now - begin
    if elapsed >= .seconds(1) {
      let unasked = count - (answers - answersBefore)
      busy = unasked > limit && elapsed < .seconds(2) ? busy + 1 : 0
      (begin, count, answersBefore) = (now, 0, answers)
    }
    count += 1
    return busy >= Self.patience
  }
}
