import CastProtocol
import CastSender
import Synchronization

// The volumes of a session: that of its device, and those of the members of its group.

/// What has a volume of its own.
enum VolumeOutput: Sendable, Hashable {
  case device
  /// The member with this identity.
  case member(String)
}

/// The lanes of a session's volumes.
struct SessionVolumes: Sendable {
  let session: Session
  var lanes: [VolumeOutput: VolumeLane] = [:]
  /// The members whose volume was changed, as they were then.
  var members: [String: MultizoneDevice] = [:]
}

extension CastPresenter {
  func changeVolume(ofMember member: MultizoneDevice, in session: Session, _ event: VolumeLane.Event) {
    useVolumes(of: session) { $0.members[member.deviceID] = member }
    paceVolume(of: .member(member.deviceID), in: session, event)
  }

  func changeVolume(in session: Session, _ event: VolumeLane.Event) {
    useVolumes(of: session) { _ in }
    paceVolume(of: .device, in: session, event)
  }

  /// Begins the lanes of a session, unless they are there.
  private func useVolumes(of session: Session, _ change: (inout SessionVolumes) -> Void) {
    let left = state.withLock { state -> [IntentID] in
      var volumes = SessionVolumes(session: session)
      var left: [IntentID] = []
      if let old = state.volumes {
        if old.session === session { volumes = old } else { left = old.lanes.values.flatMap(\.waiting) }
      }
      change(&volumes)
      state.volumes = volumes
      return left
    }
    // What waited for another session has no device any more.
    for id in left { feed(.superseded(id)) }
  }

  /// Passes an event to a lane, and carries out what follows.
  /// - Parameter session: nil is the one whose lanes there are; those of another one are left alone.
  func paceVolume(of output: VolumeOutput, in session: Session? = nil, _ event: VolumeLane.Event) {
    let now = time.now()
    let (volumes, actions) = state.withLock { state -> (SessionVolumes?, [VolumeLane.Action]) in
      guard !state.isClosed, let volumes = state.volumes, session == nil || session === volumes.session else {
        return (nil, [])
      }
      let actions = state.volumes?.lanes[output, default: VolumeLane()].handle(event, at: now) ?? []
      for case .startTimer(let wait) in actions { state.timers.start(.volume(output), after: wait) }
      return (volumes, actions)
    }
    guard let volumes else { return }
    for action in actions {
      switch action {
      case .sendLevel(let level, let id): send(.level(level), to: output, of: volumes, for: id)
      case .sendMuted(let isMuted, let id): send(.muted(isMuted), to: output, of: volumes, for: id)
      case .supersede(let id): feed(.superseded(id))
      // Started with the lane's state.
      case .startTimer: break
      }
    }
  }

  private enum Setting: Sendable {
    case level(Double)
    case muted(Bool)
  }

  private func send(
    _ setting: Setting, to output: VolumeOutput, of volumes: SessionVolumes, for id: IntentID?
  ) {
    let session = volumes.session
    let answered: @Sendable () -> Void = { [weak self, weak session] in
      if let session { self?.paceVolume(of: output, in: session, .answered) }
    }
    switch (output, setting) {
    case (.device, .level(let level)): follow(session.setDeviceVolume(level), id, whenDone: answered)
    case (.device, .muted(let isMuted)): follow(session.setDeviceMuted(isMuted), id, whenDone: answered)
    case (.member(let name), _):
      guard let member = volumes.members[name] else { return answered() }
      attempt(
        id,
        { () async throws(CastError) in
          switch setting {
          case .level(let level): try await session.setVolume(level, ofMember: member)
          case .muted(let isMuted): try await session.setMuted(isMuted, ofMember: member)
          }
        }, whenDone: answered)
    }
  }
}
