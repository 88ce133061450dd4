import CastProtocol
import CastqSchedule
import CastqText

/// A machine in virtual time, and what it did with the screen.
struct VirtualScreen {
  private(set) var machine: ScheduleMachine
  private var book: ScheduleBook
  private let device: ScheduleDevice
  private var tick = Tick.zero
  private(set) var wall: WallTime
  private var wakeAt = Tick.zero
  /// By how many seconds a timer is late, by chance.
  var lateness: ClosedRange<Double>?
  private var generator = SeededGenerator(seed: 1)

  private(set) var decisions: [ScheduleDecision] = []
  /// Such as `08:00:00 breakfast begins`.
  private(set) var lines: [String] = []
  private(set) var volumes: [Double?] = []
  private(set) var shares: [RuleID] = []
  /// Seconds of all waits that the machine asked for.
  private(set) var wakes: [Double] = []
  private(set) var notes: [String] = []
  private(set) var isDark = false
  private(set) var credits: [RuleID: ShareCredit] = [:]

  init(_ book: ScheduleBook, at wall: WallTime, base: Bool = true) {
    self.book = book
    self.wall = wall
    device = ScheduleDevice(id: "lobby", groups: ["shop"], hasBase: base)
    machine = ScheduleMachine(book, device: device)
    send(.begin(last: nil, seenUntil: nil, credits: [:]))
  }

  mutating func send(_ event: ScheduleMachine.Event) {
    switch event {
    case .dark, .darkAtStart: isDark = true
    case .back, .begin: isDark = false
    case .edited, .timer, .clockSet, .itemEnded, .programmeEnded, .programmeFailed, .retry: break
    }
    for action in machine.handle(event, at: tick, wall: wall) {
      switch action {
      case .record(let decision): decisions.append(decision)
      case .amend(let standing): decisions[decisions.count - 1].standing = standing
      case .show(let showing):
        let how = showing.resume.map { "\($0)" } ?? "begins"
        lines.append(
          "\(RFC3339.text(wall).dropFirst(11).prefix(8)) \(showing.onAir?.programme ?? "base") \(how)")
      case .playShare(let rule, _): shares.append(rule)
      case .resumeShare(let programme):
        lines.append("\(RFC3339.text(wall).dropFirst(11).prefix(8)) \(programme) continues")
      case .volume(let level): volumes.append(level)
      case .credits(let credits): self.credits = credits
      case .wake(let wait):
        wakeAt = tick + wait
        wakes.append(wait.seconds)
      case .note(let words): notes.append(words)
      }
    }
  }

  /// Time passes, without an event.
  mutating func advance(_ seconds: Double) {
    tick = tick + .bounded(seconds: seconds)
    wall = wall.adding(seconds: seconds)
  }

  /// Runs to a time of this day.
  mutating func run(until time: String) {
    run(until: Bench.moment("\(RFC3339.text(wall).prefix(11))\(time)Z"))
  }

  mutating func run(until end: WallTime) {
    while wall.adding(seconds: (wakeAt - tick).seconds) <= end {
      var wait = max((wakeAt - tick).seconds, 0)
      if let lateness { wait += Double.random(in: lateness, using: &generator) }
      advance(wait)
      send(.timer)
    }
    if wall < end { advance(end - wall) }
  }

  /// Somebody sets the clock.
  mutating func set(_ time: String) { set(Bench.moment("\(RFC3339.text(wall).prefix(11))\(time)Z")) }

  mutating func set(_ time: WallTime) {
    wall = time
    send(.clockSet)
  }

  mutating func edit(_ rules: [ScheduleRule]) {
    book.rules = rules
    send(.edited(book, device))
  }

  /// The process ends, and another one begins so many seconds later.
  /// - Parameter share: the rule whose item was on the screen; nil when none was.
  mutating func kill(for seconds: Double, in share: RuleID? = nil) {
    let seen = wall
    advance(seconds)
    machine = ScheduleMachine(book, device: device)
    send(
      .begin(
        last: decisions.last, seenUntil: seen, credits: credits,
        share: share.map { .init(rule: $0, since: seen, played: 2) }))
  }
}
