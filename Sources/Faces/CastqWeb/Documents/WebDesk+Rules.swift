import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqSchedule
import CastqStore
import CastqText

/// Rules: changed, and looked at as they would be.
extension WebDesk {
  /// Gives a rule what a file of `castq schedule apply` would give it. What it plays must be there, as `castq schedule add` has it: a
  /// rule that is written on the page has nobody who reads the daemon's log.
  func put(
    _ name: String, _ object: JSONValue, _ revision: Int?
  ) async throws(Failure) -> WebDocument {
    let object = try played(object)
    let site = try ask { (here) throws(Failure) in try Self.site(name, object, here) }
    for rule in site.rules.values { try await checkSource(rule.programme) }
    let answer = try ask { (here) throws(Failure) in
      let store = ScheduleStore(here.database)
      return try here.ask { (_) throws(StoreError) in
        _ = try store.apply(
          site, isPruning: false, seed: { .random(in: 0...UInt64.max) }, at: .now,
          if: RuleCondition(name, revision: revision))
        let rule = try store.rule(name)
        return WebDocument(
          rule.shown.document(devices: try store.deviceLabels()), version: "\(rule.revision)")
      }
    }
    if let workspace = try? stores() { await ScheduleCall(global, workspace).poke() }
    return answer
  }

  /// A rule with the file that it plays where it names one of the library.
  private func played(_ object: JSONValue) throws(Failure) -> JSONValue {
    guard case .object(var members) = object,
      let name = object["play"]?.string.flatMap(LibrarySource.file)
    else { return object }
    let paths = try library.paths(name)
    guard paths.count == 1 else {
      throw Failure(
        "usage", "a folder of the library is scheduled as a programme: make one of it", exit: .usage)
    }
    members["play"] = .string(paths[0])
    return .object(members)
  }

  /// - Throws: `input_missing` or `bad_playlist` for what is neither a programme nor can be read; `usage` for a path that means
  ///   another file in another folder.
  private func checkSource(_ text: String) async throws(Failure) {
    var global = global
    // Problems of single entries are printed for people.
    global.json = true
    let call = try ScheduleCall(global, isReader: true)
    if try call.ask({ (store) throws(StoreError) in try store.hasProgramme(text) }) { return }
    _ = try Self.checked([text])
    _ = try await call.choice(text)
  }

  /// Changes some members of a rule. What the object does not have stays, also what no page shows.
  func edit(
    _ name: String, _ changes: JSONValue, _ revision: Int?
  ) async throws(Failure) -> WebDocument {
    let (object, known) = try ask { (here) throws(Failure) in
      let rule = try ScheduleCall(global, here).ask { (store) throws(StoreError) in try store.rule(name) }
      return (try Self.merged(name, changes, here), rule.revision)
    }
    return try await put(name, object, revision ?? known)
  }

  /// A rule as it is put, with some members changed (RFC 7396: null removes one).
  static func merged(
    _ name: String, _ changes: JSONValue, _ here: Workspace
  ) throws(Failure) -> JSONValue {
    guard case .object(var members) = try rule(name, here), case .object(let changes) = changes else {
      throw Failure("usage", "the members of a rule are an object", exit: .usage)
    }
    for (key, value) in changes {
      if value == .null { members.removeValue(forKey: key) } else { members[key] = value }
    }
    return .object(members)
  }

  /// A rule as it is put.
  private static func rule(_ name: String, _ here: Workspace) throws(Failure) -> JSONValue {
    let site = try here.ask { (here) throws(StoreError) in try ScheduleStore(here.database).site() }
    let file = SiteWriter.json(site)
    guard let rule = file["rules"]?[name] ?? file["shares"]?[name] else {
      throw Failure("rule_unknown", "there is no rule \(name) any more", exit: .badData)
    }
    return rule
  }

  func remove(_ name: String, _ revision: Int) async throws(Failure) -> WebDocument {
    let rule = try ask { (here) throws(Failure) in
      let rule = try Self.rule(name, here)
      try here.ask { (here) throws(StoreError) in
        try ScheduleStore(here.database).removeRule(
          name, if: RuleCondition(name, revision: revision), at: .now)
      }
      return rule
    }
    if let workspace = try? stores() { await ScheduleCall(global, workspace).poke() }
    return WebDocument(["rule": rule])
  }

  func exception(_ name: String, _ object: JSONValue) async throws(Failure) -> WebDocument {
    let members = RequestMembers(object)
    try members.check(["occurrence", "action", "to", "programme"])
    let time = "\(name)@\(try members.text("occurrence"))"
    let change: TimeChange
    switch try members.text("action") {
    case "skip": change = .skip
    case "move": change = .move(to: try members.text("to"))
    case "replace": change = .replace(by: try members.text("programme"))
    default: throw Self.unknownAction
    }
    return try await scheduled { (call) async throws(Failure) in
      Self.rule(try await call.except(change, at: time).document)
    }
  }

  /// Changes the schedule.
  func scheduled(
    _ body: (ScheduleCall) async throws(Failure) -> WebDocument
  ) async throws(Failure) -> WebDocument {
    var call = global
    // Problems of single entries are printed for people.
    call.json = true
    return try await body(ScheduleCall(call, stores()))
  }

  private static let unknownAction = Failure(
    "usage", "`action` is skip, move or replace", exit: .usage)

  // MARK: - Previews

  /// What a change of a rule would change: what it becomes, and the plan of the screens. Nothing is changed.
  ///
  /// The object has `rule`, as a rule is put, `changes` of some members of it, or the members of an exception; with `device` only the plan
  /// of one screen is compared. `from`, `until` and `tz` are `--from`, `--to` and `--tz` of
  /// `castq plan`.
  func preview(_ name: String, _ object: JSONValue) throws(Failure) -> WebDocument {
    let members = RequestMembers(object)
    try members.check([
      "rule", "changes", "occurrence", "action", "to", "programme", "device", "from", "until", "tz",
    ])
    let query = try WebQuery.plan(members)
    let change: SchedulePreview.Change
    if let changes = object["changes"], changes != .null {
      change = .rule(try ask { (here) throws(Failure) in try Self.merged(name, changes, here) })
    } else if let rule = object["rule"], rule != .null {
      guard !["occurrence", "action", "to", "programme"].contains(where: members.has) else {
        throw Failure("usage", "give either `rule` or the members of an exception", exit: .usage)
      }
      change = .rule(rule)
    } else {
      let occurrence = try members.text("occurrence")
      switch try members.text("action") {
      case "skip": change = .skip(occurrence)
      case "move": change = .move(occurrence, to: try members.text("to"))
      case "replace": change = .replace(occurrence, by: try members.text("programme"))
      default: throw Self.unknownAction
      }
    }
    return try ask { (here) throws(Failure) in
      let file: SiteSchedule =
        switch change {
        case .rule(let object): try Self.site(name, played(object), here)
        case .skip, .move, .replace: try SchedulePreview.file(change, of: name, ScheduleCall(global, here))
        }
      let only = object["device"]?.string.map { Set([$0]) }
      return WebDocument(try SchedulePreview(file, global, query, only: only).json)
    }
  }

  /// A rule as a file of `castq schedule apply` has it.
  private static func site(
    _ name: String, _ object: JSONValue, _ here: Workspace
  ) throws(Failure) -> SiteSchedule {
    let isShare = object["per_hour"] != nil
    let file = JSONValue.object([isShare ? "shares" : "rules": .object([name: object])])
    _ = try ScheduleName.checked(name, "rule")
    let names = try here.ask { (here) throws(StoreError) in try ScheduleStore(here.database).siteNames() }
    let zones = Zone.database
    switch SiteReader.read(
      Array(file.text.utf8), file: name, known: names, zone: { (try? zones.rules(of: $0)) != nil })
    {
    case .success(let read): return read.schedule
    case .failure(let error):
      let words = error.issues.first.map { issue in
        issue.hint?.paged.map { "\(issue.message): \($0)" } ?? issue.message
      }
      throw Failure("schedule", words ?? error.description, exit: .badData)
    }
  }
}
