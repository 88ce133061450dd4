import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// What the page and the API change.
extension WebDesk {
  func change(_ question: WebQuestion) async throws(Failure) -> WebDocument {
    switch question {
    case .command(let device, let object):
      return try await perform(try PlaybackVerb(object), on: device)
    case .enqueue(let device, let object): return try await enqueue(device, object)
    case .move(let device, let entry, let after, let version):
      return try await move(device, EntryID(entry), after.map(EntryID.init), version)
    case .remove(let device, let entry):
      return try await remove(EntryID(entry), from: device)
    case .removeAll(let device): return try await removeAll(device)
    case .restore(let device, let entries, let version):
      return try await restore(device, entries, version)
    case .putRule(let name, let object, let revision): return try await put(name, object, revision)
    case .editRule(let name, let object, let revision): return try await edit(name, object, revision)
    case .copyRule(let old, let name, let changes):
      let object = try ask { (here) throws(Failure) in try Self.merged(old, changes, here) }
      return try await put(name, object, nil)
    case .removeRule(let name, let revision): return try await remove(name, revision)
    case .enable(let name, let isEnabled):
      return try await scheduled { (call) async throws(Failure) in
        try await call.setEnabled(isEnabled, name)
        return WebDocument([:])
      }
    case .exception(let name, let object): return try await exception(name, object)
    case .announce(let object, let isProgramme): return try await announce(object, isProgramme) { _ in }
    case .addDevice(let object): return try await addDevice(object)
    case .makeProgramme(let object): return try await make(object)
    case .addToProgramme(let name, let object):
      let files = try Self.files(object)
      try RequestMembers(object).check(["files"])
      return try await scheduled { (call) async throws(Failure) in
        try await ProgrammeMaking(call, library).add(files, to: name)
        return WebDocument([:])
      }
    case .removeProgramme(let name):
      return try await scheduled { (call) async throws(Failure) in
        try await call.removeProgramme(name)
        return WebDocument([:])
      }
    case .startDaemon: return try await startDaemon()
    case .devices, .scan, .device, .status, .statuses, .queue, .history, .report, .paper, .proof, .plan, .why,
      .list,
      .rule,
      .programme, .library, .programmeShelf, .preview, .doctor, .check, .art, .metrics, .health, .daemon:
      throw Failure("bug", "a question changes nothing", exit: .bug)
    }
  }

  /// Without an address it is searched for on the network by its name.
  private func addDevice(_ object: JSONValue) async throws(Failure) -> WebDocument {
    try RequestMembers(object).check(["name", "address"])
    guard let name = object["name"]?.string, !name.isEmpty else {
      throw Failure("usage", "a screen needs a name", exit: .usage)
    }
    let site = try stores()
    guard let address = object["address"]?.string, !address.isEmpty else {
      var device = try await site.known(name)
      try site.ask { (here) throws(StoreError) in try here.devices.pick(device) }
      device.isPicked = true
      return WebDocument(JSONOutput.device(device))
    }
    return WebDocument(JSONOutput.device(try site.addDevice(named: name, at: address)))
  }

  private func poke(_ name: String) async {
    guard let workspace = try? stores(), let device = try? workspace.devices.device(matching: name) else {
      return
    }
    await FeederCall.poke(workspace, device, global)
  }

  private func perform(
    _ verb: PlaybackVerb, on device: String
  ) async throws(Failure) -> WebDocument {
    let (call, site, device) = try await named(device)
    let control = LiveControl(global: call, workspace: site, device: device)
    return WebDocument(try await control.perform(verb).json)
  }

  private func remove(_ entry: EntryID, from device: String) async throws(Failure) -> WebDocument {
    let (call, site, device) = try await named(device)
    try await QueueCall(call, site, device).remove([.entry(entry)])
    await FeederCall.poke(site, device, call)
    return WebDocument([:])
  }

  private func enqueue(_ name: String, _ object: JSONValue) async throws(Failure) -> WebDocument {
    let members = RequestMembers(object)
    try members.check(["sources", "at", "play", "strict", "recursive"])
    let texts = (object["sources"]?.array ?? []).compactMap(\.string)
    guard texts.count == object["sources"]?.array?.count else {
      throw Failure("usage", "`sources` is a list of addresses and paths", exit: .usage)
    }
    let card = texts.contains(TestCard.source) ? try TestCard.file(global) : ""
    var sources: [String] = []
    for text in texts { sources += try self.sources(of: text, card: card) }
    var request = SourceRequest(sources: sources)
    request.recursive = try members.flag("recursive")
    let (placement, plays, isStrict) =
      (try Self.placement(object["at"]), try members.flag("play"), try members.flag("strict"))
    let (call, site, device) = try await named(name)
    let queue = QueueCall(call, site, device)
    let added = try await queue.add(
      await queue.readPlayable(request, isStrict: isStrict), placement, plays: plays, isStrict: isStrict)
    try await queue.start(added)
    return WebDocument(added.json)
  }

  /// What a source of the page means: a file or a folder of the library, a programme by its name, or what everybody means by it.
  private func sources(of text: String, card: String) throws(Failure) -> [String] {
    if text == TestCard.source { return [card] }
    if let name = LibrarySource.file(text) { return try library.paths(name) }
    guard let name = LibrarySource.programme(text) else { return try Self.checked([text]) }
    return try ask { (here) throws(Failure) in
      try here.ask { (here) throws(StoreError) in
        [try ScheduleStore(here.database).programme(name).programme.source]
      }
    }
  }

  private func make(_ object: JSONValue) async throws(Failure) -> WebDocument {
    let members = RequestMembers(object)
    try members.check(["programme", "source", "files", "shuffle", "filler"])
    let (name, shuffles) = (try members.text("programme"), try members.flag("shuffle"))
    let source = members.has("source") ? try Self.checked([members.text("source")])[0] : nil
    let files = members.has("files") ? try Self.files(object) : []
    return try await scheduled { (call) async throws(Failure) in
      let problem = try await ProgrammeMaking(call, library).make(
        name, source: source, files: files, shuffles: shuffles,
        filler: members.has("filler") ? members.text("filler") : nil)
      return WebDocument([
        "programme": .string(name), "problem": problem.map { .string($0.shownMessage) } ?? .null,
      ])
    }
  }

  private static func files(_ object: JSONValue) throws(Failure) -> [String] {
    let files = (object["files"]?.array ?? []).compactMap(\.string)
    guard !files.isEmpty, files.count <= 1000, files.count == object["files"]?.array?.count else {
      throw Failure("usage", "`files` are 1 to 1000 names of the library", exit: .usage)
    }
    return files
  }

  private static func placement(_ value: JSONValue?) throws(Failure) -> QueueStore.Placement {
    switch value {
    case nil, .null?, .string("end")?: return .end
    case .string("next")?: return .next
    case let value?:
      guard let position = value.int, position > 0 else {
        throw Failure(
          "usage", "`at` is \"end\", \"next\" or a position from 1 on", exit: .usage)
      }
      return .at(position)
    }
  }

  private func move(
    _ name: String, _ entry: EntryID, _ after: EntryID?, _ version: Int64
  ) async throws(Failure) -> WebDocument {
    let answer = try ask { (here) throws(Failure) in
      let (device, order) = try here.ask { (here) throws(StoreError) in
        let device = try here.devices.device(matching: name)
        let order = try here.queue.move(entry, after: after, on: device.id) { present in
          present.version == version ? present : orders.order(version, of: device.id)
        }
        return (device, order)
      }
      orders.keep(order, of: device.id)
      return WebDocument([
        "device": .string(device.label), "entry": .integer(entry.rawValue),
        "after": after.map { .integer($0.rawValue) } ?? .null, "version": .integer(order.version),
        "position": JSONOutput.number(
          order.rows.firstIndex { $0.entry == entry }.map { $0 + 1 }),
      ])
    }
    await poke(name)
    return answer
  }

  /// Keeps the list as it was, so that it can be brought back.
  private func removeAll(_ name: String) async throws(Failure) -> WebDocument {
    let answer = try ask { (here) throws(Failure) in
      let (device, before) = try here.ask { (here) throws(StoreError) in
        let device = try here.devices.device(matching: name)
        return (device, try here.queue.removeAll(from: device.id))
      }
      orders.keep(before, of: device.id)
      return WebDocument(["device": .string(device.label), "version": .integer(before.version)])
    }
    await poke(name)
    return answer
  }

  private func restore(
    _ name: String, _ entries: [Int64]?, _ version: Int64
  ) async throws(Failure) -> WebDocument {
    let answer = try ask { (here) throws(Failure) in
      let (device, restored, order) = try here.ask { (here) throws(StoreError) in
        let device = try here.devices.device(matching: name)
        guard let seen = orders.order(version, of: device.id) else {
          throw StoreError.stale("nothing is known of that version of the list")
        }
        let before = seen.rows.map(\.entry)
        let restored = try here.queue.restore(
          Set(entries?.map(EntryID.init) ?? before), to: device.id, asIn: before)
        return (device, restored, try here.queue.order(of: device.id))
      }
      orders.keep(order, of: device.id)
      return WebDocument([
        "device": .string(device.label), "restored": .array(restored.map { .integer($0.rawValue) }),
        "version": .integer(order.version),
      ])
    }
    await poke(name)
    return answer
  }

  func announce(
    _ object: JSONValue, _ isProgramme: Bool, _ step: @Sendable (JSONValue) async -> Void
  ) async throws(Failure) -> WebDocument {
    let (devices, request) = try Self.announcement(object, isProgramme)
    var call = global
    call.device = devices
    // Problems of single entries are printed for people.
    call.json = true
    let begun = try await request.begin(ScheduleCall(call, stores()))
    let report = try await begun.announcement.untilShown { await step(["announced": .array($0)]) }
    return WebDocument(report.json)
  }

  /// The devices that are named, and what they are to show.
  static func announcement(
    _ object: JSONValue, _ isProgramme: Bool
  ) throws(Failure) -> (devices: [String], request: AnnouncementRequest) {
    try RequestMembers(object).check(["source", "devices", "at", "wait_s", "volume", "resume"])
    let devices = (object["devices"]?.array ?? []).compactMap(\.string)
    guard devices.count == (object["devices"]?.array ?? []).count else {
      throw Failure("usage", "`devices` is a list of names, or @GROUP", exit: .usage)
    }
    var request = try AnnouncementRequest(object)
    request.isProgramme = isProgramme
    return (devices, request)
  }
}
