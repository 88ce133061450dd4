public import CastProtocol
import Logging
import Synchronization

/// Starts and ends sessions, one at a time, and notifies listeners about them (protocol 17.4).
public final class SessionManager: Sendable {
  private let options: CastOptions
  private let makeSession: @Sendable (Device, SessionOptions, SavedSession?) -> Session
  private let listeners = ListenerSet<any SessionManagerListener>()
  private let logger: Logger

  /// The session that is starting, active or ending.
  private struct Slot {
    let session: Session
    /// Retained here: sessions hold their listeners weakly.
    let relay: Relay
    /// Whether it resumes the session of an earlier process.
    let isResumed: Bool
  }

  private struct State {
    var slot: Slot?
    var credentials: CredentialsData?
    /// The attempt to resume the session of an earlier process; nil when none is running.
    var resumption: Resumption?
    /// Hears of every change of the session's state; nil for a manager without a context.
    var watch: CastStateWatch?
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

  // Without an owner its session would keep the connection for ever.
  deinit {
    guard let session = state.withLock(\.slot)?.session else { return }
    logger.warning(
      "the context of a session was released; the session is left",
      metadata: ["cast.device": "\(session.device.endpoint)"])
    session.leaveSoon()
  }

  /// The session that is starting, active or ending; nil when there is none.
  public var currentSession: Session? { state.withLock(\.slot)?.session }

  /// Adds a listener; it is held weakly, and may be added or removed at any time, also during a notification.
  public func add(_ listener: any SessionManagerListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; does nothing if it was not added.
  public func remove(_ listener: any SessionManagerListener) { listeners.remove(ObjectIdentifier(listener)) }

  /// Starts a session with a device and returns when it is active. Aborts an attempt to resume the session of an earlier process,
  /// whose device may be gone for good.
  /// - Throws: `invalidState` while a session exists already; otherwise the errors of `Session.start()`.
  @discardableResult
  public func startSession(with device: Device) async throws(CastError) -> Session {
    try await startSession(with: device) { options.session(credentials: $0) }
  }

  /// Starts a session with a device as `startSession(with:)` does, with options for this session alone, such as another purpose or an
  /// application of its own.
  /// - Parameters:
  ///   - device: the device to connect to.
  ///   - sessionOptions: all options of the session: the application, the launch options, the namespaces and the session options of
  ///     `CastOptions` do not apply to it. Credentials that were set by `CastContext.setLaunchCredentials(_:)` do, unless its launch
  ///     options have some.
  /// - Throws: `invalidState` while a session exists already; otherwise the errors of `Session.start()`.
  @discardableResult
  public func startSession(
    with device: Device, options sessionOptions: SessionOptions
  ) async throws(CastError) -> Session {
    try await startSession(with: device) { credentials in
      var options = sessionOptions
      options.launch.credentials = options.launch.credentials ?? credentials
      return options
    }
  }

  /// Starts a session with a device, runs a closure in it, and ends the session on every path: when the closure returns, throws or is
  /// cancelled. The session ends as `endSession()` does; it has released everything when this method returns.
  /// - Parameters:
  ///   - device: the device to connect to.
  ///   - sessionOptions: options for this session alone, as for `startSession(with:options:)`; nil takes those of the context.
  ///   - body: what to do in the session, which is active.
  /// - Returns: what the closure returned.
  /// - Throws: the errors of `startSession(with:)` and of the closure; and, if the closure succeeded, the error of stopping the
  ///   application, where the options stop it.
  public func withSession<Result: Sendable>(
    with device: Device, options sessionOptions: SessionOptions? = nil,
    _ body: (Session) async throws -> Result
  ) async throws -> Result {
    let session =
      if let sessionOptions { try await startSession(with: device, options: sessionOptions) } else {
        try await startSession(with: device)
      }
    let isStopping = options.stopsReceiverApplicationWhenEndingSession
    let result: Result
    do { result = try await body(session) } catch {
      await session.end(isStopping ? .stopApplication : .leave)
      throw error
    }
    if let error = await session.end(isStopping ? .stopApplication : .leave), isStopping { throw error }
    return result
  }

  private func startSession(
    with device: Device, _ options: (CredentialsData?) -> SessionOptions
  ) async throws(CastError) -> Session {
    let resumption = state.withLock { state -> Resumption? in
      // An active session has been resumed, even if no waiter knows yet; a session started by a caller is not part of the attempt.
      if let slot = state.slot, !slot.isResumed || slot.session.state == .active { return nil }
      return state.resumption
    }
    await resumption?.abort()
    return try await start(device, options(state.withLock(\.credentials)), resuming: nil)
  }

  /// Resumes the session of an earlier process that did not end it: reconnects to its device as the reconnection policy defines,
  /// and continues with what plays there (protocol 14.1, resume). A context does this automatically unless
  /// `CastOptions.resumesSessionsAutomatically` is false; this call then waits for the outcome of that attempt.
  ///
  /// The attempt may last for ever if the device is off. Cancel the task to stop waiting: the attempt is aborted when neither a
  /// caller nor the context that started it waits for it. The session then remains stored.
  /// - Returns: the session, active again; nil if no session was stored, or without a store.
  /// - Throws: `applicationReplaced` and `applicationNotRunningWhenResumed` when the application no longer runs and must not be
  ///   relaunched, `cancelled` when the task was cancelled or `startSession(with:)` aborted the attempt, and the errors of
  ///   `startSession(with:)`.
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

  /// The state of the attempt to resume the session of an earlier process.
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
        let sessionOptions = options.session(
          credentials: state.withLock(\.credentials), applicationID: saved.applicationID)
        outcome = .success(try await start(saved.device, sessionOptions, resuming: saved))
      }
    } catch {
      logger.warning("no session was resumed", metadata: ["cast.error": "\(error)"])
      outcome = .failure(error)
    }
    // A later call starts its own attempt, with the session stored then.
    state.withLock { $0.resumption = nil }
    resumption.finish(outcome)
  }

  /// Transfers playback to another device, with the queue and the position; the session continues there (protocol 14.7). Returns at
  /// once for the device that the session is on already.
  /// - Throws: `sessionIsNotActive` without an active session, otherwise the errors of `Session.transfer(to:)`; playback then
  ///   continues where it is.
  public func transfer(to device: Device) async throws(CastError) {
    guard let session = currentSession else {
      throw CastError(
        .sessionIsNotActive, "there is no session to transfer to another device; start one first")
    }
    try await session.transfer(to: device)
  }

  /// Closes the connection until `resumeSession()`, for example before the computer sleeps; does nothing without a session, or if its
  /// options have no `reconnection`.
  public func suspendSession() { currentSession?.suspend() }

  /// Reconnects a suspended session at once; without a session it does nothing.
  public func resumeSession() { currentSession?.resume() }

  private func start(
    _ device: Device, _ sessionOptions: SessionOptions, resuming saved: SavedSession?
  ) async throws(CastError) -> Session {
    let session = makeSession(device, sessionOptions, saved)
    let relay = Relay(manager: self, store: options.sessionStore, isResuming: saved != nil)
    // Before the session is visible: others may end it at once, and the relay must receive that.
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
    if saved == nil { listeners.notify { $0.sessionManager(self, willStart: session) } }
    try await session.start()
    return session
  }

  /// Ends the session as the options define: the application keeps running, unless it must be stopped. Returns when the session has
  /// released everything. Without a session it does nothing.
  /// - Throws: the error of stopping the application, such as `timeout`; the session has ended in any case.
  public func endSession() async throws(CastError) {
    try await endSession(stoppingCasting: options.stopsReceiverApplicationWhenEndingSession)
  }

  /// Ends the session, and stops the application if requested.
  /// - Throws: the error of stopping the application, such as `timeout`; the session has ended in any case.
  public func endSession(stoppingCasting: Bool) async throws(CastError) {
    guard let session = currentSession else { return }
    if let error = await session.end(stoppingCasting ? .stopApplication : .leave), stoppingCasting {
      throw error
    }
  }

  /// Notifies a watch of every change of the session's state.
  func watch(by watch: CastStateWatch) { state.withLock { $0.watch = watch } }

  func setCredentials(_ credentials: CredentialsData?) { state.withLock { $0.credentials = credentials } }

  /// Relays a session's notifications to the manager's listeners, in the session's order.
  private final class Relay: SessionListener {
    private weak let manager: SessionManager?
    private let store: (any SessionStore)?
    /// Whether listeners know that the session has started.
    private let wasActive: Mutex<Bool>

    init(manager: SessionManager, store: (any SessionStore)?, isResuming: Bool) {
      self.manager = manager
      self.store = store
      wasActive = Mutex(isResuming)
    }

    func session(_ session: Session, didChange state: SessionState) {
      guard let manager else { return }
      defer { manager.state.withLock(\.watch)?.refresh() }
      switch state {
      case .active:
        store?.save(session.saved)
        let isFirst = wasActive.withLock { wasActive in
          defer { wasActive = true }
          return !wasActive
        }
        if isFirst { manager.listeners.notify { $0.sessionManager(manager, didStart: session) } }
      case .ending: manager.listeners.notify { $0.sessionManager(manager, willEnd: session) }
      case .idle, .starting, .suspended, .ended: break
      }
    }

    func session(_ session: Session, didSuspendFor reason: SessionSuspendReason) {
      guard let manager else { return }
      manager.listeners.notify { $0.sessionManager(manager, didSuspend: session, for: reason) }
    }

    func sessionWillResume(_ session: Session) {
      guard let manager else { return }
      manager.listeners.notify { $0.sessionManager(manager, willResume: session) }
    }

    func session(_ session: Session, didResumeInSameApplicationSession isSame: Bool) {
      guard let manager else { return }
      manager.listeners.notify {
        $0.sessionManager(manager, didResume: session, inSameApplicationSession: isSame)
      }
    }

    func session(_ session: Session, didUpdate device: Device) {
      if session.state == .active { store?.save(session.saved) }
      guard let manager else { return }
      manager.listeners.notify { $0.sessionManager(manager, session: session, didUpdate: device) }
    }

    func session(_ session: Session, didNotice action: ForeignAction) {
      guard let manager else { return }
      manager.listeners.notify { $0.sessionManager(manager, session: session, didNotice: action) }
    }

    func session(_ session: Session, didReceiveDeviceVolume volume: DeviceVolume) {
      guard let manager else { return }
      manager.listeners.notify {
        $0.sessionManager(manager, session: session, didReceiveDeviceVolume: volume)
      }
    }

    func session(_ session: Session, didReceiveDeviceStatus statusText: String?) {
      guard let manager else { return }
      manager.listeners.notify {
        $0.sessionManager(manager, session: session, didReceiveDeviceStatus: statusText)
      }
    }

    func session(_ session: Session, didEndWith error: CastError?) {
      // An aborted attempt does not delete the stored session: a later process may succeed.
      if manager?.isAbortingResumption(of: session) != true { store?.save(nil) }
      guard let manager else { return }
      manager.forget(session)
      if wasActive.withLock({ $0 }) {
        manager.listeners.notify { $0.sessionManager(manager, didEnd: session, with: error) }
      } else {
        let error = error ?? .endedByCaller
        manager.listeners.notify { $0.sessionManager(manager, didFailToStart: session, with: error) }
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
