package import CastProtocol

/// The volume as a slider sends it: one request at a time, 100 ms apart, and of those that wait the newest
/// (protocol 5.7). A `VolumeMachine` keeps the pace; the lane knows which intents its requests belong to.
package struct VolumeLane: Sendable {
  package enum Event: Sendable {
    case setLevel(Double, unmuting: Bool, for: IntentID)
    case setMuted(Bool, for: IntentID)
    /// The request was answered, or failed.
    case answered
    case timerFired
  }

  package enum Action: Sendable, Equatable {
    case sendLevel(Double, for: IntentID)
    /// Nil when the intent's level follows, which has the outcome.
    case sendMuted(Bool, for: IntentID?)
    /// A newer intent replaced this one before it was sent.
    case supersede(IntentID)
    case startTimer(Duration)
  }

  private var machine = VolumeMachine()
  private var waitingLevel: IntentID?
  private var waitingMute: IntentID?

  package init() {}

  /// The intents that were not sent yet.
  package var waiting: [IntentID] { [waitingMute, waitingLevel].compactMap { $0 } }

  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    switch event {
    case .setLevel(let level, let unmuting, let id):
      let muting = unmuting ? setMuted(false, for: nil, at: now) : []
      let replaced = waitingLevel.map { [Action.supersede($0)] } ?? []
      waitingLevel = id
      return muting + replaced + perform(.set(level), at: now)
    case .setMuted(let isMuted, let id): return setMuted(isMuted, for: id, at: now)
    case .answered: return perform(.answered, at: now)
    case .timerFired: return perform(.timerFired, at: now)
    }
  }

  private mutating func setMuted(_ isMuted: Bool, for id: IntentID?, at now: Tick) -> [Action] {
    let replaced = waitingMute.map { [Action.supersede($0)] } ?? []
    waitingMute = id
    return replaced + perform(.setMuted(isMuted), at: now)
  }

  private mutating func perform(_ event: VolumeMachine.Event, at now: Tick) -> [Action] {
    var actions: [Action] = []
    for action in machine.handle(event, at: now) {
      switch action {
      case .sendLevel(let level):
        if let id = waitingLevel { actions.append(.sendLevel(level, for: id)) }
        waitingLevel = nil
      case .sendMuted(let isMuted):
        actions.append(.sendMuted(isMuted, for: waitingMute))
        waitingMute = nil
      case .startTimer(let wait): actions.append(.startTimer(wait))
      // What is shown is the reducer's to decide.
      case .changed: break
      }
    }
    return actions
  }
}
