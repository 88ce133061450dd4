import CastProtocol
import CastqFeeding
import CastqSchedule
import CastqText

/// The life of one screen by chance: what was on it second by second, and the rows that castq wrote of it.
struct TimelineLife {
  /// What was on the screen.
  struct Truth: Equatable {
    let range: Range<WallTime>
    /// The number of the play; nil where none was.
    var play: Int64?
    /// Of what documents have: a kind, or why the screen was dark.
    var word: String
  }

  let book: ScheduleBook
  let device = ScheduleDevice(id: "lobby", groups: ["shop"])
  let range: Range<WallTime>
  private(set) var plays: [Timeline.Play] = []
  private(set) var facts: TimelineFacts
  /// In the order in which they came: what is later holds.
  private(set) var truths: [Truth] = []
  /// How often each mishap happened.
  private(set) var mishaps: [String: Int] = [:]

  private var generator: SeededGenerator
  private var now: WallTime
  private var number: Int64 = 0
  /// When the last play ended, as far as castq saw what came after it.
  private var seenSince: WallTime?
  /// Why nothing is on the screen until the next play; nil where its end says that the queue or its rule has ended.
  private var word: String?
  /// When a person stops the device for good.
  private let stop: WallTime?
  private let share = Timeline.Play.Key(.share, number: 90, rule: "promo", revision: 1, programme: "promo")

  /// - Parameter zone: in which rules are read.
  init(_ zone: String, days: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var rules = (1...5 as ClosedRange<Int64>).map { number in
      var rule = RandomRules.rule(number, &generator)
      // Else nothing of the queue, and no announcement, is ever on the screen.
      if rule.form == .always { rule.form = Bench.form("daily", "09:00-17:00") }
      if rule.form.hasOnlyStarts { rule.length = 900 }
      return rule
    }
    for number in 20...21 as ClosedRange<Int64> {
      var rule = RandomRules.rule(number, &generator, kind: .trigger)
      if rule.form == .always { rule.form = Bench.form("cron", "10 */2 * * *") }
      if rule.form.hasOnlyStarts { rule.length = number == 20 ? 60 : 900 }
      (rule.priority, rule.target, rule.validUntil) = (5, .all, nil)
      rules.append(rule)
    }
    var quiet = DeviceRules()
    let nights = [["22:15-06:45"], ["01:30-05:00", "12:30-13:10"], ["02:30-03:30"], []]
    quiet.quietHours = try nights[Int(seed % 4)].map(QuietHours.init)
    quiet.zone = TestZone.rules(zone)
    book = RandomRules.book(zone, rules)
    let start = Bench.moment("2026-03-20T00:00:00Z")
    range = start..<start.adding(seconds: Double(days) * 86_400)
    // A device that is heard first on the first morning.
    now = start.adding(seconds: 30_000)
    facts = TimelineFacts(madeAt: now, now: range.upperBound)
    facts.darkHours = DarkHours(quiet, local: TimeZoneRules())
    stop =
      seed % 2 == 0
      ? range.upperBound.adding(seconds: -Double.random(in: 10_000...80_000, using: &generator)) : nil
    facts.stoppedAt = stop
    self.generator = generator
    truths.append(Truth(range: start..<now, word: "before"))
    live()
  }

  // MARK: - Living

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private mutating func seconds(_ range: ClosedRange<Double>) -> Double {
    (Double.random(in: range, using: &generator) * 1000).rounded() / 1000
  }

  private mutating func live() {
    var planner = Planner(book, range: range)
    for segment in planner.plan(for: device).segments {
      var start = segment.start
      while start < segment.end {
        let end = min(segment.end, edge(after: start))
        part(segment, start..<end)
        start = end
      }
    }
    rest(until: range.upperBound)
    plays.sort { ($0.moment ?? .latest, $0.id) < ($1.moment ?? .latest, $1.id) }
    facts.decisions.sort { ($0.at, $0.id) < ($1.at, $1.id) }
    facts.outages.sort { ($0.beganAt, $0.id) < ($1.beganAt, $1.id) }
  }

  /// A part of a segment that is quiet as a whole, or not at all.
  private mutating func part(_ segment: PlanSegment, _ range: Range<WallTime>) {
    // What is over in a moment is not begun.
    guard range.upperBound - max(now, range.lowerBound) > 3 else { return }
    if stop.map({ $0 <= range.lowerBound }) ?? false { return rest(until: range.upperBound) }
    if isQuiet(at: range.lowerBound), quietDecision(at: range.lowerBound) == nil {
      guard pick(8) == 0 else { return rest(until: range.upperBound) }
      // Somebody plays in quiet hours all the same.
      rest(until: range.lowerBound.adding(seconds: seconds(1...(range.upperBound - range.lowerBound))))
      guard range.upperBound - now > 3, isQuiet(at: now) else { return rest(until: range.upperBound) }
      count("played in quiet hours")
    }
    facts.decisions.append(
      .init(
        id: Int64(facts.decisions.count), at: now, kind: segment.kind, rule: name(segment),
        programme: segment.programme, planned: segment.occurrence?.start, end: segment.occurrence?.end))
    play(segment, until: range.upperBound)
  }

  // MARK: - Quiet hours and the last stop

  private func isQuiet(at moment: WallTime) -> Bool { facts.darkHours?.contains(moment) ?? false }

  /// What was decided since the quiet hours of a moment began.
  private func quietDecision(at moment: WallTime) -> TimelineFacts.Decision? {
    guard let hours = facts.darkHours, let decision = facts.decisions.last, hours.contains(decision.at)
    else { return nil }
    return hours.end(after: decision.at).map { moment < $0 } ?? true ? decision : nil
  }

  /// When quiet hours may begin or end next, or the device is stopped.
  private func edge(after moment: WallTime) -> WallTime {
    min(facts.darkHours?.edge(after: moment) ?? .latest, stop.flatMap { moment < $0 ? $0 : nil } ?? .latest)
  }

  /// When the next quiet hours begin that nobody plays in, or the device is stopped.
  private func silence(after moment: WallTime) -> WallTime {
    var edge = edge(after: moment)
    while edge < range.upperBound, edge != stop, !isQuiet(at: edge) || quietDecision(at: edge) != nil {
      edge = self.edge(after: edge)
    }
    return edge
  }

  private func name(_ segment: PlanSegment) -> String? {
    segment.occurrence.flatMap { occurrence in book.rules.first { $0.id == occurrence.rule }?.name }
  }

  private mutating func play(_ segment: PlanSegment, until limit: WallTime) {
    let key: Timeline.Play.Key
    switch segment.kind {
    case .base: key = .init(.base)
    case .announcement, .rule:
      key = .init(
        segment.kind == .rule ? .rule : .announcement, number: segment.occurrence?.rule.number,
        rule: name(segment), revision: 1, occurrence: segment.occurrence?.original.text,
        programme: segment.programme)
    case .share, .dark: return rest(until: limit)
    }
    let ending: PlayCause =
      limit == stop ? .stopped : limit < segment.end && isQuiet(at: limit) ? .quietHours : .ruleEnded
    while limit - now > 3 {
      // The queue has ended, and nobody puts in another one before the next rule.
      if key.kind == .base, pick(20) == 0 { return rest(until: limit) }
      item(pick(8) == 0 ? share : key, until: limit, ending)
    }
    // Its last item stays until the next rule has its own.
    if now < limit, seenSince == nil { rest(until: limit) }
  }

  /// One item, or what came of it.
  private mutating func item(_ key: Timeline.Play.Key, until limit: WallTime, _ ending: PlayCause) {
    if seenSince != nil {
      // The time until it is on the screen.
      load(seconds(0...1.8), "loading")
      if pick(25) == 0 {
        fail(key)
        load(seconds(0.1...1), "failed")
      }
    }
    number += 1
    var end = min(
      now.adding(seconds: [seconds(5...30), seconds(60...240), seconds(200...1500)][pick(3)]), limit)
    if limit - end < 5 { end = limit }
    switch pick(90) {
    case 0: lose(key, until: end)
    case 1: survive(key, until: end)
    case 2: leave(key, until: end, .guest, "guest", by: "Holiday video")
    case 3: leave(key, until: end, .stopped, "stopped")
    case 4: leave(key, until: end, .deviceStopped, "stopped_at_device")
    case 5: leave(key, until: end, .castqEnded, "unobserved")
    case 6: leave(key, until: end, .unobserved, "unobserved")
    case 7: leave(key, until: end, .quietHours, "quiet_hours")
    case 8: turnBack(key, until: end)
    case 9: lose(key, until: end, isTurnedBack: true)
    default: show(key, now..<end, end == limit ? ending : .completed)
    }
  }

  private mutating func load(_ seconds: Double, _ word: String) {
    let end = now.adding(seconds: seconds)
    put(now..<end, word)
    now = end
  }

  private mutating func show(
    _ key: Timeline.Play.Key, _ shown: Range<WallTime>, _ cause: PlayCause, by name: String? = nil
  ) {
    plays.append(
      Timeline.Play(
        id: number, title: "film \(number)", key: key, startedAt: shown.lowerBound, endedAt: shown.upperBound,
        observedAt: shown.upperBound, played: shown.upperBound - shown.lowerBound,
        outcome: cause == .completed ? .finished : .interrupted, cause: cause,
        causedBy: name, gapBefore: seenSince.map { max(shown.lowerBound - $0, 0) }))
    truths.append(Truth(range: shown, play: number, word: key.kind.rawValue))
    now = shown.upperBound
    seenSince = now
    word = nil
  }

  private mutating func fail(_ key: Timeline.Play.Key) {
    number += 1
    count("failure")
    plays.append(
      Timeline.Play(
        id: number, title: "film \(number)", key: key, startedAt: nil, endedAt: now, outcome: .failed,
        cause: .failed, reason: "it was not found"))
  }

  /// The play ends, and for a while castq has nothing on the screen.
  private mutating func leave(
    _ key: Timeline.Play.Key, until limit: WallTime, _ cause: PlayCause, _ word: String,
    by name: String? = nil
  ) {
    count(word)
    show(key, now..<limit, cause, by: name)
    seenSince = nil
    self.word = word
    rest(until: now.adding(seconds: seconds(2...7_000)))
    guard word == "quiet_hours" else { return }
    // What is decided afterwards says that quiet hours are over.
    self.word = nil
    let isOpen = !isQuiet(at: now) || quietDecision(at: now) != nil
    if let last = facts.decisions.last, isOpen, stop.map({ now < $0 }) ?? true {
      facts.decisions.append(
        .init(
          id: Int64(facts.decisions.count), at: now, kind: last.kind, rule: last.rule,
          programme: last.programme, planned: nil, end: last.end))
    }
  }

  /// The device does not answer any more; it is called until it does.
  private mutating func lose(_ key: Timeline.Play.Key, until limit: WallTime, isTurnedBack: Bool = false) {
    count("outage")
    show(key, now..<limit, .deviceLost)
    let length = seconds(1...4_000)
    outage(until: now.adding(seconds: length))
    if isTurnedBack {
      count("clock set back in an outage")
      now = max(limit, now.adding(seconds: -seconds(0...length)))
      number += 1
      outage(until: now.adding(seconds: seconds(1...2_000)))
      now = max(now, facts.outages.map { $0.endedAt ?? now }.max() ?? now)
    }
    (seenSince, word) = (nil, "loading")
    // Its application is launched again.
    load(seconds(0...9), "loading")
  }

  /// The device does not answer for a while, and plays on.
  private mutating func survive(_ key: Timeline.Play.Key, until limit: WallTime) {
    let (start, length) = (now, limit - now)
    guard length > 6 else { return show(key, now..<limit, .completed) }
    count("survived outage")
    show(key, start..<limit, .completed)
    now = start.adding(seconds: (length / 3 * 1000).rounded() / 1000)
    outage(until: now.adding(seconds: (length / 4 * 1000).rounded() / 1000))
    now = limit
  }

  /// Nobody calls it in quiet hours, nor when it is stopped.
  private mutating func outage(until end: WallTime) {
    let end = min(end, silence(after: now), range.upperBound)
    facts.outages.append(
      Outage(id: number, device: "lobby", beganAt: now, endedAt: end, cause: "closed the connection"))
    truths.append(Truth(range: now..<end, word: "unreachable"))
    now = end
  }

  /// The clock is set back after an item, by less than that was on.
  private mutating func turnBack(_ key: Timeline.Play.Key, until limit: WallTime) {
    let length = limit - now
    show(key, now..<limit, .completed)
    guard length > 4 else { return }
    count("clock set back")
    now = now.adding(seconds: -seconds(1...min(length - 1, 60)))
    seenSince = nil
    number += 1
    show(key, now..<now.adding(seconds: seconds(100...200)), .completed)
  }

  /// Nothing is on the screen.
  private mutating func rest(until end: WallTime) {
    let end = min(end, range.upperBound)
    guard now < end else { return }
    let decided = facts.decisions.last?.kind
    var shown =
      word ?? (decided == .dark || decided == .base && !plays.isEmpty ? "nothing_due" : "unobserved")
    if decided == .dark, shown == "loading" { shown = "nothing_due" }
    put(now..<end, shown)
    (now, seenSince) = (end, nil)
  }

  private mutating func put(_ range: Range<WallTime>, _ word: String) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(range.upperBound, edge(after: start))
      let isStopped = stop.map { $0 <= start } ?? false
      // Of a castq that is killed nobody knows whether it would have been quiet.
      let isQuiet = self.word != "unobserved" && isQuiet(at: start) && quietDecision(at: start) == nil
      truths.append(
        Truth(range: start..<end, word: isStopped ? "stopped" : isQuiet ? "quiet_hours" : word))
      start = end
    }
  }

  private mutating func count(_ mishap: String) { mishaps[mishap, default: 0] += 1 }
}
