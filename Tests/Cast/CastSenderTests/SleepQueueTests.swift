import CastProtocol
import Synchronization
import Testing

@testable import CastSender

@Suite struct SleepQueueTests {
  private let manual = ManualTime()

  @Test("waits end in the order of their times, not in that of their beginnings")
  func order() async throws {
    let queue = SleepQueue(manual.source)
    let (ended, end) = AsyncStream.makeStream(of: Int.self)
    var waits: [Int: Task<Void, any Error>] = [:]
    for seconds in [3, 2, 1] {
      waits[seconds] = Task {
        try await queue.wait(.seconds(seconds))
        end.yield(seconds)
      }
      // Each is earlier than those before, so that it has a timer of its own.
      await manual.waitForSleeper(4 - seconds)
    }
    for seconds in [1, 2, 3] {
      manual.advance(by: .seconds(1))
      try await waits[seconds]?.value
    }
    end.finish()
    #expect(await ended.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    #expect(queue.count == 0)
  }

  @Test("short waits beside a long one take a timer each, and the long one keeps its own")
  func keepsTimers() async throws {
    let started = Atomic(0)
    let source = manual.source
    let rest = source.sleep
    let queue = SleepQueue(
      TimeSource(
        now: source.now,
        sleep: { wait in
          started.wrappingAdd(1, ordering: .relaxed)
          try await rest(wait)
        }, wallMilliseconds: { 0 }))
    let long = Task { try await queue.wait(.seconds(3600)) }
    await manual.waitForSleeper()
    for _ in 1...5 {
      let short = Task { try await queue.wait(.seconds(1)) }
      await manual.waitForSleeper(2)
      manual.advance(by: .seconds(1))
      try await short.value
    }
    #expect(started.load(ordering: .relaxed) == 6)
    manual.advance(by: .seconds(3600))
    try await long.value
    #expect(queue.count == 0)
  }

  @Test("a wait that is cancelled is gone at once")
  func cancelled() async {
    let queue = SleepQueue(manual.source)
    let wait = Task { try await queue.wait(.seconds(3600)) }
    await manual.waitForSleeper()
    #expect(queue.count == 1)
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    #expect(queue.count == 0)
  }

  @Test("a task that is cancelled already does not wait")
  func cancelledBefore() async {
    let queue = SleepQueue(manual.source)
    let wait = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.wait(.seconds(3600))
    }
    await #expect(throws: CancellationError.self) { try await wait.value }
    #expect(queue.count == 0)
  }

  @Test("of a thousand waits that begin, end and are cancelled at once, each ends once, and none is left")
  func crowd() async {
    // A time in which each look at the clock takes a second.
    let ticks = Atomic(0)
    let hasty = TimeSource(
      now: { Tick(.seconds(ticks.add(1, ordering: .relaxed).newValue)) }, sleep: { _ in await Task.yield() },
      wallMilliseconds: { 0 })
    let queue = SleepQueue(hasty)
    var generator = SeededGenerator(seed: 7)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        let seconds = Int.random(in: 0..<2000, using: &generator)
        let wait = Task { try await queue.wait(.seconds(seconds)) }
        group.addTask { _ = await wait.result }
        if number.isMultiple(of: 3) { group.addTask { wait.cancel() } }
      }
    }
    #expect(queue.count == 0)
  }
}
