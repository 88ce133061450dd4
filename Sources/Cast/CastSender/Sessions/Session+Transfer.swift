public import CastProtocol
import Logging

// Transfer to another device (protocol 14.7). No message asks a device for that: the state is captured here and restored there, and
// only then does the session leave this device, so that a failure changes nothing.

extension Session {
  /// Transfers playback to another device: the same application, queue, item, position, speed and tracks, paused if it is paused.
  /// Returns when the other device plays and the session continues with it; `device` is then the other device.
  ///
  /// Uses the receiver's stored session if it supports that; otherwise the queue is loaded again at the same position. What is
  /// missing on the other device beside the media that plays, such as the speed or the rest of a queue, is logged and ends nothing.
  /// For the device that the session is on already, the call returns at once.
  /// - Throws: `sessionIsNotActive` when no application is joined or the connection to this device is lost meanwhile;
  ///   `hostUnknown`, `applicationNotFound`, `mediaLoadFailed` and others when the other device cannot play: this device then
  ///   continues as before, and an application in which the other one tried to load is stopped. If the connection to the other
  ///   device is lost in the last step, the error that ended this session.
  public func transfer(to target: Device) async throws(CastError) {
    guard state == .active, let application else {
      throw CastError(
        .sessionIsNotActive,
        "nothing can be transferred to another device: no application is joined; start one first")
    }
    // The session would stop the application that it has just loaded.
    guard !device.isSame(as: target) else { return }
    var options = self.options
    options.purpose = .play(applicationID: application.applicationID)
    options.reconnection = nil
    // The other device has another key; the transport handles it.
    let transport = self.transport.redirected(to: target)
    options.trust = .off
    let scout = Session(
      device: target, options: options, transport: transport, resolver: resolver, logger: logger, time: time)
    let transfer: TransferState
    do throws(CastError) {
      transfer = try await TransferState(capturing: self)
      try await scout.start()
    } catch {
      await abandon(scout, .leave, because: error)
      throw error
    }
    do throws(CastError) {
      try await transfer.restore(in: scout)
    } catch {
      // What was sent may play there, whatever the reply was or whether there was one: both devices would play.
      await abandon(scout, .stopApplication, because: error)
      throw error
    }
    // A device whose connection is lost cannot be stopped: both would play.
    guard machine.isInApplication else {
      await scout.end(.stopApplication)
      throw CastError(
        .sessionIsNotActive,
        "nothing was transferred: the connection to this device was lost meanwhile; try again when it is restored"
      )
    }
    // Some applications close when their last sender leaves (protocol 14.2): the scout stays until this session has joined.
    let result = await move(to: target, over: transport, into: scout.application?.sessionID)
    await scout.leave()
    if let error = result { throw error }
  }

  /// Ends the session with the other device after a failure.
  private func abandon(_ scout: Session, _ action: SessionEndAction, because error: CastError) async {
    logger.speaking(for: .sessionTransfer).warning(
      "transfer failed",
      metadata: ["cast.target": "\(scout.device.endpoint)", "cast.error": "\(error)"])
    await scout.end(action)
  }

  /// Leaves the old device, and returns when the session is active on the new one.
  /// - Returns: the error that ended the session meanwhile; nil on success.
  private func move(
    to target: Device, over transport: any Transport, into application: ApplicationSessionID?
  ) async -> CastError? {
    let events = events()
    self.transport = transport
    setDevice(target)
    handle(
      .transfer(to: target.endpoint, name: target.friendlyName ?? "\(target.endpoint)", into: application))
    for await event in events {
      switch event {
      case .resumed: return nil
      case .ended(let error): return error ?? .endedByCaller
      case .connecting, .launching, .waitingForConsent, .active, .suspended, .retrying, .resuming,
        .foreignAction,
        .receiverStatus, .mediaStatus, .queueItemIDs, .queueItems, .queueChange, .queueItemError,
        .queueItemFailed, .channelMessage, .multizone, .credentialsWanted:
        break
      }
    }
    return .sessionOver
  }
}

extension Device {
  /// Whether both are one device, by id or by endpoint.
  fileprivate func isSame(as other: Device) -> Bool {
    endpoint == other.endpoint || uniqueID != nil && uniqueID == other.uniqueID
  }
}
