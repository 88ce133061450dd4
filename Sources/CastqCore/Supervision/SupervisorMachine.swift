package import CastProtocol

/// Decides which devices have a runner now, and what happens after one has ended.
///
///     idle ──work──> running ──drained──> idle
///       ^               ├──refused, unreachable, busy, failed──> waiting(pause) ──time──> running
///       │               ├──guest──> waiting(guest) ──lease is over──> running
///       │               ├──stopped by a person, guests may stay──> waiting(person) ──somebody starts──> running
///       └──(ended)── ending <──quiet hours, shutdown
///
/// A device in quiet hours has no runner, whatever else is true. After a shutdown none begins.
package struct SupervisorMachine: Sendable {
  package enum Event: Sendable, Hashable {
    /// These devices have entries that are due, and no others; the lists of these were stopped by a person, and stay so.
    case work(Set<DeviceID>, stopped: Set<DeviceID> = [])
    /// What the configuration says of guests.
    case guests(standard: GuestPolicy, [DeviceID: GuestPolicy])
    /// On these devices nothing is to be played now, and on all others it may.
    case quiet(Set<DeviceID>)
    /// The runner is over; whether it had anything on the screen.
    case ended(DeviceID, RunEnd, hasShown: Bool)
    /// The device's timer has fired.
    case timerFired(DeviceID)
    /// Somebody wants the device fed, whatever it waits for.
    case start(DeviceID)
    /// Somebody stops a device that has no runner: it stays so until somebody starts it.
    case hold(DeviceID)
    /// castq is to end.
    case shutDown(RunnerEnding)
  }

  package enum Action: Sendable, Hashable {
    case start(DeviceID)
    case end(DeviceID, RunnerEnding)
    case startTimer(DeviceID, after: Duration)
    case cancelTimer(DeviceID)
    /// A device that has work waits for something; to be told to people.
    case waits(DeviceID, SupervisorWait)
    /// The last runner is over, and castq may end.
    case finished
  }

  private enum Phase: Hashable {
    case idle, running, ending
    case waiting(SupervisorWait, since: Tick)

    /// Whether a timer ends it.
    var isTimed: Bool {
      switch self {
      case .waiting(.pause, _), .waiting(.guest, _): true
      case .waiting(.person, _), .idle, .running, .ending: false
      }
    }

    /// Whether only a person ends it.
    var isHeld: Bool { if case .waiting(.person, _) = self { true } else { false } }
  }

  private struct State {
    var phase = Phase.idle
    /// Ends in a row after which nothing is as it should be.
    var setbacks = 0
    var startedAt = Tick.zero
  }

  /// A runner that showed something for so long has left earlier troubles behind.
  static let calm = Duration.seconds(60)

  private var states: [DeviceID: State] = [:]
  private var work: Set<DeviceID> = []
  /// Devices whose lists are stopped, by their rows.
  private var stopped: Set<DeviceID> = []
  private var quiet: Set<DeviceID> = []
  private var standard = GuestPolicy.standard
  private var guests: [DeviceID: GuestPolicy] = [:]
  private var shutdown: RunnerEnding?

  package init() {}

  /// Devices that have a runner, or one that is ending.
  package var running: Set<DeviceID> {
    Set(states.filter { $0.value.phase == .running || $0.value.phase == .ending }.keys)
  }

  /// Whether the device has a runner that is not ending.
  package func isRunning(_ device: DeviceID) -> Bool { states[device]?.phase == .running }

  /// Whether the device stays without a runner until somebody starts it.
  package func isHeld(_ device: DeviceID) -> Bool { states[device]?.phase.isHeld == true }

  /// What a device without a runner waits for; of a length of time, what is left of it.
  package func wait(of device: DeviceID, at now: Tick) -> SupervisorWait? {
    guard case .waiting(let wait, let since)? = states[device]?.phase else { return nil }
    func rest(_ length: Duration) -> Duration { max(length - (now - since), .zero) }
    return switch wait {
    case .pause(let length, let end): .pause(rest(length), after: end)
    case .guest(let length): .guest(rest(length))
    case .person: wait
    }
  }

  /// The one door.
  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .work(let devices, let stopped):
      work = devices
      // Another process has started the list since, and ended.
      for device in self.stopped.subtracting(stopped) where isHeld(device) {
        states[device]?.phase = .idle
      }
      self.stopped = stopped
      startAll(&actions, at: now)
    case .guests(let standard, let guests):
      self.standard = standard
      self.guests = guests
    case .quiet(let devices):
      quiet = devices
      for device in devices.sorted() where states[device]?.phase == .running {
        end(device, .stop, &actions)
      }
      startAll(&actions, at: now)
    case .ended(let device, let end, let hasShown):
      ended(device, end, hasShown: hasShown, &actions, at: now)
    case .timerFired(let device):
      guard states[device]?.phase.isTimed == true else { break }
      states[device]?.phase = .idle
      start(device, &actions, at: now)
    case .start(let device): startAnew(device, &actions, at: now)
    case .hold(let device): hold(device, &actions, at: now)
    case .shutDown(let manner): shutDown(manner, &actions)
    }
    return actions
  }

  // MARK: - Starting

  private mutating func startAll(_ actions: inout [Action], at now: Tick) {
    for device in work.sorted() { start(device, &actions, at: now) }
  }

  /// Starts an idle device that has work and may play.
  private mutating func start(_ device: DeviceID, _ actions: inout [Action], at now: Tick) {
    guard shutdown == nil, work.contains(device), !quiet.contains(device) else { return }
    var state = states[device] ?? State()
    guard state.phase == .idle else { return }
    guard !stopped.contains(device) else {
      return wait(device, for: .person(after: .halted), &actions, at: now)
    }
    state.phase = .running
    state.startedAt = now
    states[device] = state
    actions.append(.start(device))
  }

  private mutating func startAnew(_ device: DeviceID, _ actions: inout [Action], at now: Tick) {
    guard shutdown == nil, !running.contains(device) else { return }
    if states[device]?.phase.isTimed == true { actions.append(.cancelTimer(device)) }
    states[device] = State()
    stopped.remove(device)
    start(device, &actions, at: now)
  }

  // MARK: - Ending

  private mutating func end(_ device: DeviceID, _ manner: RunnerEnding, _ actions: inout [Action]) {
    states[device]?.phase = .ending
    actions.append(.end(device, manner))
  }

  private mutating func hold(_ device: DeviceID, _ actions: inout [Action], at now: Tick) {
    guard !running.contains(device) else { return }  // its runner is told, and its end says so
    if states[device]?.phase.isTimed == true { actions.append(.cancelTimer(device)) }
    states[device, default: State()].phase = .waiting(.person(after: .halted), since: now)
  }

  private mutating func shutDown(_ manner: RunnerEnding, _ actions: inout [Action]) {
    guard shutdown == nil else { return }
    shutdown = manner
    for device in states.keys.sorted() {
      if isRunning(device) { end(device, manner, &actions) }
      if states[device]?.phase.isTimed == true { actions.append(.cancelTimer(device)) }
    }
    if running.isEmpty { actions.append(.finished) }
  }

  private mutating func ended(
    _ device: DeviceID, _ end: RunEnd, hasShown: Bool, _ actions: inout [Action], at now: Tick
  ) {
    guard var state = states[device], state.phase == .running || state.phase == .ending else { return }
    let isDrained = if case .drained = end { true } else { false }
    if hasShown && isDrained || now - state.startedAt >= Self.calm { state.setbacks = 0 }
    state.phase = .idle
    states[device] = state
    guard shutdown == nil else {
      if running.isEmpty { actions.append(.finished) }
      return
    }
    switch end {
    case .stopped: start(device, &actions, at: now)
    case .halted, .entryFailed: wait(device, for: .person(after: end), &actions, at: now)
    case .drained where hasShown: start(device, &actions, at: now)
    case .drained, .refused, .unreachable, .failed, .busy: pause(device, after: end, &actions, at: now)
    case .takenOver, .stoppedElsewhere:
      switch guests[device] ?? standard {
      case .never: pause(device, after: end, &actions, at: now)
      case .lease(let length): wait(device, for: .guest(length), &actions, at: now)
      case .always: wait(device, for: .person(after: end), &actions, at: now)
      }
    }
  }

  private mutating func pause(
    _ device: DeviceID, after end: RunEnd, _ actions: inout [Action], at now: Tick
  ) {
    // Nothing to do is no trouble.
    guard work.contains(device) else { return }
    let waits = Self.waits(after: end)
    let setbacks = states[device]?.setbacks ?? 0
    let length = waits[min(setbacks, waits.count - 1)]
    states[device]?.setbacks = min(setbacks + 1, waits.count)
    guard length > .zero else { return start(device, &actions, at: now) }
    wait(device, for: .pause(length, after: end), &actions, at: now)
  }

  private mutating func wait(
    _ device: DeviceID, for reason: SupervisorWait, _ actions: inout [Action], at now: Tick
  ) {
    states[device, default: State()].phase = .waiting(reason, since: now)
    switch reason {
    case .pause(let length, _), .guest(let length): actions.append(.startTimer(device, after: length))
    case .person: break
    }
    actions.append(.waits(device, reason))
  }

  /// How long to wait before the next runner; the last one repeats.
  ///
  /// A device that answers again is to have its content within ten seconds, so the waits for one are short. One that refuses
  /// is asked ever more seldom: the answer will hardly change, and it must not be hammered.
  static func waits(after end: RunEnd) -> [Duration] {
    let seconds: [Int] =
      switch end {
      case .takenOver, .stoppedElsewhere: [0, 1, 2, 5, 10]
      case .unreachable: [1, 2, 4]
      case .busy: [2]
      case .failed: [1, 2, 5, 10, 30]
      case .drained: [1, 2, 5, 10, 30, 60]
      case .refused: [5, 10, 20, 40, 60]
      case .stopped, .halted, .entryFailed: [0]
      }
    return seconds.map { .seconds($0) }
  }
}
