import Testing

@Suite("The ledger of devices", .timeLimit(.minutes(20)))
struct DeviceTests {
  static let deviceKeys: Set = [
    "name", "alias", "uuid", "model", "address", "seen", "last_seen_at", "default", "pinned", "group",
    "capabilities", "status",
  ]

  @Test("devices are added, named, preferred and forgotten")
  func ledger() async throws {
    try await Stage.with { stage in
      expectSilence(try await stage.castq("device", "add", "Lobby TV", "192.0.2.10"))
      expectSilence(try await stage.castq("device", "add", "Bar TV", "[2001:db8::1]:8010"))
      expectSilence(try await stage.castq("device", "alias", "Lobby TV", "lobby"))
      expectSilence(try await stage.castq("device", "default", "lobby"))
      #expect(try await stage.castq("device", "default").stdout == "lobby\n")
      #expect(try await stage.json("device", "default")["name"]?.string == "Lobby TV")

      let devices = try #require(try await stage.json("devices")["devices"]?.elements)
      #expect(devices.map { $0["name"]?.string } == ["Bar TV", "Lobby TV"])
      #expect(devices.map { $0["address"]?.string } == ["[2001:db8::1]:8010", "192.0.2.10:8009"])
      #expect(devices.map { $0["alias"] } == [.null, .string("lobby")])
      #expect(devices.map { $0["default"] } == [.bool(false), .bool(true)])
      #expect(devices.allSatisfy { Self.deviceKeys.subtracting($0.keys).isEmpty })
      let lines = try await stage.castq("devices", "--jsonl").outLines.map { try Document($0) }
      #expect(lines == devices)
      let table = try await stage.castq("devices")
      #expect(table.outLines.count == 3)
      #expect(table.exit == 0 && table.stderr.isEmpty)

      expectSilence(try await stage.castq("device", "rm", "lobby"))
      #expect(try await stage.json("devices")["devices"]?.elements.count == 1)
    }
  }

  @Test("the default device of the configuration is the one that lists mark")
  func configuredDefault() async throws {
    try await Stage.with { stage in
      for (name, address) in [("lobby", "192.0.2.10"), ("kitchen", "192.0.2.11")] {
        expectSilence(try await stage.castq("device", "add", name, address))
      }
      expectSilence(try await stage.castq("device", "default", "lobby"))
      let file = try stage.file("castq.yaml", "default_device: kitchen\n")
      func marked(_ devices: Document?) -> [String?] {
        (devices?.elements ?? []).filter { $0["default"] == .bool(true) }.map { $0["name"]?.string }
      }
      #expect(marked(try await stage.json("devices")["devices"]) == ["lobby"])
      #expect(marked(try await stage.json("devices", "--config", file)["devices"]) == ["kitchen"])
      #expect(
        marked(.array([try await stage.json("device", "show", "kitchen", "--config", file)])) == ["kitchen"])
      #expect(marked(.array([try await stage.json("device", "show", "lobby", "--config", file)])).isEmpty)
      let table = try await stage.castq("devices", "--config", file).outLines.filter {
        $0.contains("default")
      }
      #expect(table.count == 1 && table[0].contains("kitchen"), "\(table)")
      let page = try await OperatorPage(stage, listen: "127.0.0.1:0", "--config", file)
      #expect(marked(try await page.get("devices")["devices"]) == ["kitchen"])
    }
  }

  @Test("what begins with a hyphen is no name, also where it is no option")
  func hyphens() async throws {
    try await Stage.with { stage in
      try await stage.castq("device", "add", "lobby", "192.0.2.10")
      for words in [
        ["device", "alias", "--", "lobby", "-d"], ["device", "add", "--", "-d", "192.0.2.11"],
        ["group", "add", "--", "-g", "lobby"], ["programme", "add", "--", "-p", "http://192.0.2.1/a.mp4"],
      ] {
        expectOneLine(try await stage.castq(words), exit: 64, saying: "begins with -, as options do")
      }
    }
  }

  @Test("a device is found by every name it has")
  func selectors() async throws {
    try await Stage.with { stage in
      try await stage.castq("device", "add", "Lobby TV", "192.0.2.10")
      try await stage.castq("device", "add", "Bar TV", "192.0.2.11")
      try await stage.castq("device", "alias", "Lobby TV", "lobby")
      for selector in ["lobby", "LOBBY TV", "Lob", "192.0.2.10", "192.0.2.10:8009"] {
        #expect(try await stage.json("queue", "-d", selector)["device"] == .string("lobby"), "\(selector)")
      }
      let variables = ["CASTQ_DEVICE": "lobby"]
      let asked = try await stage.castq("queue", "--json", variables: variables)
      #expect(try Document(asked.stdout)["device"] == .string("lobby"))
      let both = try await stage.castq("queue", "--json", "-d", "Bar TV", variables: variables)
      #expect(try Document(both.stdout)["device"] == .string("Bar TV"), "the option wins")
    }
  }

  @Test("a device nobody knows, several that are meant, and none at all are exit 68 on one line")
  func unknown() async throws {
    try await Stage.with { stage in
      expectOneLine(try await stage.castq("queue"), exit: 68, saying: "device add")
      expectOneLine(try await stage.castq("-d", "cellar", "queue"), exit: 68, saying: "cellar")
      try await stage.castq("device", "add", "Lobby one", "192.0.2.10")
      #expect(try await stage.castq("queue").exit == 1, "the only one is meant, and nothing is queued")
      try await stage.castq("device", "add", "Lobby two", "192.0.2.11")
      expectOneLine(try await stage.castq("queue"), exit: 68, saying: "Lobby one, Lobby two")
      expectOneLine(
        try await stage.castq("queue", "-d", "lobby"), exit: 68, saying: "Lobby one and Lobby two")
      expectOneLine(try await stage.castq("queue", "-d", "cellar"), exit: 68, saying: "Lobby one, Lobby two")
      for command in [["rm", "cellar"], ["alias", "cellar", "x"], ["default", "cellar"]] {
        expectOneLine(try await stage.castq(["device"] + command), exit: 68, saying: "cellar")
      }
      let document = try await stage.castq("queue", "-d", "cellar", "--json")
      #expect(document.exit == 68)
      #expect(try Document(document.stdout)["error"]?["code"] == .string("device_unknown"))
    }
  }

  @Test("a device that has an address in the configuration is known without a daemon")
  func configured() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      let text = "devices: {hall: {address: \"\(receiver.address)\"}, bar: {volume: 30}}"
      let file = try stage.file("config.yaml", text)
      let config = ["--config", file]
      try stage.tone("long.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq(config + ["cast", "long.wav"]))
      #expect(try await stage.json("status", "-d", "hall", "--config", file)["device"] == .string("hall"))
      let known = try await stage.json("devices", "--config", file, "--db", "other.db")
      #expect(known["devices"]?.elements.map { $0["address"]?.string } == [receiver.address])
      expectOneLine(
        try await stage.castq(config + ["-d", "bar", "queue"]), exit: 68, saying: "no device bar is known")
      let broken = try stage.file("broken.yaml", "devices: {cellar: {address: [}}")
      expectOneLine(
        try await stage.castq("--config", broken, "-d", "cellar", "queue"), exit: 78, saying: "broken.yaml:1")
      #expect(try await stage.castq("--config", broken, "-d", "hall", "pause").exit == 0, "that one is found")
      expectSilence(try await stage.castq("stop"))
    }
  }

  @Test("no device at all is said, not shown as data")
  func none() async throws {
    try await Stage.with { stage in
      for arguments in [["devices"], ["devices", "--scan"], ["devices", "--scan", "1s"]] {
        expectOneLine(try await stage.castq(arguments), exit: 1, saying: "CASTQ_INTERFACES")
      }
      let asked = try await stage.castq("devices", "--json")
      #expect(asked.exit == 1)
      let document = try Document(asked.stdout)
      #expect(document["devices"] == .array([]))
      #expect(document["problems"]?.elements.map { $0["code"]?.string } == ["switched_off"])
      try await stage.castq("device", "add", "Lobby TV", "192.0.2.10")
      let known = try await stage.castq("devices", "--scan")
      #expect(known.exit == 0 && known.outLines.count == 2 && known.errorLines.count == 1)
      #expect(known.stderr.contains("no device was heard"))
    }
  }

  @Test("all that is known of a device is shown, for people and for programs")
  func showing() async throws {
    try await Stage.with { stage in
      try await stage.castq("device", "add", "Lobby TV", "tv.example:8010")
      let shown = try await stage.json("device", "show")
      #expect(Self.deviceKeys.subtracting(shown.keys).isEmpty)
      #expect(shown["address"] == .string("tv.example:8010"), "a host name stays one")
      #expect(shown["given_address"] == .string("tv.example:8010"))
      #expect(shown["seen"] == .string("static") && shown["last_seen_at"] == .null)
      #expect(shown["trust"] == .string("pin") && shown["pinned"] == .bool(false))
      #expect(shown["pinned_key"] == .null && shown["roots"] == .null)
      let words = try await stage.castq("device", "show", "lobby")
      #expect(words.exit == 0 && words.stdout.contains("tv.example:8010"))
      #expect(words.stdout.contains("never") && words.stdout.contains("pin:"))
    }
  }

  @Test("how a device has to prove who it is can be said for each, and survives")
  func trust() async throws {
    try await Stage.with { stage in
      try await stage.castq("device", "add", "lobby", "192.0.2.10")
      func rule() async throws -> [Document?] {
        let shown = try await stage.json("device", "show", "lobby")
        return [shown["trust"], shown["roots"]]
      }
      expectSilence(try await stage.castq("device", "pin", "lobby", "--off"))
      #expect(try await rule() == [.string("off"), .null])
      _ = try await Receiver(stage, "--write-root", "\(stage.folder)/roots.pem")
      expectSilence(try await stage.castq("device", "pin", "lobby", "--roots", "roots.pem"))
      let file = try #require(try await rule()[1]?.string)
      #expect(file.hasPrefix("/") && file.hasSuffix("/roots.pem"), "found from every folder")
      #expect(try await rule()[0] == .string("roots"))
      expectSilence(try await stage.castq("device", "unpin", "lobby"))
      try stage.file("words.txt", "not a certificate")
      expectOneLine(
        try await stage.castq("device", "pin", "lobby", "--roots", "none.pem"), exit: 66, saying: "none.pem")
      expectOneLine(
        try await stage.castq("device", "pin", "lobby", "--roots", "words.txt"), exit: 65, saying: "words.txt"
      )
      expectOneLine(
        try await stage.castq("device", "pin", "lobby", "--off", "--roots", "roots.pem"), exit: 64)
      #expect(try await rule() == [.string("roots"), .string(file)])
    }
  }

  @Test("what plays is the status of a device whose application says no more than its own name")
  func title() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("Welcome.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq("cast", "Welcome.wav"))
      #expect(try await stage.castq("devices").stdout.contains("Casting: Welcome"))
      expectSilence(try await stage.castq("stop"))
    }
  }
}
