public import CastProtocol

// What a session asks of the device itself.

extension Session {
  /// Sets the loudness of the device, 0 to 1; values beyond are brought into range. Ends when the device has answered, or as
  /// replaced by a newer one. Devices with a fixed volume answer and do nothing (protocol 5.7).
  @discardableResult
  public nonisolated func setDeviceVolume(_ level: Double) -> Request<ReceiverStatus> {
    receiverStatus(after: .setVolume(.level(level)))
  }

  /// Mutes the device, or lets it sound again. Ends when the device has answered.
  @discardableResult
  public nonisolated func setDeviceMuted(_ isMuted: Bool) -> Request<ReceiverStatus> {
    receiverStatus(after: .setVolume(.muted(isMuted)))
  }

  /// Asks the device for its status anew.
  @discardableResult
  public nonisolated func requestReceiverStatus() -> Request<ReceiverStatus> {
    receiverStatus(after: .getStatus)
  }

  /// Asks whether the device can start applications (protocol 5.3).
  /// - Returns: by application id; an id the device says nothing of is left out.
  public nonisolated func requestApplicationAvailability(_ applicationIDs: [String])
    -> Request<[String: ApplicationAvailability]>
  {
    submit(.receiver(.getAppAvailability(applicationIDs))) {
      if case .appAvailability(let answers) = $0 { answers } else { nil }
    }
  }

  /// Asks a group for its members (protocol 5.9). Devices that are no group may not answer: expect `timeout`.
  public nonisolated func requestMultizoneStatus() -> Request<MultizoneStatus> {
    submit(.platform(.multizoneStatus)) {
      if case .multizoneStatus(let status) = $0 { status } else { nil }
    }
  }

  /// Asks for the groups the device can play to. The shape of the answer is not published: it comes as it is (protocol 5.9).
  public nonisolated func requestCastingGroups() -> Request<JSONValue> {
    submit(.platform(.castingGroups)) { if case .castingGroups(let groups) = $0 { groups } else { nil } }
  }

  /// Asks the device what it is (protocol 5.10).
  public nonisolated func requestDeviceInformation() -> Request<DeviceInformation> {
    submit(.platform(.deviceInformation)) {
      if case .deviceInformation(let information) = $0 { information } else { nil }
    }
  }

  /// Asks the device's set-up service what it is; what it tells varies by firmware (protocol 5.10).
  public nonisolated func requestSetupInformation() -> Request<SetupInformation> {
    submit(.platform(.setupInformation)) {
      if case .setupInformation(let information) = $0 { information } else { nil }
    }
  }

  private nonisolated func receiverStatus(after request: ReceiverRequest) -> Request<ReceiverStatus> {
    submit(.receiver(request)) { if case .receiverStatus(let status) = $0 { status } else { nil } }
  }
}
