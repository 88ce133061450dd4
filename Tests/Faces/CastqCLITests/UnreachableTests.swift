import Foundation
import Testing

@Suite("Devices that do not answer", .timeLimit(.minutes(20)))
struct UnreachableTests {
  /// What talks to a device.
  static let commands = ["run", "cast", "status"]

  /// The exit code and the line of a command that must give up on this device in time.
  static func expectFailure(
    _ stage: Stage, _ command: String, at address: String, exits: Set<Int32>, saying words: String = "",
    timeout: String = "2s"
  ) async throws {
    try stage.tone("good.wav", seconds: 1)
    var arguments = command.split(separator: " ").map(String.init) + ["-d", address, "--timeout", timeout]
    if command != "status" { arguments.append("good.wav") }
    let ending = try await stage.castq(arguments)
    #expect(exits.contains(ending.exit), "\(ending.exit): \(ending.stderr)")
    var said = ending
    if command == "status" {
      #expect(said.stdout.contains("offline"), "what is known without the device is shown")
      said.stdout = ""
    }
    expectOneLine(said, exit: ending.exit, saying: words)
  }

  @Test("media that are never fetched cost the time that was given, and what feeds them goes on")
  func neverFetched() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1, "--fault", "never-answers=never.wav")
      try stage.tone("never.wav", seconds: 5)
      let ending = try await stage.castq("-d", receiver.address, "--timeout", "10s", "cast", "never.wav")
      expectOneLine(ending, exit: 124, saying: "did not answer within")
      #expect(try await stage.castq("-d", receiver.address, "queue").stdout.contains("never"))
      try await stage.castq("-d", receiver.address, "stop")
    }
  }

  @Test("a host that does not exist", arguments: commands)
  func noHost(command: String) async throws {
    try await Stage.with { stage in
      try await Self.expectFailure(
        stage, command, at: "no-such-host.invalid", exits: [69], saying: "no-such-host.invalid",
        timeout: "30s")
    }
  }

  @Test("a port at which nothing listens", arguments: commands)
  func closedPort(command: String) async throws {
    try await Stage.with { stage in
      let address = try QuietPort.closed()
      try await Self.expectFailure(stage, command, at: address, exits: [69], saying: address, timeout: "30s")
    }
  }

  @Test("a port that accepts and says nothing", arguments: commands)
  func quietPort(command: String) async throws {
    try await Stage.with { stage in
      let port = try QuietPort()
      try await Self.expectFailure(stage, command, at: port.address, exits: [69, 124], saying: port.address)
    }
  }

  @Test("a receiver that accepts and says nothing", arguments: commands)
  func silentReceiver(command: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 20, "--fault", "silent")
      try await Self.expectFailure(
        stage, command, at: receiver.address, exits: [69, 124], saying: receiver.address)
    }
  }

  @Test(
    "a receiver that refuses to start the application says why", arguments: ["run", "cast"])
  func launchError(command: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 20, "--fault", "launch-error=NOT_FOUND")
      try await Self.expectFailure(
        stage, command, at: receiver.address, exits: [76], saying: "NOT_FOUND", timeout: "30s")
    }
  }

  @Test("with --json the failure is a document, and status says offline")
  func documents() async throws {
    try await Stage.with { stage in
      let address = try QuietPort.closed()
      try stage.tone("good.wav", seconds: 1)
      for command in ["run", "cast"] {
        let ending = try await stage.castq(command, "-d", address, "good.wav", "--json")
        #expect(ending.exit == 69)
        let error = try Document(ending.stdout)["error"]
        #expect(error?["exit"] == .number(69))
        #expect(error?["message"]?.string?.contains(address) == true)
        #expect(error?["receiver"] == .null)
      }
      let status = try await stage.castq("status", "-d", address, "--json")
      #expect(status.exit == 69)
      let document = try Document(status.stdout)
      #expect(document["connection"] == .string("offline"))
      #expect(document["player_state"] == .null)
      #expect(document["queue"]?["pending"] == .number(1), "nothing was lost")
    }
  }
}
