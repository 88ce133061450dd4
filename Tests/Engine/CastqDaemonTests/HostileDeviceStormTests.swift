import CastProtocol
import CastReceiverSim
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import Foundation
import Testing

extension DaemonTests {
  /// One daemon, two devices: what one of them says must not cost the other a frame.
  @Suite struct HostileDeviceStormTests {
    /// Ten minutes of the receivers' time in `make endurance`, one every day.
    private static let entries =
      ProcessInfo.processInfo.environment["CASTQ_STORMS"] == nil ? 20 : 200
    private static let film = Stage.draft(Stage.sample("welcome.mp4"), title: "film")

    @Test(
      "a device that writes numbers that cannot be costs no other device an entry, and the daemon nothing")
    func neighbours() async throws {
      let wire = try await Wire()
      let healthy = try await Stage(wire: wire)
      let server = try await Stage.serve(speed: 1)
      let hostile = try DeviceStore(healthy.database).add(
        name: "Hostile", endpoint: DeviceEndpoint(host: "127.0.0.1", port: server.port), at: .today)
      let daemon = try await Daemon(healthy.database)
      let queue = try QueueStore(Database(path: healthy.database.path))
      try queue.setRepeat(.all, for: hostile.id)
      _ = try queue.enqueue([Self.film], for: hostile.id, placement: .end, at: .today)
      try await daemon.ask(.poke, hostile.id)
      let ids = try healthy.enqueue(Array(repeating: Self.film, count: Self.entries))
      try await daemon.ask(.poke, healthy.device.id)

      // Every message of the healthy device is the beat for some of the hostile one.
      let seed = UInt64.random(in: 0...(.max))
      var random = SeededGenerator(seed: seed)
      var speech = HostileSpeech()
      // The runner of the healthy one says goodbye when all is shown and written down.
      var isOver = false
      while !isOver, let line = await wire.next(where: { _ in true }) {
        for _ in 0..<3 {
          let text = speech.next(using: &random)
          try await server.control(.say(namespace: "urn:x-cast:com.google.cast.media", text: text))
        }
        isOver = line.type == "CLOSE" && line.isIncoming
      }

      let own = try healthy.plays().filter { ids.contains($0.turn.entry) }
      #expect(own.map(\.turn.entry) == ids, "every entry once, in order; seed \(seed)")
      #expect(own.allSatisfy { $0.outcome == .finished && $0.evidence == .reported })
      #expect(speech.count > 100)
      // Whether it still feeds the hostile one is that device's business; but it answers.
      _ = try await daemon.refusal(.perform(.stop(quits: false)), hostile.id)
      await daemon.end()
      await healthy.server.stop()
      await server.stop()
    }
  }
}

/// Statuses of a receiver without sense, as JSON text and as what is none.
private struct HostileSpeech {
  private(set) var count = 0
  private static let words = [
    "1e400", "NaN", "1.7e308", "-1.7e308", "-1", "0", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "\"1\"", "null", "4e-324", "1", "2", "3.5", "60",
  ]

  mutating func next(using random: inout some RandomNumberGenerator) -> String {
    count += 1
    func number() -> String { Self.words.randomElement(using: &random) ?? "1" }
    let state = ["PLAYING", "PAUSED", "BUFFERING", "IDLE"].randomElement(using: &random) ?? "IDLE"
    // The session and the item are those of the first load as often as not, so that it is taken for the device's own word.
    let session = Bool.random(using: &random) ? "1" : number()
    let item = Bool.random(using: &random) ? "1" : number()
    let type = ["video/mp4", "image/png"].randomElement(using: &random) ?? ""
    return """
      {"type":"MEDIA_STATUS","requestId":\(Bool.random(using: &random) ? "0" : number()),"status":[{"mediaSessionId":\(session),\
      "playerState":"\(state)","currentItemId":\(item),"loadingItemId":\(Bool.random(using: &random) ? "null" : number()),\
      "currentTime":\(number()),"playbackRate":\(number()),"supportedMediaCommands":\(number()),\
      "volume":{"level":\(number())},"media":{"contentId":"x","contentType":"\(type)","duration":\(number())},\
      "breakStatus":{"breakId":"a","currentBreakTime":\(number()),"currentBreakClipTime":\(number()),"whenSkippable":\(number())},\
      "liveSeekableRange":{"start":\(number()),"end":\(number())}}]}
      """
  }
}
