import CastProtocol

// Where it plays: moves to other devices, and the members of a group.

extension PresentationMachine {
  /// Maximum number of members of a group that are shown; others are left out.
  public static let memberLimit = 64

  mutating func note(_ event: MultizoneEvent) {
    var group = facts.group ?? PresentationFacts.Group()
    switch event {
    case .status(let status):
      group.members = []
      group.isMultichannel = status.isMultichannel
      for member in status.devices { group.set(member) }
    case .deviceAdded(let member), .deviceUpdated(let member): group.set(member)
    case .deviceRemoved(let id): group.members.removeAll { $0.deviceID == id }
    // Its body is not published (protocol 5.9); the driver requests the members again.
    case .playbackSessionUpdated: return
    }
    facts.group = group
  }

  /// A member that has replied has the requested value, whether or not its group reports it.
  mutating func noteMember(after command: PresentationCommand) {
    switch command {
    case .setMemberVolume(let level, of: let member):
      facts.group?.change(member.deviceID) { $0.volume?.level = level }
    case .setMemberMuted(let isMuted, of: let member):
      facts.group?.change(member.deviceID) { $0.volume?.isMuted = isMuted }
    default: break
    }
  }

  func transferCommand(to name: String) -> Result<PresentationCommand?, PresentationFailure> {
    if let failure = facts.transferPermission.failure { return .failure(failure) }
    if facts.openSession?.device.presentedID == name { return .success(nil) }
    guard let device = facts.devices.first(where: { $0.presentedID == name }) else {
      return .failure(.deviceIsGone)
    }
    return .success(.transfer(to: device))
  }

  func memberCommand(
    _ id: String, _ command: (MultizoneDevice) -> PresentationCommand
  ) -> Result<PresentationCommand?, PresentationFailure> {
    guard let member = facts.members.first(where: { $0.deviceID == id }) else {
      return .failure(.memberIsGone)
    }
    return permitted(facts.volumePermission(of: member)) { command(member) }
  }
}

extension PresentationFacts.Group {
  /// Adds a member, or replaces what is known of it.
  fileprivate mutating func set(_ member: MultizoneDevice) {
    if let index = members.firstIndex(where: { $0.deviceID == member.deviceID }) {
      members[index] = member
    } else if members.count < PresentationMachine.memberLimit {
      members.append(member)
    }
  }

  fileprivate mutating func change(_ id: String, _ body: (inout MultizoneDevice) -> Void) {
    if let index = members.firstIndex(where: { $0.deviceID == id }) { body(&members[index]) }
  }
}

extension PresentationFacts {
  /// The members of the group, which have a volume each; none for a stereo pair.
  var members: [MultizoneDevice] {
    guard openSession != nil, let group, !group.isMultichannel else { return [] }
    return group.members
  }

  /// The name of the device to which what plays is being moved; nil while it stays.
  var movingTo: String? {
    guard let session = openSession else { return nil }
    if session.phase == .moving { return session.deviceName }
    return pending.reversed().lazy.compactMap { pending -> String? in
      if case .transfer(to: let device) = pending.command { device.presentedName } else { nil }
    }.first
  }

  var transferPermission: Permission {
    guard let session = openSession else { return .notConnected }
    if let name = movingTo {
      return .refused(
        "what plays is being moved to \(name)", "wait until it plays there", code: .duplicateRequest)
    }
    return session.phase == .connected ? .allowed : .suspended(session)
  }

  func volumePermission(of member: MultizoneDevice) -> Permission {
    guard let session = openSession else { return .notConnected }
    guard session.phase == .connected else { return .suspended(session) }
    guard member.volume?.controlType != .fixed else {
      return .refused(
        "the volume of \(member.presentedName) is fixed", "change it on the speaker or amplifier",
        code: .notAllowed)
    }
    return .allowed
  }
}

extension MultizoneDevice {
  /// Its name, or its identity without one.
  var presentedName: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? deviceID }
}
