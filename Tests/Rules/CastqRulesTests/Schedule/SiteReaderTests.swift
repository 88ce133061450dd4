import CastProtocol
import CastqSchedule
import CastqText
import Foundation
import Testing

/// The file of a whole schedule.
@Suite struct SiteReaderTests {
  static let everything = """
    programmes:
      menus: {source: menus.m3u, shuffle: true, filler: logo}
      logo: https://media.example/logo.png
    dayparts:
      breakfast:
        time: "08:00-10:30"
        on:
          - {days: sat-sun, time: "09:00-11:00"}
          - {calendar: holidays, closed: true}
      night: "22:00-02:00"
    calendars:
      holidays: {2026-12-24: Christmas Eve, 2026-12-25: 25}
    groups:
      foyers: [lobby, bar]
    devices:
      lobby: {tz: Europe/Berlin}
    rules:
      breakfast: {play: menus, devices: "@foyers", daypart: breakfast, days: mon-fri, priority: 3}
      offers: {play: /srv/offers.m3u, devices: "@all", daily: 11:30-14:00, not_on: holidays, valid: 2026-12-01.., enabled: false}
      gong:
        play: logo
        devices: Lobby
        cron: "0 12 * * *"
        for: 1m30s
        interrupt: true
        start: wait=90s
        end: finish
        resume: item
        missed: within=15m
        volume: 35
        tz: UTC
        note: rings at noon
        exceptions: {2026-12-24T12:00: skip, 2026-12-25T12:00: {move: 2026-12-25T13:00}, 2026-12-26T12:00: {replace: menus}}
      eve: {play: menus, devices: [lobby], once: 2026-12-24T08:00, for: 2h, only_on: holidays}
      base: {play: menus, devices: lobby, always: true, priority: -5}
      early: {play: menus, devices: lobby, calendar: Mon..Fri 06:00, start: next, missed: run, valid: ..2027-01-31}
    shares:
      sale: {play: logo, devices: "@all", per_hour: 5%, max_plays: 4, min_gap: 5m}
      spot: {play: logo, devices: "@all", per_hour: 120s, daily: "08:00-10:30", volume: 0.555}
    """

  private static var known: SiteNames {
    var names = SiteNames()
    names.add(.devices, "lobby")
    names.add(.devices, "bar")
    return names
  }

  private func read(_ text: String) -> Result<SiteSchedule, ConfigurationError> {
    SiteReader.read(
      Array(text.utf8), file: "site.yaml", folder: "/srv/site", known: Self.known,
      zone: { $0.text != "Europe/Berlim" }
    ).map(\.schedule)
  }

  private func errors(_ text: String) -> [String] {
    switch read(text) {
    case .success: []
    case .failure(let error): error.issues.map(\.description)
    }
  }

  @Test("every key is read")
  func everything() throws {
    let site = try read(Self.everything).get()
    #expect(site.sections == Set(SiteSchedule.Section.allCases))
    #expect(
      site.programmes["menus"] == .init(source: "/srv/site/menus.m3u", isShuffled: true, filler: "logo"))
    #expect(site.programmes["logo"]?.source == "https://media.example/logo.png")
    #expect(
      site.dayparts["breakfast"]?.exceptions.count == 2 && site.dayparts["night"]?.part.text == "22:00-02:00")
    #expect(site.calendars["holidays"]?[Bench.day("2026-12-25")] == "25")
    #expect(site.groups["foyers"] == ["lobby", "bar"])
    #expect(site.devices["lobby"] == .some(Bench.zone("Europe/Berlin")))
    let breakfast = try #require(site.rules["breakfast"])
    #expect(
      breakfast.form == .daypart("breakfast", (try? Weekdays("mon-fri")) ?? []) && breakfast.priority == 3)
    #expect(breakfast.target == .group("foyers") && breakfast.programme == "menus")
    let offers = try #require(site.rules["offers"])
    #expect(!offers.isEnabled && offers.notOn == "holidays" && offers.validFrom == Bench.day("2026-12-01"))
    #expect(offers.programme == "/srv/offers.m3u" && offers.target == .all && offers.validUntil == nil)
    let gong = try #require(site.rules["gong"])
    #expect(
      gong.kind == .trigger && gong.length == 90 && gong.start == .wait(seconds: 90) && gong.end == .finish)
    #expect(gong.resume == .item && gong.missed == .within(seconds: 900) && gong.volume == 0.35)
    #expect(gong.zone == .utc && gong.note == "rings at noon" && gong.target == .device("lobby"))
    #expect(gong.exceptions[Bench.local("2026-12-24T12:00")] == .skip)
    #expect(gong.exceptions[Bench.local("2026-12-25T12:00")] == .move(Bench.local("2026-12-25T13:00")))
    #expect(gong.exceptions[Bench.local("2026-12-26T12:00")] == .replace("menus"))
    #expect(site.rules["sale"]?.kind == .share(ShareTerms(secondsPerHour: 180, maxPerHour: 4, minGap: 300)))
    #expect(site.rules["spot"]?.form == Bench.form("daily", "08:00-10:30"))
  }

  @Test("what is written is read as the same, and written as the same")
  func roundTrip() throws {
    let site = try read(Self.everything).get()
    let text = SiteWriter.text(site)
    #expect(try read(text).get() == site, "\(text)")
    #expect(SiteWriter.text(try read(text).get()) == text)
    #expect(SiteWriter.text(SiteSchedule()).isEmpty)
    #expect(try read("").get() == SiteSchedule())
    #expect(SiteDifference(from: site, to: try read(text).get(), isPruning: true).changes.isEmpty)
  }

  @Test(
    "each mistake has its place and a way out",
    arguments: [
      ("ruls: {}", "1:1: `ruls` is not a key of a schedule; did you mean `rules`?"),
      (
        "rules:\n  a: {play: /a, devices: lobby, always: true, prority: 1}",
        "2:47: `prority` is not a key of a rule; did you mean `priority`?"
      ),
      ("rules: {a: {play: menus, devices: lobby, always: true}}", "1:19: there is no programme `menus`"),
      (
        "programmes: {m: {source: demo.m3u, filler: m}}",
        "1:44: the programme `m` cannot be its own filler"
      ),
      (
        "programmes:\n  Menus:\n    filler: menus\n    source: a.m3u",
        "3:13: the programme `Menus` cannot be its own filler"
      ),
      (
        "rules: {a: {play: /a, devices: loby, always: true}}",
        "1:32: there is no device `loby`; did you mean `lobby`?"
      ),
      ("rules: {a: {play: /a, devices: '@shop', always: true}}", "1:32: there is no group `shop`"),
      ("rules: {a: {play: /a, devices: [lobby, bar], always: true}}", "one device or one group"),
      ("rules: {a: {play: /a, devices: lobby}}", "1:9: `a` has no time; write one of always"),
      (
        "rules: {a: {play: /a, devices: lobby, always: true, once: 2026-12-24T08:00}}",
        "more than one time: always, once"
      ),
      ("rules: {a: {devices: lobby, always: true}}", "1:9: `a` has no `play`"),
      ("rules: {a: {play: /a, always: true}}", "`a` has no `devices`"),
      (
        "rules: {a: {play: /a, devices: lobby, daily: 25:00-26:00}}",
        "1:46: `25:00-26:00` is not a time range"
      ),
      (
        "rules: {a: {play: /a, devices: lobby, daily: 08:00-09:00, days: mo}}",
        "does not name days of the week"
      ),
      ("rules: {a: {play: /a, devices: lobby, daypart: x}}", "there is no daypart `x`"),
      ("rules: {a: {play: /a, devices: lobby, cron: '61 * * * *'}}", "1:45: "),
      (
        "rules: {a: {play: /a, devices: lobby, cron: '1 * * * *', tz: Europe/Berlim}}",
        "no time zone Europe/Berlim"
      ),
      (
        "rules: {a: {play: /a, devices: lobby, cron: '1 * * * *', missed: never}}",
        "write skip, run or within=15m"
      ),
      ("rules: {a: {play: /a, devices: lobby, cron: '1 * * * *', start: wait=x}}", "is not a duration"),
      (
        "rules: {a: {play: /a, devices: lobby, cron: '1 * * * *', valid: 2026-12-02..2026-12-01}}",
        "is before 2026-12-02"
      ),
      ("rules: {a: {play: /a, devices: lobby, cron: '1 * * * *', volume: 101}}", "maximum is 100"),
      (
        "rules: {a: {play: /a, devices: lobby, always: true, priority: 1000001}}",
        "a number from -1000000 to 1000000"
      ),
      ("rules: {a: {play: /a, devices: lobby, always: true, for: 1h}}", "`for` goes with cron"),
      ("rules: {a: {play: /a, devices: lobby, always: true, interrupt: true}}", "`interrupt` goes with"),
      (
        "rules: {a: {play: /a, devices: lobby, cron: '1 * * * *', exceptions: {tomorrow: skip}}}",
        "is not a local time"
      ),
      (
        "rules: {a: {play: /a, devices: lobby, cron: '1 * * * *', exceptions: {2026-12-24T08:00: none}}}",
        "write skip, {move"
      ),
      (
        "rules: {a: {play: /a, devices: lobby, always: true}}\nshares: {a: {play: /a, devices: lobby, per_hour: 5%}}",
        "2:10: `a` is a rule and a share"
      ),
      ("shares: {a: {play: /a, devices: lobby, per_hour: 2h}}", "more than an hour"),
      ("shares: {a: {play: /a, devices: lobby, per_hour: 101%}}", "1% to 100%"),
      ("devices: {cellar: {tz: UTC}}", "1:11: there is no device `cellar`"),
      (
        "devices: {lobby: {list: /srv/lobby.m3u}}",
        "1:19: the list of a device is no part of its schedule; write it into the configuration of the daemon"
      ),
      ("calendars: {c: {2026-02-30: x}}", "1:17: `2026-02-30` is not a date"),
      ("calendars: {c: {2026-12-24: \"a\\tb\"}}", "1:29: `a b` is no label"),
      ("calendars: {c: {2026-12-24: \(String(repeating: "x", count: 201))}}", "at most 200 bytes"),
      ("dayparts: {a: {time: '08:00-09:00', on: [{days: mon}]}}", "needs days or a calendar"),
      ("dayparts: {a b: '08:00-09:00'}", "has a blank"), ("dayparts: {a: {}}", "the day part has no time"),
      ("groups: {All: [lobby]}", "1:10: `all` is every device"),
      ("groups: {'@a': [lobby]}", "is not a name"), ("groups: {a: [lobby], A: [bar]}", "are one group"),
      ("programmes: {a: {shuffle: true}}", "has no source"),
      ("programmes: {a: ''}", "1:17: the programme has no source; write source"),
      ("programmes: {a: {source: ''}}", "1:17: the programme has no source"),
      ("rules: [a]", "expected `rules`, found a list"),
      ("rules: {a: {play: [", "1:"),
    ])
  func mistakes(_ text: String, _ words: String) {
    let errors = errors(text)
    #expect(errors.first?.contains(words) == true, "\(errors)")
    #expect(errors.allSatisfy { $0.hasPrefix("site.yaml:") })
  }

  @Test(
    "a mistake in a time is told once, also where something goes with such times alone",
    arguments: ["cron: '61 * * * *'", "calendar: 'Mon 25:00'", "once: tomorrow"])
  func toldOnce(_ time: String) {
    for more in ["for: 1h", "interrupt: true", "for: 1h, interrupt: true"] {
      let errors = errors("rules: {a: {play: /a, devices: lobby, \(time), \(more)}}")
      #expect(errors.count == 1, "\(errors)")
    }
    #expect(errors("rules: {a: {play: /a, devices: lobby, for: 1h}}").count == 1)
    #expect(
      errors("shares: {a: {play: /a, devices: lobby, per_hour: 5%, for: 1h}}").first?.contains("`for` goes")
        == true)
  }

  @Test("all mistakes are named at once, by their places")
  func together() {
    let text = "rules:\n  a: {play: x, devices: y, daily: z}\nprogrammes: {p: {sorce: a}}\ndevices: {q: {}}"
    #expect(
      errors(text).map { $0.prefix(14) } == [
        "site.yaml:2:13", "site.yaml:2:25", "site.yaml:2:35", "site.yaml:3:17", "site.yaml:3:18",
        "site.yaml:4:11",
      ])
  }

  @Test("the page's example is a schedule")
  func page() throws {
    let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let page = try String(contentsOf: root.appending(path: "docs/plan.md"), encoding: .utf8)
    let example = try #require(page.components(separatedBy: "```yaml\n").dropFirst().first)
    let site = try read(try #require(example.components(separatedBy: "```").first)).get()
    #expect(site.rules.count == 3 && site.sections == Set(SiteSchedule.Section.allCases))
  }

  @Test("a difference names what is new, what changes in it, and what goes")
  func difference() throws {
    let old = try read(Self.everything).get()
    let changed = Self.everything.replacingOccurrences(of: "priority: 3", with: "priority: 4")
      .replacingOccurrences(of: "  eve: {play: menus", with: "  Xmas: {play: menus")
    let new = try read(changed).get()
    #expect(
      SiteDifference(from: old, to: new, isPruning: false).lines == [
        "~ rule breakfast: priority 3 → 4",
        #"+ rule Xmas: {"devices":"lobby","for":"2h","once":"2026-12-24T08:00","only_on":"holidays","play":"menus"}"#,
      ])
    #expect(SiteDifference(from: old, to: new, isPruning: true).lines.contains("- rule eve"))
    // What a file does not speak of is not removed.
    let few = try read(
      "programmes: {menus: {source: menus.m3u, shuffle: true, filler: logo}, logo: 'https://media.example/logo.png'}"
    ).get()
    #expect(SiteDifference(from: old, to: few, isPruning: true).changes.isEmpty)
  }
}
