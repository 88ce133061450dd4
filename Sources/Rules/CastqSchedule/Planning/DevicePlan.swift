package import CastqText

/// What is on one device over a range of time.
package struct DevicePlan: Sendable, Hashable {
  package var device: String
  /// In their order, without a gap: together they are the range. A start whose length is unknown is a segment without a length.
  package var segments: [PlanSegment] = []
  package var issues: [PlanIssue] = []

  package init(device: String, segments: [PlanSegment] = []) {
    self.device = device
    self.segments = segments
  }
}

/// A stretch of time with one winner.
package struct PlanSegment: Sendable, Hashable {
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// A window of a rule.
    case rule
    /// What people have put in the queue of the device.
    case base
    /// A trigger, which gives the screen back.
    case announcement
    /// Nothing but shares, which then have the whole of the time.
    case share
    case dark

    /// What documents call it.
    package var word: String {
      switch self {
      case .rule: "rule"
      case .base: "base"
      case .announcement: "announcement"
      case .share: "share"
      case .dark: "dark"
      }
    }

    /// Nil for any other word.
    package init?(word: String) {
      guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
      self = kind
    }
  }

  package var start: WallTime
  /// The first moment after it.
  package var end: WallTime
  package let kind: Kind
  /// What won; nil unless the kind is `rule` or `announcement`.
  package let occurrence: Occurrence?
  /// The name of the programme; nil where there is no occurrence.
  package let programme: String?
  /// Rules that only their names kept from winning, by their numbers.
  package var tiedWith: [RuleID]
  /// Rules that have a share of the time, by their numbers.
  package var shares: [RuleID]
  /// Why nothing of it is on the screen; nil when it is.
  package var silence: DarkReason?
  /// Whether somebody has paused it: it stands still until somebody plays it, or until what comes next.
  package var isPaused = false

  package init(
    start: WallTime, end: WallTime, kind: Kind, occurrence: Occurrence?, programme: String?,
    tiedWith: [RuleID],
    shares: [RuleID], silence: DarkReason? = nil
  ) {
    (self.start, self.end, self.kind) = (start, end, kind)
    (self.occurrence, self.programme) = (occurrence, programme)
    (self.tiedWith, self.shares, self.silence) = (tiedWith, shares, silence)
  }

  /// Whether the device is stopped.
  package var isStopped: Bool { silence == .stopped }

  /// What is on the screen.
  package var shownKind: Kind { silence == nil ? kind : .dark }
}

/// What a plan is checked for.
package enum PlanIssue: Sendable, Hashable {
  /// Nothing plays.
  case dark(Range<WallTime>)
  /// The device is stopped, and stays so until somebody starts it.
  case stopped(Range<WallTime>, since: WallTime)
  /// The configuration has quiet hours, in which nothing plays.
  case quiet(Range<WallTime>)
  /// What is on the screen is paused, and stands still until somebody plays it.
  case paused(Range<WallTime>)
  /// Shares are due more than there is: seconds of each hour.
  case overfull(Range<WallTime>, seconds: Int)
  /// Only the name decided.
  case tie(at: WallTime, rules: [RuleID])
  /// Clocks skip the whole of a part.
  case collapsed(Occurrence)
  /// The rule cannot be evaluated, or nothing of its programme can be played; it is passed over.
  case broken(RuleID, RuleFault)
  /// The rule has more occurrences than a plan holds; from this moment on it is left out.
  case tooOften(RuleID, from: WallTime)

  /// Whether `plan --check` fails for it; anything else is a note.
  package var isFailure: Bool {
    switch self {
    case .dark, .stopped, .overfull: true
    case .quiet, .paused, .tie, .collapsed, .broken, .tooOften: false
    }
  }
}
