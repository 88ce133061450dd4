import CastProtocol

/// Where else it could play, and the members of a group with their volumes: what Google's dialog calls the
/// output switcher. It is part of the dialog about the connected device, `ConnectedDevice`.
public struct OutputSwitcherModel: Sendable, Hashable {
  /// The other devices in reach, by name, to which what plays can be moved. Empty when there are none.
  public let targets: [DeviceRow]
  /// Whether one of them may be chosen.
  public let isInputEnabled: Bool
  /// Why none may be chosen, in words for a person; nil when one may.
  public let explanation: String?
  /// What is being done, such as `Moving to Kitchen…`; nil when nothing is being moved.
  public let progressText: String?
  /// The members of the group that is cast to, in its order. Empty for a device that is none, for a stereo
  /// pair, and until the group has reported them.
  public let members: [GroupMemberRow]

  init(
    _ facts: PresentationFacts, _ options: PresentationOptions, _ session: PresentedSession, at now: Tick
  ) {
    let current = session.device.presentedID
    targets = DeviceRow.rows(facts.devices.filter { $0.presentedID != current })
    let permission = facts.transferPermission
    isInputEnabled = permission.isAllowed
    explanation = permission.failure?.line
    progressText = facts.movingTo.map { "Moving to \($0)…" }
    members = facts.members.map { GroupMemberRow($0, facts, options, at: now) }
  }

  /// What choosing one of `targets` sends.
  public func intent(for target: DeviceRow) -> PresentationIntent { .transfer(to: target.id) }
}

/// A member of the group that is cast to (protocol 5.9).
public struct GroupMemberRow: Sendable, Hashable {
  /// Its identity, for `PresentationIntent.setMemberVolume` and `.setMemberMuted`.
  public let id: String
  /// Its name, or its identity without one.
  public let name: String
  /// Its own volume, 0 to 1; nil when not reported.
  public let level: Double?
  /// Whether it is muted.
  public let isMuted: Bool
  /// Whether its volume may be changed.
  public let isInputEnabled: Bool
  /// Why it may not be changed, in words for a person; nil when it may.
  public let explanation: String?
  /// Whether a change is pending.
  public let isPending: Bool

  init(
    _ member: MultizoneDevice, _ facts: PresentationFacts, _ options: PresentationOptions, at now: Tick
  ) {
    id = member.deviceID
    name = member.presentedName
    let permission = facts.volumePermission(of: member)
    isInputEnabled = permission.isAllowed
    explanation = permission.failure?.line
    var (level, isMuted, isPending) = (member.volume?.level, member.volume?.isMuted ?? false, false)
    for pending in facts.pending {
      let isShown = now - pending.since < options.optimism
      switch pending.command {
      case .setMemberVolume(let wanted, of: let other) where other.deviceID == member.deviceID:
        isPending = true
        if isShown { level = wanted }
      case .setMemberMuted(let wanted, of: let other) where other.deviceID == member.deviceID:
        isPending = true
        if isShown { isMuted = wanted }
      default: break
      }
    }
    self.level = level
    self.isMuted = isMuted
    self.isPending = isPending
  }

  /// What its slider sends, 0 to 1.
  public func volumeIntent(_ level: Double) -> PresentationIntent { .setMemberVolume(level, of: id) }
  /// What its mute button sends.
  public var muteIntent: PresentationIntent { .setMemberMuted(!isMuted, of: id) }
}
