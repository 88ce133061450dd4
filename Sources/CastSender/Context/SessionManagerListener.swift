public import CastProtocol

/// Hears what becomes of the sessions of a context (protocol 17.4). Methods are called in the order of the events, on no
/// particular thread: hand on what takes time. All have an empty default.
public protocol SessionManagerListener: AnyObject, Sendable {
  /// A session is about to start.
  func sessionManager(_ manager: SessionManager, willStart session: Session)
  /// The session is active.
  func sessionManager(_ manager: SessionManager, didStart session: Session)
  /// The session could not be started; it has ended.
  func sessionManager(_ manager: SessionManager, didFailToStart session: Session, with error: CastError)
  /// We are about to end the session.
  func sessionManager(_ manager: SessionManager, willEnd session: Session)
  /// The session is over; nil when we ended it.
  func sessionManager(_ manager: SessionManager, didEnd session: Session, with error: CastError?)
  /// The device's loudness changed.
  func sessionManager(
    _ manager: SessionManager, session: Session, didReceiveDeviceVolume volume: DeviceVolume)
  /// What the application says of itself changed; nil when there is no application.
  func sessionManager(
    _ manager: SessionManager, session: Session, didReceiveDeviceStatus statusText: String?)
  /// The connection is gone, and the device is called again (protocol 14.6).
  func sessionManager(
    _ manager: SessionManager, didSuspend session: Session, for reason: SessionSuspendReason)
  /// The device is back and is being asked what runs.
  func sessionManager(_ manager: SessionManager, willResume session: Session)
  /// Requests are accepted again. False when the application was relaunched: what it played is gone. True after a transfer to another
  /// device (protocol 14.7).
  func sessionManager(
    _ manager: SessionManager, didResume session: Session, inSameApplicationSession isSame: Bool)
  /// The device listens elsewhere now, tells other things of itself, or is another one since a transfer (protocol 14.7).
  func sessionManager(_ manager: SessionManager, session: Session, didUpdate device: Device)
  /// Somebody else did something to what is ours (protocol 14.4).
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
