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

  /// Scales the members' volumes with the group's, and reports them (protocol 5.9).
  mutating func moveMembers(from before: Double) {
    guard configuration.platform.membersFollow, platform.level != before else { return }
    for place in platform.members.indices {
      let own = platform.members[place].level
      platform.members[place].level =
        before > 0 ? min(1, own * platform.level / before) : platform.level
      tell("DEVICE_UPDATED", platform.members[place])
    }
  }

  mutating func changed(_ member: SimGroupMember) {
    let place = platform.members.firstIndex { $0.deviceID == member.deviceID }
    // No household has a group this large.
    guard place != nil || platform.members.count < 64 else { return }
    if let place { platform.members[place] = member } else { platform.members.append(member) }
    tell(place == nil ? "DEVICE_ADDED" : "DEVICE_UPDATED", member)
    membersChanged()
  }

  mutating func left(_ id: String) {
    platform.members.removeAll { $0.deviceID == id }
    broadcast(
      ["type": "DEVICE_REMOVED", "requestId": 0, "deviceId": .string(id)], .multizone, from: .receiver)
    membersChanged()
  }

  private mutating func membersChanged() {
    let before = platform.level
    platform.takeMembersLevel()
    if platform.level != before { broadcastStatus() }
  }

  private mutating func tell(_ type: String, _ member: SimGroupMember) {
    broadcast(
      ["type": .string(type), "requestId": 0, "device": member.json], .multizone, from: .receiver)
  }
}

extension PlatformState {
  /// Sets a group's level to the mean of its members.
  mutating func takeMembersLevel() {
    guard configuration.platform.membersFollow, !members.isEmpty else { return }
    level = Self.rounded(members.map(\.level).reduce(0, +) / Double(members.count))
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
