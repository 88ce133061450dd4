package import CastProtocol
package import CastqPlaylists
package import CastqSchedule

/// Decides which devices have a runner, and what happens when one ends.
///
///     idle ──work──> running ──drained──> idle
///       ^               ├──refused, unreachable, busy, failed──> waiting(pause) ──time──> running
///       │               ├──guest──> waiting(guest) ──lease ended──> running
///       │               ├──stopped by a person, guests may stay──> waiting(person) ──start──> running
///       └──(ended)── ending <──quiet hours, shutdown, another box feeds the site
///
/// Another box feeds the site when two screens have its epoch, or the only one that is fed: one receiver alone could pretend it.
/// A device in quiet hours has no runner in any case. What an earlier castq has left on a screen on which nothing is due is ended first.
/// No runner starts after a shutdown. Until idle, every end is for good: a device is
/// fed once, and castq ends when no runner is left.
package struct SupervisorMachine: Sendable {
  package enum Event: Sendable, Hashable {
    /// Exactly these devices have entries that are due; the lists of `stopped` were stopped by a person.
    case work(Set<DeviceID>, stopped: Set<DeviceID> = [])
    /// The guest policies of the configuration.
    case guests(standard: GuestPolicy, [DeviceID: GuestPolicy])
    /// Nothing plays on these devices now, and they show this instead; all others may play.
    case quiet([DeviceID: QuietShow])
    /// The rows say that an earlier castq has left something on the screens of these devices.
    case left(Set<DeviceID>)
    /// The runner waits until something is due, and has not called its device yet.
    case rests(DeviceID)
    /// What was left on the screen is gone, or something else is shown there.
    case cleared(DeviceID)
    /// The runner ended; `hasShown` says whether it displayed anything, `isLifted` that the rows say of no stop any more: whoever stopped
    /// it, such as a transfer, has lifted that before the run was over.
    case ended(DeviceID, RunEnd, hasShown: Bool, isLifted: Bool = false)
    /// The device's timer has fired.
    case timerFired(DeviceID)
    /// A command starts the device, whatever it waits for.
    case start(DeviceID)
    /// A command stops a device that has no runner: it is held until a command starts it.
    case hold(DeviceID)
    /// Nobody is left who could start a device.
    case abandoned
    /// castq ends, for this reason.
    case shutDown(RunnerEnding, because: PlayEnding)
  }

  package enum Action: Sendable, Hashable {
    case start(DeviceID)
    case end(DeviceID, RunnerEnding, because: PlayEnding)
    /// End what castq has left on the screen, and nothing else; `.black` then shows its picture where no guest is. Answered
    /// by `.cleared`.
    case clear(DeviceID, RunnerEnding, because: PlayEnding)
    case startTimer(DeviceID, after: Duration)
    case cancelTimer(DeviceID)
    /// A device that has work waits; shown to people.
    case waits(DeviceID, SupervisorWait)
    /// No runner is left, and castq ends.
    case finished

    /// The device of the action; nil if it has none.
    package var device: DeviceID? {
      switch self {
      case .start(let id), .end(let id, _, _), .clear(let id, _, _), .startTimer(let id, _),
        .cancelTimer(let id),
        .waits(let id, _):
        id
      case .finished: nil
      }
    }
  }

  /// How long devices are fed.
  package enum Span: Sendable, Hashable {
    case forever
    /// Each device once.
    /// - Parameter awaitsStart: whether nothing is fed before a command starts a device.
    case untilIdle(awaitsStart: Bool)
  }

  private enum Phase: Hashable {
    case idle, running, ending
    case waiting(SupervisorWait, since: Tick)

    /// Whether a timer ends the phase.
    var isTimed: Bool {
      switch self {
      case .waiting(.pause, _), .waiting(.guest, _): true
      case .waiting(.person, _), .idle, .running, .ending: false
      }
    }

    /// Whether only a command ends the phase.
    var isHeld: Bool { if case .waiting(.person, _) = self { true } else { false } }
  }

  private struct State {
    var phase = Phase.idle
    /// Consecutive ends without playback.
    var setbacks = 0
    var startedAt = Tick.zero
  }

  /// A runner that has run for this long resets the setbacks.
  static let calm = Duration.seconds(60)

  private var states: [DeviceID: State] = [:]
  private var work: Set<DeviceID> = []
  /// Devices whose lists are stopped, by their rows.
  private var stopped: Set<DeviceID> = []
  /// Devices in quiet hours, and what they show.
  private var quiet: [DeviceID: QuietShow] = [:]
  /// Devices that still show what an earlier castq has left.
  private var left: Set<DeviceID> = []
  /// Devices on which nothing is due although they have work: what is left there goes first.
  private var resting: Set<DeviceID> = []
  /// Devices on which what is left is being ended, and whether that is to be given up because something is due.
  private var clearing: [DeviceID: Bool] = [:]
  private var standard = GuestPolicy.standard
  private var guests: [DeviceID: GuestPolicy] = [:]
  private var shutdown: RunnerEnding?
  /// Devices whose screens had a newer epoch.
  private var superseded: Set<DeviceID> = []
  /// Whether castq ends because another box feeds the site.
  package private(set) var isSuperseded = false
  private let isUntilIdle: Bool
  /// Whether devices with work are started.
  private var hasBegun: Bool

  package init(_ span: Span = .forever) {
    isUntilIdle = span != .forever
    hasBegun = span != .untilIdle(awaitsStart: true)
  }

  /// Devices whose runner runs or is ending.
  package var running: Set<DeviceID> {
    Set(states.filter { $0.value.phase == .running || $0.value.phase == .ending }.keys)
  }

  /// Whether the device has a runner that is not ending.
  package func isRunning(_ device: DeviceID) -> Bool { states[device]?.phase == .running }

  /// Whether the device has no runner until a command starts it.
  package func isHeld(_ device: DeviceID) -> Bool { states[device]?.phase.isHeld == true }

  /// Whether the device has a runner, or gets another one by itself soon. castq that ends leaves that to the next one.
  package func isCalledAgain(_ device: DeviceID) -> Bool {
    guard shutdown == nil else { return true }
    return switch states[device]?.phase {
    case .running, .ending, .waiting(.pause, _): true
    case .waiting(.guest, _), .waiting(.person, _), .idle, nil: false
    }
  }

  /// What a device without a runner waits for, with the remaining duration.
  package func wait(of device: DeviceID, at now: Tick) -> SupervisorWait? {
    guard case .waiting(let wait, let since)? = states[device]?.phase else { return nil }
    func rest(_ length: Duration) -> Duration { max(length - (now - since), .zero) }
    return switch wait {
    case .pause(let length, let end): .pause(rest(length), after: end)
    case .guest(let length, let end): .guest(rest(length), after: end)
    case .person: wait
    }
  }

  /// Handles one event.
  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .work(let devices, let stopped):
      work = devices
      // Another process has started the list in the meantime, and ended.
      for device in self.stopped.subtracting(stopped) where isHeld(device) {
        states[device]?.phase = .idle
      }
      self.stopped = stopped
      startAll(&actions, at: now)
      if hasBegun { finishIfIdle(&actions) }
    case .guests(let standard, let guests):
      self.standard = standard
      self.guests = guests
    case .quiet(let devices):
      quiet = devices
      for (device, show) in devices.sorted(by: { $0.key < $1.key }) where states[device]?.phase == .running {
        end(device, Self.ending(show), because: PlayEnding(.quietHours), &actions)
      }
      startAll(&actions, at: now)
    case .left(let devices):
      left = devices
      clearAll(&actions)
    case .rests(let device):
      guard left.contains(device), isRunning(device) else { break }
      resting.insert(device)
      end(device, .leave, because: PlayEnding(.nothingDue), &actions)
    case .cleared(let device):
      clearing[device] = nil
      left.remove(device)
      resting.remove(device)
      if shutdown != nil, isAtRest { actions.append(.finished) }
      start(device, &actions, at: now)
    case .ended(let device, let end, let hasShown, let isLifted):
      ended(device, end, hasShown: hasShown, isLifted: isLifted, &actions, at: now)
    case .timerFired(let device):
      guard states[device]?.phase.isTimed == true else { break }
      states[device]?.phase = .idle
      start(device, &actions, at: now)
    case .start(let device): restart(device, &actions, at: now)
    case .hold(let device): hold(device, &actions, at: now)
    case .abandoned: finishIfIdle(&actions)
    case .shutDown(let manner, let reason): shutDown(manner, because: reason, &actions)
    }
    return actions
  }

  // MARK: - Starting

  private mutating func startAll(_ actions: inout [Action], at now: Tick) {
    guard hasBegun else { return }
    for device in work.sorted() { start(device, &actions, at: now) }
    clearAll(&actions)
  }

  /// Ends what was left on screens on which nothing is due.
  private mutating func clearAll(_ actions: inout [Action]) {
    guard hasBegun, !isUntilIdle else { return }
    for device in left.sorted() where !running.contains(device) {
      guard !work.contains(device) || quiet[device] != nil || isHeld(device) else { continue }
      clear(device, &actions)
    }
  }

  private mutating func clear(_ device: DeviceID, _ actions: inout [Action]) {
    guard shutdown == nil, clearing[device] == nil else { return }
    clearing[device] = false
    let show = quiet[device]
    actions.append(
      .clear(
        device, show.map(Self.ending) ?? .stop,
        because: PlayEnding(show == nil ? .nothingDue : .quietHours)))
  }

  /// How playback ends when quiet hours begin.
  private static func ending(_ show: QuietShow) -> RunnerEnding {
    switch show {
    case .application: .stop
    case .backdrop: .quit
    case .black: .black
    }
  }

  /// Whether nothing that was started is left.
  private var isAtRest: Bool { running.isEmpty && clearing.isEmpty }

  /// Starts an idle device that has work and may play.
  private mutating func start(_ device: DeviceID, _ actions: inout [Action], at now: Tick) {
    guard shutdown == nil, work.contains(device), quiet[device] == nil else { return }
    var state = states[device] ?? State()
    guard state.phase == .idle else { return }
    guard !stopped.contains(device) else {
      return wait(device, for: .person(after: .halted), &actions, at: now)
    }
    if let isGivenUp = clearing[device] {
      // The runner that follows takes over what is on the screen.
      clearing[device] = true
      if !isGivenUp { actions.append(.end(device, .leave, because: "something is due")) }
      return
    }
    if resting.contains(device) { return clear(device, &actions) }
    state.phase = .running
    state.startedAt = now
    states[device] = state
    actions.append(.start(device))
  }

  private mutating func restart(_ device: DeviceID, _ actions: inout [Action], at now: Tick) {
    hasBegun = true
    guard shutdown == nil, !running.contains(device) else { return }
    if states[device]?.phase.isTimed == true { actions.append(.cancelTimer(device)) }
    states[device] = State()
    stopped.remove(device)
    start(device, &actions, at: now)
  }

  // MARK: - Ending

  private mutating func end(
    _ device: DeviceID, _ manner: RunnerEnding, because reason: PlayEnding, _ actions: inout [Action]
  ) {
    states[device]?.phase = .ending
    actions.append(.end(device, manner, because: reason))
  }

  private func finishIfIdle(_ actions: inout [Action]) {
    if isUntilIdle, running.isEmpty { actions.append(.finished) }
  }

  private mutating func hold(_ device: DeviceID, _ actions: inout [Action], at now: Tick) {
    guard !running.contains(device) else { return }  // its runner receives the stop and ends
    if states[device]?.phase.isTimed == true { actions.append(.cancelTimer(device)) }
    states[device, default: State()].phase = .waiting(.person(after: .halted), since: now)
    finishIfIdle(&actions)
  }

  private mutating func shutDown(
    _ manner: RunnerEnding, because reason: PlayEnding, _ actions: inout [Action]
  ) {
    guard shutdown == nil else { return }
    shutdown = manner
    for device in states.keys.sorted() {
      if isRunning(device) { end(device, manner, because: reason, &actions) }
      if states[device]?.phase.isTimed == true { actions.append(.cancelTimer(device)) }
    }
    for (device, isGivenUp) in clearing.sorted(by: { $0.key < $1.key }) where !isGivenUp {
      actions.append(.end(device, .leave, because: reason))
    }
    if isAtRest { actions.append(.finished) }
  }

  private mutating func ended(
    _ device: DeviceID, _ end: RunEnd, hasShown: Bool, isLifted: Bool, _ actions: inout [Action],
    at now: Tick
  ) {
    guard var state = states[device], state.phase == .running || state.phase == .ending else { return }
    let isDrained = if case .drained = end { true } else { false }
    if hasShown && isDrained || now - state.startedAt >= Self.calm { state.setbacks = 0 }
    state.phase = .idle
    states[device] = state
    if !resting.contains(device) { left.remove(device) }
    if isUntilIdle { states[device]?.phase = .waiting(.person(after: end), since: now) }
    if case .superseded = end {
      superseded.insert(device)
      isSuperseded = shutdown == nil && (isUntilIdle || superseded.count > 1 || running.isEmpty)
    }
    guard shutdown == nil, !isUntilIdle else {
      if isAtRest { actions.append(.finished) }
      return
    }
    switch end {
    // The other box continues what is on the other screens.
    case .superseded where isSuperseded: shutDown(.leave, because: PlayEnding(.otherBox), &actions)
    case .superseded: wait(device, for: .person(after: end), &actions, at: now)
    case .stopped where hasShown && quiet[device] == .black: clear(device, &actions)
    case .stopped: start(device, &actions, at: now)
    case .halted where isLifted: start(device, &actions, at: now)
    case .halted, .entryFailed: wait(device, for: .person(after: end), &actions, at: now)
    case .drained where hasShown: start(device, &actions, at: now)
    case .drained, .refused, .unreachable, .failed, .busy: pause(device, after: end, &actions, at: now)
    case .takenOver, .stoppedElsewhere:
      switch guests[device] ?? standard {
      case .never: pause(device, after: end, &actions, at: now)
      case .lease(let length): wait(device, for: .guest(length, after: end), &actions, at: now)
      case .always: wait(device, for: .person(after: end), &actions, at: now)
      }
    }
  }

  private mutating func pause(
    _ device: DeviceID, after end: RunEnd, _ actions: inout [Action], at now: Tick
  ) {
    // A device without work does not wait.
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
    case .pause(let length, _), .guest(let length, _): actions.append(.startTimer(device, after: length))
    case .person: break
    }
    actions.append(.waits(device, reason))
  }

  /// Time to wait before the next runner; the last value repeats.
  ///
  /// A device that answers again must show its content within ten seconds, so the waits for one are short. A device that refuses is
  /// called less and less often, because its answer will hardly change.
  static func waits(after end: RunEnd) -> [Duration] {
    let seconds: [Int] =
      switch end {
      case .takenOver, .stoppedElsewhere: [0, 1, 2, 5, 10]
      case .unreachable: [1, 2, 4]
      case .busy: [2]
      case .failed: [1, 2, 5, 10, 30]
      case .drained: [1, 2, 5, 10, 30, 60]
      case .refused: [5, 10, 20, 40, 60]
      case .stopped, .halted, .entryFailed, .superseded: [0]
      }
    return seconds.map { .seconds($0) }
  }
}
