package import NIOCore
import NIOPosix
import Synchronization

/// Asks everything that must never stand still for a sign of life: the event loops, and the threads of tasks.
///
/// Nothing runs between two questions, so that an idle daemon sleeps.
package final class LoopProbe: Sendable {
  /// A sign of life that takes longer is late.
  package static let limit = TimeAmount.seconds(1)

  private struct Asked: Sendable {
    let name: String
    let loop: any EventLoop
  }

  private let loops: Mutex<[Asked]>

  /// Begins with the loops of a group.
  package init(_ group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton) {
    loops = Mutex(
      group.makeIterator().enumerated().map { Asked(name: "event loop \($0.offset + 1)", loop: $0.element) })
  }

  /// Adds a loop that was started later.
  func add(_ loop: any EventLoop, as name: String) {
    loops.withLock { $0.append(Asked(name: name, loop: loop)) }
  }

  /// Who has not answered yet; nil once the verdict is out.
  private final class Round: Sendable {
    private let waiting: Mutex<Set<String>?>
    private let done: @Sendable ([String]) -> Void

    init(_ names: Set<String>, _ done: @escaping @Sendable ([String]) -> Void) {
      waiting = Mutex(names)
      self.done = done
    }

    func answered(_ name: String) {
      let isLast = waiting.withLock { waiting in
        guard waiting?.remove(name) != nil, waiting?.isEmpty == true else { return false }
        waiting = nil
        return true
      }
      if isLast { done([]) }
    }

    func end() {
      let late = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      if let late { done(late.sorted()) }
    }
  }

  /// Asks, and calls back with the names of those that are late; none are when all is well.
  /// - Parameter judge: the loop that measures the time. When it stands still itself, nothing is called back.
  package func check(on judge: any EventLoop, _ done: @escaping @Sendable ([String]) -> Void) {
    let asked = loops.withLock { $0 }
    let tasks = "the threads of tasks"
    let round = Round(Set(asked.map(\.name) + [tasks]), done)
    judge.scheduleTask(in: Self.limit) { round.end() }
    for one in asked { one.loop.execute { round.answered(one.name) } }
    Task { round.answered(tasks) }
  }

  /// The names of those that are late.
  func late() async -> [String] {
    await withCheckedContinuation { continuation in
      check(on: MultiThreadedEventLoopGroup.singleton.any()) { continuation.resume(returning: $0) }
    }
  }
}
