import Testing

@Suite("Groups of devices on the air", .timeLimit(.minutes(20)))
struct GroupTests {
  @Test("commands for a group reach each of its devices, and what they print comes one after the other")
  func live() async throws {
    try await Stage.with { stage in
      let receivers = [try await Receiver(stage), try await Receiver(stage)]
      for (name, receiver) in zip(["hall", "lobby"], receivers) {
        try stage.add(device: name, at: receiver.address)
      }
      try stage.add(device: "cellar", at: "192.0.2.10")
      try await stage.castq("group", "add", "foyers", "lobby", "hall")
      try stage.tone("long.wav", seconds: 3000)
      func each(_ key: String, _ arguments: String...) async throws -> [Document?] {
        let ending = try await stage.castq(arguments + ["-d", "@foyers", "--jsonl"])
        #expect(ending.exit == 0, "\(ending.stderr)")
        return try ending.outLines.map { try Document($0)[key] }
      }
      #expect(try await each("device", "cast", "long.wav") == [.string("hall"), .string("lobby")])
      #expect(try await each("player_state", "status") == [.string("PLAYING"), .string("PLAYING")])
      #expect(
        try await each("volume", "volume", "30").map { $0?["level"] } == [.number(30), .number(30)])
      for receiver in receivers { #expect(await receiver.request("SET_VOLUME") != nil) }
      expectSilence(try await stage.castq("stop", "-d", "@foyers"))
      let quiet = try await stage.castq("status", "-d", "@foyers", "-d", "lobby", "--jsonl")
      #expect(quiet.exit == 1 && quiet.outLines.count == 2)
      // One document, whatever each device has to say.
      let whole = try await stage.castq("status", "-d", "@foyers", "--json")
      #expect(whole.exit == 1)
      #expect(
        try Document(whole.stdout)["devices"]?.elements.map { $0["device"] } == [
          .string("hall"), .string("lobby"),
        ])
      let mixed = try await stage.castq("volume", "20", "-d", "lobby", "-d", "nowhere", "--json")
      let both = try #require(try Document(mixed.stdout)["devices"]?.elements)
      #expect(mixed.exit == 68 && mixed.stderr.isEmpty && both.count == 2, "\(mixed)")
      #expect(both[0]["volume"]?["level"] == .number(20) || both[0]["level"] == .number(20), "\(both)")
      #expect(both[1]["device"] == .string("nowhere") && both[1]["error"]?["exit"] == .number(68))
      let one = try await stage.castq("status", "-d", "lobby", "--json")
      #expect(
        try Document(one.stdout)["device"] == .string("lobby"), "a device by itself is its own document")
      #expect(
        try await each("device", "history") == [.string("hall"), .string("lobby")])
      #expect(try await stage.castq("history", "-d", "lobby", "--jsonl").outLines.count == 1)
      expectOneLine(
        try await stage.castq("cast", "--wait", "long.wav", "-d", "@foyers"), exit: 64,
        saying: "one device at a time")
      expectOneLine(
        try await stage.castq("volume", "-d", "@foyers"), exit: 64, saying: "@foyers is a group")
      expectOneLine(
        try await stage.castq("volume", "-d", "@nope"), exit: 68, saying: "there is no group nope")
    }
  }
}
