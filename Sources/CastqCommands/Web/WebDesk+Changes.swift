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
    case .putRule(let name, let object, let revision): return try await put(name, object, revision)
    case .removeRule(let name, let revision):
      guard let revision else {
        return try await document(["schedule", "rm"], [], [name])
      }
      try ask { (here) throws(Failure) in
        try here.ask { (here) throws(StoreError) in
          try ScheduleStore(here.database).removeRule(
            name, if: RuleCondition(name, revision: revision), at: .now)
        }
      }
      return WebDocument([:])
    case .exception(let name, let object): return try await exception(name, object)
    case .announce(let object): return try await announce(object)
    case .devices, .scan, .device, .status, .statuses, .queue, .history, .report, .plan, .why, .list, .rule,
      .programme,
      .doctor, .check, .art:
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

  // MARK: - Rules

  /// A rule as a file of `castq schedule apply` has it.
  private func put(
    _ name: String, _ object: JSONValue, _ revision: Int?
  ) async throws(ControlFailure) -> WebDocument {
    let isShare = object["per_hour"] != nil
    let file = JSONValue.object([isShare ? "shares" : "rules": .object([name: object])])
    let text = file.text
    let answer = try ask { (here) throws(Failure) in
      _ = try ScheduleName.checked(name, "rule")
      let store = ScheduleStore(here.database)
      let names = try here.ask { (_) throws(StoreError) in try store.siteNames() }
      let zones = Zone.database
      let site: SiteSchedule
      switch SiteReader.read(
        Array(text.utf8), file: name, known: names, zone: { (try? zones.rules(of: $0)) != nil })
      {
      case .success(let read): site = read
      case .failure(let error):
        let words = error.issues.first.map { issue in
          issue.hint.map { "\(issue.message): \($0)" } ?? issue.message
        }
        throw Failure("schedule", words ?? error.description, exit: .badData)
      }
      return try here.ask { (_) throws(StoreError) in
        _ = try store.apply(
          site, isPruning: false, seed: { .random(in: 0...UInt64.max) }, at: .now,
          if: RuleCondition(name, revision: revision))
        let rule = try store.rule(name)
        return WebDocument(rule.document(devices: try store.deviceLabels()), version: "\(rule.revision)")
      }
    }
    await pokeAll()
    return answer
  }

  private func pokeAll() async {
    guard let workspace = try? Workspace(global) else { return }
    await ScheduleCall(global, workspace).poke()
  }

  private func exception(_ name: String, _ object: JSONValue) async throws(ControlFailure) -> WebDocument {
    let members = Members(object)
    try members.check(["occurrence", "action", "to", "programme"])
    let time = "\(name)@\(try members.text("occurrence"))"
    let answer: WebDocument
    switch try members.text("action") {
    case "skip": answer = try await document(["schedule", "skip"], [], [time])
    case "move": answer = try await document(["schedule", "move"], [], [time, try members.text("to")])
    case "replace":
      answer = try await document(["schedule", "replace"], [], [time, try members.text("programme")])
    default:
      throw ControlFailure("usage", "`action` is skip, move or replace", exit: .usage)
    }
    return WebDocument(text: answer.text, version: answer.json["revision"]?.int.map { "\($0)" })
  }

  private func announce(_ object: JSONValue) async throws(ControlFailure) -> WebDocument {
    let members = Members(object)
    try members.check(["source", "devices", "at", "wait_s", "volume", "resume"])
    var options: [String] = []
    let devices = (object["devices"]?.array ?? []).compactMap(\.string)
    guard devices.count == (object["devices"]?.array ?? []).count else {
      throw ControlFailure("usage", "`devices` is a list of names, or @GROUP", exit: .usage)
    }
    options += devices.map { "--device=\($0)" }
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
    let source = try members.text("source")
    return try await document(["announce"], options, [source])
  }
}

/// The members of an object that somebody sent.
struct Members {
  private let object: JSONValue

  init(_ object: JSONValue) { self.object = object }

  /// A member that nothing reads is a mistake.
  func check(_ names: Set<String>) throws(ControlFailure) {
    guard let unknown = object.object?.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw ControlFailure(
      "usage",
      "`\(TerminalText.excerpt(unknown))` means nothing here; there are \(names.sorted().joined(separator: ", "))",
      exit: .usage)
  }

  func text(_ name: String) throws(ControlFailure) -> String {
    guard let text = object[name]?.string, !text.isEmpty, text.utf8.count <= 4096 else {
      throw ControlFailure("usage", "`\(name)` is missing, or is no text", exit: .usage)
    }
    return text
  }

  /// False without one.
  func flag(_ name: String) throws(ControlFailure) -> Bool {
    switch object[name] {
    case nil, .null?: return false
    case .bool(let value)?: return value
    default: throw ControlFailure("usage", "`\(name)` is true or false", exit: .usage)
    }
  }

  func number(_ name: String, _ range: ClosedRange<Int>) throws(ControlFailure) -> Int {
    guard let number = object[name]?.int, range.contains(number) else {
      throw ControlFailure(
        "usage", "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)", exit: .usage)
    }
    return number
  }

  /// Any number in a range, as decimal text without an exponent.
  func decimal(_ name: String, _ range: ClosedRange<Double>) throws(ControlFailure) -> String {
    guard let number = object[name]?.double, range.contains(number) else {
      throw ControlFailure(
        "usage", "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)", exit: .usage)
    }
    let thousandths = Int64(bounded: (abs(number) * 1000).rounded())
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
  }
}
