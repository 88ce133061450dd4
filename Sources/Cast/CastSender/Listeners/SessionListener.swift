public import CastProtocol

/// Receives the events of a session (protocol 17.4). Methods are called in the order of the events, on no particular thread; the
/// session waits for them, so they must return soon. All have an empty default.
public protocol SessionListener: AnyObject, Sendable {
  /// The session's state changed.
  func session(_ session: Session, didChange state: SessionState)
  /// The device reported its full status.
  func session(_ session: Session, didUpdate receiverStatus: ReceiverStatus)
  /// The device's volume changed, by this sender or another.
  func session(_ session: Session, didReceiveDeviceVolume volume: DeviceVolume)
  /// The application's status changed; nil when there is no application.
  func session(_ session: Session, didReceiveDeviceStatus statusText: String?)
  /// The display switched to this device or away from it; nil when unknown.
  func session(_ session: Session, didChangeActiveInput isActiveInput: Bool?)
  /// The display went to standby or woke; nil when unknown.
  func session(_ session: Session, didChangeStandBy isStandBy: Bool?)
  /// The device's group changed (protocol 5.9).
  func session(_ session: Session, didReceive event: MultizoneEvent)
  /// The connection is lost, and the session reconnects; `didResume` or `didEndWith` follows (protocol 14.6).
  func session(_ session: Session, didSuspendFor reason: SessionSuspendReason)
  /// The device is reachable again, and its status is being requested.
  func sessionWillResume(_ session: Session)
  /// Requests are accepted again. False when the application was relaunched: what it played is lost. True after a transfer to
  /// another device (protocol 14.7).
  func session(_ session: Session, didResumeInSameApplicationSession isSame: Bool)
  /// The device has a new endpoint or new properties, or is another device after a transfer (protocol 14.7).
  func session(_ session: Session, didUpdate device: Device)
  /// Another sender, or a person at the device, changed what this session controls (protocol 14.4).
  func session(_ session: Session, didNotice action: ForeignAction)
  /// The session has ended. Nil when this sender ended it.
  func session(_ session: Session, didEndWith error: CastError?)
}

extension SessionListener {
  /// Does nothing.
  public func session(_ session: Session, didChange state: SessionState) {}
  /// Does nothing.
  public func session(_ session: Session, didUpdate receiverStatus: ReceiverStatus) {}
  /// Does nothing.
  public func session(_ session: Session, didReceiveDeviceVolume volume: DeviceVolume) {}
  /// Does nothing.
  public func session(_ session: Session, didReceiveDeviceStatus statusText: String?) {}
  /// Does nothing.
  public func session(_ session: Session, didChangeActiveInput isActiveInput: Bool?) {}
  /// Does nothing.
  public func session(_ session: Session, didChangeStandBy isStandBy: Bool?) {}
  /// Does nothing.
  public func session(_ session: Session, didReceive event: MultizoneEvent) {}
  /// Does nothing.
  public func session(_ session: Session, didSuspendFor reason: SessionSuspendReason) {}
  /// Does nothing.
  public func sessionWillResume(_ session: Session) {}
  /// Does nothing.
  public func session(_ session: Session, didResumeInSameApplicationSession isSame: Bool) {}
  /// Does nothing.
  public func session(_ session: Session, didUpdate device: Device) {}
  /// Does nothing.
  public func session(_ session: Session, didNotice action: ForeignAction) {}
  /// Does nothing.
  public func session(_ session: Session, didEndWith error: CastError?) {}
}

extension SessionListener {
  /// Notifies about the difference between two snapshots of a session.
  func dispatchEvent(
    _ event: SessionEvent, from old: SessionPicture, to new: SessionPicture, of session: Session
  ) {
    if new.state != old.state { self.session(session, didChange: new.state) }
    switch event {
    case .receiverStatus(let status):
      self.session(session, didUpdate: status)
      if let volume = status.volume, volume != old.receiverStatus?.volume {
        self.session(session, didReceiveDeviceVolume: volume)
      }
      if old.receiverStatus?.application?.statusText != status.application?.statusText {
        self.session(session, didReceiveDeviceStatus: status.application?.statusText)
      }
      if old.receiverStatus?.isActiveInput != status.isActiveInput {
        self.session(session, didChangeActiveInput: status.isActiveInput)
      }
      if old.receiverStatus?.isStandBy != status.isStandBy {
        self.session(session, didChangeStandBy: status.isStandBy)
      }
    case .multizone(let event): self.session(session, didReceive: event)
    case .suspended(let reason): self.session(session, didSuspendFor: reason)
    case .resuming: sessionWillResume(session)
    case .resumed(_, let isSame): self.session(session, didResumeInSameApplicationSession: isSame)
    case .foreignAction(let action): self.session(session, didNotice: action)
    case .ended(let error): self.session(session, didEndWith: error)
    case .connecting, .launching, .waitingForConsent, .active, .retrying, .mediaStatus, .queueItemIDs,
      .queueItems,
      .queueChange, .queueItemError, .queueItemFailed, .channelMessage, .credentialsWanted:
      break
    }
  }
}
