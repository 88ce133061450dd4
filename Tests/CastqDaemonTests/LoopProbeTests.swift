import CastqDaemon
import Dispatch
import NIOCore
import NIOPosix
import Testing

@Suite("Signs of life", .timeLimit(.minutes(20)))
struct LoopProbeTests {
  @Test("a loop that stands still is named, and is well again when it goes on")
  func hanging() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let judge = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let probe = LoopProbe(group)
    func late() async -> [String] {
      await withCheckedContinuation { done in probe.check(on: judge.next()) { done.resume(returning: $0) } }
    }
    let held = DispatchSemaphore(value: 0)
    let loops = Array(group.makeIterator())
    loops[1].execute { held.wait() }
    #expect(await late().contains("event loop 2"))
    held.signal()
    try await loops[1].submit {}.get()
    // A computer that stood still for a moment makes every loop late once.
    while await late().contains("event loop 2") {}
    try await group.shutdownGracefully()
    try await judge.shutdownGracefully()
  }
}
