public import CastProtocol
import Logging
import Synchronization

/// Starts and ends sessions, one at a time, and tells any number of listeners what becomes of them (protocol 17.4).
public final class SessionManager: Sendable {
  private let options: CastOptions
  private let makeSession: @Sendable (Device, SessionOptions, SavedSession?) -> Session
  private let listeners = ListenerSet<any SessionManagerListener>()
  private let logger: Logger

  /// The session that is starting, active or ending.
  private struct Slot {
    let session: Session
    /// Held here: sessions hold their listeners weakly.
    let relay: Relay
    /// Whether it is the one that an earlier process left.
    let isResumed: Bool
  }

  private struct State {
    var slot: Slot?
    var credentials: CredentialsData?
    /// The attempt to resume the session of an earlier process; nil when none is running.
    var resumption: Resumption?
  }
  private let state = Mutex(State())

  init(
    options: CastOptions, logger: Logger,
    makeSession: @escaping @Sendable (Device, SessionOptions, SavedSession?) -> Session
  ) {
    self.options = options
    self.logger = logger
    self.makeSession = makeSession
  }

  /// The session that is starting, active or ending; nil when there is none.
  public var currentSession: Session? { state.withLock(\.slot)?.session }

  /// Adds a listener; it is held weakly, and may be added or removed at any time, also while listeners are told.
  public func add(_ listener: any SessionManagerListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; one that is not there is no mistake.
  public func remove(_ listener: any SessionManagerListener) { listeners.remove(ObjectIdentifier(listener)) }

  /// Starts a session with a device and returns when it is active. An attempt to resume the session of an earlier process is aborted
  /// for it: that device may be off for good.
  /// - Throws: `invalidState` while there is a session already; else what stood in the way, see `Session.start()`.
  @discardableResult
  public func startSession(with device: Device) async throws(CastError) -> Session {
    let resumption = state.withLock { state -> Resumption? in
      // An active session has been resumed, even if no waiter knows yet; one that was started is not the attempt's.
      if let slot = state.slot, !slot.isResumed || slot.session.state == .active { return nil }
      return state.resumption
    }
    await resumption?.abort()
    return try await start(device, resuming: nil)
  }

  /// Resumes the session that an earlier process left and did not end: calls its device until it answers, as the reconnection policy
  /// says, and continues with what plays there (protocol 14.1, resume). A context does this by itself unless
  /// `CastOptions.resumesSessionsAutomatically` is false; this call then waits for the outcome of that attempt.
  ///
  /// A device that is off may be called for ever. Cancel the task to stop waiting: the attempt is aborted when neither a caller nor
  /// the context that started it waits for it. The session stays remembered then.
  /// - Returns: the session, active again; nil when no session was left, or without a store.
  /// - Throws: `applicationReplaced` and `applicationNotRunningWhenResumed` when the application has gone meanwhile and must not be
  ///   relaunched, `cancelled` when the task was cancelled or `startSession(with:)` aborted the attempt, and what
  ///   `startSession(with:)` throws.
  public func resumeSavedSession() async throws(CastError) -> Session? {
    while true {
      switch joinResumption() {
      case .resumed(let session): return session
      case .running(let resumption, let waiter):
        return try await resumption.outcome(for: waiter).get()
      case .ending(let resumption): await resumption.end()
      }
    }
  }

  /// Whether an attempt to resume the session of an earlier process is running.
  package var isResuming: Bool { state.withLock { $0.resumption != nil } }

  /// How far the session of an earlier process is resumed.
  enum ResumptionState {
    /// It was resumed before.
    case resumed(Session)
    /// It is being resumed; the number is the caller's.
    case running(Resumption, waiter: Int)
    /// An attempt that was aborted has not ended yet.
    case ending(Resumption)
  }

  /// Starts to resume the session of an earlier process, or joins the attempt that runs.
  func joinResumption() -> ResumptionState {
    state.withLock { state in
      if let resumption = state.resumption {
        return resumption.join().map { .running(resumption, waiter: $0) } ?? .ending(resumption)
      }
      if let slot = state.slot, slot.isResumed { return .resumed(slot.session) }
      let resumption = Resumption()
      state.resumption = resumption
      return .running(resumption, waiter: resumption.begin { await self.run(resumption) })
    }
  }

  private func run(_ resumption: Resumption) async {
    var outcome = Resumption.Outcome.success(nil)
    do throws(CastError) {
      if let saved = options.sessionStore?.load() {
        logger.info("resuming a saved session", metadata: ["cast.device": "\(saved.device.endpoint)"])
        outcome = .success(try await start(saved.device, resuming: saved))
      }
    } catch {
      logger.warning("no session was resumed", metadata: ["cast.error": "\(error)"])
      outcome = .failure(error)
    }
    // A later call starts an attempt of its own, with what is saved then.
    state.withLock { $0.resumption = nil }
    resumption.finish(outcome)
  }

  /// Moves what plays to another device, with the queue and the position; the session goes on there (protocol 14.7).
  /// - Throws: `sessionIsNotActive` without an active session, else what `Session.transfer(to:)` throws; what plays goes on
  ///   where it is then.
  public func transfer(to device: Device) async throws(CastError) {
    guard let session = currentSession else {
      throw CastError(
        .sessionIsNotActive, "there is no session to transfer to another device; start one first")
    }
    try await session.transfer(to: device)
  }

  /// Gives the connection up until `resumeSession()`, such as before the computer sleeps; without a session it does nothing.
  public func suspendSession() { currentSession?.suspend() }

  /// Calls a device that is away at once; without a session it does nothing.
  public func resumeSession() { currentSession?.resume() }

  private func start(_ device: Device, resuming saved: SavedSession?) async throws(CastError) -> Session {
    let credentials = state.withLock(\.credentials)
    let session = makeSession(
      device, options.session(credentials: credentials, applicationID: saved?.applicationID), saved)
    let relay = Relay(manager: self, store: options.sessionStore, isResuming: saved != nil)
    // Before the session is visible: others may end it at once, and the relay has to hear that.
    session.add(relay)
    let slot = Slot(session: session, relay: relay, isResumed: saved != nil)
    let isFree = state.withLock { state in
      guard state.slot == nil else { return false }
      state.slot = slot
      return true
    }
    guard isFree else {
      throw CastError(.invalidState, "a session exists already; end it before you start another one")
    }
    if saved == nil { listeners.tell { $0.sessionManager(self, willStart: session) } }
    try await session.start()
    return session
  }

  /// Ends the session as the options say: the application goes on running, unless it is to be stopped. Returns when nothing is
  /// left of the session. Without a session it does nothing.
  /// - Throws: what went wrong with stopping the application, such as `timeout`; the session has ended all the same.
  public func endSession() async throws(CastError) {
    try await endSession(stoppingCasting: options.stopsReceiverApplicationWhenEndingSession)
  }

  /// Ends the session and says whether the application is stopped.
  /// - Throws: what went wrong with stopping the application, such as `timeout`; the session has ended all the same.
  public func endSession(stoppingCasting: Bool) async throws(CastError) {
    guard let session = currentSession else { return }
    if let error = await session.end(stoppingCasting ? .stopApplication : .leave), stoppingCasting {
      throw error
    }
  }

  func setCredentials(_ credentials: CredentialsData?) { state.withLock { $0.credentials = credentials } }

  /// What a session tells, told on. Its order is the session's.
  private final class Relay: SessionListener {
    private weak let manager: SessionManager?
    private let store: (any SessionStore)?
    /// Whether listeners know of a session that has started.
    private let wasActive: Mutex<Bool>

    init(manager: SessionManager, store: (any SessionStore)?, isResuming: Bool) {
      self.manager = manager
      self.store = store
      wasActive = Mutex(isResuming)
    }

    func session(_ session: Session, didChange state: SessionState) {
      guard let manager else { return }
      switch state {
      case .active:
        store?.save(session.saved)
        let isFirst = wasActive.withLock { wasActive in
          defer { wasActive = true }
          return !wasActive
        }
        if isFirst { manager.listeners.tell { $0.sessionManager(manager, didStart: session) } }
      case .ending: manager.listeners.tell { $0.sessionManager(manager, willEnd: session) }
      case .idle, .starting, .suspended, .ended: break
      }
    }

    func session(_ session: Session, didSuspendFor reason: SessionSuspendReason) {
      guard let manager else { return }
      manager.listeners.tell { $0.sessionManager(manager, didSuspend: session, for: reason) }
    }

    func sessionWillResume(_ session: Session) {
      guard let manager else { return }
      manager.listeners.tell { $0.sessionManager(manager, willResume: session) }
    }

    func session(_ session: Session, didResumeInSameApplicationSession isSame: Bool) {
      guard let manager else { return }
      manager.listeners.tell {
        $0.sessionManager(manager, didResume: session, inSameApplicationSession: isSame)
      }
    }

    func session(_ session: Session, didUpdate device: Device) {
      if session.state == .active { store?.save(session.saved) }
      guard let manager else { return }
      manager.listeners.tell { $0.sessionManager(manager, session: session, didUpdate: device) }
    }

    func session(_ session: Session, didNotice action: ForeignAction) {
      guard let manager else { return }
      manager.listeners.tell { $0.sessionManager(manager, session: session, didNotice: action) }
    }

    func session(_ session: Session, didReceiveDeviceVolume volume: DeviceVolume) {
      guard let manager else { return }
      manager.listeners.tell {
        $0.sessionManager(manager, session: session, didReceiveDeviceVolume: volume)
      }
    }

    func session(_ session: Session, didReceiveDeviceStatus statusText: String?) {
      guard let manager else { return }
      manager.listeners.tell {
        $0.sessionManager(manager, session: session, didReceiveDeviceStatus: statusText)
      }
    }

    func session(_ session: Session, didEndWith error: CastError?) {
      // An aborted attempt does not end the session: a later process may have more luck.
      if manager?.isAbortingResumption(of: session) != true { store?.save(nil) }
      guard let manager else { return }
      manager.forget(session)
      if wasActive.withLock({ $0 }) {
        manager.listeners.tell { $0.sessionManager(manager, didEnd: session, with: error) }
      } else {
        let error = error ?? .endedByCaller
        manager.listeners.tell { $0.sessionManager(manager, didFailToStart: session, with: error) }
      }
    }
  }

  /// Whether the session ends because the attempt to resume it was aborted.
  private func isAbortingResumption(of session: Session) -> Bool {
    state.withLock { state in
      guard let slot = state.slot, slot.session === session else { return false }
      return slot.isResumed && state.resumption?.isAborted == true
    }
  }

  private func forget(_ session: Session) {
    state.withLock { if $0.slot?.session === session { $0.slot = nil } }
  }
}
