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

  package init(
    at: WallTime, kind: PlanSegment.Kind, onAir: OnAir?, planned: WallTime?, reason: String,
    beneath: [Beneath]
  ) {
    self.at = at
    self.kind = kind
    self.onAir = onAir
    self.planned = planned
    self.reason = reason
    self.beneath = beneath
  }
}
