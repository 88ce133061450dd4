import CastProtocol
import CastqDaemon
import CastqPlaylists
package import CastqSchedule
import CastqStore
import CastqText

/// What is on the screen of a device now, as far as what feeds the device says it: a plan knows only what is
/// due.
struct ScreenNow {
  enum Shown {
    /// What is due, as far as anybody knows.
    case due
    /// What the daemon has decided last.
    case decided(StoredDecision)
    /// The queue that people fill: what feeds the device is no daemon, and plays no rules.
    case queue
    /// Nothing of what is due: nothing feeds the device.
    case nothing
  }

  /// The device, with what keeps castq from its screen.
  let device: ScheduleDevice
  let shown: Shown

  init(_ device: ScheduleDevice, _ look: ScheduleLook, _ global: CallOptions) async throws(Failure) {
    var device = device
    guard let id = DeviceID(ruleName: device.id),
      let known = try look.workspace.ask({ (here) throws(StoreError) in try here.devices.device(id) })
    else {
      (self.device, shown) = (device, .due)
      return
    }
    let outlook = try await look.workspace.outlook(known, global)
    switch outlook.reason {
    case .guest, .guestGone, .stoppedAtDevice, .unreachable: device.loss = outlook
    case .nothingDue, .failed: device.hasBase = false
    default: break
    }
    switch Self.feeder(of: id, look.workspace.database) {
    case .daemon:
      // While the list waits for something, what was decided is not on the screen.
      let stored = try outlook.reason == nil ? Self.decided(on: device, id, look) : nil
      shown = stored.map { Shown.decided($0) } ?? .due
    case .other: shown = .queue
    case nil: shown = .nothing
    }
    self.device = device
  }

  /// Whether something feeds a device.
  static func isFed(_ device: DeviceID, _ database: Database) -> Bool {
    feeder(of: device, database) != nil
  }

  private enum Feeder {
    case daemon
    case other
  }

  /// Nil when nothing feeds the device.
  private static func feeder(of device: DeviceID, _ database: Database) -> Feeder? {
    let holders = [DatabaseLock.Purpose.daemon, .feeder(device)].map { purpose in
      DatabaseLock.holder(purpose, of: database).flatMap { $0.isAlive ? $0.process : nil }
    }
    switch (holders[0], holders[1]) {
    case (nil, nil): return nil
    case (let daemon?, let feeder): return feeder.map { $0 == daemon } ?? true ? .daemon : .other
    case (nil, _?): return .other
    }
  }

  /// The newest decision; nil where its rule is not for the device any more, which the daemon sees in a
  /// moment.
  private static func decided(
    on device: ScheduleDevice, _ id: DeviceID, _ look: ScheduleLook
  ) throws(Failure) -> StoredDecision? {
    let stored = try look.workspace.ask { (here) throws(StoreError) in
      try ScheduleStore(here.database).shown(on: id)
    }
    guard let rule = stored?.decision.onAir?.occurrence.rule else { return stored }
    return look.schedule.book.rules.contains {
      $0.id == rule && $0.isEnabled && device.isTarget(of: $0.target)
    } ? stored : nil
  }
}

extension ScheduleLook {
  /// The devices, of which those are paused that their feeders report as paused.
  func withPauses(_ devices: [ScheduleDevice], _ global: CallOptions) async -> [ScheduleDevice] {
    guard let known = try? workspace.devices.all() else { return devices }
    let ids = Dictionary(known.map { ($0.id.ruleName, $0) }) { $1 }
    return await withTaskGroup(of: (Int, Bool).self) { group in
      for (index, device) in devices.enumerated() {
        guard let known = ids[device.id] else { continue }
        group.addTask { (index, await workspace.hasPaused(known, global)) }
      }
      return await group.reduce(into: devices) { $0[$1.0].isPaused = $1.1 }
    }
  }
}

extension Workspace {
  /// Whether what castq plays on a device is paused. A guest's pause does not count, and receivers call each picture paused.
  fileprivate func hasPaused(_ device: KnownDevice, _ global: CallOptions) async -> Bool {
    guard let media = await fedStatus(of: device, global).picture?.media, media.playerState == .paused,
      media.mediaInformation?.isPicture != true
    else { return false }
    return await daemonOutlook(device, global)?.reason == nil
  }
}

extension ScheduleDecision {
  /// Whether a plan has the same on the screen. It never has the item of a share, which comes between those
  /// of others.
  package func shows(_ segment: PlanSegment) -> Bool {
    switch kind {
    case .rule, .announcement: onAir?.occurrence.key == segment.occurrence?.key
    case .base, .dark: segment.occurrence == nil
    case .share: false
    }
  }
}
