import Foundation
import Testing

@Suite("Being told to end", .timeLimit(.minutes(20)))
struct SignalTests {
  @Test(
    "the media are stopped, the entry waits again, and history says what was cut",
    arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130))], ["run", "cast --wait"])
  func whilePlaying(signal: (number: Int32, exit: Int32), command: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("long.wav", seconds: Stage.outlasting)
      let program = try stage.start(command.split(separator: " ").map(String.init) + ["long.wav"])
      #expect(await receiver.playing() != nil)
      try await stage.awaitPlay { $0["title"]?.string == "long" }

      program.signal(signal.number)
      let ending = await program.ended()
      #expect(ending.exit == signal.exit)
      #expect(ending.stdout.isEmpty)
      #expect(ending.errorLines.count <= 1)
      #expect(await receiver.request("STOP") != nil)
      let entries = try await stage.queue()["entries"]?.elements
      #expect(entries?.map { $0["state"]?.string } == ["pending"])
      let plays = try await stage.history()
      #expect(plays.map { $0["outcome"]?.string } == ["interrupted"])
      #expect(plays.first?["reason"]?.string != nil)
      #expect(plays.first?["ended_at"]?.string != nil)
    }
  }

  @Test(
    "a device that never answers does not hold the program back", arguments: [SIGTERM, SIGINT, SIGKILL],
    ["run", "cast", "enqueue --play"])
  func whileConnecting(signal: Int32, command: String) async throws {
    try await Stage.with { stage in
      let port = try QuietPort()
      try stage.tone("good.wav", seconds: 1)
      let program = try stage.start(
        command.split(separator: " ").map(String.init) + ["-d", port.address, "good.wav"])
      #expect(await port.accepted())
      program.signal(signal)
      let ending = await program.ended()
      #expect(ending.exit == 128 + signal)
      #expect(ending.stderr.isEmpty || command == "run", "\(ending.stderr)")
      #expect(await FeederEnd.of(stage), "nothing is left that feeds")
      let entries = try await stage.json("queue", "-d", port.address)["entries"]?.elements
      #expect(entries?.map { $0["state"]?.string } == ["pending"])
    }
  }
}
