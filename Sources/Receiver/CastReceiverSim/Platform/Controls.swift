package import CastProtocol

extension ReceiverModel {
  /// Applies a control.
  mutating func control(_ control: SimControl) {
    if let obstacle = obstacle(to: control) {
      refusal = SimControlError(description: obstacle)
      return
    }
    switch control {
    case .activeInput(let isActive):
      platform.isActiveInput = isActive
      broadcastStatus()
    case .standBy(let isAsleep):
      platform.isStandBy = isAsleep
      if !isAsleep { reach.isAsleep = false }
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
    case .crash: endApplication(isCrash: true)
    case .hush(let hush): fallSilent(hush)
    case .speak: speak()
    case .emptyStatus: sendEmptyStatus()
    case .repeatStatus: repeatStatus()
    case .strayStatus(let stray): sendStrayStatus(stray)
    case .partialStatus: sendPartialStatus()
    case .reboot(let time):
      powerOff()
      actions.append(.startTimer(.boot, after: time))
    case .powerOff: powerOff()
    case .powerOn: powerOn()
    case .drop(let time, let absence): drop(for: time, absence)
    case .returnToNetwork: returnToNetwork()
    case .resetConnections: for connection in connections.all { reset(connection) }
    case .sleep: sleep()
    case .wake: wake()
    case .move(let port): move(to: port)
    case .rename(let name): platform.friendlyName = name
    case .takeover(let appID): launchForeign(appID)
    case .foreignLoad(let url, let type):
      loadForeign(["media": ["contentId": .string(url), "contentType": .string(type ?? "video/mp4")]])
    case .foreignRequest(let body): askForeign(body)
    case .resume(let stored): launchForeign(stored.appID, resuming: stored)
    }
  }

  /// Why a control is impossible in the present state; nil when it is possible.
  private func obstacle(to control: SimControl) -> String? {
    if case .powerOn = control { return reach.isPowered ? "it is on" : nil }
    if case .rename(let name) = control {
      return (1...250).contains(name.utf8.count) ? nil : "a name has 1 to 250 bytes"  // protocol 13.2
    }
    guard reach.isPowered else { return "it is off" }
    switch control {
    case .key: return platform.application?.media?.session == nil ? "nothing is loaded" : nil
    case .exit, .crash, .hush, .speak: return platform.application == nil ? "no application runs" : nil
    case .strayStatus, .partialStatus:
      return platform.application?.media?.session == nil ? "nothing is loaded" : nil
    case .emptyStatus, .repeatStatus:
      return platform.application?.media == nil ? "no media application runs" : nil
    case .foreignRequest: return platform.application?.media?.session == nil ? "nothing is loaded" : nil
    case .drop: return reach.absence == nil ? nil : "it is off the network"
    case .returnToNetwork: return reach.absence == nil ? "it is on the network" : nil
    case .move: return reach.absence == nil ? nil : "it cannot move while it is off the network"
    case .sleep: return reach.isAsleep ? "it sleeps" : nil
    case .takeover(let id): return lacks(id)
    case .resume(let stored): return lacks(stored.appID)
    case .foreignLoad:
      return platform.application?.isReady == true && platform.application?.media != nil
        ? nil : "no application runs that could load; launch one with “takeover CC1AD845”"
    case .activeInput, .standBy, .volume, .muted, .member, .memberLeft, .playbackSessionUpdated, .statusText,
      .wantCredentials, .say, .sayBytes, .listen, .liveEnded, .reboot, .powerOff, .powerOn,
      .resetConnections, .wake, .rename:
      return nil
    }
  }

  private func lacks(_ appID: String) -> String? {
    platform.profile(of: appID) ?? groupApplication(appID) == nil ? "it has no application \(appID)" : nil
  }

  private mutating func turn(_ volume: JSONValue) {
    let before = platform.level
    _ = platform.setVolume(volume)
    moveMembers(from: before)
    broadcastStatus()
  }

  /// The launch data of the running application; nil when none runs.
  package var launchData: JSONValue? { platform.application?.launchData }

  /// The credentials that senders have sent to the running application; nil for none.
  package var credentials: String? { platform.application?.media?.credentials }
}
