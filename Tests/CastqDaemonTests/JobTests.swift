import CastReceiverSim
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import Synchronization
import Testing

extension DaemonTests {
  /// Commands that run once at their time.
  @Suite struct JobTests {
    @Test("a job that cannot begin is tried again after a pause, and runs when it can")
    func refused() async throws {
      let stage = try await Stage()
      let clock = WallClock()
      let (waits, asked) = AsyncStream.makeStream(of: Void.self)
      let quick = clock.source.hurried(by: 20)
      let rest = quick.sleep
      // Each attempt looks at the clock on the wall.
      let readings = Mutex(0)
      let time = TimeSource(
        now: quick.now,
        sleep: {
          asked.yield()
          try await rest($0)
        },
        wallMilliseconds: {
          readings.withLock { $0 += 1 }
          return quick.wallMilliseconds()
        })
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
      let begin = quick.now()
      for await _ in waits where quick.now() - begin > .seconds(16) { break }
      #expect(readings.withLock { $0 } < 200)
      try stage.execute("DROP TRIGGER refusal")
      #expect(await runs.first { _ in true } == ["pause"])
      await daemon.end()
      #expect(try JobStore(stage.database).waiting().isEmpty)
      await stage.server.stop()
    }
  }
}
