import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore
import CastqDocuments

/// What the page and the API change.
extension WebDesk {
  func change(_ question: WebQuestion) async throws(ControlFailure) -> WebDocument {
    switch question {
    case .command(let device, let object):
      let (name, options, arguments) = try RemoteVerb.words(object)
      return try await document(name, options, arguments, on: device)
    case .enqueue(let device, let object): return try await enqueue(device, object)
    case .move(let device, let entry, let after, let version):
      return try await move(device, EntryID(entry), after.map(EntryID.init), version)
    case .remove(let device, let entry):
      _ = try await document(["remove"], [], ["\(entry)"], on: device)
      await poke(device)
      return WebDocument([:])
    case .removeAll(let device): return try await removeAll(device)
    case .restore(let device, let entries, let version):
      return try await restore(device, entries, version)
    case .putRule(let name, let object, let revision): return try await put(name, object, revision)
    case .removeRule(let name, let revision): return try await remove(name, revision)
    case .enable(let name, let isEnabled):
      return try await document(["schedule", isEnabled ? "enable" : "disable"], [], [name])
    case .exception(let name, let object): return try await exception(name, object)
    case .announce(let object, let isProgramme): return try await announce(object, isProgramme)
    case .devices, .scan, .device, .status, .statuses, .queue, .history, .report, .plan, .why, .list, .rule,
      .programme, .preview, .doctor, .check, .art, .metrics, .health:
      throw ControlFailure("bug", "a question changes nothing", exit: .bug)
    }
  }

  private func poke(_ name: String) async {
    guard let workspace = try? Workspace(global),
      let device = try? workspace.devices.device(matching: name)
    else { return }
    await FeederCall.poke(workspace, device, global)
  }

  private func enqueue(_ device: String, _ object: JSONValue) async throws(ControlFailure) -> WebDocument {
    try Members(object).check(["sources", "at", "play", "strict", "recursive"])
    let texts = (object["sources"]?.array ?? []).compactMap(\.string)
    guard texts.count == object["sources"]?.array?.count else {
      throw ControlFailure("usage", "`sources` is a list of addresses and paths", exit: .usage)
    }
    let card = texts.contains(WebTestCard.source) ? try TestCard.file(global) : ""
    let sources = try Self.checked(texts.map { $0 == WebTestCard.source ? card : $0 })
    var options: [String] = []
    switch object["at"] {
    case nil, .null?, .string("end")?: break
    case .string("next")?: options.append("--next")
    case let value?:
      guard let position = value.int, position > 0 else {
        throw ControlFailure("usage", "`at` is \"end\", \"next\" or a position from 1 on", exit: .usage)
      }
      options.append("--at=\(position)")
    }
    for flag in ["play", "strict", "recursive"] where try Members(object).flag(flag) {
      options.append("--\(flag)")
    }
    return try await document(["enqueue"], options, sources, on: device)
  }

  private func move(
    _ name: String, _ entry: EntryID, _ after: EntryID?, _ version: Int64
  ) async throws(ControlFailure) -> WebDocument {
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
  private func removeAll(_ name: String) async throws(ControlFailure) -> WebDocument {
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
  ) async throws(ControlFailure) -> WebDocument {
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

  private func announce(
    _ object: JSONValue, _ isProgramme: Bool
  ) async throws(ControlFailure) -> WebDocument {
    let (options, source) = try Self.announcement(object, isProgramme)
    return try await document(["announce"], options, [source])
  }

  /// The words of `castq announce`.
  static func announcement(
    _ object: JSONValue, _ isProgramme: Bool
  ) throws(ControlFailure) -> (options: [String], source: String) {
    let members = Members(object)
    try members.check(["source", "devices", "at", "wait_s", "volume", "resume"])
    var options: [String] = []
    let devices = (object["devices"]?.array ?? []).compactMap(\.string)
    guard devices.count == (object["devices"]?.array ?? []).count else {
      throw ControlFailure("usage", "`devices` is a list of names, or @GROUP", exit: .usage)
    }
    options += devices.map { "--device=\($0)" }
    if isProgramme { options.append("--programme") }
    switch object["at"]?.string {
    case "now"?, nil: break
    case "next"?: options.append("--next")
    case "wait"?: options.append("--wait=\(try members.number("wait_s", 1...86_400))s")
    default: throw ControlFailure("usage", "`at` is now, next or wait", exit: .usage)
    }
    if object["volume"] != nil, object["volume"] != .null {
      options.append("--volume=\(try members.number("volume", 0...100))")
    }
    if let resume = object["resume"]?.string { options.append("--resume=\(resume)") }
    return (options, try members.text("source"))
  }
}
