import CastqPlaylists
import CastqSchedule
import Testing
@testable import CastqFeeding
@testable import CastqText

@Suite("Sums of the papers")
struct PaperTotalsTests {
  private static let november =
    try? RFC3339.parse(
      "2026-11-01T00:00:00Z")..<RFC3339.parse(
      "2026-12-01T00:00:00Z")

  private func play(
    _ start: String?, _ end: String, seconds: Double = 0, on device: String = "lobby", number: Int64? = 1,
    title: String = "Sale", url: String = "a", outcome: PlayOutcome? = .finished,
    evidence: PlayEvidence? = .reported, programme: String? = nil
  ) throws -> ReportPlay {
    ReportPlay(
      play: 1, device: device, deviceID: number.map(DeviceID.init), title: title, url: url,
      startedAt: try start.map { try RFC3339.parse($0) }, endedAt: try RFC3339.parse(end), played: seconds,
      outcome: outcome, evidence: evidence, gapBefore: nil, kind: .rule, rule: "r", programme: programme)
  }

  private func totals(_ plays: [ReportPlay], offset: Int = 0) throws -> ProofTotals {
    var totals = ProofTotals(period: try #require(Self.november)) { _ in offset }
    for play in plays { totals.add(play) }
    return totals
  }

  @Test("two titles of one file are two rows, and one title of two files is one")
  func titles() throws {
    let end = "2026-11-02T10:00:10Z"
    let start = "2026-11-02T10:00:00Z"
    let totals = try totals([
      play(start, end, title: "Sale", url: "a", programme: "shop "),
      play(start, end, title: "Offer", url: "a"),
      play(start, end, title: "Sale", url: "b", programme: "shop"),
    ])
    #expect(totals.lines[.init(programme: "shop", title: "Sale")]?.plays == 2)
    #expect(totals.lines[.init(programme: nil, title: "Offer")]?.plays == 1)
    #expect(totals.lines.count == 2)
  }

  @Test("a screen that was renamed is one, and two of the same name are two")
  func screens() throws {
    let (start, end) = ("2026-11-02T10:00:00Z", "2026-11-02T10:00:10Z")
    #expect(try totals([play(start, end, on: "lobby"), play(start, end, on: "Lobby TV")]).screens == 1)
    #expect(try totals([play(start, end, number: 1), play(start, end, number: 2)]).screens == 2)
    #expect(try totals([play(start, end, on: "1", number: nil), play(start, end, number: 1)]).screens == 2)
  }

  @Test(
    "each play is one of complete, cut short, failed, unknown and playing; the rest is what castq saw of it")
  func outcomes() throws {
    let (start, end) = ("2026-11-02T10:00:00Z", "2026-11-02T10:00:10Z")
    let plays = try (PlayOutcome.allCases.map(Optional.some) + [nil]).map {
      try play(
        start, end, outcome: $0,
        evidence: $0 == .unknown ? .unobserved : $0 == .failed ? .inferred : .reported)
    }
    let sum = try totals(plays).total
    #expect(sum.plays == 7 && sum.complete == 1 && sum.cutShort == 3 && sum.failed == 1)
    #expect(sum.unknown == 1 && sum.open == 1 && sum.inferred == 1 && sum.unobserved == 1)
    #expect(sum.complete + sum.cutShort + sum.failed + sum.unknown + sum.open == sum.plays)
    #expect(sum.completePart == 1.0 / 6)
    #expect(try totals([play(start, end, outcome: nil)]).total.completePart == nil)
  }

  @Test("plays and seconds are those of the report on plays, whatever crosses the period and midnight")
  func sums() throws {
    let plays = try [
      play("2026-10-31T23:30:00Z", "2026-11-01T00:30:00Z", seconds: 3600),
      play("2026-11-02T23:00:00Z", "2026-11-03T01:00:00Z", seconds: 7000),
      play("2026-11-30T23:30:00Z", "2026-12-01T00:30:00Z", seconds: 1800),
      play("2026-11-05T10:00:00Z", "2026-11-05T10:00:00Z", seconds: 3), play(nil, "2026-11-05T10:00:00Z"),
    ]
    let proof = try totals(plays, offset: 3600)
    var report = PlayTotals(ReportGrouping(.day) { _ in 3600 }, period: try #require(Self.november))
    for play in plays { report.add(play) }
    #expect(proof.total.plays == report.total.plays && proof.total.seconds == report.total.seconds)
    #expect(proof.days.mapValues(\.plays) == report.sums.mapValues(\.plays))
    #expect(proof.days.mapValues(\.seconds) == report.sums.mapValues(\.seconds))
    #expect(proof.days.values.reduce(0) { $0 + $1.seconds } == proof.total.seconds)
  }

  @Test("an outage darkens each day that it reaches, and an open one reaches until now")
  func outages() throws {
    func outage(_ start: String, _ end: String?, number: Int64) throws -> Outage {
      Outage(
        id: number, device: "x", deviceID: DeviceID(number), beganAt: try RFC3339.parse(start),
        endedAt: try end.map { try RFC3339.parse($0) }, cause: "lost")
    }
    var totals = try totals([])
    totals.add(
      [
        try outage("2026-11-02T23:00:00Z", "2026-11-03T01:00:00Z", number: 1),
        try outage("2026-11-03T00:30:00Z", nil, number: 2),
      ], now: try RFC3339.parse("2026-11-03T02:00:00Z"))
    #expect(totals.days.mapValues(\.dark) == ["2026-11-02": 3600, "2026-11-03": 3600 + 5400])
  }

  @Test(
    "a screen is available while it answers, of the time in which castq watched since it knows the screen")
  func air() throws {
    let start = try RFC3339.parse("2026-11-02T00:00:00Z")
    var air = AirTotals()
    var at = start
    func add(_ seconds: Double, _ content: Timeline.Content, due: String? = nil) {
      let end = at.adding(seconds: seconds)
      air.add(.init(range: at..<end, content: content, due: due.map { .init(title: $0) }, note: nil))
      at = end
    }
    #expect(air.available == nil)
    add(100, .before)
    add(600, .play(.init(id: 1, title: "A", key: .init(.base), startedAt: at, endedAt: nil)))
    add(40, .dark(.unreachable), due: "A")
    add(60, .dark(.unreachable), due: "B")
    add(200, .dark(.nothingDue))
    add(100, .dark(.unreachable))
    add(1000, .unobserved)
    #expect(air.known == 2000 && air.shown == 600 && air.away == 200 && air.unobserved == 1000)
    #expect(air.available == 0.8)
    // What was due changed in the middle of the first outage.
    #expect(air.longest == 100)
    var both = air
    both += air
    #expect(both.known == 4000 && both.longest == 100 && both.available == 0.8)
  }
}
