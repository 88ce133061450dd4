public import CastProtocol
import Synchronization

/// Controls the volume of a session's device as a knob does: a requested value is displayed at once, fast changes are combined into
/// few messages, and changes by the device, its remote control or other senders are adopted (protocol 5.7, 17.4).
///
/// Create one per session and keep it while the user interface controls or displays the volume.
public final class DeviceVolumeController: Sendable {
  private struct State {
    var machine = VolumeMachine()
    var timers: TimerSet<Knob>
  }
  private enum Knob: Hashable, Sendable { case only }

  private let session: Session
  private let state: Mutex<State>
  private let streams = UpdateStreams<Void>()
  private let listener: VolumeListener

  /// - Parameter session: the session whose device is controlled.
  public init(session: Session) {
    self.session = session
    listener = VolumeListener()
    let listener = listener
    state = Mutex(State(timers: TimerSet(time: session.time) { listener.controller?.timerDue() }))
    listener.set(self)
    session.add(listener)
    if let volume = session.receiverStatus?.volume { handle(.told(volume)) }
  }

  deinit { _ = state.withLock { $0.timers.end() } }

  /// The volume, 0 to 1, including a request in flight: when that fails, the volume that the device reported
  /// last. Nil before the device has reported it.
  public var volume: Double? { state.withLock { $0.machine.level } }

  /// Whether the device is muted, including a request in flight.
  public var isMuted: Bool { state.withLock { $0.machine.isMuted } }

  /// The change of one step, 0 to 1: the device's suggestion, else 0.05 (protocol 5.7).
  public var stepInterval: Double { state.withLock { $0.machine.step } }

  /// Whether the volume can be changed: false if the device reports a fixed volume (protocol 5.7).
  public var canChange: Bool { state.withLock { $0.machine.canChange } }

  /// Sets the volume, 0 to 1; values outside are clamped. Returns at once.
  /// - Throws: `invalidRequest` for any but a finite number, `notAllowed` when the device's volume is fixed,
  ///   `sessionIsNotActive` after the session has ended.
  public func setVolume(_ level: Double) throws(CastError) {
    try check()
    if let flaw = ReceiverRequest.setVolume(.level(level)).flaw { throw flaw }
    handle(.set(level))
  }

  /// Changes the volume by a number of steps, down if negative. Turning up also unmutes the device, because not all devices do so
  /// themselves (protocol 5.7). Returns at once.
  /// - Throws: `notAllowed` when the device's volume is fixed; `invalidState` before the device has reported
  ///   it; `sessionIsNotActive` after the session has ended.
  public func step(by count: Int) throws(CastError) {
    try check()
    let (level, step, isMuted) = state.withLock {
      ($0.machine.level, $0.machine.step, $0.machine.isMuted)
    }
    guard let level else {
      throw CastError(
        .invalidState, "the device has not reported its volume yet; wait until the session is active")
    }
    handle(.set(level + Double(count) * step))
    if isMuted, count > 0 { handle(.setMuted(false)) }
  }

  /// Mutes or unmutes the device. Returns at once.
  /// - Throws: `notAllowed` when the device's volume is fixed, `sessionIsNotActive` after the session has
  ///   ended.
  public func setMuted(_ isMuted: Bool) throws(CastError) {
    try check()
    handle(.setMuted(isMuted))
  }

  /// Yields when `volume` or `isMuted` may have changed, from now on; read them then. A slow reader gets the latest change only.
  public func changes() -> AsyncStream<Void> { streams.add() }

  private func check() throws(CastError) {
    guard session.state != .ended else { throw .sessionOver }
    guard canChange else {
      throw CastError(
        .notAllowed,
        "the volume of \(session.device.friendlyName ?? "\(session.device.endpoint)") is fixed; "
          + "change it on the speaker or amplifier")
    }
  }

  private func timerDue() {
    let isDue = state.withLock { !$0.timers.takeDue().isEmpty }
    if isDue { handle(.timerFired) }
  }

  private func handle(_ event: VolumeMachine.Event) {
    let now = session.time.now()
    let actions = state.withLock { state in
      let actions = state.machine.handle(event, at: now)
      for case .startTimer(let wait) in actions { state.timers.start(.only, after: wait) }
      return actions
    }
    for action in actions { perform(action) }
  }

  private func perform(_ action: VolumeMachine.Action) {
    switch action {
    case .sendLevel(let level): send(.setVolume(.level(level)))
    case .sendMuted(let isMuted): send(.setVolume(.muted(isMuted)))
    case .startTimer: break
    case .changed: streams.yield(())
    }
  }

  private func send(_ request: ReceiverRequest) {
    let request = session.submit(.receiver(request))
    Task { [weak self] in
      switch await request.outcome {
      // The newer request of the session brings its own status.
      case .completed, .aborted(.replaced): self?.handle(.answered)
      case .failed, .aborted(.cancelled): self?.handle(.failed)
      }
    }
  }

  /// Receives the session's statuses; a type of its own, so that the session does not retain the controller.
  private final class VolumeListener: SessionListener {
    private struct Weak: Sendable { weak var controller: DeviceVolumeController? }
    private let holder = Mutex(Weak())
    var controller: DeviceVolumeController? { holder.withLock(\.controller) }

    func set(_ controller: DeviceVolumeController) { holder.withLock { $0.controller = controller } }

    func session(_ session: Session, didUpdate receiverStatus: ReceiverStatus) {
      if let volume = receiverStatus.volume { controller?.handle(.told(volume)) }
    }
  }
}
