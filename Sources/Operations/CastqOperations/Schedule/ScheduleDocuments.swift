package import CastProtocol
package import CastqSchedule
package import CastqStore
package import CastqText

/// A rule that was changed.
package struct ChangedRule {
  package let document: JSONValue
  /// What is wrong with single entries of what it plays; nil is nothing.
  package var problem: Failure?
}

/// What a schedule has, as documents, and what is changed of a rule by its name.
extension ScheduleCall {
  /// `{"rules":[…]}`.
  package func document(_ list: ScheduleList) throws(Failure) -> JSONValue {
    [list.rawValue: .array(try documents(list))]
  }

  private func documents(_ list: ScheduleList) throws(Failure) -> [JSONValue] {
    switch list {
    case .rules: try RuleListing(self, shares: false).documents
    case .shares: try RuleListing(self, shares: true).documents
    case .programmes:
      try listedProgrammes()
    case .groups: try ask { (store) throws(StoreError) in try store.groups() }.map(ScheduleOutput.group)
    case .dayparts: try ask { (store) throws(StoreError) in try store.dayparts() }.map(ScheduleOutput.daypart)
    case .calendars:
      try ask { (store) throws(StoreError) in try store.calendars() }.map(ScheduleOutput.calendar)
    }
  }

  /// With their lengths, as far as they are known.
  private func listedProgrammes() throws(Failure) -> [JSONValue] {
    let (programmes, lengths) = try workspace.ask { (here) throws(StoreError) in
      let programmes = try store.programmes()
      return (programmes, try here.queue.lengths(ofProgrammes: Set(programmes.map(\.name))))
    }
    return programmes.map { programme in
      guard case .object(var members) = ScheduleOutput.programme(programme) else { return .null }
      members["length_s"] = JSONOutput.number(lengths[programme.name])
      return .object(members)
    }
  }

  package func ruleDocument(_ name: String) throws(Failure) -> JSONValue {
    let (rule, labels) = try ask { (store) throws(StoreError) in
      (try store.rule(name), try store.deviceLabels())
    }
    return rule.shown.document(devices: labels)
  }

  package func programmeDocument(_ name: String) throws(Failure) -> JSONValue {
    let (programme, users) = try ask { (store) throws(StoreError) in try store.programme(name) }
    return ScheduleOutput.programme(programme, users: users)
  }

  /// Makes a rule for the device of the call.
  /// - Parameters:
  ///   - text: what it plays, a programme or a source.
  ///   - replaces: whether it may take the place of a rule of its name.
  package func add(
    _ rule: ScheduleRule, playing text: String, replaces: Bool
  ) async throws(Failure) -> ChangedRule {
    var wanted = rule
    wanted.target = try target()
    let (choice, problem) = try await choice(text)
    let (stored, labels) = try ask { [wanted] (store) throws(StoreError) in
      (try store.add(wanted, playing: choice, replaces: replaces, at: .now), try store.deviceLabels())
    }
    await poke()
    return ChangedRule(document: stored.shown.document(devices: labels), problem: problem)
  }

  /// Switches a rule on or off, and keeps it.
  package func setEnabled(_ isEnabled: Bool, _ name: String) async throws(Failure) {
    try ask { (store) throws(StoreError) in try store.setEnabled(isEnabled, rule: name, at: .now) }
    await poke()
  }
}

extension Workspace {
  /// Everything known about a device.
  package func document(_ known: KnownDevice, _ options: CallOptions) throws(Failure) -> JSONValue {
    let device = try listedDevices(options).first { $0.id == known.id } ?? known
    return JSONOutput.deviceInFull(
      device, try ask { (here) throws(StoreError) in try here.history.gaps(of: device.id) })
  }
}
