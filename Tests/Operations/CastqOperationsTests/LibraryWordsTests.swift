import CastqOperations
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

@Suite("What the library says")
struct LibraryWordsTests {
  @Test(
    "where a file plays is one sentence",
    arguments: [
      ([], nil), ([("Lobby", .plays)], "plays everywhere"),
      ([("Lobby", .plays), ("Speaker", .soundAlone)], "Speaker: no picture"),
      ([("Lobby", .plays), ("Bar", .converts)], "must be converted for Bar"),
      ([("Lobby", .converts), ("Bar", .converts)], "must be converted first"),
      (
        [("A", .converts), ("B", .soundAlone), ("C", .refuses), ("D", .plays)],
        "must be converted for A · B: no picture · not on C"
      ),
      ([("Lobby", .plays), ("Hub", .ready)], "made ready for Hub"), ([("Hub", .ready)], "made ready"),
      ([("Lobby", .ready), ("Bar", .refuses)], "not on Bar · made ready for Lobby"),
      ([("A", .refuses)], "plays nowhere"), ([("A", .soundAlone)], "no picture: there are only speakers"),
      (
        [("A", .refuses), ("B", .refuses), ("C", .refuses), ("D", .refuses), ("E", .refuses), ("F", .plays)],
        "not on A, B, C and 2 more"
      ),
    ] as [([(String, ScreenAbility)], String?)])
  func plays(screens: [(String, ScreenAbility)], expected: String?) {
    #expect(PlaysWhere(screens.map { (name: $0.0, ability: $0.1) }).words == expected)
  }

  private func rules(model: String?) -> PlayRules {
    PlayRules(DeviceAbilities(model: model, capabilities: nil), deviceName: "x")
  }

  @Test(
    "a screen plays, converts or refuses by what the file is made of; by its name where nobody has read it")
  func abilities() {
    let film = MediaProbe(
      formats: ["mov", "mp4"],
      streams: [.init(.video, index: 0, codec: "h264"), .init(.audio, index: 1, codec: "aac")])
    let old = MediaProbe(formats: ["avi"], streams: [.init(.video, index: 0, codec: "mpeg4")])
    let (screen, speaker) = (rules(model: "Chromecast"), rules(model: "Google Home Mini"))
    #expect(ScreenAbility(screen, film, type: "video/mp4", allowed: .video) == .plays)
    #expect(ScreenAbility(speaker, film, type: "video/mp4", allowed: .video) == .soundAlone)
    #expect(ScreenAbility(screen, old, type: "video/x-msvideo", allowed: .video) == .converts)
    #expect(ScreenAbility(screen, old, type: "video/x-msvideo", allowed: .off) == .refuses)
    #expect(ScreenAbility(screen, old, type: "video/x-msvideo", allowed: .video) { _ in true } == .ready)
    #expect(ScreenAbility(screen, old, type: "video/x-msvideo", allowed: .off) { _ in true } == .refuses)
    #expect(ScreenAbility(screen, nil, type: "image/png", allowed: .off) == .plays)
    #expect(ScreenAbility(speaker, nil, type: "image/png", allowed: .video) == .refuses)
    #expect(ScreenAbility(screen, nil, type: "video/mp4", allowed: .video) == nil)
  }

  @Test("a programme is one line: where it comes from, what is in it, and where it plays")
  func programmes() {
    var words = ProgrammeWords()
    #expect(words.text == "")
    (words.entries, words.seconds) = (14, 64_931)
    #expect(words.text == "14 entries, 18:02:11")
    (words.source, words.entries, words.seconds, words.age) = ("from bar.m3u", 1, 20, 240)
    words.isWhole = false
    #expect(words.text == "from bar.m3u, 1 entry, more than 0:20 · changed 4 min ago")
  }

  private func rule(_ form: RuleForm, _ kind: RuleKind = .window, isEnabled: Bool = true) -> ScheduleRule {
    var rule = ScheduleRule(
      id: RuleID(1), name: "r", programme: "p", kind: kind, form: form)
    rule.isEnabled = isEnabled
    return rule
  }

  @Test("a rule is told by its days, a share by what it has of an hour")
  func uses() throws {
    let part = try DayPart("08:00-10:30")
    #expect(ProgrammeUse(rule(.daily(part, .all)), on: "Lobby").words == "every day on Lobby")
    let days = try Weekdays("mon-fri,sun")
    #expect(ProgrammeUse(rule(.daily(part, days)), on: "Lobby").words == "Mon–Fri, Sun on Lobby")
    #expect(ProgrammeUse(rule(.always, isEnabled: false), on: "Bar").words == "switched off on Bar")
    #expect(
      ProgrammeUse(rule(.always, .share(ShareTerms(secondsPerHour: 180))), on: "Bar").words
        == "ad share, 180 s an hour on Bar")
  }
}
