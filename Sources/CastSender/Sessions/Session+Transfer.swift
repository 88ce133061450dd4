public import CastProtocol
import Logging

// Transfer to another device (protocol 14.7). No message asks a device for that: the state is captured here and restored there, and
// only then does the session leave this device, so that a failure changes nothing.

extension Session {
  /// Transfers playback to another device: the same application, queue, item, position, speed and tracks, paused if it is paused.
  /// Returns when the other device plays and the session continues with it; `device` is then the other device.
  ///
  /// Uses the receiver's stored session if it supports that; otherwise the queue is loaded again at the same position.
  /// - Throws: `sessionIsNotActive` when no application is joined or the connection to this device is lost meanwhile;
  ///   `hostUnknown`, `applicationNotFound`, `mediaLoadFailed` and others when the other device cannot play: this device then
  ///   continues as before. If the connection to the other device is lost in the last step, the error that ended this session.
  public func transfer(to target: Device) async throws(CastError) {
    guard state == .active, let application else {
      throw CastError(
        .sessionIsNotActive,
        "nothing can be transferred to another device: no application is joined; start one first")
    }
    var options = self.options
    options.purpose = .play(applicationID: application.applicationID)
    options.reconnection = nil
    // The other device has another key; the transport handles it.
    let transport = self.transport.redirected(to: target)
    options.trust = .off
    let scout = Session(
      device: target, options: options, transport: transport, resolver: resolver, logger: logger, time: time)
    do throws(CastError) {
      let transfer = try await TransferState(capturing: self)
      try await scout.start()
      try await transfer.restore(in: scout)
    } catch {
      logger.speaking(for: .sessionTransfer).warning(
        "transfer failed", metadata: ["cast.target": "\(target.endpoint)", "cast.error": "\(error)"])
      await scout.leave()
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
