package import CastqText

/// The moment when something else came on a device's screen: a row of `decision`. The last one is where a new process continues.
package struct ScheduleDecision: Sendable, Hashable {
  /// What a rule has on the screen.
  package struct OnAir: Sendable, Hashable {
    /// With the moments that count: those of a trigger that was missed are late.
    package var occurrence: Occurrence
    package let programme: String
    package let revision: Int

    package init(occurrence: Occurrence, programme: String, revision: Int) {
      self.occurrence = occurrence
      self.programme = programme
      self.revision = revision
    }

    /// Whether it is the same on the screen: an edit that changes only its end or its priority interrupts nothing.
    func isSame(as other: OnAir) -> Bool {
      occurrence.key == other.occurrence.key && programme == other.programme
    }
  }

  /// Something that comes back, or comes on, when the winner has ended.
  package struct Beneath: Sendable, Hashable {
    /// Nil is the base.
    package let occurrence: Occurrence?
    /// How it continues; nil when it has not been on the screen yet.
    package let resume: ResumeMode?

    package init(occurrence: Occurrence?, resume: ResumeMode?) {
      self.occurrence = occurrence
      self.resume = resume
    }
  }

  /// An occurrence that is due and cannot be played, so that what lies below it is on.
  package struct PassedOver: Sendable, Hashable {
    package let key: OccurrenceKey
    /// That of the rule whose programme was tried; another one may be playable.
    package let revision: Int
    /// In words, without a full stop.
    package let reason: String

    package init(key: OccurrenceKey, revision: Int, reason: String) {
      self.key = key
      self.revision = revision
      self.reason = reason
    }
  }

  /// What may change while the winner stays.
  package struct Standing: Sendable, Hashable {
    /// On the screen.
    package var onAir: OnAir?
    /// Of what was interrupted, and of what has started and waits.
    package var beneath: [Beneath] = []
    package var passedOver: [PassedOver] = []

    package init(onAir: OnAir? = nil, beneath: [Beneath] = [], passedOver: [PassedOver] = []) {
      self.onAir = onAir
      self.beneath = beneath
      self.passedOver = passedOver
    }
  }

  /// What it has passed over, by the words of a book: a rule that was changed since is tried again.
  package func passedOver(in book: ScheduleBook) -> [OccurrenceKey: String] {
    guard !passedOver.isEmpty else { return [:] }
    let revisions = Dictionary(book.rules.map { ($0.id, $0.revision) }) { $1 }
    let current = passedOver.filter { revisions[$0.key.rule] == $0.revision }
    return Dictionary(current.map { ($0.key, $0.reason) }) { $1 }
  }

  /// What of it may change while the winner stays.
  package var standing: Standing {
    get { Standing(onAir: onAir, beneath: beneath, passedOver: passedOver) }
    set { (onAir, beneath, passedOver) = (newValue.onAir, newValue.beneath, newValue.passedOver) }
  }

  package let at: WallTime
  package let kind: PlanSegment.Kind
  /// Nil is the base, or nothing.
  package var onAir: OnAir?
  /// When it was to begin; nil where there is no rule, and where something continues.
  package let planned: WallTime?
  /// In words, without a full stop.
  package let reason: String
  /// What waits below the winner.
  package var beneath: [Beneath]
  /// What would be on, and cannot be played.
  package var passedOver: [PassedOver]

  package init(
    at: WallTime, kind: PlanSegment.Kind, onAir: OnAir?, planned: WallTime?, reason: String,
    beneath: [Beneath], passedOver: [PassedOver] = []
  ) {
    self.at = at
    self.kind = kind
    self.onAir = onAir
    self.planned = planned
    self.reason = reason
    self.beneath = beneath
    self.passedOver = passedOver
  }
}
