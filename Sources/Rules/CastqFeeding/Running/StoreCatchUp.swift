import CastProtocol
package import CastqText

/// What became of all that could not be written at its time.
package struct StoreCatchUp: Sendable, Hashable, CustomStringConvertible {
  /// How long the database did not work.
  package var after: Duration
  /// Writes that were made up for.
  package var written: Int
  /// Writes that were not made because the run ended before the database worked.
  package var missing: Int
  /// Whether these are kept until it works.
  package var isKept: Bool = false
  /// Facts of history that were let go because too much waited, or that made no sense any more.
  package var lostFacts: Int
  /// What was wrong; nil when unknown.
  package var error: Failure?

  /// Whether everything was written in the end.
  package var isWhole: Bool { (missing == 0 || isKept) && lostFacts == 0 }

  /// The message when the database fails.
  package static let failure =
    "the list as it was read last plays on, and what happens is kept in memory until it can be written"

  package var description: String {
    let seconds = Int(bounded: after.seconds)
    let lost =
      lostFacts == 0
      ? ""
      : "; \(lostFacts) \(lostFacts == 1 ? "fact" : "facts") of history could not be kept and \(verb(lostFacts)) missing"
    guard missing > 0 else {
      return "the database works again after \(seconds) s: \(written) writes made up for\(lost)"
    }
    if isKept {
      return
        "the database did not work again in \(seconds) s: \(missing) writes are kept until it does\(lost)"
    }
    return
      "the database did not work again in \(seconds) s: \(missing) writes are missing in queue and history\(lost)"
  }

  private func verb(_ count: Int) -> String { count == 1 ? "is" : "are" }
}
