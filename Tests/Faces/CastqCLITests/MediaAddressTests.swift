import Foundation
import Testing

/// Where devices are told to fetch local files.
@Suite("The address of local files", .timeLimit(.minutes(20)))
struct MediaAddressTests {
  /// The addresses that the receiver was given, without what follows the port.
  private func given(_ receiver: Receiver) -> [String] {
    receiver.log.lines.compactMap { line in
      guard line.contains(#""dir":"in""#), let data = (try? Document(line))?["data"],
        data["type"]?.string == "QUEUE_LOAD"
      else { return nil }
      let url = data["items"]?.elements.first?["media"]?["contentId"]?.string
      return url.flatMap { URL(string: $0) }.map { "\($0.host ?? ""):\($0.port ?? 0)" }
    }
  }

  @Test("it is what the options say, else the environment, else the configuration, else the interface's own")
  func which() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("a.wav", seconds: 0.2)
      let (first, second, third) = (try FreePort.next(), try FreePort.next(), try FreePort.next())
      let file = try stage.file(
        "config.yaml", "media_port: \(first)\ndevices: {lobby: {advertise: \"127.0.0.4:\(first)\"}}")
      let advertised = ["CASTQ_ADVERTISE": "127.0.0.5"]
      let table: [([String], [String: String], String)] = [
        ([], [:], "127.0.0.1:"),
        (["--advertise", "127.0.0.3", "--media-port", "\(second)"], [:], "127.0.0.3:\(second)"),
        (["--config", file], [:], "127.0.0.4:\(first)"),
        (
          ["--config", file], advertised.merging(["CASTQ_MEDIA_PORT": "\(third)"]) { $1 },
          "127.0.0.5:\(third)"
        ),
        (["--config", file, "--advertise=127.0.0.6"], advertised, "127.0.0.6:\(first)"),
      ]
      for (options, variables, expected) in table {
        for command in ["run", "cast"] {
          let seen = receiver.log.lines.count
          let ending = try await stage.castq([command, "a.wav"] + options, variables: variables)
          #expect(ending.exit == 0, "\(options): \(ending.stderr)")
          await receiver.request("QUEUE_LOAD", from: seen)
          #expect(given(receiver).last?.hasPrefix(expected) == true, "\(options): \(given(receiver))")
        }
        // The feeder that `cast` left behind has to be gone before the next one has other options.
        try await stage.castq("stop")
        #expect(await FeederEnd.of(stage))
      }
      #expect(try await stage.history().first?["outcome"]?.string != nil)
    }
  }

  @Test("a device that was given by its name fetches local files at the interface that leads to it")
  func name() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      // The name has an address of IPv6 on most computers, too, at which the receiver does not listen.
      let named = receiver.address.replacing("127.0.0.1", with: "localhost")
      try stage.add(device: "lobby", at: named)
      try stage.tone("a.wav", seconds: 0.2)
      let run = try await stage.castq("run", "a.wav")
      #expect(run.exit == 0, "\(run.stderr)")
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      try await stage.castq("cast", "a.wav", "--wait")
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      #expect(given(receiver).count == 2 && given(receiver).allSatisfy { $0.hasPrefix("127.0.0.1:") })
      #expect(try await stage.history().allSatisfy { $0["outcome"]?.string == "finished" })
      let doctor = try await stage.castq("doctor", "--json")
      #expect(
        doctor.stdout.contains("127.0.0.1:") && !doctor.stdout.contains("no IP address"), "\(doctor.stdout)")
    }
  }

  @Test("for a device that the daemon feeds the options are refused before anything changes")
  func refusedInTime() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try stage.start(["daemon"])
      #expect(await daemon.stderr.line(containing: "ready") != nil)
      try stage.tone("a.wav", seconds: 600)
      for options in [["--advertise", "192.0.2.1"], ["--media-port", "8011"]] {
        let ending = try await stage.castq(["cast", "a.wav"] + options)
        expectOneLine(ending, exit: 64, saying: "in its configuration")
      }
      #expect(try await stage.queue()["entries"]?.elements.isEmpty == true)
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
    }
  }

  @Test(
    "what is no address or no port is a mistake in the arguments",
    arguments: [
      ["--advertise", "http://192.0.2.1/"], ["--advertise", "192.0.2.1:80:90"],
      ["--advertise", "a\u{1B}[2J"], ["--media-port", "0"],
      ["--media-port", "x"],
    ])
  func mistakes(options: [String]) async throws {
    try await Stage.with { stage in
      let ending = try await stage.castq(["run", "a.wav"] + options)
      expectOneLine(ending, exit: 64, saying: options[0])
      #expect(isHarmless(ending.stderr))
    }
  }
}
