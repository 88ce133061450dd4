import Foundation
import Testing

/// Which application plays.
@Suite("The application that plays media", .timeLimit(.minutes(20)))
struct ApplicationTests {
  private static let signage = ["--application", "AAAA0001:Signage:urn:x-cast:com.google.cast.media"]

  private func launched(_ receiver: Receiver) -> [String] {
    receiver.log.lines.compactMap { line in
      guard line.contains(#""dir":"in""#), let data = (try? Document(line))?["data"],
        data["type"]?.string == "LAUNCH"
      else { return nil }
      return data["appId"]?.string
    }
  }

  @Test(
    "it is what --app says, else what the configuration says for the device, else for all, else Google's",
    arguments: [
      ([], nil, "CC1AD845"), (["--app", "aaaa0001"], nil, "AAAA0001"),
      ([], "receiver_application: AAAA0001", "AAAA0001"),
      (
        [], "{receiver_application: CC1AD845, devices: {lobby: {receiver_application: AAAA0001}}}", "AAAA0001"
      ),
      (["--app", "CC1AD845"], "receiver_application: AAAA0001", "CC1AD845"),
    ] as [([String], String?, String)])
  func which(options: [String], configuration: String?, application: String) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, Self.signage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("a.wav", seconds: 1)
      var options = options
      if let configuration { options += ["--config", try stage.file("config.yaml", configuration)] }
      for command in ["run", "cast"] {
        let ending = try await stage.castq([command, "a.wav"] + options)
        #expect(ending.exit == 0, "\(ending.stderr)")
        #expect(Set(launched(receiver)) == [application], "\(command)")
      }
      #expect(try await stage.history().map { $0["outcome"]?.string }.first == "finished")
    }
  }

  @Test("for a device that the daemon feeds it is refused before anything changes, wherever it stands")
  func refusedInTime() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, Self.signage)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      for name in ["old.wav", "new.wav"] { try stage.tone(name, seconds: 600) }
      expectSilence(try await stage.castq("cast", "old.wav"))
      for command in [["run"], ["cast"], ["enqueue", "--play"]] {
        let ending = try await stage.castq(["--app", "AAAA0001"] + command + ["new.wav"])
        expectOneLine(ending, exit: 64, saying: "receiver_application")
      }
      let queue = try await stage.queue()["entries"]?.elements
      #expect(queue?.compactMap { $0["title"]?.string } == ["old"])
      #expect(Set(launched(receiver)) == ["CC1AD845"])
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test("what is no application id is a mistake in the arguments", arguments: ["", "a/b", "CC1A\u{1B}[2J"])
  func mistakes(id: String) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq("run", "a.wav", "--app", id)
      expectOneLine(ending, exit: 64, saying: "--app")
      #expect(isHarmless(ending.stderr))
    }
  }
}
