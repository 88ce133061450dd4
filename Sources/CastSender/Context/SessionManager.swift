public import CastProtocol
import Synchronization

/// Starts and ends sessions, one at a time, and tells any number of listeners what becomes of them (protocol 17.4).
public final class SessionManager: Sendable {
  private let options: CastOptions
  private let makeSession: @Sendable (Device, SessionOptions) -> Session
  private let listeners = ListenerSet<any SessionManagerListener>()

  private struct State {
    var session: Session?
    var relay: Relay?
    var credentials: CredentialsData?
  }
  private let state = Mutex(State())

  init(options: CastOptions, makeSession: @escaping @Sendable (Device, SessionOptions) -> Session) {
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

  /// Starts a session with a device and returns when it is active.
  /// - Throws: `invalidState` while there is a session already; else what stood in the way, see `Session.start()`.
  @discardableResult
  public func startSession(with device: Device) async throws(CastError) -> Session {
    let credentials = state.withLock(\.credentials)
    let session = makeSession(device, options.session(credentials: credentials))
    let relay = Relay(manager: self)
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
    listeners.tell { $0.sessionManager(self, willStart: session) }
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
    private let wasActive = Mutex(false)

    init(manager: SessionManager) { self.manager = manager }

    func session(_ session: Session, didChange state: SessionState) {
      guard let manager else { return }
      switch state {
      case .active:
        wasActive.withLock { $0 = true }
        manager.listeners.tell { $0.sessionManager(manager, didStart: session) }
      case .ending: manager.listeners.tell { $0.sessionManager(manager, willEnd: session) }
      case .idle, .starting, .ended: break
      }
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
