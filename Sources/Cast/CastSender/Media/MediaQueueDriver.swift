import CastProtocol
import Synchronization

/// A state machine with timers that a driver can run.
protocol DrivenMachine: Sendable {
  associatedtype Event: Sendable
  associatedtype Action: Sendable
  associatedtype Timer: Hashable & Sendable

  mutating func handle(_ event: Event, at now: Tick) -> [Action]
  /// What an action does to a timer; nil for actions that do something else.
  static func timerOrder(_ action: Action) -> TimerOrder<Timer>?
  /// The event of an expired timer.
  static func fired(_ timer: Timer) -> Event
}

/// What an action does to a timer.
enum TimerOrder<Timer: Sendable>: Sendable {
  case start(Timer, after: Duration)
  case cancel(Timer)
}

/// Carries out the actions of a driven machine.
protocol MachineOwner: AnyObject, Sendable {
  associatedtype Machine: DrivenMachine
  func carryOut(_ action: Machine.Action)
}

/// Runs a machine that several threads use. Events are handled one at a time; their actions are carried out in the same order, one
/// at a time and outside the lock, so that an action may cause further events.
final class MachineDriver<Owner: MachineOwner>: Sendable {
  private struct State {
    var machine: Owner.Machine
    var timers: TimerSet<Owner.Machine.Timer>?
    var waiting: [Owner.Machine.Action] = []
    var isCarryingOut = false
    var hasEnded = false
  }
  private let state: Mutex<State>
  private let owner = Mutex(Weak())
  private let time: TimeSource

  private struct Weak { weak var owner: Owner? }

  init(_ machine: Owner.Machine, time: TimeSource) {
    state = Mutex(State(machine: machine))
    self.time = time
  }

  /// Sets the owner that carries out actions; must be called once, before the first event.
  func begin(for owner: Owner) {
    self.owner.withLock { $0.owner = owner }
    state.withLock { state in
      state.timers = TimerSet(time: time) { [weak self] in self?.timersDue() }
    }
  }

  /// Reads the machine, or changes it without causing actions.
  func withMachine<Value: Sendable>(_ body: (inout Owner.Machine) -> Value) -> Value {
    state.withLock { body(&$0.machine) }
  }

  func handle(_ event: @autoclosure () -> Owner.Machine.Event) {
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
      for timer in state.timers?.takeDue() ?? [] { handleLocked(Owner.Machine.fired(timer), &state) }
    }
    carryOut()
  }

  private func handleLocked(_ event: Owner.Machine.Event, _ state: inout State) {
    for action in state.machine.handle(event, at: time.now()) {
      switch Owner.Machine.timerOrder(action) {
      case .start(let timer, let wait)?: if !state.hasEnded { state.timers?.start(timer, after: wait) }
      case .cancel(let timer)?: state.timers?.cancel(timer)
      case nil: state.waiting.append(action)
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

  private func nextAction() -> Owner.Machine.Action? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isCarryingOut = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
