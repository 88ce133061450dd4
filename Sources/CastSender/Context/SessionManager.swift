public import CastProtocol
import Logging
import Synchronization

/// Starts and ends sessions, one at a time, and tells any number of listeners what becomes of them (protocol 17.4).
public final class SessionManager: Sendable {
  private let options: CastOptions
  private let makeSession: @Sendable (Device, SessionOptions, SavedSession?) -> Session
  private let listeners = ListenerSet<any SessionManagerListener>()
  private let logger = CastLogger.shared.logger(for: .sessionManager)

  private struct State {
    var session: Session?
    var relay: Relay?
    var credentials: CredentialsData?
    var resumption = Resumption.none
  }

  /// What became of the session that an earlier process left.
  private enum Resumption {
    case none
    /// It is being taken up; everybody who asks for it waits for the same attempt.
    case running(Task<Result<Session?, CastError>, Never>)
    case done(Session)
  }
  private let state = Mutex(State())

  init(
    options: CastOptions,
    makeSession: @escaping @Sendable (Device, SessionOptions, SavedSession?) -> Session
  ) {
    self.options = options
    self.makeSession = makeSession
  }

  /// The session that is starting, active or ending; nil when there is none.
  public var currentSession: Session? { state.withLock(\.session) }

  /// Adds a listener; it is held weakly, and may be added or removed at any time, also while listeners are told.
  public func add(_ listener: any SessionManagerListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; one that is not there is no mistake.
  public func remove(_ listener: any SessionManagerListener) { listeners.remove(ObjectIdentifier(listener)) }

  /// Starts a session with a device and returns when it is active. A session of an earlier process that is still being taken up is
  /// given up for it: its device may be off for good.
  /// - Throws: `invalidState` while there is a session already; else what stood in the way, see `Session.start()`.
  @discardableResult
  public func startSession(with device: Device) async throws(CastError) -> Session {
    let pending = state.withLock { state -> Session? in
      guard case .running = state.resumption, state.session?.state != .active else { return nil }
      return state.session
    }
    await pending?.end(.leave)
    return try await start(device, taking: nil)
  }

  /// Takes up the session that an earlier process had, if it left one and did not end it: calls its device until it answers, as the
  /// reconnection policy says, and goes on with what plays there (protocol 14.1, resume). A context does this by itself unless
  /// `CastOptions.resumesSessionsAutomatically` is false; then this waits for what comes of it.
  /// - Returns: the session, active again; nil when no session was left, or none can be remembered.
  /// - Throws: `applicationReplaced` and `applicationNotRunningWhenResumed` when the application has gone meanwhile and is not to
  ///   be launched anew, and what `startSession(with:)` throws.
  public func resumeSavedSession() async throws(CastError) -> Session? {
    let task = state.withLock { state in
      switch state.resumption {
      case .running(let task): return task
      case .done(let session) where session === state.session: return Task { .success(session) }
      case .done, .none: break
      }
      let task = Task { await self.takeUp() }
      state.resumption = .running(task)
      return task
    }
    return try await task.value.get()
  }

  private func takeUp() async -> Result<Session?, CastError> {
    let result: Result<Session?, CastError>
    do throws(CastError) {
      let saved = options.sessionStore?.load()
      if let saved {
        logger.info("taking up a session", metadata: ["cast.device": "\(saved.device.endpoint)"])
      }
      guard let saved else { return finish(.success(nil)) }
      result = .success(try await start(saved.device, taking: saved))
    } catch {
      logger.warning("no session was taken up", metadata: ["cast.error": "\(error)"])
      result = .failure(error)
    }
    return finish(result)
  }

  /// Whoever asks again later asks about what is saved then.
  private func finish(_ result: Result<Session?, CastError>) -> Result<Session?, CastError> {
    state.withLock { state in
      state.resumption = if case .success(let session?) = result { .done(session) } else { .none }
    }
    return result
  }

  /// Moves what plays to another device, with the queue and the position; the session goes on there (protocol 14.7).
  /// - Throws: `sessionIsNotActive` without an active session, else what `Session.transfer(to:)` throws; what plays goes on
  ///   where it is then.
  public func transfer(to device: Device) async throws(CastError) {
    guard let session = currentSession else {
      throw CastError(.sessionIsNotActive, "there is no session to move to another device; start one first")
    }
    try await session.transfer(to: device)
  }

  /// Gives the connection up until `resumeSession()`, such as before the computer sleeps; without a session it does nothing.
  public func suspendSession() { currentSession?.suspend() }

  /// Calls a device that is away at once; without a session it does nothing.
  public func resumeSession() { currentSession?.resume() }

  private func start(_ device: Device, taking saved: SavedSession?) async throws(CastError) -> Session {
    let credentials = state.withLock(\.credentials)
    let session = makeSession(
      device, options.session(credentials: credentials, applicationID: saved?.applicationID), saved)
    let relay = Relay(manager: self, store: options.sessionStore, isResuming: saved != nil)
    let isFree = state.withLock { state in
      guard state.session == nil else { return false }
      state.session = session
      state.relay = relay
      return true
    }
    guard isFree else {
      throw CastError(.invalidState, "there is a session already; end it before you start another one")
    }
    session.add(relay)
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
      store?.save(nil)
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

  private func forget(_ session: Session) {
    state.withLock { state in
      guard state.session === session else { return }
      state.session = nil
      state.relay = nil
    }
  }
}
