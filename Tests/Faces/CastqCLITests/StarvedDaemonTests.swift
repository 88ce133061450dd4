import Foundation
import Testing

@Suite("A daemon with few descriptors", .timeLimit(.minutes(20)))
struct StarvedDaemonTests {
  @Test(
    "when strangers take all the connections that they can, commands are performed and the screen plays on",
    arguments: [96, 256])
  func starved(limit: Int) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      let daemon = try stage.shell("ulimit -n \(limit); exec castq daemon")
      #expect(await daemon.stderr.line(containing: "ready") != nil, "\(daemon.stderr.text)")
      expectSilence(try await stage.castq("enqueue", try stage.tone("a.wav", seconds: Stage.outlasting)))
      #expect(await receiver.playing() != nil)
      let places = try String(contentsOfFile: "\(stage.database).media", encoding: .utf8)
      let port = try #require(places.split(separator: "\n").first.flatMap { Int($0) }, "\(places)")
      let strangers = (0..<(limit * 6 / 5)).compactMap { _ in try? LocalConnection.open(port) }
      #expect(strangers.count == limit * 6 / 5)
      for level in [10, 20, 30] { expectSilence(try await stage.castq("volume", "\(level)")) }
      #expect(try await stage.json("status")["volume"]?["level"]?.int == 30)
      for stranger in strangers { close(stranger) }
      expectSilence(try await stage.castq("pause"))
      #expect(await receiver.request("PAUSE") != nil)
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0, "\(daemon.stderr.text)")
    }
  }
}
