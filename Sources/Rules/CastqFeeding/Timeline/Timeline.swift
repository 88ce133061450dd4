package import CastqSchedule
package import CastqText

/// What was on the screen of one device, and what is to be on it: stretches in their order, without a gap and without an overlap.
///
/// Left of now they come from rows alone: plays, outages, stops, guests, quiet hours and decisions. Right of now is the plan. `plan`,
/// `why`, the lanes of the page and the reports are views of this.
package struct Timeline: Sendable, Hashable {
  /// A stretch of time that shows one thing.
  package struct Stretch: Sendable, Hashable {
    package var range: Range<WallTime>
    package let content: Content
    /// What would have been on the screen; nil where it was, and where nothing was due.
    package var due: Due?
    /// More of its reason, such as the words of a loss, or the title of a guest.
    package var note: String?

    /// Nil where castq shows something, or nobody knows.
    package var reason: DarkReason? { if case .dark(let reason) = content { reason } else { nil } }
    package var play: Play? { if case .play(let play) = content { play } else { nil } }

    /// What documents call it; nil before the first row of the device.
    package var kind: String? {
      switch content {
      case .before: nil
      case .play(let play): play.key.kind.rawValue
      case .dark(let reason): reason.words.kind
      case .unobserved: "unobserved"
      case .planned(let segment): segment.shownKind.word
      }
    }
  }

  package enum Content: Sendable, Hashable {
    /// The device had no row yet: nothing is known.
    case before
    case play(Play)
    /// castq had nothing on the screen.
    case dark(DarkReason)
    /// castq did not see the screen.
    case unobserved
    /// It is to come.
    case planned(PlanSegment)
  }

  /// What would have been on a screen that does not show it.
  package struct Due: Sendable, Hashable {
    /// The name of the rule; nil for the queue of the device.
    package var rule: String?
    package var programme: String?
    /// What was interrupted; nil where nothing was.
    package var title: String?

    package init(rule: String? = nil, programme: String? = nil, title: String? = nil) {
      (self.rule, self.programme, self.title) = (rule, programme, title)
    }

    /// `film-b`, or `breakfast → menus`.
    package var words: String {
      guard let rule else { return title ?? "the queue" }
      return programme.map { "\(rule) → \(ProgrammeName.shown($0))" } ?? rule
    }
  }

  package internal(set) var stretches: [Stretch]

  /// - Parameters:
  ///   - plays: the rows of the device that lie at least partly in the range, by their beginnings, and the last one before them.
  ///   - plan: of the part of the range that is to come; nil leaves it out.
  package init(
    _ facts: TimelineFacts, plays: some Sequence<Play>, in range: Range<WallTime>, plan: DevicePlan? = nil
  ) {
    var sweep = TimelineSweep(facts, in: range)
    for play in plays { sweep.add(play) }
    stretches = sweep.finish()
    for segment in plan?.segments ?? [] where segment.start < segment.end {
      stretches.append(Stretch(range: segment.start..<segment.end, content: .planned(segment)))
    }
  }

  /// The stretch of a moment; nil outside of the range.
  package func stretch(at moment: WallTime) -> Stretch? {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].range.upperBound <= moment { low = middle + 1 } else { high = middle }
    }
    return low < stretches.count && stretches[low].range.contains(moment) ? stretches[low] : nil
  }
}

extension Timeline {
  /// The range whose rows say what was on the screen at a moment: from the play that had started last to the next one that did.
  /// - Parameters:
  ///   - last: when it started; nil where none is known.
  ///   - next: when that started; nil where none did.
  package static func neighbourhood(
    of moment: WallTime, last: WallTime?, next: WallTime?, now: WallTime
  ) -> Range<WallTime> {
    let start = last ?? moment.adding(seconds: -reach)
    // Of the next play no more than its beginning.
    let end = next?.adding(seconds: 0.001) ?? now
    return start..<max(end, moment.adding(seconds: 0.001))
  }

  /// Seconds in which rows are looked for beside a moment: 35 days. Nobody looks there for what is older than that.
  package static let reach = 35.0 * 86_400
}

extension Timeline {
  /// A play, as its row has it.
  package struct Play: Sendable, Hashable {
    /// What it was shown by, in the words of that day. Plays with the same one are one stretch of a plan.
    package struct Key: Sendable, Hashable {
      package var kind: PlayKind
      /// The number of the rule; nil for the base.
      package var number: Int64?
      package var rule: String?
      package var revision: Int64?
      package var occurrence: String?
      package var programme: String?

      package init(
        _ kind: PlayKind, number: Int64? = nil, rule: String? = nil, revision: Int64? = nil,
        occurrence: String? = nil, programme: String? = nil
      ) {
        (self.kind, self.number, self.rule) = (kind, number, rule)
        (self.revision, self.occurrence, self.programme) = (revision, occurrence, programme)
      }
    }

    package let id: Int64
    package let title: String
    package let key: Key
    /// Nil when it never started.
    package let startedAt: WallTime?
    /// Nil while it plays.
    package let endedAt: WallTime?
    /// The last moment at which anything was heard of it; nil when that is unknown.
    package let observedAt: WallTime?
    /// Seconds of media that were shown.
    package let played: Double
    package let outcome: PlayOutcome?
    package let cause: PlayCause?
    package let causedBy: String?
    /// Seconds without a picture before it; nil where castq did not see them.
    package let gapBefore: Double?
    /// Seconds between its beginning and its end in which castq did not see the device.
    package let unobserved: Double
    /// Why it ended, in words; nil where it ended as planned.
    package let reason: String?

    package init(
      id: Int64, title: String, key: Key, startedAt: WallTime?, endedAt: WallTime?,
      observedAt: WallTime? = nil, played: Double = 0, outcome: PlayOutcome? = nil, cause: PlayCause? = nil,
      causedBy: String? = nil, gapBefore: Double? = nil, unobserved: Double = 0, reason: String? = nil
    ) {
      (self.id, self.title, self.key, self.played) = (id, title, key, played)
      (self.startedAt, self.endedAt, self.observedAt) = (startedAt, endedAt, observedAt)
      (self.outcome, self.cause, self.causedBy) = (outcome, cause, causedBy)
      (self.gapBefore, self.unobserved, self.reason) = (gapBefore, unobserved, reason)
    }

    /// Where it stands in the order of time.
    package var moment: WallTime? { startedAt ?? endedAt }
  }
}

/// What is known of a device beside its plays.
package struct TimelineFacts: Sendable, Hashable {
  /// A decision for a window, an announcement or the queue.
  package struct Decision: Sendable, Hashable {
    package let id: Int64
    package let at: WallTime
    package let kind: PlanSegment.Kind
    /// The name of the rule; nil for the base and for nothing.
    package let rule: String?
    package let programme: String?
    /// When it was to begin; nil where there is no rule, and where something continues.
    package let planned: WallTime?
    /// When its occurrence is over; nil without one, and where it is as long as its programme.
    package let end: WallTime?

    package init(
      id: Int64, at: WallTime, kind: PlanSegment.Kind, rule: String? = nil, programme: String? = nil,
      planned: WallTime? = nil, end: WallTime? = nil
    ) {
      (self.id, self.at, self.kind, self.rule) = (id, at, kind, rule)
      (self.programme, self.planned, self.end) = (programme, planned, end)
    }
  }

  /// When the row of the device was made. What is older than that is known where there are older rows.
  package var madeAt: WallTime
  package var now: WallTime
  /// Whether something feeds the device: then what has no end plays on; else it is known for as long as it was heard.
  package var isFed: Bool
  /// By their beginnings.
  package var outages: [Outage]
  /// By their moments, and the last one before the range.
  package var decisions: [Decision]
  /// Since when the device has been stopped; nil when it is not.
  package var stoppedAt: WallTime?
  /// What the configuration has now; which quiet hours there were is not kept.
  package var darkHours: DarkHours?

  package init(
    madeAt: WallTime, now: WallTime, isFed: Bool = true, outages: [Outage] = [], decisions: [Decision] = [],
    stoppedAt: WallTime? = nil, darkHours: DarkHours? = nil
  ) {
    (self.madeAt, self.now, self.isFed, self.outages) = (madeAt, now, isFed, outages)
    (self.decisions, self.stoppedAt, self.darkHours) = (decisions, stoppedAt, darkHours)
  }
}
