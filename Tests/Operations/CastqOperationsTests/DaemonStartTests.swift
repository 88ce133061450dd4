import CastqText
import Synchronization
import Testing
@testable import CastqOperations

@Suite("Starting the daemon for whoever presses the button", .timeLimit(.minutes(5)))
struct DaemonStartTests {
  /// A computer on which daemons are started.
  private final class Computer: Sendable {
    private struct State {
      var starts = 0
      var isThere = false
    }

    private let state = Mutex(State())
    var starts: Int { state.withLock { $0.starts } }
    var isThere: Bool {
      get { state.withLock { $0.isThere } }
      set { state.withLock { $0.isThere = newValue } }
    }
    func note() { state.withLock { $0.starts += 1 } }
  }

  @Test("whoever presses while it starts gets the same daemon, and no second one is started")
  func twice() async throws {
    let computer = Computer()
    let pauses = Mutex(0)
    // It runs until the test is over.
    let (endings, end) = AsyncStream.makeStream(of: Failure.self)
    defer { end.finish() }
    let start = DaemonStart(
      isThere: { computer.isThere },
      launch: { () throws(Failure) in
        computer.note()
        return {
          for await failure in endings { return failure }
          return Failure("ended", "the test is over", exit: .done)
        }
      },
      pause: {
        await Task.yield()
        pauses.withLock { $0 += 1 }
        // All of them press before it answers.
        computer.isThere = pauses.withLock { $0 } > 100
      })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await start.start() } }
      try await group.waitForAll()
    }
    try await start.start()
    #expect(computer.starts == 1)
  }

  @Test("a daemon that ends at once is told with its last words, and can be started again")
  func failure() async throws {
    let computer = Computer()
    let start = DaemonStart(
      isThere: { computer.isThere },
      launch: { () throws(Failure) in
        computer.note()
        return { Failure("configuration", "config.yaml:3:1: `x` is not known", exit: .configuration) }
      },
      pause: { await Task.yield() })
    for _ in 0..<2 {
      let failure = await #expect(throws: Failure.self) { try await start.start() }
      #expect(failure?.message == "castq ended at once: config.yaml:3:1: `x` is not known")
      #expect(failure?.exit == .configuration)
    }
    #expect(computer.starts == 2)
  }

  @Test("one that ends because another was quicker is no failure: the other one is waited for")
  func quicker() async throws {
    let computer = Computer()
    let start = DaemonStart(
      isThere: { computer.isThere },
      launch: { () throws(Failure) in
        computer.note()
        return { Failure("busy", "another castq daemon feeds from it", exit: .tryAgain) }
      },
      pause: { computer.isThere = true })
    try await start.start()
    #expect(computer.starts == 1)
  }

  @Test("a program that is not there is a failure in words")
  func missing() async throws {
    let start = DaemonStart(
      isThere: { false },
      launch: { () throws(Failure) in
        throw Failure(
          "unavailable", "castq cannot be started: /usr/bin/castq: No such file", exit: .unreachable)
      },
      pause: {})
    let failure = await #expect(throws: Failure.self) { try await start.start() }
    #expect(failure?.message.contains("cannot be started") == true)
  }
}
