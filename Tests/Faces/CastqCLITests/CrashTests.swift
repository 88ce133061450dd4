import Foundation
import Testing

@Suite("Death without warning", .timeLimit(.minutes(20)))
struct CrashTests {
  @Test(
    "a killed feeder's play goes on with the next one; it is cut where nobody serves its file any more",
    arguments: [true, false])
  func killedWhilePlaying(isServedAgain: Bool) async throws {
    try await Stage.with { stage in
      // Nobody feeds it for as long as it takes to begin again: the first one must last that long.
      let receiver = try await Receiver(stage, speed: 8)
      try await stage.castq("device", "add", "lobby", receiver.address)
      let list = try stage.playlist(tones: 2, seconds: 240)
      try stage.tone("list.m3u-2.wav", seconds: 8)
      expectSilence(try await stage.castq("cast", list))
      let before = try await stage.json("queue")["entries"]?.elements.map { $0["entry"]?.int }
      kill(try stage.holder(of: "castq.db.feeder-1.lock"), SIGKILL)
      #expect(await FeederEnd.of(stage))
      // Without it, the next feeder does not know where the receiver fetches from.
      if !isServedAgain { try FileManager.default.removeItem(atPath: "\(stage.database).media") }
      expectSilence(try await stage.castq("run"))

      let plays = try await stage.history()
      if !isServedAgain {
        let cut = plays.first
        #expect(cut?["outcome"] == .string("interrupted"))
        #expect(cut?["evidence"] == .string("inferred"))
        #expect(cut?["reason"]?.string?.contains("served its file") == true)
        #expect(RunTests.isTime(cut?["ended_at"]?.string))
      }
      let whole = isServedAgain ? plays : Array(plays.dropFirst())
      #expect(whole.map { $0["title"]?.string } == ["Tone 1", "Tone 2"])
      #expect(whole.map { $0["outcome"]?.string } == ["finished", "finished"])
      let queue = try await stage.json("queue")["entries"]?.elements
      #expect(queue?.map { $0["entry"]?.int } == before)
      #expect(queue?.map { $0["state"]?.string } == ["finished", "finished"])
    }
  }

  @Test(
    "killed at any moment, again and again, every entry still plays to its end",
    arguments: [1, 2] as [UInt64])
  func killedAnywhere(seed: UInt64) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try await stage.castq("device", "add", "lobby", receiver.address)
      let list = try stage.playlist(tones: 4, seconds: 4)
      // The last one lasts until whoever is to be killed has been.
      try stage.tone("list.m3u-4.wav", seconds: 120)
      expectSilence(try await stage.castq("enqueue", list))
      let before = try await stage.json("queue")["entries"]?.elements.map { $0["entry"]?.int }
      var random = Congruence(state: seed)
      var kills = 0
      while kills < 3 {
        let moment = receiver.log.lines.count + Int(random.next(below: 20))
        let program = try stage.start(["run"])
        let killer = Task {
          if await receiver.log.index(from: moment, where: { _ in true }) != nil { program.signal(SIGKILL) }
        }
        let ending = await program.ended()
        killer.cancel()
        guard ending.exit == 128 + SIGKILL else {
          expectSilence(ending)
          break
        }
        kills += 1
      }
      #expect(kills > 0)
      expectSilence(try await stage.castq("run"))

      let plays = try await stage.history()
      let finished = plays.filter { $0["outcome"] == .string("finished") }.map { $0["entry"]?.int }
      #expect(finished == before, "each once, in order, none skipped: \(plays)")
      for play in plays where play["outcome"] != .string("finished") {
        #expect(play["outcome"] == .string("interrupted"), "\(play)")
        // It was not observed, or what was observed is that nobody served its file.
        #expect([.string("unobserved"), .string("inferred")].contains(play["evidence"]), "\(play)")
      }
      let queue = try await stage.json("queue")["entries"]?.elements
      #expect(queue?.map { $0["entry"]?.int } == before)
      #expect(queue?.allSatisfy { $0["state"] == .string("finished") } == true)
    }
  }
}

/// A linear congruential generator (Knuth's MMIX constants): the same moments in every run.
struct Congruence {
  var state: UInt64

  mutating func next(below bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }
}
