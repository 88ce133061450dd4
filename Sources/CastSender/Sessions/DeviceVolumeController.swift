public import CastProtocol
import Synchronization

/// Turns the loudness of a session's device as a person turns a knob: what is wanted shows at once, fast changes become few
/// messages, and what the device, its remote control or other senders do is followed (protocol 5.7, 17.4).
///
/// Make one for a session and keep it as long as there is something to turn or to show.
public final class DeviceVolumeController: Sendable {
  private struct State {
    var machine = VolumeMachine()
    var timers: TimerSet<Knob>
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    var last = 0
  }
  private enum Knob: Hashable, Sendable { case only }

  private let session: Session
  private let state: Mutex<State>
  private let ear: Ear

  /// - Parameter session: whose device is turned.
  public init(session: Session) {
    self.session = session
    ear = Ear()
    let ear = ear
    state = Mutex(State(timers: TimerSet(time: session.time) { ear.controller?.timerDue() }))
    ear.set(self)
    session.add(ear)
    if let volume = session.receiverStatus?.volume { handle(.told(volume)) }
  }

  deinit { _ = state.withLock { $0.timers.end() } }

  /// 0 to 1, with a wish that is on its way; nil before the device has told.
  public var volume: Double? { state.withLock { $0.machine.level } }

  /// Whether the device is muted, with a wish that is on its way.
  public var isMuted: Bool { state.withLock { $0.machine.isMuted } }

  /// How much one step changes, 0 to 1: what the device suggests, else 0.05 (protocol 5.7).
  public var stepInterval: Double { state.withLock { $0.machine.step } }

  /// Whether the volume can be changed: not where the device says that it is fixed (protocol 5.7).
  public var canChange: Bool { state.withLock { $0.machine.canChange } }

  /// Sets the loudness, 0 to 1; values beyond are brought into range. Returns at once.
  /// - Throws: `notAllowed` when the device's volume is fixed.
  public func setVolume(_ level: Double) throws(CastError) {
    try check()
    handle(.set(level))
  }

  /// Turns the loudness by so many steps, down when negative; a device that was muted sounds again when it is turned up, as not all
  /// devices do so by themselves (protocol 5.7). Returns at once.
  /// - Throws: `notAllowed` when the device's volume is fixed; `invalidState` before the device has told its volume.
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

  /// Mutes the device, or lets it sound again. Returns at once.
  /// - Throws: `notAllowed` when the device's volume is fixed.
  public func setMuted(_ isMuted: Bool) throws(CastError) {
    try check()
    handle(.setMuted(isMuted))
  }

  /// Tells whenever `volume` or `isMuted` may have changed, from now on; read them then. A slow reader misses nothing but haste.
  public func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.last += 1
      state.readers[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  private func check() throws(CastError) {
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
    case .changed: for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() }
    }
  }

  private func send(_ request: ReceiverRequest) {
    let request = session.submit(.receiver(request))
    Task { [weak self] in
      _ = await request.outcome
      self?.handle(.answered)
    }
  }

  /// What the session tells; apart, so that the session does not keep the controller.
  private final class Ear: SessionListener {
    private struct Weak: Sendable { weak var controller: DeviceVolumeController? }
    private let holder = Mutex(Weak())
    var controller: DeviceVolumeController? { holder.withLock(\.controller) }

    func set(_ controller: DeviceVolumeController) { holder.withLock { $0.controller = controller } }

    func session(_ session: Session, didUpdate receiverStatus: ReceiverStatus) {
      if let volume = receiverStatus.volume { controller?.handle(.told(volume)) }
    }
  }
}
