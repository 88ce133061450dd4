import CastProtocol
import Testing
@testable import CastqFeeding
@testable import CastqSchedule
@testable import CastqText

@Suite("The timeline of a screen")
struct TimelineTests {
  private static func word(_ stretch: Timeline.Stretch?) -> String {
    switch stretch?.content {
    case .before: "before"
    case .play(let play): play.key.kind.rawValue
    case .dark(let reason): reason.rawValue
    case .unobserved: "unobserved"
    case .planned(let segment): "planned \(segment.kind.word)"
    case nil: "nothing"
    }
  }

  /// The moments that count: each boundary, one second to both sides of it, and the middle of each stretch.
  private static func moments(_ stretches: [Timeline.Stretch], in range: Range<WallTime>) -> [WallTime] {
    stretches.flatMap { stretch in
      let (start, end) = (stretch.range.lowerBound, stretch.range.upperBound)
      return [
        start.adding(seconds: -1), start, start.adding(seconds: 1), start.adding(seconds: (end - start) / 2),
        end.adding(seconds: -0.001),
      ]
    }.filter(range.contains)
  }

  @Test(
    "what the rows of a life say is what was on the screen, in every stretch and a second beside each boundary",
    .enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"),
    arguments: 1...4 as ClosedRange<UInt64>)
  func life(seed: UInt64) throws {
    let days = scheduleRuns(25, 500)
    let life = try TimelineLife("Europe/Berlin", days: days, seed: seed)
    let timeline = Timeline(life.facts, plays: life.plays, in: life.range)
    expectWhole(timeline, life.range)
    let truth = life.track
    var index = 0
    for moment in Self.moments(timeline.stretches, in: life.range).sorted() {
      while truth[index].range.upperBound <= moment { index += 1 }
      let stretch = timeline.stretch(at: moment)
      // The macros take longer than all of it.
      guard Self.word(stretch) == truth[index].word, stretch?.play?.id == truth[index].play else {
        Issue.record(
          "seed \(seed), \(RFC3339.text(moment)): \(String(describing: stretch)), and it was \(truth[index])")
        return
      }
    }
    expectPlan(timeline)
    expectReports(timeline, life)
    expectNeighbours(timeline, life)
    #expect(life.mishaps.count == (seed % 4 == 3 ? 10 : 11), "\(life.mishaps)")
    let words = Set(timeline.stretches.map { Self.word($0) })
    #expect(
      words.isSuperset(of: ["before", "base", "rule", "announcement", "share", "loading", "nothing_due"]))
  }

  /// Together the stretches are the range.
  private func expectWhole(_ timeline: Timeline, _ range: Range<WallTime>) {
    #expect(timeline.stretches.first?.range.lowerBound == range.lowerBound)
    #expect(timeline.stretches.last?.range.upperBound == range.upperBound)
    for (one, two) in zip(timeline.stretches, timeline.stretches.dropFirst()) {
      let isNext = one.range.upperBound == two.range.lowerBound && !one.range.isEmpty
      let isOther = one.content != two.content || one.due != two.due || one.note != two.note
      guard isNext, isOther else {
        Issue.record("\(two) after \(one)")
        return
      }
    }
  }

  /// What a plan has of the past, and the lanes, is the same: only items of one rule are one segment of it.
  private func expectPlan(_ timeline: Timeline) {
    var joined = PastSegments()
    var segments: [PastSegment] = []
    for stretch in timeline.stretches {
      joined.add(stretch)
      segments += joined.takeFinished()
    }
    segments += joined.finish()
    var index = 0
    for stretch in timeline.stretches where stretch.content != .before {
      while index < segments.count, segments[index].range.upperBound <= stretch.range.lowerBound {
        index += 1
      }
      guard index < segments.count else {
        Issue.record("the plan ends before \(stretch)")
        return
      }
      let segment = segments[index]
      let isInside =
        segment.range.lowerBound <= stretch.range.lowerBound
        && stretch.range.upperBound <= segment.range.upperBound
      let isShort = stretch.range.upperBound - stretch.range.lowerBound < PastSegments.shortest
      let isSame =
        switch stretch.content {
        case .play(let play) where play.key.kind == .share: segment.shares.contains(play.key.rule ?? "")
        case .play(let play): segment.key == play.key
        case .dark(let reason):
          segment.reason == reason
            || [.loading, .failed].contains(reason) && isShort && segment.key != nil
        default: segment.key == nil && segment.reason == stretch.reason
        }
      guard isInside, isSame else {
        Issue.record("\(stretch) is no part of \(segment)")
        return
      }
    }
    #expect(
      zip(segments, segments.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
  }

  /// Reports sum up the same stretches.
  private func expectReports(_ timeline: Timeline, _ life: TimelineLife) {
    func seconds(_ isMeant: (Timeline.Stretch) -> Bool) -> Double {
      timeline.stretches.filter(isMeant).reduce(0) { $0 + ($1.range.upperBound - $1.range.lowerBound) }
    }
    let outages = OutageTotals(
      life.facts.outages, ReportGrouping(.device) { _ in 0 }, period: life.range, now: life.range.upperBound)
    #expect(abs(outages.total.seconds - seconds { $0.reason == .unreachable }) < 0.01)

    var adherence = AdherenceTotals(ReportGrouping(.rule) { _ in 0 }, period: life.range)
    var gaps = GapTotals(ReportGrouping(.device) { _ in 0 }, period: life.range)
    for play in life.plays {
      let row = ReportPlay(
        play: play.id, device: "lobby", title: play.title, url: play.title, startedAt: play.startedAt,
        endedAt: play.endedAt ?? life.range.upperBound, played: play.played, outcome: play.outcome,
        evidence: .reported, gapBefore: play.gapBefore, kind: play.key.kind, rule: play.key.rule)
      adherence.add(row)
      gaps.add(row)
    }
    adherence.finish()
    for (rule, sum) in adherence.sums {
      let shown = seconds { stretch in
        // Later positions say that what survived an outage was shown in it.
        let play = stretch.play ?? (stretch.reason == .unreachable ? life.survivor(of: stretch.range) : nil)
        return play?.key.rule == rule && play?.key.kind != .share
      }
      #expect(abs(shown - sum.shown) < 0.01, "\(rule)")
    }
    #expect(!adherence.sums.isEmpty)
    #expect(abs((gaps.total?.seconds ?? 0) - timeline.measured) < 0.01)
  }

  /// `why` reads the rows around a moment alone.
  private func expectNeighbours(_ timeline: Timeline, _ life: TimelineLife) {
    let (plays, starts) = (life.plays, life.plays.filter { $0.startedAt != nil })
    for moment in Self.moments(timeline.stretches, in: life.range) {
      let after = moment.adding(seconds: 0.001)
      func first(_ plays: [Timeline.Play], from moment: WallTime) -> Int {
        plays.partitioned { ($0.moment ?? .latest) < moment }
      }
      let next = first(starts, from: after)
      let last = next > 0 ? starts[next - 1].startedAt : nil
      let range = Timeline.neighbourhood(
        of: moment, last: last, next: next < starts.count ? starts[next].startedAt : nil,
        now: life.range.upperBound)
      // What `TimelineStore` reads.
      let before = last.map { last in
        plays[first(plays, from: last.adding(seconds: -7200))..<first(plays, from: after)].filter {
          ($0.moment ?? .latest) >= last || ($0.endedAt ?? .latest) > last
        }
      }
      var facts = life.facts
      // None of a life is longer than three hours.
      let away =
        life.facts.outages.partitioned {
          $0.beganAt < range.lowerBound.adding(seconds: -10_800)
        }..<life.facts.outages.partitioned { $0.beganAt < range.upperBound }
      facts.outages = life.facts.outages[away].filter { ($0.endedAt ?? .latest) >= range.lowerBound }
      let decided = facts.decisions.partitioned { $0.at <= range.lowerBound }
      facts.decisions = Array(
        facts.decisions[max(decided - 1, 0)..<facts.decisions.partitioned { $0.at < range.upperBound }])
      let near = Timeline(
        facts,
        plays: (before ?? []) + plays[first(plays, from: after)..<first(plays, from: range.upperBound)],
        in: range)
      let (one, two) = (near.stretch(at: moment), timeline.stretch(at: moment))
      guard one?.content == two?.content, one?.due == two?.due, one?.note == two?.note else {
        Issue.record("\(RFC3339.text(moment)): \(String(describing: one)) and \(String(describing: two))")
        return
      }
    }
  }

  @Test("every reason has its words, and a screen that somebody else has is not dark")
  func words() {
    let kinds = Dictionary(uniqueKeysWithValues: DarkReason.allCases.map { ($0.rawValue, $0.words.kind) })
    #expect(
      kinds == [
        "unreachable": "dark", "failed": "dark", "loading": "dark", "nothing_due": "dark", "guest": "guest",
        "stopped": "stopped", "stopped_at_device": "stopped", "quiet_hours": "quiet", "not_before": "dark",
        "guest_gone": "dark", "connecting": "dark", "launching": "dark",
      ])
    #expect(DarkReason.allCases.allSatisfy { !$0.words.past.isEmpty })
    #expect(DarkReason.allCases.filter(\.isDarkness).count == 8)
  }

  private static let noon = Bench.moment("2026-12-14T12:00:00Z")

  private static func film(
    _ id: Int64, _ start: Double, _ end: Double?, _ cause: PlayCause? = .completed, by name: String? = nil
  ) -> Timeline.Play {
    Timeline.Play(
      id: id, title: "film \(id)", key: .init(.base), startedAt: noon.adding(seconds: start),
      endedAt: end.map { noon.adding(seconds: $0) }, observedAt: noon.adding(seconds: start + 20),
      outcome: end == nil ? nil : .finished, cause: end == nil ? nil : cause, causedBy: name)
  }

  private static func line(_ facts: TimelineFacts, _ plays: [Timeline.Play], at second: Double) -> String? {
    let timeline = Timeline(
      facts, plays: plays, in: noon.adding(seconds: -86_400)..<noon.adding(seconds: 86_400))
    let words = TimelineWording(zone: TimeZoneRules(), now: facts.now)
    let moment = noon.adding(seconds: second)
    return timeline.stretch(at: moment).map { words.line($0, at: moment, on: "Bar") }
  }

  @Test("a play whose end nobody saw is on the screen for as long as it was seen, and no longer")
  func unseenEnd() {
    let film = Timeline.Play(
      id: 1, title: "film", key: .init(.base), startedAt: Self.noon, endedAt: Self.noon.adding(seconds: 300),
      outcome: .finished, cause: .unobserved, unobserved: 100)
    let facts = TimelineFacts(madeAt: Self.noon, now: Self.noon.adding(seconds: 300))
    let timeline = Timeline(facts, plays: [film], in: Self.noon..<Self.noon.adding(seconds: 300))
    #expect(timeline.stretches.map { $0.range.upperBound - Self.noon } == [200, 300])
    #expect(timeline.stretches.map(\.kind) == ["base", "unobserved"])
  }

  @Test("where castq stopped calling a device that was lost, nobody saw its screen afterwards")
  func calledNoMore() {
    for (hasAnswered, kind) in [(true, "dark"), (false, "unobserved")] {
      let outage = Outage(
        id: 1, device: "Bar", beganAt: Self.noon.adding(seconds: 100),
        endedAt: Self.noon.adding(seconds: 150), cause: "lost", hasAnswered: hasAnswered)
      let facts = TimelineFacts(
        madeAt: Self.noon, now: Self.noon.adding(seconds: 300), outages: [outage])
      let timeline = Timeline(
        facts, plays: [Self.film(1, 0, 150, .deviceLost)], in: Self.noon..<Self.noon.adding(seconds: 300))
      #expect(timeline.stretch(at: Self.noon.adding(seconds: 200))?.kind == kind)
    }
  }

  @Test("the line of a moment says what was on, until when, why it was dark, and what was due")
  func lines() {
    let outage = Outage(
      id: 1, device: "Bar", beganAt: Self.noon.adding(seconds: -3), endedAt: Self.noon.adding(seconds: 61),
      cause: "closed the connection")
    let facts = TimelineFacts(
      madeAt: Self.noon.adding(seconds: -3600), now: Self.noon.adding(seconds: 7200), outages: [outage])
    let plays = [
      Self.film(1, -600, 300), Self.film(2, 301, 400, .guest, by: "Holiday video"),
      Self.film(3, 1000, 1100, .stopped), Self.film(4, 2000, nil),
    ]
    for (second, expected) in [
      (0.0, "12:00:00  dark: Bar did not answer 11:59:57–12:01:01 (closed the connection); film 1 was due"),
      (-4, "11:59:56  base: film 1 11:50:00–12:05:00"), (62, "12:01:02  base: film 1 11:50:00–12:05:00"),
      (
        500,
        "12:08:20  guest: another sender had the screen 12:06:40–12:16:40 (Holiday video); film 2 was due"
      ),
      (1200, "12:20:00  stopped: stopped by castq 12:18:20–12:33:20; film 3 was due"),
      (5000, "13:23:20  base: film 4 since 12:33:20"),
      (-4000, "10:53:20  nothing is known of Bar before 11:00:00"),
      (-3500, "11:01:40  unobserved: castq did not see the screen 11:00:00–11:50:00"),
    ] { #expect(Self.line(facts, plays, at: second) == expected) }
    // Where nothing feeds the device any more, a play without an end is known for as long as it was heard.
    var dead = facts
    dead.isFed = false
    #expect(
      Self.line(dead, plays, at: 5000) == "13:23:20  unobserved: castq did not see the screen since 12:33:40")
    #expect(Self.line(dead, plays, at: 2010) == "12:33:30  base: film 4 since 12:33:20")
    #expect(Self.line(facts, plays, at: 8000) == nil, "it is to come")
  }

  @Test("a moment within two seconds after a planned change names the change, and when it was on the screen")
  func change() {
    var facts = TimelineFacts(madeAt: Self.noon.adding(seconds: -3600), now: Self.noon.adding(seconds: 7200))
    func decide(_ second: Double, _ rule: String?, planned: Double? = nil, end: Double? = nil) {
      facts.decisions.append(
        .init(
          id: Int64(facts.decisions.count), at: Self.noon.adding(seconds: second),
          kind: rule == nil ? .base : .rule, rule: rule, programme: rule,
          planned: planned.map { Self.noon.adding(seconds: $0) },
          end: end.map { Self.noon.adding(seconds: $0) }))
    }
    decide(-600, nil)
    decide(0.02, "promo", planned: 0, end: 60)
    decide(60.03, nil)
    decide(130, "late", planned: 100, end: 200)
    let promo = Timeline.Play(
      id: 2, title: "promo", key: .init(.rule, rule: "promo"), startedAt: Self.noon.adding(seconds: 0.06),
      endedAt: Self.noon.adding(seconds: 60.03), cause: .ruleEnded)
    let plays = [Self.film(1, -600, 0.03), promo, Self.film(3, 60.4, 120)]
    let timeline = Timeline(
      facts, plays: plays, in: Self.noon.adding(seconds: -1000)..<Self.noon.adding(seconds: 1000))
    func words(_ second: Double) -> String? {
      timeline.change(at: Self.noon.adding(seconds: second), facts)?.words
    }
    for second in [0, 0.04, 1.99] { #expect(words(second) == "promo began; on the screen 0.06 s later") }
    for second in [60, 61.9] { #expect(words(second) == "promo ended; on the screen 0.40 s later") }
    for second in [-0.001, 2, 59.99, 62, 100, 130] { #expect(words(second) == nil, "\(second)") }
  }
}

extension Timeline {
  /// Seconds of the dark time before plays whose rows say how long it was.
  fileprivate var measured: Double {
    var (sum, dark) = (0.0, 0.0)
    for stretch in stretches {
      switch stretch.content {
      case .dark(.loading), .dark(.failed): dark += stretch.range.upperBound - stretch.range.lowerBound
      case .play(let play):
        if play.gapBefore != nil, play.startedAt == stretch.range.lowerBound { sum += dark }
        dark = 0
      default: dark = 0
      }
    }
    return sum
  }
}

extension TimelineLife {
  /// The play that began before an outage and went on after it.
  fileprivate func survivor(of outage: Range<WallTime>) -> Timeline.Play? {
    let before = plays[..<plays.partitioned { ($0.moment ?? .latest) <= outage.lowerBound }]
    let play = before.last { $0.startedAt != nil }
    return play?.endedAt.map { outage.upperBound < $0 } ?? false ? play : nil
  }

  /// What was on the screen, in the order of time: what came later holds where a clock counted a second twice.
  fileprivate var track: [Truth] {
    var track: [Truth] = []
    for truth in truths {
      var after: [Truth] = []
      while let last = track.last, last.range.upperBound > truth.range.lowerBound {
        track.removeLast()
        if last.range.upperBound > truth.range.upperBound {
          var rest = last
          rest = Truth(
            range: truth.range.upperBound..<last.range.upperBound, play: last.play, word: last.word)
          after.append(rest)
        }
        if last.range.lowerBound < truth.range.lowerBound {
          track.append(
            Truth(range: last.range.lowerBound..<truth.range.lowerBound, play: last.play, word: last.word))
        }
      }
      track.append(truth)
      track += after.reversed()
    }
    return track
  }
}
