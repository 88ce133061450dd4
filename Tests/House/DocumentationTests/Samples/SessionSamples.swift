import CastSender
import Synchronization

// sample: what-plays
/// The media status of a device, read without affecting the device.
func whatPlays(on device: Device) async throws(CastError) -> MediaStatus? {
  let options = SessionOptions(purpose: .observe(applicationID: nil))
  let session = Session(device: device, options: options)
  try await session.start()
  let status = session.mediaStatus
  await session.leave()
  return status
}
// end sample

// sample: with-screen
/// Runs a closure in a session, and stops the application on every path.
func withScreen<Result: Sendable>(
  _ device: Device, do body: (RemoteMediaClient) async throws(CastError) -> Result
) async throws(CastError) -> Result {
  let session = Session(device: device)
  try await session.start()
  do {
    let result = try await body(session.remoteMediaClient)
    try await session.stopApplication()
    return result
  } catch {
    await session.end(.stopApplication)
    throw error
  }
}
// end sample

// sample: player-states
/// The player states of a session, until it ends.
func playerStates(in session: Session) async -> [MediaPlayerState] {
  var states: [MediaPlayerState] = []
  for await event in session.events() {
    if case .mediaStatus(let status?) = event, status.playerState != states.last {
      states.append(status.playerState)
    }
  }
  return states
}
// end sample

// sample: volume-keeper
/// Keeps the volume of the device.
final class VolumeKeeper: SessionListener {
  private let level = Mutex<Double?>(nil)
  var latest: Double? { level.withLock { $0 } }

  func session(_ session: Session, didReceiveDeviceVolume volume: DeviceVolume) {
    level.withLock { $0 = volume.level }
  }
}
// end sample

// sample: turn-down
/// Makes a device quieter by one step of its own.
func turnDown(_ device: Device) async throws(CastError) -> DeviceVolume? {
  let session = Session(device: device, options: SessionOptions(purpose: .device))
  try await session.start()
  let step = session.receiverStatus?.volume?.stepInterval ?? 0.05
  let level = session.receiverStatus?.volume?.level ?? 1
  let outcome = await session.setDeviceVolume(level - step).outcome
  await session.leave()
  return try outcome.get().volume
}
// end sample

// sample: turn-down-with-knob
/// Turns a device two steps down and returns the requested volume. Nil before the device has reported its volume.
func turnDown(with knob: DeviceVolumeController) throws(CastError) -> Double? {
  try knob.step(by: -2)
  return knob.volume
}
// end sample

// sample: take-up
/// Resumes the session of an earlier run of this program, or starts one with a device.
func resume(_ manager: SessionManager, orStartWith device: Device) async throws(CastError) -> Session {
  if let session = try await manager.resumeSavedSession() { return session }
  return try await manager.startSession(with: device)
}
// end sample

// sample: journal
/// Records the events of a session, including actions of other senders.
final class Journal: SessionListener {
  private let lines = Mutex<[String]>([])
  var entries: [String] { lines.withLock { $0 } }
  private func write(_ line: String) { lines.withLock { $0.append(line) } }

  func session(_ session: Session, didSuspendFor reason: SessionSuspendReason) { write("away") }
  func session(_ session: Session, didResumeInSameApplicationSession isSame: Bool) {
    write(isSame ? "back" : "back, and the media must be loaded again")
  }
  func session(_ session: Session, didUpdate device: Device) {
    write("now on \(device.friendlyName ?? "another device")")
  }
  func session(_ session: Session, didNotice action: ForeignAction) {
    if case .paused = action { write("somebody else paused") }
  }
}
// end sample

// sample: move
/// Transfers playback to another device, and returns the device that plays.
func move(_ session: Session, to other: Device) async -> Device {
  do throws(CastError) {
    try await session.transfer(to: other)
  } catch {
    print("playback was not transferred: \(error.message)")
  }
  return session.device
}
// end sample

// sample: quieten-member
/// Halves the volume of one member of a group. False if the group has no member of that name.
func quieten(_ name: String, in group: Session) async throws(CastError) -> Bool {
  let members = try await group.requestMultizoneStatus().value.devices
  guard let member = members.first(where: { $0.name == name }) else { return false }
  try await group.setVolume((member.volume?.level ?? 1) / 2, ofMember: member)
  return true
}
// end sample

// sample: invite
/// What an invitation must contain; nil while no application is joined.
func invitation(to session: Session) -> (applicationID: String, sessionID: String)? {
  guard let application = session.application, let id = session.sessionID else { return nil }
  return (application.applicationID, id)
}

/// Joins the session that an invitation names, and no other.
func join(applicationID: String, sessionID: String, on device: Device) async throws(CastError) -> Session {
  let purpose = SessionPurpose.joinSession(applicationID: applicationID, sessionID: sessionID)
  let session = Session(device: device, options: SessionOptions(purpose: purpose))
  try await session.start()
  return session
}
// end sample
