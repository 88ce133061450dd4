import Testing

/// Devices that announce themselves, on loopback.
@Suite("Looking for devices", .timeLimit(.minutes(20)))
struct ScanTests {
  private static let loopback = LoopbackNetwork.variables

  /// A device that announces itself under a name of its own.
  private func announced(
    _ name: String, seed: Int, body: (Stage, Receiver) async throws -> Void
  ) async throws {
    try await LoopbackNetwork.alone {
      try await Stage.with { stage in
        let receiver = try await Receiver(
          stage, "--advertise", "--interface", "lo", "--name", name, "--seed", "\(seed)")
        try await body(stage, receiver)
      }
    }
  }

  private func devices(_ stage: Stage, _ arguments: String...) async throws -> [Document] {
    let ending = try await stage.castq(["devices", "--json"] + arguments, variables: Self.loopback)
    return try Document(ending.stdout)["devices"]?.elements ?? []
  }

  @Test("a scan shows what is there, and it is known from then on")
  func scan() async throws {
    try await announced("Scan TV", seed: 4711) { stage, receiver in
      let found = try #require(
        try await devices(stage, "--scan", "10s").first { $0["address"]?.string == receiver.address })
      #expect(found["name"] == .string("Scan TV") && found["seen"] == .string("mdns"))
      #expect(found["uuid"]?.string?.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
      #expect(found["capabilities"]?.elements.contains(.string("video_out")) == true)
      #expect(found["group"] == .bool(false) && found["pinned"] == .bool(false))
      let table = try await stage.castq("devices")
      #expect(table.exit == 0 && table.stdout.contains("Scan TV"), "without a network")
    }
  }

  @Test("a name or a UUID that nobody added is looked for, and is in the ledger afterwards")
  func lookup() async throws {
    try await announced("Lookup TV", seed: 4712) { stage, receiver in
      let volume = try await stage.castq("-d", "lookup tv", "volume", variables: Self.loopback)
      #expect(volume.exit == 0, "\(volume.stderr)")
      let known = try await stage.json("devices")["devices"]?.elements ?? []
      #expect(known.map { $0["name"]?.string } == ["Lookup TV"], "others that answered are not kept")
      let id = try #require(known.first?["uuid"]?.string)
      #expect(
        try await stage.castq("-d", id.uppercased(), "volume").exit == 0, "multicast is not needed any more")
      let nobody = try await stage.castq("-d", "cellar", "volume", variables: Self.loopback)
      expectOneLine(nobody, exit: 68, saying: "cellar")
    }
  }

  @Test("a device that got another address is found by its UUID, and the new address is kept")
  func moved() async throws {
    try await LoopbackNetwork.alone {
      try await Stage.with { stage in
        let arguments = [
          "--advertise", "--interface", "lo", "--name", "Moving TV", "--uuid",
          "5f0ca571-0000-4000-a000-000000004713",
        ]
        var receiver: Receiver? = try await Receiver(stage, speed: 20, arguments)
        let first = try #require(receiver?.address)
        #expect(try await stage.castq("-d", "Moving TV", "volume", variables: Self.loopback).exit == 0)
        receiver = nil
        let second = try await Receiver(stage, speed: 20, arguments)
        #expect(second.address != first)
        let volume = try await stage.castq("volume", variables: Self.loopback)
        #expect(volume.exit == 0, "\(volume.stderr)")
        let known = try await stage.json("devices")["devices"]?.elements ?? []
        #expect(known.map { $0["address"]?.string } == [second.address])
      }
    }
  }

  @Test("without a known device cast finds the one that is there, and plays on it")
  func castFinds() async throws {
    try await announced("Cast TV", seed: 4714) { stage, receiver in
      try stage.tone("long.wav", seconds: Stage.outlasting)
      expectSilence(try await stage.castq("cast", "long.wav", variables: Self.loopback))
      #expect(await receiver.playing() != nil)
      // It is known from then on.
      #expect(try await stage.json("status")["device"] == .string("Cast TV"))
      expectSilence(try await stage.castq("stop"))
    }
  }

  @Test("of several devices cast names all, and at a terminal the person chooses one")
  func castChooses() async throws {
    try await announced("First TV", seed: 4715) { stage, first in
      let second = try await Receiver(
        stage, "--advertise", "--interface", "lo", "--name", "Second TV", "--seed", "4716")
      try #require(await first.isAdvertised())
      try #require(await second.isAdvertised())
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let ending = try await stage.castq("--db", "other.db", "cast", "long.wav", variables: Self.loopback)
      expectOneLine(ending, exit: 68, saying: "First TV, Second TV")
      _ = try await ShellSession(
        stage,
        [
          .sees("ready>"), .types("castq cast long.wav; echo left with $?\n"), .sees("1  First TV"),
          .sees("Which device? 1 to 2:"), .types("7\n2\n"), .sees("left with 0"),
        ], variables: Self.loopback)
      #expect(await second.playing() != nil)
      #expect(!first.requests.contains("LOAD") && !first.requests.contains("QUEUE_LOAD"))
      #expect(try await stage.json("status")["device"] == .string("Second TV"), "it is the chosen one")
      expectSilence(try await stage.castq("stop"))
    }
  }

  @Test("where no device answers, cast asks first whether it is on")
  func castFindsNone() async throws {
    try await LoopbackNetwork.alone {
      try await Stage.with { stage in
        try stage.tone("long.wav", seconds: 1)
        let ending = try await stage.castq("cast", "long.wav", variables: Self.loopback)
        expectOneLine(ending, exit: 68, saying: "is the device on, and in this network?")
        #expect(!ending.stderr.contains("container"), "\(ending.stderr)")
      }
    }
  }

  @Test("an interface that is not there is named")
  func noInterface() async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(
        "devices", "--scan", "1s", variables: ["CASTQ_INTERFACES": "wlan77"])
      expectOneLine(ending, exit: 1, saying: "wlan77")
      #expect(ending.stderr.contains("castq device add NAME HOST"))
    }
  }
}
