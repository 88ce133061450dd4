import CastProtocol
import CastReceiverSim
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import Testing

@Suite("Live transfers", .timeLimit(.minutes(20)))
struct LiveTransferTests {
  /// Two devices, of which lobby plays the second of three long tones, at 1:40.
  private func playing(
    hall change: (inout ReceiverConfiguration) -> Void = { _ in }, body: (PlayingSite) async throws -> Void
  ) async throws {
    try await PlayingSite.withTones(3) { site in
      try await site.add("hall", change)
      try await site.perform(.next)
      try await site.perform(.seek(SeekGoal("1:40")))
      try await body(site)
    }
  }

  @Test("what plays goes on elsewhere with its queue and its position, and ends where it was")
  func moves() async throws {
    try await playing { site in
      try await site.perform(.transfer(to: "hall"))
      let there = try await site.status(of: "hall")
      #expect(there["title"]?.string == "Tone 2" && there["player_state"]?.string == "PLAYING", "\(there)")
      #expect((99...400).contains(there["position_s"]?.double ?? -1), "\(there)")
      #expect(try await site.status()["player_state"]?.string != "PLAYING", "nothing plays where it was")
      let moved = try await site.entries(of: "hall")
      #expect(moved.map(\.id) == [EntryID(1), EntryID(2), EntryID(3)], "entries keep their numbers")
      #expect(moved.map(\.state).prefix(2) == [.skipped, .playing])
      #expect(try await site.entries().isEmpty)
      #expect(try site.plays().map(\.device) == ["lobby", "lobby", "hall"])
      try await site.perform(.next, on: "hall")
      #expect(try await site.status(of: "hall")["title"]?.string == "Tone 3", "the queue came along")
    }
  }

  @Test("what is paused stays paused")
  func paused() async throws {
    try await playing { site in
      try await site.perform(.pause)
      try await site.perform(.transfer(to: "hall"))
      let there = try await site.status(of: "hall")
      #expect(there["player_state"]?.string == "PAUSED" && there["title"]?.string == "Tone 2", "\(there)")
    }
  }

  @Test("when the other device cannot, all goes on where it was")
  func refused() async throws {
    let fault = try Fault(parsing: "launch-error=NOT_FOUND")
    try await playing(hall: { $0.faults = [fault] }) { site in
      await expectFailure(.refused, saying: "NOT_FOUND") {
        try await site.perform(.transfer(to: "hall"))
      }
      let status = try await site.status()
      #expect(status["title"]?.string == "Tone 2" && status["player_state"]?.string == "PLAYING")
      #expect((99...400).contains(status["position_s"]?.double ?? -1), "\(status)")
      #expect(try await site.entries().count == 3)
    }
  }

  @Test("a device that is away, is the same, or has a queue of its own is refused before anything is stopped")
  func impossible() async throws {
    try await playing { site in
      let away = "127.0.0.1:\(try ClosedPort.number())"
      await expectFailure(.unreachable, saying: away) { try await site.perform(.transfer(to: away)) }
      await expectFailure(.usage, saying: "lobby") { try await site.perform(.transfer(to: "lobby")) }
      var hall = site.call
      hall.device = ["hall"]
      let queue = try await QueueCall(hall)
      let own = await queue.read(
        SourceRequest(sources: [try site.tone("own.wav", seconds: 5)]), isStrict: false)
      _ = try await queue.add(own, .end, plays: false, isStrict: false)
      await expectFailure(.tryAgain, saying: "hall: 1 entry waits") {
        try await site.perform(.transfer(to: "hall"))
      }
      #expect(try await site.status()["title"]?.string == "Tone 2")
      #expect(try await site.entries(of: "hall").count == 1)
      #expect(try await site.status(of: "hall")["application"] == nil)
    }
  }

  @Test("nothing that plays cannot be moved")
  func idle() async throws {
    try await PlayingSite.with { site in
      await expectFailure(.no, saying: "lobby") { try await site.perform(.transfer(to: "192.0.2.1")) }
    }
  }
}
