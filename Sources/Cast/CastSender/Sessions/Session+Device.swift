public import CastProtocol

// Requests to the device itself.

extension Session {
  /// Sets the volume of the device, 0 to 1; values outside are clamped, and any but a finite number fails
  /// with `invalidRequest`. Completes when the device has replied; a newer request replaces it. Devices with
  /// a fixed volume reply but do nothing (protocol 5.7).
  @discardableResult
  public nonisolated func setDeviceVolume(_ level: Double) -> Request<ReceiverStatus> {
    receiverStatus(after: .setVolume(.level(level)))
  }

  /// Mutes or unmutes the device. Completes when the device has replied.
  @discardableResult
  public nonisolated func setDeviceMuted(_ isMuted: Bool) -> Request<ReceiverStatus> {
    receiverStatus(after: .setVolume(.muted(isMuted)))
  }

  /// Requests the device's status.
  @discardableResult
  public nonisolated func requestReceiverStatus() -> Request<ReceiverStatus> {
    receiverStatus(after: .getStatus)
  }

  /// Asks whether the device can run applications (protocol 5.3).
  /// - Returns: availability by application id, as it was passed, without ids that the device does not mention.
  public nonisolated func requestApplicationAvailability(_ applicationIDs: [String])
    -> Request<[String: ApplicationAvailability]>
  {
    submit(.receiver(.getAppAvailability(applicationIDs))) {
      guard case .appAvailability(let answers) = $0 else { return nil }
      // Case does not matter (protocol 15), and the device mentions them in its own.
      let known = applicationIDs.compactMap { id in
        answers.first { ApplicationID.isSame($0.key, id) }.map { (id, $0.value) }
      }
      return Dictionary(known) { first, _ in first }
    }
  }

  /// Requests the members of a group (protocol 5.9). Devices that are not a group may not reply: expect `timeout`.
  public nonisolated func requestMultizoneStatus() -> Request<MultizoneStatus> {
    submit(.platform(.multizoneStatus)) {
      if case .multizoneStatus(let status) = $0 { status } else { nil }
    }
  }

  /// Requests the groups that the device can play to. The format of the reply is not published: it is returned as received
  /// (protocol 5.9).
  public nonisolated func requestCastingGroups() -> Request<JSONValue> {
    submit(.platform(.castingGroups)) { if case .castingGroups(let groups) = $0 { groups } else { nil } }
  }

  /// Requests information about the device (protocol 5.10).
  public nonisolated func requestDeviceInformation() -> Request<DeviceInformation> {
    submit(.platform(.deviceInformation)) {
      if case .deviceInformation(let information) = $0 { information } else { nil }
    }
  }

  /// Requests information from the device's set-up service; the contents vary by firmware (protocol 5.10).
  public nonisolated func requestSetupInformation() -> Request<SetupInformation> {
    submit(.platform(.setupInformation)) {
      if case .setupInformation(let information) = $0 { information } else { nil }
    }
  }

  private nonisolated func receiverStatus(after request: ReceiverRequest) -> Request<ReceiverStatus> {
    submit(.receiver(request)) { if case .receiverStatus(let status) = $0 { status } else { nil } }
  }
}
