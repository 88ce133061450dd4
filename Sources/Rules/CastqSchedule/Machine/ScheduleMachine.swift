package import CastProtocol
package import CastqText

/// Decides what one device shows: the programme of the rule that wins, announcements and what they interrupt, shares between items,
/// or the base.
///
/// ```
///           start reaches a rule that wins           its time is over
/// showing --------------------------------> waiting -------------------> showing the next one
///    ^  '-- hard, or nothing is on the air ---^  '-- the item ends, or the wait is over --'
///    '-- back --- dark: decides on, shows nothing
/// ```
///
/// The machine reads no clock and holds no watermark but one: up to when starts have been seen to. Its last decision and its credits
/// are all that a new process needs.
package struct ScheduleMachine: Sendable {
  package enum Event: Sendable, Hashable {
    /// A process begins to serve the device. The last decision, nil for a device that never had one; until when it was served; the
    /// rows of its shares; and the share whose item was on the screen when the process before ended, nil when none was.
    case begin(
      last: ScheduleDecision?, seenUntil: WallTime?, credits: [RuleID: ShareCredit], share: LeftShare? = nil)
    /// Rules, or what they name, or the device have changed.
    case edited(ScheduleBook, ScheduleDevice)
    /// The time that `wake` asked for has passed.
    case timer
    /// The wall clock was set.
    case clockSet
    /// An item has ended and the next one has not begun; also when there is nothing to begin with. Milliseconds of the next item of
    /// each programme of a share that has one, and of what is on the screen; nil when that is unknown.
    case itemEnded(shares: [RuleID: Int64], next: Int64?)
    /// All of what is on the screen has been played. Only what lasts as long as its programme ends by it.
    case programmeEnded
    /// What is on the screen cannot be played, and why: its list is empty, or all of it failed.
    case programmeFailed(String)
    /// What could not be played may be tried again: a window is, an announcement has had its moment.
    case retry
    /// The device has gone, or was taken over.
    case dark
    /// The same, before anything of what is on the air was seen.
    case darkAtStart
    case back
  }

  /// How often history is written while something plays, and so what it may lack when a process ends.
  package static let progressInterval: Duration = .seconds(10)

  /// A share whose item was on the screen when a process ended.
  package struct LeftShare: Sendable, Hashable {
    package let rule: RuleID
    /// When the item came on the screen.
    package let since: WallTime
    /// How much of it history has, in seconds; the last moments before the end of the process are missing.
    package let played: Double

    package init(rule: RuleID, since: WallTime, played: Double) {
      (self.rule, self.since, self.played) = (rule, since, played)
    }

    /// How much of it was shown until now, in seconds.
    func shown(at wall: WallTime) -> Double {
      min(max(wall - since, played), played + ScheduleMachine.progressInterval.seconds)
    }
  }

  package enum Action: Sendable, Hashable {
    case record(ScheduleDecision)
    /// The winner stays, but its moments, what waits below it, or what is passed over for it are others: the last decision gets them.
    case amend(ScheduleDecision.Standing)
    case show(Showing)
    /// One item of a rule's programme, between the items of what is on; `itemEnded` follows.
    case playShare(RuleID, programme: String)
    /// The item of a rule's programme that the process before has left, from where it was; `itemEnded` follows.
    case resumeShare(programme: String)
    /// The level to set, 0 to 1; nil restores the one from before.
    case volume(Double?)
    case credits([RuleID: ShareCredit])
    /// When to call again, in place of any earlier time.
    case wake(after: Duration)
    /// Worth a line in the log, once.
    case note(String)
  }

  /// What is on the screen from now on.
  package struct Showing: Sendable, Hashable {
    /// Nil is the base.
    package let onAir: ScheduleDecision.OnAir?
    /// How it continues; nil begins.
    package let resume: ResumeMode?
    /// Whether its rule starts at moments of its own.
    package let isStarted: Bool

    package init(onAir: ScheduleDecision.OnAir?, resume: ResumeMode?, isStarted: Bool = false) {
      self.onAir = onAir
      self.resume = resume
      self.isStarted = isStarted
    }
  }

  enum Phase: Sendable {
    case idle(ScheduleBook, ScheduleDevice)
    case serving(ScheduleScreen)
  }
  private(set) var phase: Phase

  package init(_ book: ScheduleBook, device: ScheduleDevice) { phase = .idle(book, device) }

  /// What is on the screen by a rule; nil is the base, or nothing.
  package var onAir: ScheduleDecision.OnAir? {
    switch phase {
    case .idle: nil
    case .serving(let screen): screen.onAir
    }
  }

  /// What a rule of the device is called; nil for a rule that is not for it.
  package func name(of rule: RuleID) -> String? {
    switch phase {
    case .idle: nil
    case .serving(let screen): screen.rules[rule]?.name
    }
  }

  /// A moment by the clocks of the site, as the plan has it: `18:00 Europe/Berlin`, and its day where that is another one than now. UTC
  /// where the zone of the site is not known.
  package func siteTime(_ moment: WallTime, now: WallTime) -> String {
    let book =
      switch phase {
      case .idle(let book, _): book
      case .serving(let screen): screen.rules.book
      }
    guard let zone = try? book.rules(of: book.siteZone) else { return RFC3339.text(moment) }
    let (local, present) = (zone.localTime(at: moment), zone.localTime(at: now))
    return "\(local.date == present.date ? local.clockText : local.dayText) \(book.siteZone.text)"
  }

  /// When a rule begins next; nil when none does in the hours to come.
  package func nextStart(after moment: WallTime) -> WallTime? {
    switch phase {
    case .idle: nil
    case .serving(let screen): screen.rules.agenda.nextStart(after: moment)
    }
  }

  /// Whether a switch waits for the end of an item.
  package var isWaiting: Bool {
    switch phase {
    case .idle: false
    case .serving(let screen): screen.pending != nil
    }
  }

  /// Why occurrences cannot play, for explanations. A new process does not know them, and tries again.
  package var failures: [OccurrenceKey: String] {
    switch phase {
    case .idle: [:]
    case .serving(let screen): screen.failures
    }
  }

  /// - Parameters:
  ///   - now: the driver's clock, which nobody sets.
  ///   - wall: the time of day, which somebody may.
  package mutating func handle(_ event: Event, at now: Tick, wall: WallTime) -> [Action] {
    switch (phase, event) {
    case (.idle(let book, let device), .begin(let last, let seenUntil, let credits, let share)):
      var screen = ScheduleScreen(
        book, device, last: last, seenUntil: seenUntil, credits: credits, at: now, wall: wall)
      let actions = screen.begin(after: last, share: share, at: now, wall: wall)
      phase = .serving(screen)
      return actions
    case (.idle, .edited(let book, let device)):
      phase = .idle(book, device)
      return []
    case (.idle, _): return []
    case (.serving(var screen), _):
      let actions = screen.handle(event, at: now, wall: wall)
      phase = .serving(screen)
      return actions
    }
  }
}
