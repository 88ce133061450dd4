package import CastqText

/// Why a device shows what it shows at one moment.
package struct Explanation: Sendable, Hashable {
  /// One rule, and its outcome.
  package struct Candidate: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
      /// `later` comes on by itself, `lost` is what something else has beaten, `off` does not apply, `broken` is passed over.
      case won, lost, later, off, broken

      /// What documents call it.
      package var word: String {
        switch self {
        case .won: "won"
        case .lost: "lost"
        case .later: "later"
        case .off: "off"
        case .broken: "broken"
        }
      }
    }
    package let rule: RuleID
    package let name: String
    package let outcome: Outcome
    /// One reason in words, without a full stop.
    package let reason: String

    /// `lunch  later: starts 11:30`.
    package var text: String { "\(name)  \(outcome.word): \(reason)" }
  }

  package let device: String
  package let at: WallTime
  /// What is on.
  package let winner: PlanSegment
  /// The rules for this device: the winner first, then those that are due, by their rank, then the others by their names.
  package let candidates: [Candidate]
}
