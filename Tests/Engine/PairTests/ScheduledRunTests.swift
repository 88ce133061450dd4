import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

/// The runner's machine with rules, against the simulator. Clocks show 00:16:40 in UTC when a run begins.
@Suite("Runs with a schedule")
struct ScheduledRunTests {
  static func moment(_ seconds: Double) -> WallTime {
    WallTime(milliseconds: 1_000_000).adding(seconds: seconds)
  }

  /// A window from one second of the run to another.
  static func window(
    _ number: Int64, _ name: String, from start: Double, seconds: Int, priority: Int = 0
  ) -> ScheduleRule {
    ScheduleRule(
      id: RuleID(number), name: name, programme: name, priority: priority,
      form: .once(TimeZoneRules().localTime(at: moment(start))), length: seconds)
  }

  /// An announcement at a second of the run, as long as its list.
  static func announcement(_ number: Int64, _ name: String, at start: Double, priority: Int = 1)
    -> ScheduleRule
  {
    ScheduleRule(
      id: RuleID(number), name: name, programme: name, priority: priority, kind: .trigger,
      form: .once(TimeZoneRules().localTime(at: moment(start))))
  }

  static func feed(
    _ base: [String], repeatMode: QueueRepeat = .all, _ rules: [ScheduleRule],
    _ programmes: [String: [String]]
  ) -> VirtualFeed {
    var feed = FeedFixture.feed(base, repeatMode: repeatMode)
    feed.book = ScheduleBook(rules: rules)
    for (name, files) in programmes.sorted(by: { $0.key < $1.key }) {
      feed.rows.setProgramme(name, files.map { FeedFixture.draft($0) })
    }
    return feed
  }

  /// What was on the screen, in its order: `v90.mp4@0 5.0`, a name with the position at which it began and its seconds.
  static func shown(_ feed: VirtualFeed) -> [String] {
    feed.watch.stretches.compactMap { stretch in
      guard case .turn(let turn) = stretch.shown else { return nil }
      return "\(turn.entry.rawValue)@\(Int(stretch.position.rounded())) \(Int(stretch.seconds.rounded()))"
    }
  }

  @Test("a window that begins hard cuts the film, which goes on at its second when the window is over")
  func hardWindow() {
    var feed = Self.feed(
      ["v90.mp4"], [Self.window(1, "lunch", from: 20, seconds: 30)], ["lunch": ["v10.mp4", "w10.mp4"]])
    feed.run(until: Tick(.seconds(130)))
    #expect(
      Self.shown(feed).prefix(5) == ["1@0 19", "2@0 10", "3@0 10", "2@0 10", "1@19 71"],
      "\(Self.shown(feed)) \(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.decisions.map { $0.onAir?.programme } == [nil, "lunch", nil])
    #expect(feed.watch.darkStretches.dropFirst().isEmpty, "\(feed.watch.darkStretches)")
  }

  @Test(
    "an announcement gives the screen back at the second, and the receiver has what follows before it is over"
  )
  func announcement() {
    var feed = Self.feed(
      ["v90.mp4", "v60.mp4"], [Self.announcement(1, "call", at: 30)], ["call": ["v5.mp4"]])
    feed.run(until: Tick(.seconds(130)))
    #expect(
      Self.shown(feed).prefix(3) == ["1@0 29", "3@0 5", "1@29 61"],
      "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.decisions.map { $0.onAir?.programme } == [nil, "call", nil])
    #expect(feed.log.count { $0.contains("QUEUE_LOAD") } == 2, "\(feed.log.joined(separator: "\n"))")
  }

  @Test("a window that waits for the item's end follows it without a gap, and so does what comes after it")
  func softWindow() {
    var lunch = Self.window(1, "lunch", from: 20, seconds: 30)
    (lunch.start, lunch.end) = (.next, .finish)
    var feed = Self.feed(["v30.mp4", "w30.mp4"], [lunch], ["lunch": ["v20.mp4"]])
    feed.run(until: Tick(.seconds(130)))
    #expect(
      Self.shown(feed).prefix(3) == ["1@0 30", "3@0 20", "2@0 30"],
      "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))")
    #expect(feed.log.count { $0.contains("QUEUE_LOAD") } == 1)
  }

  @Test(
    "what lies below plays where a programme has no list, or nothing of it can be played",
    arguments: [false, true])
  func deadProgramme(hasList: Bool) {
    var feed = Self.feed(
      ["v30.mp4"], [Self.window(1, "lunch", from: 20, seconds: 600)], hasList ? ["lunch": ["dead.mp4"]] : [:])
    feed.run(until: Tick(.seconds(100)))
    #expect(feed.watch.darkStretches.allSatisfy { $0.seconds < 6 }, "\(feed.log.joined(separator: "\n"))")
    #expect(Self.shown(feed).last?.hasPrefix("1@") == true, "\(Self.shown(feed))")
    #expect(feed.rows.decisions.last?.reason.contains("lunch failed") == true, "\(feed.rows.decisions)")
  }

  @Test("what lies below plays where neither a programme nor what stands in for it can be played")
  func deadStandIn() {
    var feed = Self.feed(
      ["v30.mp4"], [Self.window(1, "lunch", from: 20, seconds: 600)], ["lunch": ["dead.mp4"]])
    feed.rows.setFiller(of: "lunch", [FeedFixture.draft("dead.mp4")])
    feed.run(until: Tick(.seconds(200)))
    #expect(Self.shown(feed).last?.hasPrefix("1@") == true, "\(Self.shown(feed))")
    #expect(feed.rows.decisions.last?.reason.contains("lunch failed") == true, "\(feed.rows.decisions)")
    #expect(feed.watch.darkStretches.allSatisfy { $0.seconds < 6 }, "\(feed.watch.darkStretches)")
  }

  @Test("an entry of a programme is shown when its own time begins, and what lies below before and after")
  func ownWindow() {
    var feed = Self.feed(["v90.mp4"], [Self.window(1, "lunch", from: 20, seconds: 600)], [:])
    var draft = FeedFixture.draft("v10.mp4")
    (draft.notBefore, draft.notAfter) = (Self.moment(60), Self.moment(80))
    feed.rows.setProgramme("lunch", [draft])
    feed.run(until: Tick(.seconds(120)))
    let begun = feed.watch.all.lazy.compactMap { stretch -> Double? in
      guard case .turn(let turn) = stretch.shown, turn.entry.rawValue == 2 else { return nil }
      return stretch.since.sinceStart.seconds
    }.first
    #expect(begun.map { (60...64).contains($0) } == true, "\(feed.log.joined(separator: "\n"))")
    #expect(Self.shown(feed).last?.hasPrefix("1@") == true, "\(Self.shown(feed))")
  }

  @Test("a dead address that is all of a list fails a few times before the list is left alone")
  func deadAlone() {
    var feed = Self.feed(
      ["v30.mp4"], [Self.window(1, "lunch", from: 20, seconds: 600)], ["lunch": ["dead.mp4"]])
    feed.run(until: Tick(.seconds(100)))
    #expect((1...4).contains(feed.rows.turns(.failed).count), "\(feed.log.joined(separator: "\n"))")
    #expect(Self.shown(feed).last?.hasPrefix("1@") == true, "\(Self.shown(feed))")
  }

  @Test("what stands in for a programme is shown while nothing of it is due, and nothing is dark")
  func filler() {
    var feed = Self.feed(["v90.mp4"], [Self.window(1, "lunch", from: 20, seconds: 600)], [:])
    var draft = FeedFixture.draft("v10.mp4")
    draft.notBefore = Self.moment(60)
    feed.rows.setProgramme("lunch", [draft])
    feed.rows.setFiller(of: "lunch", [FeedFixture.draft("w15.mp4")])
    feed.run(until: Tick(.seconds(100)))
    #expect(
      Self.shown(feed).prefix(5) == ["1@0 19", "3@0 15", "3@0 15", "3@0 15", "2@0 10"],
      "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.decisions.map { $0.onAir?.programme } == [nil, "lunch"])
    #expect(feed.watch.darkStretches.dropFirst().isEmpty, "\(feed.watch.darkStretches)")
  }

  @Test(
    "a share has its part of the time, between whole items, also when the feeder is killed now and then",
    arguments: [false, true])
  func shares(isKilled: Bool) {
    var ad = ScheduleRule(
      id: RuleID(1), name: "ad", programme: "ad", kind: .share(ShareTerms(secondsPerHour: 900)), form: .always
    )
    ad.note = "a quarter of the time"
    var feed = Self.feed(["v10.mp4", "w10.mp4"], [ad], ["ad": ["x10.mp4", "y10.mp4"]])
    for index in feed.rows.rows.indices {
      feed.rows.rows[index].place.draft.media.streamDuration = MediaTime(seconds: 10)
    }
    for minute in 1...60 {
      feed.run(until: Tick(.seconds(minute * 60)))
      if isKilled, minute % 7 == 0 { feed.killFeeder() }
    }
    let ends = (3...4).flatMap { feed.rows.ends(of: $0) }
    let seconds = ends.map(\.played).reduce(0, +)
    let all = (1...4).flatMap { feed.rows.ends(of: $0) }.map(\.played).reduce(0, +)
    #expect(
      abs(seconds - all / 4) <= 15, "\(seconds) of \(all)\n\(feed.log.suffix(60).joined(separator: "\n"))")
    if !isKilled { #expect(ends.allSatisfy { $0.outcome == .finished }) }
    #expect(feed.rows.decisions.count { $0.kind == .share } >= ends.count)
    #expect(feed.watch.darkStretches.allSatisfy { $0.seconds < 3 }, "\(feed.watch.darkStretches)")
  }

  @Test(
    "what a person plays comes before shares, on the screen or due, which have their time later",
    arguments: [true, false])
  func byHand(isOnScreen: Bool) throws {
    let ad = ScheduleRule(
      id: RuleID(1), name: "ad", programme: "ad", kind: .share(ShareTerms(secondsPerHour: 1800)),
      form: .always)
    var feed = Self.feed(["v60.mp4", "w60.mp4", "u60.mp4"], [ad], ["ad": ["x60.mp4"]])
    for index in feed.rows.rows.indices {
      feed.rows.rows[index].place.draft.media.streamDuration = MediaTime(seconds: 60)
    }
    while (feed.rows.decisions.last?.kind == .share) != isOnScreen || feed.now < Tick(.seconds(150)),
      feed.now < Tick(.seconds(400))
    {
      feed.run(until: feed.now + .seconds(1))
    }
    feed.run(until: feed.now + .seconds(20))
    let chosen = feed.now
    let ticket = feed.ask(.perform(.play(EntryID(3))))
    feed.run(until: feed.now + .seconds(5))
    #expect(try feed.answers[ticket]?.get() != nil)
    let shown = feed.watch.all.filter { $0.since > chosen && $0.shown != .dark }
    #expect(
      shown.first.map { if case .turn(let turn) = $0.shown { turn.entry == EntryID(3) } else { false } }
        == true,
      "\(Self.shown(feed))\n\(feed.log.suffix(40).joined(separator: "\n"))")
    #expect(shown.first.map { $0.since - chosen < .seconds(2) } == true)
    feed.run(until: feed.now + .seconds(3600))
    let seconds = feed.rows.ends(of: 4).map(\.played).reduce(0, +)
    #expect(abs(seconds - feed.now.sinceStart.seconds / 2) < 200, "\(seconds)")
  }

  @Test("killed during the item of a share, the item continues at its second, without another decision")
  func killedShare() throws {
    let ad = ScheduleRule(
      id: RuleID(1), name: "ad", programme: "ad", kind: .share(ShareTerms(secondsPerHour: 1800)),
      form: .always)
    var feed = Self.feed(["v60.mp4"], [ad], ["ad": ["x60.mp4", "y60.mp4"]])
    for index in feed.rows.rows.indices {
      feed.rows.rows[index].place.draft.media.streamDuration = MediaTime(seconds: 60)
    }
    while feed.rows.decisions.last?.kind != .share, feed.now < Tick(.seconds(200)) {
      feed.run(until: feed.now + .seconds(1))
    }
    feed.run(until: feed.now + .seconds(30))
    let decisions = feed.rows.decisions.count
    var twin = feed
    feed.killFeeder()
    feed.run(until: feed.now + .seconds(20))
    #expect(feed.rows.decisions.count == decisions, "\(feed.rows.decisions)")
    feed.run(until: feed.now + .seconds(60))
    // The item was whole on the screen, and is paid for, but for what history had not written yet.
    #expect(
      Self.shown(feed) == ["1@0 60", "2@0 60"],
      "\(Self.shown(feed))\n\(feed.log.suffix(40).joined(separator: "\n"))")
    twin.run(until: feed.now)
    let owed = try [feed, twin].map { try #require($0.rows.credits[ad.id]).owed }
    #expect(abs(owed[0] - owed[1]) <= 10_000, "\(owed)")
  }

  enum Loss: CaseIterable {
    /// The receiver continues.
    case connection
    /// The device starts over: the item is loaded at its second.
    case power
  }

  @Test(
    "a connection that is lost during the item of a share, or a device that restarts, leaves the item whole, with one decision",
    arguments: Loss.allCases, [5, 30])
  func lostShare(loss: Loss, second: Int) throws {
    let ad = ScheduleRule(
      id: RuleID(1), name: "ad", programme: "ad", kind: .share(ShareTerms(secondsPerHour: 1200)),
      form: .always)
    var feed = Self.feed(["v60.mp4"], [ad], ["ad": ["x60.mp4", "y60.mp4"]])
    for index in feed.rows.rows.indices {
      feed.rows.rows[index].place.draft.media.streamDuration = MediaTime(seconds: 60)
    }
    while feed.rows.decisions.last?.kind != .share, feed.now < Tick(.seconds(200)) {
      feed.run(until: feed.now + .seconds(1))
    }
    feed.run(until: feed.now + .seconds(second))
    let decisions = feed.rows.decisions.count
    switch loss {
    case .connection: feed.cutConnection()
    case .power: feed.cutPower(for: .seconds(10))
    }
    feed.run(until: feed.now + .seconds(20))
    #expect(feed.rows.decisions.count == decisions, "\(feed.rows.decisions)")
    feed.run(until: feed.now + .seconds(60))
    let ends = feed.rows.ends(of: 2)
    #expect(
      ends.last.map { $0.outcome == .finished } == true && feed.rows.ends(of: 3).isEmpty,
      "\(Self.shown(feed))\n\(feed.log.suffix(60).joined(separator: "\n"))")
    // The item is paid for as often as it was shown; what nobody saw earns nothing.
    let owed = try #require(feed.rows.credits[ad.id]).owed
    #expect(abs(owed) <= 60_000, "\(owed)")
    let shown = Self.shown(feed).filter { $0.hasPrefix("2@") }
    switch loss {
    case .connection: #expect(shown == ["2@0 60"], "\(shown)")
    case .power:
      #expect(shown.count == 2 && shown.last.map { !$0.hasPrefix("2@0") } == true, "\(shown)")
    }
  }

  @Test("an item of a share that ends while the connection is lost is not shown again")
  func endedWhileLost() {
    let ad = ScheduleRule(
      id: RuleID(1), name: "ad", programme: "ad", kind: .share(ShareTerms(secondsPerHour: 1200)),
      form: .always)
    var feed = Self.feed(["v60.mp4"], [ad], ["ad": ["x60.mp4", "y60.mp4"]])
    for index in feed.rows.rows.indices {
      feed.rows.rows[index].place.draft.media.streamDuration = MediaTime(seconds: 60)
    }
    while feed.rows.decisions.last?.kind != .share, feed.now < Tick(.seconds(200)) {
      feed.run(until: feed.now + .seconds(1))
    }
    feed.run(until: feed.now + .milliseconds(59_000))
    feed.cutConnection()
    feed.run(until: feed.now + .seconds(40))
    let shown = Self.shown(feed)
    #expect(
      shown.prefix(2) == ["1@0 60", "2@0 60"] && feed.rows.decisions.last?.kind == .base,
      "\(shown)\n\(feed.log.suffix(60).joined(separator: "\n"))")
  }

  @Test("a device that is switched off as an announcement begins shows what lies below it when it returns")
  func offAtStart() {
    var feed = Self.feed(
      ["v90.mp4"], [Self.announcement(1, "call", at: 30)], ["call": ["v5.mp4"]])
    feed.run(until: Tick(.milliseconds(29_990)))
    feed.cutPower(for: .seconds(200))
    feed.run(until: Tick(.seconds(300)))
    #expect(
      feed.rows.decisions.map { $0.onAir?.programme } == [nil, "call", nil],
      "\(feed.log.joined(separator: "\n"))")
    #expect(feed.rows.decisions.last?.reason.hasSuffix("; call was missed, the device was off") == true)
    let started = feed.log.compactMap { line in line.split(separator: " ").last.map(String.init) }
      .filter { $0.hasPrefix("e") && $0.contains(".") }
    #expect(!started.contains { $0.hasPrefix("e2.") }, "\(feed.log.joined(separator: "\n"))")
    #expect(feed.log.last?.contains(" progressed e1.") == true, "\(feed.log.joined(separator: "\n"))")
  }

  @Test("a rule that is removed while its share is on the screen leaves it to the base")
  func removedShare() {
    let ad = ScheduleRule(
      id: RuleID(1), name: "ad", programme: "ad", kind: .share(ShareTerms(secondsPerHour: 1800)),
      form: .always)
    var feed = Self.feed(["v10.mp4"], [ad], ["ad": ["x30.mp4"]])
    feed.run(until: Tick(.seconds(75)))
    #expect(feed.rows.ends(of: 2).count >= 1)
    feed.removeRules()
    feed.run(until: Tick(.seconds(200)))
    #expect(Self.shown(feed).suffix(4).allSatisfy { $0.hasPrefix("1@") }, "\(Self.shown(feed))")
  }

  @Test(
    "rows that fail around the end of an announcement or a window darken nothing; afterwards the base is on",
    arguments: 0..<6)
  func outage(step: Int) {
    var feed = Self.feed(
      ["v90.mp4"],
      [Self.window(1, "lunch", from: 20, seconds: 30), Self.announcement(2, "call", at: 60)],
      ["lunch": ["v12.mp4"], "call": ["v5.mp4"]])
    feed.run(until: Tick(.seconds(47 + step * 4)))
    feed.failRows(for: .seconds(20))
    feed.run(until: Tick(.seconds(160)))
    #expect(feed.end == nil, "\(feed.log.joined(separator: "\n"))")
    #expect(feed.watch.darkStretches.dropFirst().isEmpty, "\(feed.watch.darkStretches)")
    #expect(Self.shown(feed).last?.hasPrefix("1@") == true, "\(Self.shown(feed))")
  }

  @Test("a device without a base plays what rules say, and rests in between")
  func noBase() {
    var feed = Self.feed(
      [], repeatMode: .off,
      [Self.window(1, "lunch", from: 20, seconds: 30), Self.window(2, "tea", from: 100, seconds: 20)],
      ["lunch": ["v10.mp4"], "tea": ["w10.mp4"]])
    feed.run(until: Tick(.seconds(200)))
    #expect(feed.end == nil)
    #expect(
      Self.shown(feed) == ["1@0 10", "1@0 10", "1@0 9", "2@0 10", "2@0 10"],
      "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))")
  }

  /// A window from 20 to 50, and in it an announcement of 5 s at 30.
  private static func nested() -> VirtualFeed {
    feed(
      ["v90.mp4"], [window(1, "lunch", from: 20, seconds: 30), announcement(2, "call", at: 30)],
      ["lunch": ["v12.mp4"], "call": ["v5.mp4"]])
  }

  @Test(
    "killed at any moment of a switch or an announcement, the right programme is on the screen afterwards, with one decision",
    arguments: [19_900, 29_700, 34_900, 49_800])
  func killed(start: Int64) {
    var whole = Self.nested()
    for step in 0..<15 {
      whole.run(until: Tick(.milliseconds(start + Int64(step) * 22)))
      var feed = whole
      feed.killFeeder()
      check(&feed)
    }
  }

  @Test(
    "killed before any action of the runner, from before the switch until after it, it is the same",
    arguments: 19..<53)
  func killedBetween(second: Int) {
    var whole = Self.nested()
    whole.run(until: Tick(.seconds(second)))
    var next = whole
    next.run(until: Tick(.seconds(second + 1)))
    for action in whole.actionCount..<next.actionCount {
      var feed = whole
      feed.killBefore = action
      check(&feed)
      #expect(feed.log.count { $0.contains("killed") } == 1)
    }
  }

  private func check(_ feed: inout VirtualFeed) {
    feed.run(until: Tick(.seconds(60)))
    // Not more of it than there is, and not less than what a process that is gone can have missed.
    let call = feed.watch.stretches.map { stretch in
      guard case .turn(let turn) = stretch.shown, turn.entry.rawValue == 2 else { return 0 }
      return stretch.seconds
    }.reduce(0, +)
    #expect((4...6).contains(call), "the announcement was on for \(call) s: \(Self.shown(feed))")
    #expect(
      feed.rows.decisions.map { $0.onAir?.programme } == [nil, "lunch", "call", "lunch", nil],
      "\(Self.shown(feed))\n\(feed.log.joined(separator: "\n"))")
    #expect(feed.watch.darkStretches.allSatisfy { $0.seconds < 3 }, "\(feed.watch.darkStretches)")
    let shown = Self.shown(feed)
    #expect(
      shown.contains { $0.hasPrefix("3@") && !$0.hasPrefix("3@0") }, "the window did not go on: \(shown)")
    var isBack = false
    if let last = feed.watch.all.last, case .turn(let turn) = last.shown {
      isBack = turn.entry.rawValue == 1 && last.position > 10
    }
    #expect(isBack, "the base did not go on: \(shown)\n\(feed.log.joined(separator: "\n"))")
  }
}
