public import CastProtocol

// The members of a group, one by one (protocol 5.9). No group message for this is published, so each member is connected to at its
// own address.

extension Session {
  /// Sets the volume of one member of the group, 0 to 1; values outside are clamped. Returns when the member has replied.
  /// `setDeviceVolume(_:)` sets the volume of the group, which scales all members.
  ///
  /// If the session requires a proof of identity, the member must give its own: `DeviceTrust.pinOfOther`
  /// returns its pin.
  /// - Throws: `invalidRequest` for any but a finite number; `hostUnknown` when the session has no resolver
  ///   or it does not know the member's address; the error of the connection otherwise, such as
  ///   `connectionRefused`, `timeout` or `deviceAuthenticationFailure`.
  public func setVolume(_ level: Double, ofMember member: MultizoneDevice) async throws(CastError) {
    try await ask(member, .setVolume(.level(level)))
  }

  /// Mutes or unmutes one member of the group. Returns when the member has replied.
  /// - Throws: as `setVolume(_:ofMember:)`.
  public func setMuted(_ isMuted: Bool, ofMember member: MultizoneDevice) async throws(CastError) {
    try await ask(member, .setVolume(.muted(isMuted)))
  }

  private func ask(_ member: MultizoneDevice, _ request: ReceiverRequest) async throws(CastError) {
    if let flaw = request.flaw { throw flaw }
    let name = member.name ?? member.deviceID
    var place = Device(
      endpoint: DeviceEndpoint(host: ""), friendlyName: name,
      uniqueID: Device.normalizedID(member.deviceID) ?? member.deviceID)
    if let first = await resolver?.firstEndpoint(of: place) {
      place.endpoint = first
    } else {
      place = await resolver?.locate(place) ?? place
    }
    guard !place.endpoint.host.isEmpty else {
      throw CastError(
        .hostUnknown,
        "\(name) cannot be reached: its address is unknown; discover devices first, or set the volume of the whole group"
      )
    }
    var options = SessionOptions(purpose: .device, reconnection: nil)
    options.connectTimeout = self.options.connectTimeout
    options.requestTimeout = self.options.requestTimeout
    // A member has a key of its own; the transport handles it.
    let session = Session(
      device: place, options: options, transport: transport.redirected(to: place), resolver: resolver,
      logger: logger, time: time)
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
