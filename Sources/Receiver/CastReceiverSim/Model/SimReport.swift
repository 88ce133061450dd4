package import CastProtocol

extension ReceiverModel {
  /// The state of the device, for people and for tests; it is never sent to senders.
  package func report(at tick: Tick) -> JSONValue {
    .members([
      "name": .string(platform.friendlyName), "uuid": .string(configuration.uuid),
      "model": .string(configuration.model),
      "power": .string(!reach.isPowered ? "off" : reach.isAsleep ? "asleep" : "on"),
      "network": .string(reach.absence?.rawValue ?? "on"),
      "uptime": .number(reach.isPowered ? uptime(at: tick).seconds : 0),
      "connections": .integer(Int64(connections.all.count)),
      "volume": ["level": .number(platform.level), "muted": .bool(platform.isMuted)],
      "launching": JSONValue(platform.launch?.profile.appID),
      "application": platform.application.map { report(of: $0, at: max(tick, now)) },
    ])
  }

  /// The device's setup page (protocol 13.6).
  package func setupInformation(at tick: Tick) -> JSONValue {
    [
      "name": .string(platform.friendlyName), "ssdp_udn": .string(configuration.uuid), "version": 12,
      "build_version": "1", "uptime": .number(uptime(at: tick).seconds),
      "device_info": [
        "manufacturer": "castq", "model_name": .string(configuration.model),
        "product_name": .string(configuration.model), "ssdp_udn": .string(configuration.uuid),
        "capabilities": [
          "display_supported": .bool(!configuration.isAudioOnly), "multizone_supported": false,
        ],
      ],
      "multizone": ["groups": [], "dynamic_groups": []],
    ]
  }

  private func report(of application: PlatformState.Application, at tick: Tick) -> JSONValue {
    .members([
      "appId": .string(application.appID), "displayName": .string(application.displayName),
      "statusText": .string(application.statusText), "sessionId": .string(application.sessionID),
      "transportId": .string(application.transport.rawValue), "isReady": .bool(application.isReady),
      "senders": .integer(Int64(connections.listeners(to: application.transport).count)),
      "page": application.pages?.report,
      "media": application.media?.session.map { report(of: $0, application.media, at: tick) },
    ])
  }

  private func report(
    of session: MediaSession, _ application: MediaApplication?, at tick: Tick
  ) -> JSONValue {
    let isLoading = application?.transition != nil
    return .members([
      "mediaSessionId": .integer(Int64(session.id)),
      "playerState": .string(
        isLoading ? "LOADING" : application?.deadItem != nil ? "IDLE" : session.playerState(at: tick)),
      "currentTime": .number(isLoading ? 0 : session.currentTime(at: tick)),
      "duration": JSONValue(session.duration),
      "contentId": session.queue.current?.body["media"]?["contentId"],
      "itemId": JSONValue(session.queue.current?.id),
      "items": .array(session.queue.items.map { .integer(Int64($0.id)) }),
      "repeatMode": .string(session.queue.repeatMode.rawValue),
    ])
  }
}
