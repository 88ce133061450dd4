import CastProtocol

/// The group a device leads (protocol 5.9).
extension ReceiverModel {
  mutating func multizoneMessage(_ type: String, _ body: JSONValue, from requester: Requester) {
    guard let number = body["requestId"]?.int else { return }
    switch type {
    case "GET_STATUS":
      let status: JSONValue = [
        "devices": .array(platform.members.map(\.json)), "isMultichannel": .bool(configuration.isStereoPair),
      ]
      reply(["type": "MULTIZONE_STATUS", "status": status], number, .multizone, to: requester)
    case "GET_CASTING_GROUPS":
      reply(["type": "CASTING_GROUPS", "status": ["groups": []]], number, .multizone, to: requester)
    default:
      reply(["type": "INVALID_REQUEST", "reason": "INVALID_COMMAND"], number, .multizone, to: requester)
    }
  }

  /// Somebody other than a sender does something.
  mutating func control(_ control: SimControl) {
    switch control {
    case .activeInput(let isActive):
      platform.isActiveInput = isActive
      broadcastStatus()
    case .standBy(let isAsleep):
      platform.isStandBy = isAsleep
      broadcastStatus()
    case .volume(let level):
      _ = platform.setVolume(.members(["level": JSONValue(level)]))
      broadcastStatus()
    case .muted(let isMuted):
      _ = platform.setVolume(["muted": .bool(isMuted)])
      broadcastStatus()
    case .member(let member): changed(member)
    case .memberLeft(let id):
      platform.members.removeAll { $0.deviceID == id }
      broadcast(
        ["type": "DEVICE_REMOVED", "requestId": 0, "deviceId": .string(id)], .multizone, from: .receiver)
    case .wantCredentials: withMedia { media, _ in media.wantCredentials() }
    case .say(let namespace, let text): sayToAll(.string(text), Namespace(namespace))
    case .listen(let namespace, let isListening): setListening(isListening, to: namespace)
    case .exit: endApplication()
    }
  }

  private mutating func changed(_ member: SimGroupMember) {
    let place = platform.members.firstIndex { $0.deviceID == member.deviceID }
    if let place { platform.members[place] = member } else { platform.members.append(member) }
    let type: JSONValue = place == nil ? "DEVICE_ADDED" : "DEVICE_UPDATED"
    broadcast(["type": type, "requestId": 0, "device": member.json], .multizone, from: .receiver)
  }
}

extension SimGroupMember {
  /// A speaker's capabilities (protocol 13.3).
  private static let capabilities: Int64 = 199_172

  var json: JSONValue {
    [
      "deviceId": .string(deviceID), "name": .string(name), "capabilities": .integer(Self.capabilities),
      "volume": ["level": .number(PlatformState.rounded(level)), "muted": .bool(isMuted)],
    ]
  }
}
