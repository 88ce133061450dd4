import CastProtocol
package import CastSender
package import CastqFeeding
package import NIOCore
import NIOPosix
import Synchronization

/// Asks everything that must never stand still for a sign of life: the event loops, the threads of tasks, and what feeds.
///
/// Nothing runs between two questions, so that an idle daemon sleeps.
package final class LoopProbe: Sendable {
  /// Runs a closure where the sign of life is to come from, and returns at once.
  package typealias Place = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// Who is asked.
  package enum Group: Sendable {
    /// The event loops and the threads of tasks. They never wait: one that is late needs a restart.
    case loops
    /// These, and the machines that feed. They wait for the database, which a restart does not mend.
    case all
  }

  private struct Asked: Sendable {
    let name: String
    var waitsForRows = false
    let place: Place
  }

  private struct Round {
    var waiting: Set<String>
    let done: @Sendable ([SignsOfLife.Silence]) -> Void
  }

  private struct State {
    var asked: [Asked]
    var signs = SignsOfLife()
    var rounds: [Int: Round] = [:]
    var lastRound = 0
  }

  private let state: Mutex<State>
  private let time: TimeSource

  /// Begins with the loops of a group, and the threads of tasks.
  package init(
    _ group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, time: TimeSource = .continuous
  ) {
    self.time = time
    let loops = group.makeIterator().enumerated().map { number, loop in
      Asked(name: "event loop \(number + 1)") { loop.execute($0) }
    }
    state = Mutex(State(asked: loops + [Asked(name: "the pool of tasks") { work in Task { work() } }]))
  }

  /// Adds a loop that was started later.
  func add(_ loop: any EventLoop, as name: String) {
    state.withLock { $0.asked.append(Asked(name: name) { loop.execute($0) }) }
  }

  /// Adds the machines that feed, where they run.
  package func addFeeder(_ place: @escaping Place) {
    state.withLock { $0.asked.append(Asked(name: "the feeder", waitsForRows: true, place: place)) }
  }

  /// Asks, and calls back with those that have not answered; none are when all is well.
  /// - Parameter judge: the loop that measures the time. When it stands still itself, nothing is called back.
  package func check(
    _ group: Group, on judge: any EventLoop, _ done: @escaping @Sendable ([SignsOfLife.Silence]) -> Void
  ) {
    let now = time.now()
    let (number, questions) = state.withLock { state -> (Int, [Asked]) in
      let asked = state.asked.filter { group == .all || !$0.waitsForRows }
      state.lastRound += 1
      state.rounds[state.lastRound] = Round(waiting: Set(asked.map(\.name)), done: done)
      return (state.lastRound, asked.filter { state.signs.ask($0.name, at: now) })
    }
    // A millisecond more, since the judge has a clock of its own.
    let limit = TimeAmount(SignsOfLife.limit) + .milliseconds(1)
    judge.scheduleTask(in: limit) { self.end(number) }
    for one in questions { one.place { self.heard(one.name) } }
  }

  /// Those that have not answered.
  func late(_ group: Group) async -> [SignsOfLife.Silence] {
    await withCheckedContinuation { continuation in
      check(group, on: MultiThreadedEventLoopGroup.singleton.any()) { continuation.resume(returning: $0) }
    }
  }

  private func heard(_ name: String) {
    let over = state.withLock { state -> [Round] in
      state.signs.heard(name)
      for number in state.rounds.keys { state.rounds[number]?.waiting.remove(name) }
      let over = state.rounds.filter { $0.value.waiting.isEmpty }
      for number in over.keys { state.rounds[number] = nil }
      return Array(over.values)
    }
    for round in over { round.done([]) }
  }

  private func end(_ number: Int) {
    let now = time.now()
    let (round, silent) = state.withLock { ($0.rounds.removeValue(forKey: number), $0.signs.silent(at: now)) }
    guard let round else { return }
    round.done(silent.filter { round.waiting.contains($0.name) })
  }
}
