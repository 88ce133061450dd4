import CastProtocol
import CastqPlaylists
import Testing
@testable import CastqFeeding
@testable import CastqText

@Suite struct ReportTotalsTests {
  private static let everything = WallTime(milliseconds: .min)..<WallTime.latest

  private func play(
    _ start: String?, _ end: String, seconds: Double = 0, device: String = "lobby", url: String = "a",
    title: String = "A", outcome: PlayOutcome? = .finished, gap: Double? = nil, kind: PlayKind? = .base,
    rule: String? = nil
  ) throws -> ReportPlay {
    ReportPlay(
      play: 1, device: device, title: title, url: url, startedAt: try start.map { try RFC3339.parse($0) },
      endedAt: try RFC3339.parse(end), played: seconds, outcome: outcome,
      evidence: outcome == nil ? nil : .reported, gapBefore: gap, kind: kind, rule: rule)
  }

  private func range(_ start: String, _ end: String) throws -> Range<WallTime> {
    try RFC3339.parse(start)..<RFC3339.parse(end)
  }

  private func grouping(_ key: ReportKey) -> ReportGrouping { ReportGrouping(key) { _ in 0 } }

  @Test(
    "a day has the hours that its clocks show, and an hour that occurs twice is two",
    .enabled(if: TestZone.isThere, "\(TestZone.missing)"))
  func nights() throws {
    let berlin = TestZone.rules("Europe/Berlin")
    let days = LocalCalendar(.day) { berlin.utcOffset(at: $0) }
    let hours = LocalCalendar(.hour) { berlin.utcOffset(at: $0) }
    func lengths(_ pieces: [LocalCalendar.Piece]) -> [Double] {
      pieces.map { $0.range.upperBound - $0.range.lowerBound }
    }
    let october = days.pieces(of: try range("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z"))
    var sums: [String: Double] = [:]
    for piece in october { sums[piece.label, default: 0] += piece.range.upperBound - piece.range.lowerBound }
    #expect(sums == ["2026-10-24": 10 * 3600, "2026-10-25": 25 * 3600, "2026-10-26": 13 * 3600])
    let night = hours.pieces(of: try range("2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"))
    #expect(night.map(\.label) == ["2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00"])
    #expect(lengths(night) == [3600, 3600])
    let march = days.pieces(of: try range("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"))
    #expect(Set(march.map(\.label)) == ["2026-03-29"] && lengths(march).reduce(0, +) == 23 * 3600)
    #expect(days.pieces(of: Self.everything).count <= 100_000)
    #expect(days.pieces(of: try range("2026-03-28T23:00:00Z", "2026-03-28T23:00:00Z")).isEmpty)
  }

  @Test(
    "day and hour totals on nights of changed clocks are those of another program",
    .enabled(
      if: ForeignJudge.python != nil && TestZone.isThere, "set CASTQ_PYTHON to a Python; \(TestZone.missing)")
  )
  func foreign() throws {
    var random = SeededGenerator(seed: 13)
    var lines = ""
    var count = 0
    for name in [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia",
      "America/Havana", "Asia/Beirut", "Antarctica/Troll", "America/St_Johns", "America/Santiago",
    ] {
      let zone = TestZone.rules(name)
      // Among them the day that Apia left out, 2011-12-30.
      for change in TestZone.changes(zone, from: 1_301_000_000, to: 1_800_000_000).prefix(4) {
        let plays = try (0..<6).map { _ in
          let start = WallTime(
            milliseconds: change * 1000 + Int64.random(in: -130_000_000...90_000_000, using: &random))
          let end = start.adding(seconds: Double.random(in: 1...100_000, using: &random))
          return try play(
            RFC3339.text(start), RFC3339.text(end), seconds: Double.random(in: 1...50_000, using: &random))
        }
        for key in [ReportKey.day, .hour] {
          var totals = PlayTotals(ReportGrouping(key) { zone.utcOffset(at: $0) }, period: Self.everything)
          for play in plays { totals.add(play) }
          let document: JSONValue = [
            .string(name), .string(key.rawValue),
            .array(
              plays.map {
                [
                  .integer($0.screen.lowerBound.milliseconds), .integer($0.screen.upperBound.milliseconds),
                  .number($0.played),
                ]
              }), .object(totals.sums.filter { $0.value.seconds > 0 }.mapValues { .number($0.seconds) }),
          ]
          lines += document.text + "\n"
          count += 1
        }
      }
    }
    let answers = try ForeignJudge.output(
      of: #require(ForeignJudge.python), [ForeignJudge.script("check_totals.py")], input: lines
    ).split(separator: "\n")
    #expect(answers.count == count && count == 80)
    #expect(answers.filter { $0 != "true" } == [])
  }

  @Test("plays count where they start, and their seconds where they are shown")
  func plays() throws {
    let plays = [
      try play("2026-11-20T23:50:00Z", "2026-11-21T00:10:00Z", seconds: 1000),
      try play(
        "2026-11-21T08:00:00Z", "2026-11-21T08:01:00Z", seconds: 60, device: "bar", url: "b", rule: "lunch"),
      try play(nil, "2026-11-21T09:00:00Z", outcome: .failed),
      try play("2026-11-21T10:00:00Z", "2026-11-21T10:00:05Z", seconds: 5, title: "A again", outcome: nil),
      // The clock was set back while it was shown.
      try play("2026-11-21T11:00:00Z", "2026-11-21T10:00:00Z", seconds: 7),
    ]
    func sums(_ key: ReportKey, _ period: Range<WallTime> = Self.everything) -> [String: [Double]] {
      var totals = PlayTotals(grouping(key), period: period)
      for play in plays { totals.add(play) }
      #expect(totals.total.plays == totals.sums.values.reduce(0) { $0 + $1.plays })
      return totals.sums.mapValues { [Double($0.plays), $0.seconds] }
    }
    #expect(sums(.day) == ["2026-11-20": [1, 500], "2026-11-21": [4, 572]])
    #expect(sums(.device) == ["lobby": [4, 1012], "bar": [1, 60]])
    #expect(sums(.media) == ["a": [4, 1012], "b": [1, 60]])
    #expect(sums(.rule) == ["": [4, 1012], "lunch": [1, 60]])
    let late = try range("2026-11-21T00:05:00Z", "2026-11-21T08:00:30Z")
    #expect(sums(.day, late) == ["2026-11-21": [1, 280]], "a period takes its part of what crosses it")
    var totals = PlayTotals(grouping(.media), period: Self.everything)
    for play in plays { totals.add(play) }
    #expect(totals.sums["a"]?.title == "A" && totals.total.open == 1)
    #expect(totals.total.outcomes == [.finished: 3, .failed: 1] && totals.total.evidence == [.reported: 4])
  }

  @Test("gaps are measured by the play that follows")
  func gaps() throws {
    var totals = GapTotals(
      grouping(.device), period: try range("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"))
    for (second, gap) in [0.1, 0.3, 0.2, 9].enumerated() {
      totals.add(try play("2026-11-21T00:00:0\(second)Z", "2026-11-21T00:01:00Z", gap: gap))
    }
    totals.add(try play("2026-11-22T00:00:00Z", "2026-11-22T00:01:00Z", gap: 50))
    totals.add(try play("2026-11-21T01:00:00Z", "2026-11-21T01:01:00Z"))
    let row = try #require(totals.rows["lobby"])
    #expect(row.count == 4 && row.median == 0.2 && row.p95 == 9 && row.longest == 9)
    #expect(abs(row.seconds - 9.6) < 1e-9 && totals.total == row)
  }

  @Test("outages count where they begin, and one that is open lasts until now")
  func outages() throws {
    func outage(_ start: String, _ end: String?) throws -> Outage {
      Outage(
        id: 1, device: "lobby", beganAt: try RFC3339.parse(start),
        endedAt: try end.map { try RFC3339.parse($0) },
        cause: "lost")
    }
    let now = try RFC3339.parse("2026-11-22T01:00:00Z")
    let totals = OutageTotals(
      [
        try outage("2026-11-20T23:00:00Z", "2026-11-21T02:00:00Z"), try outage("2026-11-21T23:30:00Z", nil),
      ], grouping(.day), period: Self.everything, now: now)
    #expect(
      totals.sums == [
        "2026-11-20": .init(outages: 1, seconds: 3600, longest: 3600),
        "2026-11-21": .init(outages: 1, seconds: 9000, longest: 7200),
        "2026-11-22": .init(outages: 0, seconds: 3600, longest: 3600),
      ])
    #expect(totals.total == .init(outages: 2, seconds: 16_200, longest: 10_800))
  }

  @Test("a screen that was renamed is one, under its last name; another one of its first name is another")
  func renamed() throws {
    func outage(_ id: Int64, _ name: String, _ device: Int64?, _ start: String, _ end: String) throws
      -> Outage
    {
      Outage(
        id: id, device: name, deviceID: device.map { DeviceID($0) },
        beganAt: try RFC3339.parse("2026-11-21T\(start)Z"), endedAt: try RFC3339.parse("2026-11-21T\(end)Z"),
        cause: "lost")
    }
    // The clock was set back: the second outage began within the first.
    let outages = try [
      outage(2, "Bar", 7, "08:08:00", "08:12:00"), outage(1, "bar", 7, "08:00:00", "08:10:00"),
      outage(3, "bar", nil, "08:00:00", "08:01:00"),
    ]
    let totals = OutageTotals(outages, grouping(.device), period: Self.everything, now: .latest)
    #expect(
      totals.sums == [
        "Bar": .init(outages: 2, seconds: 720, longest: 480),
        "bar": .init(outages: 1, seconds: 60, longest: 60),
      ])
    #expect(totals.total == .init(outages: 3, seconds: 780, longest: 480))
  }

  @Test("what a rule was to show is compared with what was shown by it, to the second")
  func adherence() throws {
    var totals = AdherenceTotals(grouping(.rule), period: Self.everything)
    for (start, end) in [("08:00:00", "09:00:00"), ("09:05:00", "10:00:00")] {
      totals.add(
        PlannedStretch(
          rule: "breakfast", device: "lobby", occurrence: "2026-11-21T08:00",
          range: try range("2026-11-21T\(start)Z", "2026-11-21T\(end)Z")))
    }
    totals.add(
      try play("2026-11-21T08:00:02Z", "2026-11-21T09:00:00Z", seconds: 3590, kind: .rule, rule: "breakfast"))
    totals.add(try play("2026-11-21T09:00:00Z", "2026-11-21T09:05:00Z", seconds: 300))
    // At double speed more media is shown than there is time.
    totals.add(
      try play("2026-11-21T09:05:00Z", "2026-11-21T10:00:00Z", seconds: 6600, kind: .rule, rule: "breakfast"))
    totals.add(
      try play("2026-11-21T10:00:00Z", "2026-11-21T10:01:00Z", seconds: 10, kind: .share, rule: "breakfast"))
    totals.finish()
    let sum = try #require(totals.sums["breakfast"])
    #expect(sum.occurrences == 1 && sum.planned == 6900 && abs(sum.shown - 6890) < 1e-6)
    #expect(abs(sum.missing - 10) < 1e-6 && totals.sums.count == 1)
  }

  @Test("a second that a clock showed twice counts once: for the outage, and for the play, that began last")
  func turnedBack() throws {
    var totals = AdherenceTotals(grouping(.rule), period: Self.everything)
    totals.add(
      try play("2026-11-21T08:00:00Z", "2026-11-21T08:10:00Z", seconds: 600, kind: .rule, rule: "breakfast"))
    totals.add(
      try play("2026-11-21T08:08:00Z", "2026-11-21T08:12:00Z", seconds: 240, kind: .rule, rule: "lunch"))
    totals.finish()
    #expect(totals.sums.mapValues(\.shown) == ["breakfast": 480, "lunch": 240])

    let outages = try [("08:00:00", "08:10:00"), ("08:08:00", "08:12:00")].enumerated().map { place, times in
      Outage(
        id: Int64(place), device: "lobby", beganAt: try RFC3339.parse("2026-11-21T\(times.0)Z"),
        endedAt: try RFC3339.parse("2026-11-21T\(times.1)Z"), cause: "lost")
    }
    let sum = OutageTotals(outages, grouping(.device), period: Self.everything, now: .latest).total
    #expect(sum == .init(outages: 2, seconds: 720, longest: 480))
  }

  @Test("a share is due its part of the time on the screen, and dark time earns nothing")
  func shares() throws {
    var totals = ShareTotals(
      grouping(.hour), period: Self.everything,
      stretches: [
        ShareStretch(
          rule: "beer", device: "lobby", secondsPerHour: 600,
          range: try range("2026-11-21T08:30:00Z", "2026-11-21T12:00:00Z"))
      ])
    totals.add(try play("2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z", seconds: 3600))
    totals.add(
      try play("2026-11-21T09:00:00Z", "2026-11-21T09:10:00Z", seconds: 600, kind: .share, rule: "beer"))
    totals.add(try play("2026-11-21T09:30:00Z", "2026-11-21T09:50:00Z", seconds: 1200))
    totals.add(try play("2026-11-21T09:30:00Z", "2026-11-21T09:50:00Z", seconds: 1200, device: "bar"))
    #expect(
      totals.sums == [
        .init(group: "2026-11-21T08:00+00:00", rule: "beer"): .init(plays: 0, shown: 0, due: 300),
        .init(group: "2026-11-21T09:00+00:00", rule: "beer"): .init(plays: 1, shown: 600, due: 300),
      ])
  }
}
