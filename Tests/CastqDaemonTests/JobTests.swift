import CastReceiverSim
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import Testing

extension DaemonTests {
  /// Commands that run once at their time.
  @Suite struct JobTests {
    @Test("a job that cannot begin is tried again after a pause, and runs when it can")
    func refused() async throws {
      let stage = try await Stage()
      let clock = WallClock()
      let (waits, asked) = AsyncStream.makeStream(of: Duration.self)
      let quick = clock.source.hurried(by: 20)
      let rest = quick.sleep
      let time = TimeSource(
        now: quick.now,
        sleep: {
          asked.yield($0)
          try await rest($0)
        }, wallMilliseconds: quick.wallMilliseconds)
      let now = WallTime(milliseconds: quick.wallMilliseconds())
      _ = try JobStore(stage.database).add(["pause"], in: "/", at: now, now: now)
      try stage.execute(
        "CREATE TRIGGER refusal BEFORE UPDATE ON job BEGIN SELECT raise(ABORT, 'not now'); END")
      let (runs, ran) = AsyncStream.makeStream(of: [String].self)
      let daemon = try await Daemon(
        stage.database, clock: clock, time: time,
        jobs: {
          ran.yield($0.arguments)
          return (0, "")
        })
      var (pauses, hurries) = (0, 0)
      for await wait in waits {
        if wait < .milliseconds(100) { hurries += 1 }
        if wait > .seconds(4), wait <= .seconds(5) { pauses += 1 }
        if pauses == 3 || hurries > 20 { break }
      }
      #expect(pauses == 3)
      try stage.execute("DROP TRIGGER refusal")
      #expect(await runs.first { _ in true } == ["pause"])
      await daemon.end()
      #expect(try JobStore(stage.database).waiting().isEmpty)
      await stage.server.stop()
    }
  }
}
