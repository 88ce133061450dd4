import CastProtocol
import Synchronization

/// Runs the machine of a queue, which several threads use. Events are handled one at a time; their actions are carried out in the same order, one
/// at a time and outside the lock, so that an action may cause further events.
final class MediaQueueDriver: Sendable {
  private struct State {
    var machine = MediaQueueMachine()
    var timers: TimerSet<MediaQueueTimer>?
    var waiting: [MediaQueueMachine.Action] = []
    var isCarryingOut = false
    var hasEnded = false
  }
  private let state = Mutex(State())
  private let owner = Mutex(Weak())
  private let time: TimeSource

  private struct Weak { weak var owner: MediaQueue? }

  init(time: TimeSource) { self.time = time }

  /// Sets the owner that carries out actions; must be called once, before the first event.
  func begin(for owner: MediaQueue) {
    self.owner.withLock { $0.owner = owner }
    state.withLock { state in
      state.timers = TimerSet(time: time) { [weak self] in self?.timersDue() }
    }
  }

  /// Reads the machine, or changes it without causing actions.
  func withMachine<Value: Sendable>(_ body: (inout MediaQueueMachine) -> Value) -> Value {
    state.withLock { body(&$0.machine) }
  }

  func handle(_ event: @autoclosure () -> MediaQueueMachine.Event) {
    state.withLock { state in handleLocked(event(), &state) }
    carryOut()
  }

  /// Ends all timers and returns when none is running.
  func end() async {
    let sleeper = state.withLock { state in
      state.hasEnded = true
      return state.timers?.end()
    }
    await sleeper?.value
  }

  private func timersDue() {
    state.withLock { state in
      for timer in state.timers?.takeDue() ?? [] { handleLocked(.timerFired(timer), &state) }
    }
    carryOut()
  }

  private func handleLocked(_ event: MediaQueueMachine.Event, _ state: inout State) {
    for action in state.machine.handle(event, at: time.now()) {
      switch action {
      case .startTimer(let timer, let wait): if !state.hasEnded { state.timers?.start(timer, after: wait) }
      case .cancelTimer(let timer): state.timers?.cancel(timer)
      case .fetchItemIDs, .fetchItems, .update, .finish: state.waiting.append(action)
      }
    }
  }

  /// Carries out the queued actions, unless another thread does so already.
  private func carryOut() {
    let isOurTurn = state.withLock { state in
      defer { state.isCarryingOut = true }
      return !state.isCarryingOut
    }
    guard isOurTurn else { return }
    let owner = owner.withLock(\.owner)
    while let action = nextAction() { owner?.carryOut(action) }
  }

  private func nextAction() -> MediaQueueMachine.Action? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isCarryingOut = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
