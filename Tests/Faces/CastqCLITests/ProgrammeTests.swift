import Testing

@Suite("Programmes, day parts, calendars and groups", .timeLimit(.minutes(20)))
struct ProgrammeTests {
  /// A stage with a list and two devices that nobody calls.
  static func prepare(_ stage: Stage) async throws {
    try stage.file("menus.m3u", "#EXTM3U\nhttp://192.0.2.1/a.mp4\n")
    try stage.add(device: "lobby", at: "192.0.2.10")
    try stage.add(device: "hall", at: "192.0.2.11")
  }

  @Test("a programme names a source, which is checked and made absolute")
  func programmes() async throws {
    try await Stage.with { stage in
      try await Self.prepare(stage)
      #expect(try await stage.json("programme", "ls") == .object(["programmes": .array([])]))
      expectSilence(try await stage.castq("programme", "add", "menus", "menus.m3u"))
      expectSilence(try await stage.castq("programme", "add", "menus", "menus.m3u"))
      expectSilence(
        try await stage.castq(
          "programme", "add", "late", "http://192.0.2.1/b.mp4", "--shuffle", "--filler", "menus"))
      let shown = try await stage.json("programme", "ls")["programmes"]?.elements ?? []
      #expect(shown.map { $0["programme"]?.string } == ["late", "menus"])
      #expect(shown.first?["source"] == .string("http://192.0.2.1/b.mp4"))
      let path = try #require(shown.last?["source"]?.string)
      #expect(path.hasPrefix("/") && path.hasSuffix("/menus.m3u"))
      #expect(shown.map { $0["shuffle"] } == [.bool(true), .bool(false)])
      #expect(shown.map { $0["filler"] } == [.string("menus"), .null])
      expectOneLine(
        try await stage.castq("programme", "add", "menus", "menus.m3u", "--shuffle"), exit: 65,
        saying: "--replace")
      expectSilence(
        try await stage.castq("programme", "add", "menus", "menus.m3u", "--shuffle", "--replace"))
      let document = try await stage.json("programme", "show", "menus")
      #expect(document["shuffle"] == .bool(true))
      #expect(document["used_by"] == .array([.string("the programme late")]))
      #expect(
        try await stage.castq("programme", "show", "menus").stdout.contains("used by  the programme late"))
      expectOneLine(try await stage.castq("programme", "rm", "menus"), exit: 65, saying: "the programme late")
      expectSilence(try await stage.castq("programme", "rm", "late"))
      expectSilence(try await stage.castq("programme", "rm", "menus"))
      expectOneLine(try await stage.castq("programme", "show", "menus"), exit: 65, saying: "programme add")
    }
  }

  @Test("a source that can be played in part is a programme, and its mistakes are named with their places")
  func partOfSource() async throws {
    try await Stage.with { stage in
      try await Self.prepare(stage)
      try stage.file("half.m3u", "#EXTM3U\nhttp://192.0.2.1/a.mp4\nnope.mp4\n")
      let half = try await stage.castq("programme", "add", "half", "half.m3u")
      #expect(half.exit == 65 && half.stderr.contains("half.m3u:3:1"))
      #expect(try await stage.json("programme", "show", "half")["programme"] == .string("half"))
    }
  }

  @Test("a day part has other times, or none, on some days, in the order in which they were given")
  func dayparts() async throws {
    try await Stage.with { stage in
      expectSilence(try await stage.castq("calendar", "add", "holidays", "2026-12-24", "Holy Eve"))
      expectSilence(
        try await stage.castq(
          "daypart", "add", "--on", "sat,sun", "09:00-11:00", "breakfast", "08:00-10:30", "--closed", "mon",
          "--on", "@holidays", "10:00-12:00", "--closed=@holidays"))
      let shown = try #require(try await stage.json("daypart", "ls")["dayparts"]?.elements.first)
      #expect(shown["daypart"] == .string("breakfast"))
      #expect([shown["start"]?.string, shown["end"]?.string] == ["08:00", "10:30"])
      let exceptions = shown["exceptions"]?.elements ?? []
      #expect(exceptions.map { $0["on"]?.string } == ["sat,sun", "mon", "@holidays", "@holidays"])
      #expect(
        exceptions.map { $0["start"] } == [.string("09:00"), .null, .string("10:00"), .null])
      #expect(
        try await stage.castq("daypart", "ls").stdout.contains(
          "mon closed; @holidays 10:00-12:00; @holidays closed"))
      expectOneLine(
        try await stage.castq("daypart", "add", "breakfast", "08:00-11:00"), exit: 65, saying: "--replace")
      expectSilence(try await stage.castq("daypart", "add", "breakfast", "08:00-11:00", "--replace"))
      #expect(
        try await stage.json("daypart", "ls")["dayparts"]?.elements.first?["exceptions"] == .array([]))
      for (words, saying) in [
        (["x", "8-9"], "08:00-10:30"), (["x y", "08:00-09:00"], "x-y"),
        (["x", "08:00-09:00", "--on", "sat"], "two"),
        (["x", "08:00-09:00", "--on", "someday", "08:00-09:00"], "mon-fri"),
        (["x", "08:00-09:00", "--closed", "someday"], "--closed: 'someday'"),
      ] {
        expectOneLine(try await stage.castq(["daypart", "add"] + words), exit: 64, saying: saying)
      }
      expectOneLine(
        try await stage.castq("daypart", "add", "x", "08:00-09:00", "--closed", "@nope"), exit: 65,
        saying: "holidays")
      expectSilence(try await stage.castq("daypart", "rm", "breakfast"))
      expectOneLine(try await stage.castq("daypart", "rm", "breakfast"), exit: 65)
    }
  }

  @Test("a calendar has days with labels")
  func calendars() async throws {
    try await Stage.with { stage in
      for (day, label) in [("2026-12-25", "Day"), ("2026-12-24", "Eve")] {
        expectSilence(try await stage.castq("calendar", "add", "@holidays", day, label))
      }
      // The same words again change nothing, and others have to be meant.
      expectSilence(try await stage.castq("calendar", "add", "holidays", "2026-12-24", "Eve"))
      expectOneLine(
        try await stage.castq("calendar", "add", "holidays", "2026-12-24", "Xmas"), exit: 65,
        saying: "the calendar holidays has 2026-12-24 already, and calls it Eve: --replace changes that")
      expectSilence(try await stage.castq("calendar", "add", "holidays", "2026-12-24", "Xmas", "--replace"))
      expectSilence(try await stage.castq("calendar", "add", "holidays", "2026-12-24", "Eve", "--replace"))
      let shown = try await stage.json("calendar", "ls", "holidays")["calendars"]?.elements.first
      #expect(shown?["calendar"] == .string("holidays"))
      #expect(shown?["days"]?.elements.map { $0["label"]?.string } == ["Eve", "Day"])
      #expect(
        try await stage.castq("calendar", "ls").outLines.last == "holidays     2  2026-12-24  2026-12-25")
      #expect(
        try await stage.castq("calendar", "ls", "holidays").outLines.dropFirst().first == "2026-12-24  Eve")
      expectOneLine(
        try await stage.castq("calendar", "add", "holidays", "24.12.", "x"), exit: 64, saying: "2026-12-24")
      expectSilence(try await stage.castq("calendar", "rm", "holidays", "2026-12-24"))
      expectOneLine(try await stage.castq("calendar", "rm", "holidays", "2026-12-24"), exit: 65)
      expectSilence(try await stage.castq("calendar", "rm", "holidays"))
      expectOneLine(try await stage.castq("calendar", "ls", "holidays"), exit: 65)
    }
  }

  @Test("a group names devices, and -d @NAME means all of them, one after the other")
  func groups() async throws {
    try await Stage.with { stage in
      try await Self.prepare(stage)
      expectSilence(try await stage.castq("group", "add", "foyers", "lobby", "hall"))
      #expect(
        try await stage.json("group", "ls")
          == .object([
            "groups": .array([
              .object(["group": .string("foyers"), "devices": .array([.string("hall"), .string("lobby")])])
            ])
          ]))
      let added = try await stage.castq("enqueue", "menus.m3u", "-d", "@foyers", "--json")
      #expect(
        try Document(added.stdout)["devices"]?.elements.map { $0["device"]?.string } == ["hall", "lobby"])
      for device in ["hall", "lobby"] {
        #expect(try await stage.json("queue", "-d", device)["entries"]?.elements.count == 1)
      }
      expectSilence(try await stage.castq("shuffle", variables: ["CASTQ_DEVICE": "@foyers"]))
      expectSilence(try await stage.castq("-d", "@all", "repeat", "all"))
      #expect(try await stage.json("queue", "-d", "hall")["shuffle"] == .bool(true))
      #expect(try await stage.json("queue", "-d", "lobby")["repeat"] == .string("all"))
      let missing = try await stage.castq("enqueue", "nope.m3u", "-d", "@foyers")
      #expect(missing.exit == 66)
      // The worst of the two counts, whichever comes first.
      let worst = try await stage.castq("clear", "-d", "cellar", "-d", "@foyers")
      #expect(worst.exit == 68 && worst.errorLines.count == 1)
      let both = try await stage.castq("pause", "-d", "127.0.0.1:1", "-d", "cellar")
      #expect(both.exit == 69 && both.errorLines.count == 2, "\(both.stderr)")
      #expect(try await stage.castq("queue", "-d", "hall").exit == 1)
      expectOneLine(try await stage.castq("queue", "-d", "@foyers"), exit: 64, saying: "@foyers is a group")
      expectOneLine(try await stage.castq("clear", "-d", "@nope"), exit: 68, saying: "foyers")
      expectSilence(try await stage.castq("group", "rm", "foyers", "hall"))
      #expect(try await stage.castq("group", "ls").outLines.last == "foyers  lobby")
      expectSilence(try await stage.castq("group", "add", "foyers", "hall", "--replace"))
      #expect(try await stage.castq("group", "ls").outLines.last == "foyers  hall")
      expectSilence(try await stage.castq("group", "rm", "foyers", "hall"))
      expectOneLine(try await stage.castq("clear", "-d", "@foyers"), exit: 68, saying: "no devices")
      expectSilence(try await stage.castq("group", "rm", "foyers"))
    }
  }
}
