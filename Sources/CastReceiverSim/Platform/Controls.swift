package import CastProtocol

extension ReceiverModel {
  /// Somebody other than a sender does something.
  mutating func control(_ control: SimControl) {
    switch control {
    case .activeInput(let isActive):
      platform.isActiveInput = isActive
      broadcastStatus()
    case .standBy(let isAsleep):
      platform.isStandBy = isAsleep
      broadcastStatus()
    case .volume(let level): turn(.members(["level": JSONValue(level)]))
    case .muted(let isMuted): turn(["muted": .bool(isMuted)])
    case .key(let key): withMedia { media, now in media.pressed(key, at: now) }
    case .member(let member): changed(member)
    case .memberLeft(let id): left(id)
    case .playbackSessionUpdated:
      broadcast(["type": "PLAYBACK_SESSION_UPDATED", "requestId": 0], .multizone, from: .receiver)
    case .statusText(let text):
      guard platform.application != nil else { return }
      platform.application?.statusText = text
      broadcastStatus()
    case .wantCredentials: withMedia { media, _ in media.wantCredentials() }
    case .say(let namespace, let text): sayToAll(.string(text), Namespace(namespace))
    case .sayBytes(let namespace, let bytes): sayToAll(.binary(bytes), Namespace(namespace))
    case .listen(let namespace, let isListening): setListening(isListening, to: namespace)
    case .liveEnded: withMedia { media, now in media.endLive(at: now) }
    case .exit: endApplication()
    }
  }

  private mutating func turn(_ volume: JSONValue) {
    let before = platform.level
    _ = platform.setVolume(volume)
    moveMembers(from: before)
    broadcastStatus()
  }

  /// What the running application's LAUNCH told it; nil when none runs.
  package var launchData: JSONValue? { platform.application?.launchData }

  /// Who is watching, as senders have told the running application.
  package var credentials: String? { platform.application?.media?.credentials }
}
