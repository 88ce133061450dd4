import CastProtocol
import CastqFeeding
import CastqSchedule
import CastqText
import Testing

@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct DarkHoursTests {
  private func dark(_ hours: [String], zone: String? = "Europe/Berlin") throws -> DarkHours {
    var rules = DeviceRules()
    rules.quietHours = try hours.map(QuietHours.init)
    rules.zone = zone.flatMap(TestZone.rules)
    return try #require(DarkHours(rules, local: TimeZoneRules()))
  }

  @Test("only quiet hours without a volume are dark; a device without a zone goes by the computer's clocks")
  func which() throws {
    var rules = DeviceRules()
    #expect(DarkHours(rules, local: TimeZoneRules()) == nil)
    rules.quietHours = [try QuietHours("22:00-07:00")]
    rules.quietVolume = 0
    #expect(DarkHours(rules, local: TimeZoneRules()) == nil)
    let (own, utc) = (try dark(["22:00-07:00"]), try dark(["22:00-07:00"], zone: nil))
    #expect(own.contains(Bench.moment("2026-12-14T21:30:00Z")))
    #expect(!utc.contains(Bench.moment("2026-12-14T21:30:00Z")))
  }

  @Test("each edge is an end or a beginning by local clocks, also across midnight and changed clocks")
  func edges() throws {
    let dark = try dark(["22:00-02:30", "12:00-13:00"])
    var edges: [String] = []
    var moment = Bench.moment("2026-10-24T10:00:00.500Z")
    while edges.count < 7 {
      let next = dark.edge(after: moment)
      #expect(next > moment)
      if dark.contains(next) != dark.contains(moment) {
        edges.append("\(RFC3339.text(next).dropFirst(5).prefix(11))\(dark.contains(next) ? " dark" : "")")
      }
      moment = next
    }
    // On the 25th 02:00 to 03:00 occurs twice: its first half is quiet twice.
    #expect(
      edges == [
        "10-24T11:00", "10-24T20:00 dark", "10-25T00:30", "10-25T01:00 dark", "10-25T01:30",
        "10-25T11:00 dark", "10-25T12:00",
      ])
  }

  @Test("every moment between two edges is as the one before it", arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func constant(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let hours = (0...Int.random(in: 0...2, using: &random)).map { _ in
      let start = Int.random(in: 0...1439, using: &random)
      let end = (start + Int.random(in: 1...1439, using: &random)) % 1440
      let text = [start, end].map { "\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)" }
      return text.joined(separator: "-")
    }
    let dark = try dark(hours)
    let start = Bench.moment("2026-03-28T00:00:00Z")
    var edge = dark.edge(after: start)
    var before = start
    for minute in 1..<(3 * 1440) {
      let moment = start.adding(seconds: Double(minute) * 60)
      while edge <= moment { (before, edge) = (edge, dark.edge(after: edge)) }
      #expect(dark.contains(moment) == dark.contains(before), "\(hours) \(RFC3339.text(moment))")
    }
  }

  @Test("the end of dark hours is that of all of them together, and the whole day has none")
  func end() throws {
    let dark = try dark(["22:00-00:00", "00:00-05:00", "04:00-07:00"])
    #expect(dark.end(after: Bench.moment("2026-12-14T21:30:00Z")) == Bench.moment("2026-12-15T06:00:00Z"))
    let always = try self.dark(["00:00-24:00"])
    let now = Bench.moment("2026-12-14T21:30:00Z")
    #expect(always.contains(now) && always.end(after: now) == nil)
    #expect(try self.dark(["00:00-12:00", "12:00-24:00"]).end(after: now) == nil)
  }
}
