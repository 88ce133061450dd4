public import CastProtocol

/// Receives notifications about the sessions of a context (protocol 17.4). Methods are called in the order of the events, on no
/// particular thread, and must return soon. All have an empty default.
public protocol SessionManagerListener: AnyObject, Sendable {
  /// A session is about to start.
  func sessionManager(_ manager: SessionManager, willStart session: Session)
  /// The session is active.
  func sessionManager(_ manager: SessionManager, didStart session: Session)
  /// The session could not be started; it has ended.
  func sessionManager(_ manager: SessionManager, didFailToStart session: Session, with error: CastError)
  /// The caller is about to end the session.
  func sessionManager(_ manager: SessionManager, willEnd session: Session)
  /// The session has ended; nil when the caller ended it.
  func sessionManager(_ manager: SessionManager, didEnd session: Session, with error: CastError?)
  /// The device's volume changed.
  func sessionManager(
    _ manager: SessionManager, session: Session, didReceiveDeviceVolume volume: DeviceVolume)
  /// The application's status changed; nil when there is no application.
  func sessionManager(
    _ manager: SessionManager, session: Session, didReceiveDeviceStatus statusText: String?)
  /// The connection is lost, and the session reconnects (protocol 14.6).
  func sessionManager(
    _ manager: SessionManager, didSuspend session: Session, for reason: SessionSuspendReason)
  /// The device is reachable again, and its status is being requested.
  func sessionManager(_ manager: SessionManager, willResume session: Session)
  /// Requests are accepted again. False when the application was relaunched: what it played is lost. True after a transfer to
  /// another device (protocol 14.7).
  func sessionManager(
    _ manager: SessionManager, didResume session: Session, inSameApplicationSession isSame: Bool)
  /// The device has a new endpoint or new properties, or is another device after a transfer (protocol 14.7).
  func sessionManager(_ manager: SessionManager, session: Session, didUpdate device: Device)
  /// Another sender, or a person at the device, changed what this session controls (protocol 14.4).
  func sessionManager(_ manager: SessionManager, session: Session, didNotice action: ForeignAction)
}

extension SessionManagerListener {
  /// Does nothing.
  public func sessionManager(_ manager: SessionManager, willStart session: Session) {}
  /// Does nothing.
  public func sessionManager(_ manager: SessionManager, didStart session: Session) {}
  /// Does nothing.
  public func sessionManager(
    _ manager: SessionManager, didFailToStart session: Session, with error: CastError
  ) {}
  /// Does nothing.
  public func sessionManager(_ manager: SessionManager, willEnd session: Session) {}
  /// Does nothing.
  public func sessionManager(_ manager: SessionManager, didEnd session: Session, with error: CastError?) {}
  /// Does nothing.
  public func sessionManager(
    _ manager: SessionManager, session: Session, didReceiveDeviceVolume volume: DeviceVolume
  ) {}
  /// Does nothing.
  public func sessionManager(
    _ manager: SessionManager, session: Session, didReceiveDeviceStatus statusText: String?
  ) {}
  /// Does nothing.
  public func sessionManager(
    _ manager: SessionManager, didSuspend session: Session, for reason: SessionSuspendReason
  ) {}
  /// Does nothing.
  public func sessionManager(_ manager: SessionManager, willResume session: Session) {}
  /// Does nothing.
  public func sessionManager(
    _ manager: SessionManager, didResume session: Session, inSameApplicationSession isSame: Bool
  ) {}
  /// Does nothing.
  public func sessionManager(_ manager: SessionManager, session: Session, didUpdate device: Device) {}
  /// Does nothing.
  public func sessionManager(_ manager: SessionManager, session: Session, didNotice action: ForeignAction) {}
}
