import CastProtocol
import CastReceiverSim
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import Dispatch
import NIOCore
import NIOPosix
import Testing

@Suite("Signs of life", .timeLimit(.minutes(20)))
struct LoopProbeTests {
  private func late(
    _ probe: LoopProbe, _ group: LoopProbe.Group, on judge: any EventLoopGroup
  ) async -> [String] {
    await withCheckedContinuation { done in
      probe.check(group, on: judge.next()) { done.resume(returning: $0.map(\.name)) }
    }
  }

  @Test("a loop that stands still is named, and is well again when it goes on")
  func hanging() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let judge = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let probe = LoopProbe(group)
    let held = DispatchSemaphore(value: 0)
    let loops = Array(group.makeIterator())
    loops[1].execute { held.wait() }
    #expect(await late(probe, .loops, on: judge).contains("event loop 2"))
    #expect(await late(probe, .loops, on: judge).contains("event loop 2"), "a question is open already")
    held.signal()
    try await loops[1].submit {}.get()
    // A computer that stood still for a moment makes every loop late once.
    while await late(probe, .loops, on: judge).contains("event loop 2") {}
    try await group.shutdownGracefully()
    try await judge.shutdownGracefully()
  }

  @Test(
    "machines that wait for the database are named where all are asked, and not where a restart is decided")
  func machines() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let judge = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let probe = LoopProbe(group)
    let executor = StoreExecutor()
    probe.addFeeder(executor.perform)
    let held = DispatchSemaphore(value: 0)
    executor.perform { held.wait() }
    #expect(await late(probe, .all, on: judge).contains("the feeder"))
    #expect(await !late(probe, .loops, on: judge).contains("the feeder"))
    held.signal()
    while await late(probe, .all, on: judge).contains("the feeder") {}
    try await group.shutdownGracefully()
    try await judge.shutdownGracefully()
  }
}

extension DaemonTests {
  @Suite struct StandstillTests {
    @Test(
      "a daemon whose machines stand still says since when, and nothing of its rows, until they run again")
    func health() async throws {
      let stage = try await Stage()
      let daemon = try await Daemon(stage.database)
      let well = try await daemon.ask(.health, DeviceID(0))
      #expect(well["late"] == [] && well["silent_s"] == nil)
      let held = DispatchSemaphore(value: 0)
      stage.database.executor.perform { held.wait() }
      let late = try await daemon.ask(.health, DeviceID(0))
      #expect(late["late"]?.array?.contains("the feeder") == true)
      #expect((late["silent_s"]?.double ?? 0) >= 1)
      #expect(late["problems"]?.array?.contains("the feeder has not run for 1 s") == true, "\(late)")
      held.signal()
      while try await daemon.ask(.health, DeviceID(0))["silent_s"] != nil {}
      await daemon.end()
      await stage.server.stop()
    }
  }
}
