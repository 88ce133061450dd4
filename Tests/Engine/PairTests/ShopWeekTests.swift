import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import Testing

/// Seven days of a shop in Berlin, the last of which has 25 hours, with the runner's own machine and the simulator. A person makes the
/// rules with the verbs of the program, and what runs is what the daemon reads from the database.
@Suite("A week in a shop", .timeLimit(.minutes(20)))
struct ShopWeekTests {
  private static let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin")
  // Mon 2037-10-19 00:00 in Berlin: to come, so that the program plans it by the rules that there are.
  static let start = WallTime(milliseconds: 2_139_516_000_000)
  static let week = 7 * 86_400.0 + 3600

  /// Entries have the numbers of their places in this order, base first, then programmes by name.
  private static let base = ["v600.mp4", "w540.mp4"]
  private static let programmes = [
    "ad": ["x30.mp4"], "breakfast": ["b300.mp4", "c240.mp4"], "call": ["k20.mp4"], "closed": ["n900.mp4"],
    "dinner": ["d400.mp4"], "lunch": ["l300.mp4", "f3000.mp4"],
  ]

  static func programme(of entry: EntryID) -> String? {
    var last = Int64(base.count)
    for (name, files) in programmes.sorted(by: { $0.key < $1.key }) {
      if entry.rawValue > last, entry.rawValue <= last + Int64(files.count) { return name }
      last += Int64(files.count)
    }
    return nil
  }

  /// What the person does before the week.
  private func site() throws -> ShopSite {
    let site = try ShopSite(zone: try ZoneName("Europe/Berlin"), base: Self.base)
    for (name, files) in Self.programmes { try site.addProgramme(name, files) }
    try site.castq("group", "add", "shop", "lobby")
    try site.castq("calendar", "add", "holidays", "2037-10-21", "a holiday")
    try site.castq(
      "daypart", "add", "breakfast", "08:00-10:30", "--on", "sat,sun", "09:00-11:00", "--closed", "@holidays")
    try site.castq(
      "schedule", "add", "breakfast", "--play", "breakfast", "-d", "@shop", "--daypart", "breakfast")
    try lunch(site, "11:30-14:00")
    try site.castq("schedule", "add", "dinner", "--play", "dinner", "-d", "lobby", "--daily", "17:00-21:00")
    try site.castq(
      "schedule", "add", "closed", "--play", "closed", "-d", "@all", "--daily", "22:00-07:00", "--priority",
      "5")
    try site.castq(
      "schedule", "add", "call", "--play", "call", "-d", "@shop", "--cron", "*/30 9-20 * * *", "--priority",
      "9", "--interrupt")
    try site.castq(
      "share", "add", "ad", "ad", "-d", "@shop", "--daily", "09:00-20:00", "--per-hour", "5%")
    return site
  }

  private func lunch(_ site: ShopSite, _ times: String, _ options: String...) throws {
    try site.castq(
      ["schedule", "add", "lunch", "--play", "lunch", "-d", "@shop", "--daily", times, "--end", "finish"]
        + options)
  }

  private func shop(_ site: ShopSite) throws -> VirtualFeed {
    let schedule = try site.read().schedule
    // Questions between items tell nothing here, and cost most of the time.
    var configuration = FeederConfiguration()
    configuration.statusInterval = .seconds(120)
    var feed = FeedFixture.feed(Self.base, repeatMode: .all, configuration: configuration)
    for programme in schedule.programmes {
      feed.rows.setProgramme(programme.name, try site.files(of: programme).map { FeedFixture.draft($0) })
    }
    feed.logLimit = 100
    (feed.book, feed.screen) = (schedule.book, try #require(schedule.devices.first))
    feed.jumpClock(by: .seconds(Self.start - ScheduledRunTests.moment(0)))
    return feed
  }

  @Test(
    "shows what the plan has said, through a night of 25 hours, a morning without the device and an edit on Thursday",
    .enabled(if: hasZones, "there is no zone database here; Debian has it in the package tzdata"))
  func plan() throws {
    let site = try site()
    let (off, edit) = ((86_400 + 7.5 * 3600)...(86_400 + 9.25 * 3600), 3 * 86_400 + 12 * 3600.0)
    let (before, moments) = (try site.read(), Self.moments(without: off))
    let first = before.schedule.book
    var feed = try shop(site)
    #expect(feed.screen.groups == ["shop"] && feed.screen.hasBase)
    try expectPrinted(site, first, feed.screen)
    var asked = try moments.filter { $0 < edit }.map { try ask(site, $0) }

    feed.run(until: Tick(.bounded(seconds: off.lowerBound)))
    feed.cutPower(for: .bounded(seconds: off.upperBound - off.lowerBound))
    feed.run(until: Tick(.bounded(seconds: edit)))
    #expect(try site.read().version == before.version, "nobody has written")
    try lunch(site, "11:30-13:00", "--replace")
    let after = try site.read()
    let second = after.schedule.book
    #expect(after.version > before.version && second.rules.map(\.revision).sorted() == [1, 1, 1, 1, 1, 2])
    feed.book = second
    feed.poke()
    try expectPrinted(site, second, feed.screen)
    asked += try moments.filter { $0 >= edit }.map { try ask(site, $0) }
    feed.run(until: Tick(.bounded(seconds: Self.week)))

    let end = Self.start.adding(seconds: Self.week)
    var books = (first, second)
    // The plan knows how long the announcement is.
    (books.0.lengths, books.1.lengths) = (["call": 20], ["call": 20])
    var planners = (Planner(books.0, range: Self.start..<end), Planner(books.1, range: Self.start..<end))
    let plans = (planners.0.plan(for: feed.screen), planners.1.plan(for: feed.screen))
    func planned(_ second: Double) -> String? {
      let moment = Self.start.adding(seconds: second)
      let segments = (second < edit ? plans.0 : plans.1).segments
      return segments.first { $0.start <= moment && moment < $0.end }?.programme
    }
    // What the verbs have said: exceptions on a holiday and at weekends, and the edit.
    let wanted: [(day: Int, hour: Double, programme: String?)] = [
      (0, 8.2, "breakfast"), (0, 10.8, nil), (2, 8.2, nil), (5, 8.2, nil), (5, 10.8, "breakfast"),
      (2, 13.7, "lunch"), (3, 12.7, "lunch"), (3, 13.7, nil), (0, 17.2, "dinner"), (1, 23, "closed"),
      (1, 12.001, "call"),
    ]
    for (day, hour, programme) in wanted {
      #expect(planned(Double(day) * 86_400 + hour * 3600) == programme, "day \(day), \(hour) h")
    }
    var wrong: [String] = []
    var (seconds, stretches) = (["": 0.0], feed.watch.all[...])
    for minute in 0..<Int(Self.week / 60) {
      // Announcements of 20 s begin at whole minutes.
      let second = Double(minute * 60 + 45)
      let tick = Tick(.bounded(seconds: second))
      while let stretch = stretches.first, stretch.until <= tick { stretches.removeFirst() }
      guard !((off.lowerBound - 60)...(off.upperBound + 60)).contains(second), let stretch = stretches.first
      else {
        continue
      }
      var shown = "dark"
      if case .turn(let turn) = stretch.shown { shown = Self.programme(of: turn.entry) ?? "base" }
      seconds[shown, default: 0] += 60
      let wanted = planned(second) ?? "base"
      // The film of lunch may run over its part, by its own length at the most.
      let isOver = shown == "lunch" && (0...50).contains { planned(second - Double($0) * 60) == "lunch" }
      // Between two items.
      let isGap = shown == "dark" && stretch.seconds < 1
      if shown != wanted, shown != "ad", !isOver, !isGap {
        wrong.append("\(minute / 60):\(minute % 60) \(shown), not \(wanted)")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20)) \(feed.log.suffix(5))")
    for name in ["breakfast", "lunch", "dinner", "closed", "base"] {
      #expect(seconds[name, default: 0] > 3600)
    }
    // An announcement of 20 s that begins at the same moment comes first.
    let late = feed.rows.decisions.dropFirst().filter { decision in
      let limit = decision.reason.contains("call has ended") ? 21.0 : 1
      return decision.kind != .share && decision.planned.map { abs(decision.at - $0) > limit } ?? false
    }
    #expect(late.isEmpty, "\(late.map(\.reason))")
    try share(feed, off)
    why(feed, first, second, edit: edit, asked, planned)
    let segments = Self.segments(plans, edit: Self.start.adding(seconds: edit))
    let away = Self.start.adding(seconds: off.lowerBound)..<Self.start.adding(seconds: off.upperBound)
    history(feed, segments, away)
    try adherence(feed, site, segments, away)
  }

  /// What `report adherence` sums up, against the screen itself: what history has of each rule is what was seen of it, and what was
  /// planned of it by decisions is either shown or the time of an item that was not there yet.
  private func adherence(
    _ feed: VirtualFeed, _ site: ShopSite, _ segments: [PlanSegment], _ away: Range<WallTime>
  ) throws {
    let week = Self.start..<Self.start.adding(seconds: Self.week)
    var totals = AdherenceTotals(ReportGrouping(.rule, utcOffset: { _ in 0 }), period: week)
    for (place, decision) in feed.rows.decisions.enumerated() {
      guard let onAir = decision.onAir, decision.kind == .rule || decision.kind == .announcement else {
        continue
      }
      let next = feed.rows.decisions.dropFirst(place + 1).first?.at ?? week.upperBound
      // What held it up was an announcement or the item of a share, whose time it was.
      let end = max(min(next, onAir.occurrence.end ?? .latest), decision.at)
      totals.add(
        PlannedStretch(
          rule: onAir.programme, device: "lobby", occurrence: onAir.occurrence.original.text,
          range: decision.at..<end))
    }
    var began: [EntryTurn: WallTime] = [:]
    var ended: [String: Set<EntryTurn>] = [:]
    for fact in feed.rows.facts {
      switch fact {
      case .started(let turn, let play): began[turn] = play.at
      case .progressed, .adEnded: break
      case .ended(let turn, let play):
        let rule = Self.programme(of: turn.entry)
        ended[rule ?? "base", default: []].insert(turn)
        totals.add(
          ReportPlay(
            play: 1, device: "lobby", title: "", url: "", startedAt: began[turn], endedAt: play.at,
            played: play.played, outcome: play.outcome, evidence: play.evidence, gapBefore: nil,
            kind: rule == "ad" ? .share : rule == "call" ? .announcement : rule == nil ? .base : .rule,
            rule: rule))
      }
    }
    totals.finish()
    var seen: [String: Double] = [:]
    for stretch in feed.watch.all {
      // What is on the screen when the week is over has no end in history yet.
      guard case .turn(let turn) = stretch.shown, let rule = Self.programme(of: turn.entry),
        ended[rule]?.contains(turn) == true
      else { continue }
      seen[rule, default: 0] += stretch.seconds
    }
    #expect(Set(totals.sums.keys) == ["breakfast", "call", "closed", "dinner", "lunch"])
    for (rule, sum) in totals.sums {
      #expect(
        abs(sum.shown - seen[rule, default: 0]) <= 1,
        "\(rule): \(sum.shown) by history, \(seen[rule, default: 0]) on the screen")
      let planned = Self.planned(rule, segments, feed, away)
      #expect(planned.contains(sum.planned), "\(rule): \(sum.planned) by decisions, \(planned) by the plan")
    }
    // The same by the program, of the rows that the daemon writes. What is still on the screen counts as far as the device has told.
    try site.record(feed, until: week.upperBound)
    let reported = try site.adherence(week)
    #expect(Set(reported.keys) == Set(totals.sums.keys))
    var running: (rule: String, seconds: Double)?
    if let last = feed.watch.all.last, case .turn(let turn) = last.shown {
      running = Self.programme(of: turn.entry).map { ($0, last.seconds) }
    }
    for (rule, row) in reported {
      let sum = try #require(totals.sums[rule])
      let more = running?.rule == rule ? running?.seconds ?? 0 : 0
      let limit = more > 0 ? 11.0 : 1
      #expect(
        abs(row.shown - seen[rule, default: 0] - more) <= limit,
        "\(rule): \(row.shown), not \(sum.shown) and \(more)")
      #expect(
        abs(row.planned - sum.planned) <= 1, "\(rule): \(row.planned), \(sum.planned) were planned")
      #expect(row.occurrences == sum.occurrences, "\(rule)")
    }
  }

  /// 5 % of the time from nine to eight, give or take the longest item, which is as long as a film.
  private func share(_ feed: VirtualFeed, _ off: ClosedRange<Double>) throws {
    let entry = EntryID(Int64(Self.base.count + 1))
    let shown = feed.rows.ends(of: entry.rawValue).map(\.played).reduce(0, +)
    let onAir = 7 * 11 * 3600 - (off.upperBound - (86_400 + 9 * 3600))
    #expect(abs(shown - onAir / 20) <= 3000, "\(shown) of \(onAir)")
    #expect(feed.rows.ends(of: entry.rawValue).count > 100)
  }

  /// What `castq why` says of a second of the week.
  private typealias Asked = (second: Double, winner: String?, candidates: Int)

  private func ask(_ site: ShopSite, _ second: Double) throws -> Asked {
    let answer = try site.why(Self.start.adding(seconds: second))
    return (second, answer.winner, answer.candidates)
  }

  /// Ten seconds of the week, chosen by a seed.
  private static func moments(without off: ClosedRange<Double>) -> [Double] {
    var generator = SeededGenerator(seed: 7)
    var moments: [Double] = []
    while moments.count < 10 {
      let moment = Double.random(in: 0..<week, using: &generator)
      if !off.contains(moment) { moments.append(moment) }
    }
    return moments
  }

  private func why(
    _ feed: VirtualFeed, _ first: ScheduleBook, _ second: ScheduleBook, edit: Double, _ asked: [Asked],
    _ planned: (Double) -> String?
  ) {
    #expect(asked.count == 10)
    for (moment, winner, candidates) in asked {
      // A film that runs over its part is still on the screen when another rule is already the winner.
      let decision = feed.rows.decisions.last {
        $0.kind != .share && $0.at <= Self.start.adding(seconds: moment)
      }
      #expect(decision?.onAir?.programme == planned(moment), "\(moment)")
      let explained = Explainer(
        moment < edit ? first : second, device: feed.screen, at: Self.start.adding(seconds: moment)
      ).explanation()
      #expect(explained.winner.programme == planned(moment), "\(moment)")
      #expect(explained.candidates.count == 6)
      #expect(winner == planned(moment) && candidates == 6, "\(moment): \(winner ?? "base")")
    }
  }

  /// The plan that the program prints is the one that history is held against.
  private func expectPrinted(_ site: ShopSite, _ book: ScheduleBook, _ screen: ScheduleDevice) throws {
    let week = Self.start..<Self.start.adding(seconds: Self.week)
    var planner = Planner(book, range: week)
    let segments = planner.plan(for: screen).segments
    let wanted = segments.map { segment in
      "\(RFC3339.text(segment.start)) \(RFC3339.text(segment.end)) \(segment.programme ?? "-")"
    }
    #expect(wanted.count > 150)
    #expect(try site.plan(week) == wanted)
  }
}
