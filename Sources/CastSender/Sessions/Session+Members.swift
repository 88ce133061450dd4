public import CastProtocol

// The speakers of a group, one by one (protocol 5.9). What a group itself would take for that is not published, so each member is
// called at its own address.

extension Session {
  /// Sets the loudness of one member of the group, 0 to 1; values beyond are brought into range. Returns when the member has
  /// answered. The group's own loudness is `setDeviceVolume(_:)`, which scales all of them.
  /// - Throws: `hostUnknown` when the session's resolver does not know where the member is, or has none; else what kept the member
  ///   from being reached, such as `connectionRefused` or `timeout`.
  public func setVolume(_ level: Double, ofMember member: MultizoneDevice) async throws(CastError) {
    try await ask(member, .setVolume(.level(level)))
  }

  /// Mutes one member of the group, or lets it sound again. Returns when the member has answered.
  /// - Throws: as `setVolume(_:ofMember:)`.
  public func setMuted(_ isMuted: Bool, ofMember member: MultizoneDevice) async throws(CastError) {
    try await ask(member, .setVolume(.muted(isMuted)))
  }

  private func ask(_ member: MultizoneDevice, _ request: ReceiverRequest) async throws(CastError) {
    let name = member.name ?? member.deviceID
    let nowhere = Device(
      endpoint: DeviceEndpoint(host: ""), friendlyName: name,
      uniqueID: Device.normalizedID(member.deviceID) ?? member.deviceID)
    let place = await resolver?.locate(nowhere) ?? nowhere
    guard !place.endpoint.host.isEmpty else {
      throw CastError(
        .hostUnknown,
        "\(name) cannot be reached: its address is unknown; discover devices first, or set the volume of the whole group"
      )
    }
    var options = SessionOptions(purpose: .device, reconnection: nil)
    options.connectTimeout = self.options.connectTimeout
    options.requestTimeout = self.options.requestTimeout
    let session = Session(device: place, options: options, transport: transport, logger: logger, time: time)
    try await session.start()
    do throws(CastError) {
      _ = try await session.perform(.receiver(request))
    } catch {
      await session.leave()
      throw error
    }
    await session.leave()
  }
}
