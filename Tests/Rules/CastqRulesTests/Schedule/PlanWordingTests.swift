import CastProtocol
import CastqSchedule
import CastqText
import Foundation
import Testing

@Suite(.enabled(if: TestZone.isThere, "there is no zone database here; Debian has it in the package tzdata"))
struct PlanWordingTests {
  private let lobby = ScheduleDevice(id: "lobby", groups: ["shop"])

  private func plan(
    _ rules: [ScheduleRule], _ from: String, _ to: String, zone: String = "Europe/Berlin", base: Bool = true
  ) -> (lines: [String], notes: [String], plan: DevicePlan, words: PlanWording) {
    let book = Bench.book(zone, rules)
    var planner = Planner(book, range: Bench.range(from, to))
    var device = lobby
    device.hasBase = base
    let plan = planner.plan(for: device)
    var words = PlanWording(book, zone: TestZone.rules(zone))
    let lines = plan.segments.map { words.line($0, on: device) }
    return (lines, plan.issues.map { words.text($0) }, plan, words)
  }

  @Test("the blanks that tell programmes of one source apart are shown to nobody")
  func programmeNames() {
    #expect(ProgrammeName.shown("/srv/ad.mp4  ") == "/srv/ad.mp4")
    #expect(ProgrammeName.shown("menus") == "menus" && ProgrammeName.shown(" a b") == " a b")
    var rule = Bench.rule(1, "ad", "daily", "08:00-09:00")
    rule.programme = "/srv/ad.mp4 "
    rule.exceptions[Bench.local("2026-12-14T08:00")] = .replace("/srv/new.mp4 ")
    #expect(rule.shown.programme == "/srv/ad.mp4")
    #expect(rule.shown.exceptions == [Bench.local("2026-12-14T08:00"): .replace("/srv/new.mp4")])
  }

  @Test("a line has the local times, the rule, its programme, and why it is that rule's time")
  func line() {
    var menus = Bench.rule(1, "breakfast", "daily", "08:00-10:30")
    menus.programme = "menus"
    #expect(
      plan([menus], "2026-12-14T06:00:00Z", "2026-12-15T00:00:00Z").lines == [
        "Mon 14 Dec 07:00–08:00  base",
        "Mon 14 Dec 08:00–10:30  breakfast → menus  (daily, priority 0, Europe/Berlin)",
        "Mon 14 Dec 10:30–Tue 15 Dec 01:00  base",
      ])
    // The midnight at which a day ends belongs to it, and a zone of the rule is its own.
    menus.zone = try? ZoneName("UTC")
    #expect(
      plan([menus], "2026-12-14T08:00:00Z", "2026-12-14T23:00:00Z").lines == [
        "Mon 14 Dec 09:00–11:30  breakfast → menus  (daily, priority 0, UTC)",
        "Mon 14 Dec 11:30–24:00  base",
      ])
  }

  @Test("notes behind a line: ties, shares, changes of clocks, what was moved or put in place")
  func notes() {
    let one = Bench.rule(1, "b", "daily", "08:00-09:00")
    let two = Bench.rule(2, "a", "daily", "08:00-09:00")
    #expect(
      plan([one, two], "2026-12-14T07:00:00Z", "2026-12-14T08:00:00Z").lines[0].hasSuffix(
        "  tied with b: only the name decides"))
    var moved = Bench.rule(3, "c", "daily", "08:00-09:00")
    moved.exceptions = [LocalTime(seconds: 0): .skip]
    let day = try? LocalDate("2026-12-14")
    let start = LocalTime(day ?? .earliest, second: 8 * 3600)
    moved.exceptions = [start: .move(start.adding(seconds: 3600))]
    #expect(
      plan([moved], "2026-12-14T08:00:00Z", "2026-12-14T09:00:00Z").lines[0].hasSuffix(
        "  moved from Mon 14 Dec 2026 08:00"))
    moved.exceptions = [start: .replace("carols")]
    let replaced = plan([moved], "2026-12-14T07:00:00Z", "2026-12-14T08:00:00Z").lines[0]
    #expect(replaced.contains("c → carols") && replaced.hasSuffix("  in place of c"))
    let share = Bench.rule(4, "ads", "always", "", kind: .share(ShareTerms(secondsPerHour: 120)))
    #expect(
      plan([share], "2026-12-14T07:00:00Z", "2026-12-14T08:00:00Z").lines == [
        "Mon 14 Dec 08:00–09:00  base  shares: ads 120 s of each hour"
      ])
    #expect(
      plan([], "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z").lines == [
        "Sun 29 Mar 01:00–04:00  base  clocks go forward 01:00 at 02:00"
      ])
    #expect(
      plan([], "2026-10-24T22:00:00Z", "2026-10-25T02:00:00Z").lines == [
        "Sun 25 Oct 00:00–03:00  base  clocks go back 01:00 at 03:00"
      ])
  }

  @Test("what a plan is checked for is said with its time, and what a name hides is removed")
  func issues() {
    var night = Bench.rule(1, "ni\u{1B}[2Jght", "daily", "02:10-02:50")
    let dark = plan([night], "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z", base: false)
    #expect(
      Set(dark.notes) == [
        "night has nothing of Sun 29 Mar 2026 02:10: clocks skip the whole part",
        "Sun 29 Mar 01:00–04:00: nothing plays",
      ])
    night.zone = try? ZoneName("Europe/Berlim")
    #expect(
      plan([night], "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z").notes == [
        "night is passed over: there is no time zone Europe/Berlim here: install tzdata"
      ])
    let shares = [1, 2].map {
      Bench.rule(Int64($0), "s\($0)", "always", "", kind: .share(ShareTerms(secondsPerHour: 2000)))
    }
    #expect(
      plan(shares, "2026-12-14T07:00:00Z", "2026-12-14T08:00:00Z").notes == [
        "Mon 14 Dec 08:00–09:00: shares are due 4000 s of each hour, which has 3600"
      ])
  }

  @Test("a bar has a block for each column, and shows announcements however short they are")
  func bar() {
    let day = Bench.rule(1, "day", "daily", "08:00-20:00")
    let noon = Bench.rule(2, "noon", "cron", "0 12 * * *", kind: .trigger, length: 60)
    let range = Bench.range("2026-12-14T00:00:00Z", "2026-12-15T00:00:00Z")
    let plan = plan([day, noon], "2026-12-14T00:00:00Z", "2026-12-15T00:00:00Z", zone: "UTC").plan
    let bar = PlanBar(plan, range: range, columns: 24)
    #expect(bar.runs.map(\.text).joined() == "░░░░░░░░████▲███████░░░░")
    #expect(bar.runs.map(\.programme) == [nil, "day", "noon", "day", nil])
    #expect(PlanBar(plan, range: range, columns: 0).runs.map(\.text) == ["▲"])
    let empty = self.plan([], "2026-12-14T00:00:00Z", "2026-12-15T00:00:00Z", base: false).plan
    #expect(PlanBar(empty, range: range, columns: 3).runs.map(\.text) == ["···"])
  }

  @Test("a calendar has an event for each segment of a rule, in lines of 75 bytes at most")
  func calendar() {
    let rule = Bench.rule(1, "ä, \(String(repeating: "breakfast ", count: 9))", "daily", "08:00-10:30")
    let (_, _, plan, words) = plan([rule], "2026-12-14T00:00:00Z", "2026-12-15T00:00:00Z")
    let calendar = PlanCalendar(stamp: Bench.moment("2026-12-01T00:00:00Z"))
    var beginnings = SegmentBeginning(
      Bench.book("Europe/Berlin", [rule]), start: Bench.moment("2026-12-14T00:00:00Z"))
    let events = calendar.events(plan, on: lobby, words: words, beginnings: &beginnings)
    let text = calendar.head + events + calendar.tail
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.last == "" && !lines.joined().contains("\n"))
    let unfolded = text.replacingOccurrences(of: "\r\n ", with: "").components(separatedBy: "\r\n")
    #expect(unfolded.contains("DTSTART:20261214T070000Z") && unfolded.contains("DTEND:20261214T093000Z"))
    #expect(unfolded.contains { $0.hasPrefix("SUMMARY:ä\\, breakfast breakfast") })
    #expect(unfolded.count { $0 == "BEGIN:VEVENT" } == 1 && unfolded.contains("LOCATION:lobby"))
    #expect(unfolded.contains("UID:lobby-1-1797235200-1797231600@castq"))
  }
}
