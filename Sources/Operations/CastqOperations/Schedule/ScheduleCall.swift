import CastGuard
import CastProtocol
import CastqPlaylists
package import CastqSchedule
package import CastqStore
package import CastqText

/// The schedule for commands: its rows, and the devices, groups and programmes that arguments name.
package struct ScheduleCall {
  package let workspace: Workspace
  package let store: ScheduleStore
  package let global: CallOptions

  package init(_ global: CallOptions, _ workspace: Workspace) {
    self.workspace = workspace
    store = ScheduleStore(workspace.database)
    self.global = global
  }

  package init(_ global: CallOptions, isReader: Bool = false) throws(Failure) {
    workspace = try Workspace(global, isReader: isReader)
    store = ScheduleStore(workspace.database)
    self.global = global
  }

  /// Runs a body on the rows and converts its errors.
  package func ask<Value>(_ body: (ScheduleStore) throws(StoreError) -> Value) throws(Failure) -> Value {
    try workspace.ask { (here) throws(StoreError) in try body(store) }
  }

  /// Where a rule applies: `@all`, `@GROUP`, or a device that is known already. Nothing is searched on the network.
  package func target() throws(Failure) -> RuleTarget {
    guard global.device.count <= 1 else {
      throw Failure(
        "usage", "a rule is for one device, or for a group", hint: .makeGroup, exit: .usage)
    }
    return try target(global.meantDevice())
  }

  /// - Parameter selector: `@all`, `@GROUP` or a device; nil is the default device.
  package func target(_ selector: String?) throws(Failure) -> RuleTarget {
    guard let group = selector.flatMap(DeviceGroup.name) else {
      return .device(try known(selector).id.ruleName)
    }
    if group.lowercased() == RuleTarget.nameOfAll { return .all }
    let names = try ask { (store) throws(StoreError) in
      _ = try store.members(of: group)
      return try store.groups().map(\.name)
    }
    return .group(names.first { $0.lowercased() == group.lowercased() } ?? group)
  }

  /// The zone of a rule for the device of `-d` that has none of its own: that of the device, else the site's.
  package func zone() throws(Failure) -> Zone {
    let site = try SiteZone(global)
    let target = try target()
    let schedule = try ask { (store) throws(StoreError) in
      try store.schedule(siteZone: site.name, zones: site.rules)
    }
    let device = schedule.devices.first { $0.isTarget(of: target) }
    let isOne = if case .device = target { true } else { false }
    let name = (isOne ? device?.zone : nil) ?? site.name
    return schedule.book.zones[name].map { .rules($0, name) } ?? .rules(TimeZoneRules(), .utc)
  }

  /// A device of the ledger.
  package func known(_ selector: String?) throws(Failure) -> KnownDevice {
    try workspace.ask { (here) throws(StoreError) in try here.devices.device(matching: selector) }
  }

  /// What a rule plays: a programme, else a source that can be read now. Problems of single entries are printed, and are the
  /// command's end when the rest is done.
  package func choice(_ text: String) async throws(Failure) -> (choice: ProgrammeChoice, problem: Failure?) {
    if try ask({ (store) throws(StoreError) in try store.hasProgramme(text) }) { return (.named(text), nil) }
    do throws(Failure) {
      let (source, problem) = try await source(text)
      return (.source(source), problem)
    } catch {
      var failure = error
      if failure.code == "input_missing" {
        failure.add("; and there is no programme of this name")
        failure.hint = .listProgrammes
      }
      throw failure
    }
  }

  /// A programme by its name, and nothing else.
  package func programme(_ name: String) throws(Failure) -> ProgrammeChoice {
    guard try ask({ (store) throws(StoreError) in try store.hasProgramme(name) }) else {
      throw Failure(
        "unknown", "there is no programme \(name)", hint: .listProgrammes, exit: .badData)
    }
    return .named(name)
  }

  /// A source that can be read from any folder: files as absolute paths.
  package func source(_ text: String) async throws(Failure) -> (source: String, problem: Failure?) {
    guard text != "-" else {
      throw Failure(
        "usage", "standard input cannot be read again: write the list to a file and name that", exit: .usage)
    }
    guard !text.isEmpty else { throw Failure("usage", SourceRequest.emptySource, exit: .usage) }
    let list = await SourceList(
      [text], format: nil, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
      music: MusicFolders(global), timeout: global.deviceTimeout)
    if !global.isMachineReadable {
      for issue in list.told(quietly: global.quiet) { global.say("castq: \(issue)") }
    }
    try list.requireSomething()
    let isAddress = text.contains("://") || FilePath.isURL(text)
    return (
      isAddress ? text : FilePath.absolute(text, in: FileLoader().workingDirectory), list.failure
    )
  }

  /// Notifies the daemon of changed rules, which it would otherwise find within a second.
  package func poke() async {
    let devices = (try? workspace.devices.all()) ?? []
    if let device = devices.first { await FeederCall.poke(workspace, device, global) }
  }
}

extension DeviceGroup {
  /// The name in `@NAME`; nil for any other selector.
  package static func name(_ selector: String) -> String? {
    selector.utf8.first == UInt8(ascii: "@") ? String(selector.unicodeScalars.dropFirst()) : nil
  }
}

/// A name that a person gives to something of the schedule.
package enum ScheduleName {
  /// Checks a name.
  /// - Parameters:
  ///   - kind: what is named, for messages.
  ///   - isOneWord: whether it may have no blanks.
  package static func checked(_ text: String, _ kind: String, isOneWord: Bool = false) throws(Failure)
    -> String
  {
    let name = try whole(text, "a \(kind)")
    guard !name.utf8.contains(UInt8(ascii: "@")) else {
      throw Failure(
        "usage", "'\(name)' has an @, which names groups, calendars and times: choose another name",
        exit: .usage)
    }
    try checkAddress(name)
    guard !isOneWord || !name.utf8.contains(UInt8(ascii: " ")) else {
      throw Failure("usage", "the name of a \(kind) is one word: write '\(dashed(name))'", exit: .usage)
    }
    return name
  }

  /// Checks the name of anything that a person names.
  /// - Parameter what: what is named, for messages: `a device`.
  package static func whole(_ text: String, _ what: String) throws(Failure) -> String {
    guard !GivenName.readsAsOption(text) else {
      throw Failure(
        "usage", "'\(TerminalText.excerpt(text))' begins with -, as options do: choose another name",
        exit: .usage)
    }
    guard GivenName.isName(text) else {
      throw Failure(
        "usage",
        "\(what) needs a name of 1 to \(GivenName.mostBytes) bytes, without control characters and without blanks at its ends",
        exit: .usage)
    }
    return text
  }

  /// Checks the name of a device, which also stands where groups do and in addresses of the page.
  package static func device(_ text: String, _ what: String) throws(Failure) -> String {
    let name = try whole(text, what)
    try checkAddress(name)
    guard !name.hasPrefix("@"), Device.normalizedID(name) == nil else {
      let reason = name.hasPrefix("@") ? "names a group" : "reads as a UUID"
      throw Failure("usage", "'\(name)' \(reason): choose another name", exit: .usage)
    }
    return name
  }

  /// A part of an address that is a dot or two leads elsewhere.
  private static func checkAddress(_ name: String) throws(Failure) {
    guard name == "." || name == ".." else { return }
    throw Failure(
      "usage", "'\(name)' is no name in an address of the page: choose another name", exit: .usage)
  }

  private static func dashed(_ name: String) -> String {
    name.split(separator: " ").joined(separator: "-")
  }

  /// A calendar, as `@NAME` or `NAME`.
  package static func calendar(_ text: String) -> String { DeviceGroup.name(text) ?? text }
}
