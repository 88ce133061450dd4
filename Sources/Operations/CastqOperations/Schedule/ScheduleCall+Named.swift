import CastqPlaylists
package import CastqSchedule
import CastqStore
package import CastqText

/// What rules name: programmes, parts of the day, calendars and groups of devices.
extension ScheduleCall {
  /// Gives a source a name. It is read now, though it will be read again whenever it is due.
  /// - Parameters:
  ///   - filler: the programme to show while nothing of this one can be; nil is none.
  ///   - replaces: whether a programme of this name is changed.
  /// - Returns: what is wrong with single entries; nil is nothing.
  package func addProgramme(
    _ name: String, _ source: String, shuffles: Bool = false, filler: String? = nil, replaces: Bool = false
  ) async throws(Failure) -> Failure? {
    let name = try ScheduleName.checked(name, "programme")
    let (source, problem) = try await self.source(source)
    try await change { (store) throws(StoreError) in
      try store.addProgramme(
        name, source: source, isShuffled: shuffles, filler: filler, seed: .random(in: 0...UInt64.max),
        replaces: replaces, at: .now)
    }
    return problem
  }

  /// Removes a programme that no rule uses.
  package func removeProgramme(_ name: String) async throws(Failure) {
    try await change { (store) throws(StoreError) in try store.removeProgramme(name) }
  }

  /// - Parameter replaces: whether a part of this name is changed.
  package func addDaypart(_ daypart: Daypart, replaces: Bool = false) async throws(Failure) {
    _ = try ScheduleName.checked(daypart.name, "day part", isOneWord: true)
    try await change { (store) throws(StoreError) in
      try store.addDaypart(daypart, replaces: replaces, at: .now)
    }
  }

  /// Removes a part of the day that no rule uses.
  package func removeDaypart(_ name: String) async throws(Failure) {
    try await change { (store) throws(StoreError) in try store.removeDaypart(name, at: .now) }
  }

  /// Adds a day to a calendar, which is made if it is missing.
  /// - Parameter replaces: whether a day that the calendar has is called otherwise.
  package func addDay(
    _ day: LocalDate, label: String, to calendar: String, replaces: Bool = false
  ) async throws(Failure) {
    let calendar = try ScheduleName.checked(ScheduleName.calendar(calendar), "calendar")
    guard GivenName.isPlain(label) else {
      throw Failure(
        "usage", "a label has 1 to \(GivenName.mostBytes) bytes and no control characters", exit: .usage)
    }
    try await change { (store) throws(StoreError) in
      try store.addDay(day, label: label, to: calendar, replaces: replaces, at: .now)
    }
  }

  /// Removes a day of a calendar.
  /// - Parameter day: nil is all of the calendar, which nothing may use.
  package func removeDay(_ day: LocalDate?, from calendar: String) async throws(Failure) {
    let calendar = ScheduleName.calendar(calendar)
    try await change { (store) throws(StoreError) in
      if let day {
        try store.removeDay(day, from: calendar, at: .now)
      } else {
        try store.removeCalendar(calendar, at: .now)
      }
    }
  }

  /// Adds devices of the ledger to a group, which is made if it is missing.
  /// - Parameter replaces: whether the group has no others then.
  package func addGroup(
    _ name: String, members: [String], replaces: Bool = false
  ) async throws(Failure) {
    let name = try ScheduleName.checked(DeviceGroup.name(name) ?? name, "group")
    guard name.lowercased() != RuleTarget.nameOfAll else {
      throw Failure("usage", "'all' is every device: choose another name", exit: .usage)
    }
    let devices = try members.map { (member) throws(Failure) in try self.member(member) }
    try await change { (store) throws(StoreError) in
      try store.addGroup(name, members: devices, replaces: replaces, at: .now)
    }
  }

  /// Takes devices out of a group.
  /// - Parameter members: empty is all of the group, which no rule may use.
  package func removeGroup(_ name: String, members: [String] = []) async throws(Failure) {
    let devices = try members.map { (member) throws(Failure) in try known(member).id }
    try await change { (store) throws(StoreError) in
      try store.removeGroup(DeviceGroup.name(name) ?? name, members: devices, at: .now)
    }
  }

  /// Changes rows, and has the daemon look at them.
  private func change(_ body: (ScheduleStore) throws(StoreError) -> Void) async throws(Failure) {
    try ask(body)
    await poke()
  }

  /// A device that is known; a group is not one.
  private func member(_ name: String) throws(Failure) -> DeviceID {
    do throws(Failure) {
      if DeviceGroup.name(name) == nil { return try known(name).id }
    } catch {
      guard error.exit == .deviceUnknown, try isGroup(name) else { throw error }
    }
    throw Failure(
      "device_unknown", "\(name) is a group, and a group has devices alone; name them", hint: .listGroups,
      exit: .deviceUnknown)
  }

  private func isGroup(_ name: String) throws(Failure) -> Bool {
    try ask { (store) throws(StoreError) in
      try store.groups().contains { $0.name.lowercased() == name.lowercased() }
    }
  }
}
