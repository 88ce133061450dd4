import CastqDaemon
import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqStore
package import CastqText

/// The schedule as the commands that show it read it: its rows, its zones, and the devices that are meant.
package struct ScheduleLook {
  package let workspace: Workspace
  package let site: SiteZone
  package var schedule: StoredSchedule

  package init(_ global: CallOptions) throws(Failure) {
    try self.init(Workspace(global, isReader: true), SiteZone(global))
  }

  /// - Parameter device: the only device that is read, with the rules that are for it; nil reads all of both.
  package init(_ workspace: Workspace, _ site: SiteZone, of device: DeviceID? = nil) throws(Failure) {
    self.workspace = workspace
    self.site = site
    schedule = try workspace.ask { (here) throws(StoreError) in
      var schedule = try ScheduleStore(here.database).schedule(
        siteZone: site.name, zones: site.rules(of:), of: device)
      schedule.book.lengths = try Self.lengths(of: schedule.book.rules, here.queue)
      let stops = try here.queue.stops()
      for index in schedule.devices.indices where !stops.isEmpty {
        schedule.devices[index].stoppedAt = DeviceID(ruleName: schedule.devices[index].id).flatMap {
          stops[$0]
        }
      }
      let left = try here.queue.secondsLeft(at: .now)
      for index in schedule.devices.indices where schedule.devices[index].hasBase {
        guard let id = DeviceID(ruleName: schedule.devices[index].id) else { continue }
        schedule.devices[index].baseSeconds = left[id]
        schedule.devices[index].baseFrom = try here.queue.opening(of: id, at: .now)
      }
      try Self.markEmptyShares(&schedule, here.queue)
      if site.configuration.hasDarkHours {
        var known: [KnownDevice] = []
        if let device {
          if let one = try here.devices.device(device) { known.append(one) }
        } else {
          known = try here.devices.all()
        }
        Self.darken(&schedule.devices, by: site, known)
      }
      return schedule
    }
  }

  /// The known lengths, in seconds, of the programmes of rules that last as long as their programme.
  package func lengths(of rules: [ScheduleRule]) throws(Failure) -> [String: Int] {
    try workspace.ask { (here) throws(StoreError) in try Self.lengths(of: rules, here.queue) }
  }

  private static func lengths(
    of rules: [ScheduleRule], _ queue: QueueStore
  ) throws(StoreError) -> [String: Int] {
    let open = rules.filter { $0.isEnabled && $0.form.hasOnlyStarts && $0.length == nil }
    return try queue.lengths(ofProgrammes: Set(open.flatMap(\.programmes)))
  }

  /// Adds to devices which shares have nothing to play on them. A share is chosen between items, so that no
  /// decision says it.
  private static func markEmptyShares(
    _ schedule: inout StoredSchedule, _ queue: QueueStore
  ) throws(StoreError) {
    let names = Set(schedule.book.rules.filter { $0.isEnabled && $0.kind.isShare }.map(\.programme))
    for programme in schedule.programmes where names.contains(programme.name) {
      guard let problem = programme.problem else { continue }
      // A list that was read before plays on where its source cannot be read any more.
      let others = try queue.devices(withListOf: programme.name)
      for index in schedule.devices.indices {
        let id = DeviceID(ruleName: schedule.devices[index].id)
        if id.map({ !others.contains($0) }) ?? true {
          schedule.devices[index].emptyShares[programme.name] = problem
        }
      }
    }
  }

  /// Adds what the configuration says of devices, which it knows by all their names.
  private static func darken(_ devices: inout [ScheduleDevice], by site: SiteZone, _ known: [KnownDevice]) {
    let hours = Dictionary(known.map { ($0.id.ruleName, site.darkHours(of: $0)) }) { $1 }
    for index in devices.indices { devices[index].darkHours = hours[devices[index].id] ?? nil }
  }

  /// The device of a selector, and what there is for it alone; nil means the default device. What is for other devices costs nothing.
  package static func alone(
    _ selector: String?, _ global: CallOptions, _ workspace: Workspace
  ) async throws(Failure) -> (look: ScheduleLook, device: ScheduleDevice) {
    let known = try await workspace.device(selector, adding: false)
    let look = try ScheduleLook(workspace, SiteZone(global), of: known.id)
    return (look, look.device(known))
  }

  /// The devices of `-d`, in the order in which they are named; all known ones when none is.
  package func devices(_ global: CallOptions) async throws(Failure) -> [ScheduleDevice] {
    let selectors = global.device.isEmpty ? global.deviceSelector.map { [$0] } ?? [] : global.device
    guard !selectors.isEmpty else {
      if schedule.devices.isEmpty { throw Failure(StoreError.noDevice, database: workspace.database.path) }
      return schedule.devices
    }
    var devices: [ScheduleDevice] = []
    for selector in selectors {
      for device in try await members(of: selector) where !devices.contains(where: { $0.id == device.id }) {
        devices.append(device)
      }
    }
    return devices
  }

  private func members(of selector: String) async throws(Failure) -> [ScheduleDevice] {
    guard selector.hasPrefix("@") else { return [try await device(selector)] }
    let name = selector.dropFirst().lowercased()
    if name == RuleTarget.nameOfAll { return schedule.devices }
    let members = schedule.devices.filter { $0.groups.contains { $0.lowercased() == name } }
    guard !members.isEmpty else {
      throw Failure(
        "unknown_group", "no group \(selector) has devices", hint: .listGroups, exit: .deviceUnknown)
    }
    return members
  }

  /// The device of a selector; nil means the default one.
  package func device(_ selector: String?) async throws(Failure) -> ScheduleDevice {
    device(try await workspace.device(selector, adding: false))
  }

  /// What is due on a device and cannot be played, as what fed it has found out last.
  func passedOver(on device: ScheduleDevice) throws(Failure) -> [OccurrenceKey: String] {
    guard let id = DeviceID(ruleName: device.id),
      schedule.book.rules.contains(where: { $0.isEnabled && device.isTarget(of: $0.target) })
    else { return [:] }
    let last = try workspace.ask { (here) throws(StoreError) in
      try ScheduleStore(here.database).lastDecision(of: id)
    }
    return last?.passedOver(in: schedule.book) ?? [:]
  }

  /// A device that only an address names has no rules but those for all.
  private func device(_ known: KnownDevice) -> ScheduleDevice {
    if let device = schedule.devices.first(where: { $0.id == known.id.ruleName }) { return device }
    var device = ScheduleDevice(id: known.id.ruleName, name: known.label, hasBase: false)
    device.darkHours = site.darkHours(of: known)
    return device
  }
}

/// A zone of the command line with its name.
package struct NamedZone {
  package let name: ZoneName
  package let rules: TimeZoneRules

  /// Reads `local` or a name such as `Europe/Berlin`.
  package init(named text: String) throws(TextError) {
    name = try text == "local" ? Zone.database.own() : ZoneName(text)
    rules = try Zone.database.rules(of: name)
  }

  /// The zone of the site.
  package init(_ site: SiteZone) throws(Failure) {
    name = site.name
    do throws(TextError) { rules = try site.database.rules(of: name) } catch {
      throw Failure("time_zone", error.words, exit: .configuration)
    }
  }

  /// The same zone for times on the command line.
  package var zone: Zone { .rules(rules, name) }
}
