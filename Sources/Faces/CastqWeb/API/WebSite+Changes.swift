import CastProtocol
import CastqOperations
import CastqStore
import CastqText
import HTTPTypes
import Hummingbird
import NIOCore

/// The requests that change something.
extension WebSite {
  /// Answers at once, and gives the outcome as an event: a television may take long.
  func command(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    guard object["verb"]?.string != nil else {
      throw Problem(
        .unprocessableContent, "usage", "`verb` is missing, as in {\"verb\":\"pause\"}", exit: .usage)
    }
    let device = request.arguments[0]
    // What means nothing is refused at once, as a device is that nobody has.
    try documents.check(.command(device, object))
    let known = try await documents.device(device, for: request.visitor.role)
    let names = [known.alias, known.name].compactMap(\.self)
    return try accepted(
      .command(device, object), device: WatchedDevice(id: 0, label: device, names: names),
      verb: object["verb"] ?? .null, for: request.visitor)
  }

  func announce(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    let question = try await announcement(object, by: request.visitor.role)
    try Self.require(question.role, request)
    try documents.check(question.question)
    return try accepted(question.question, device: nil, verb: "announce", for: request.visitor)
  }

  /// What an announcement asks, and who may. A programme is what an editor has made, so those who operate may name it; then nothing but
  /// that programme is meant, also when it is gone by the time. Without `devices` the default device is meant, as without `-d`; a list that
  /// names nothing is a mistake: a script whose filter found no device must not interrupt a screen.
  func announcement(
    _ object: JSONValue, by visitor: WebRole
  ) async throws(Failure) -> (question: WebQuestion, role: WebRole) {
    if let devices = object["devices"] {
      let names = devices.array ?? []
      guard !names.isEmpty, names.allSatisfy({ $0.string?.isEmpty == false }) else {
        throw Failure(
          "usage",
          "`devices` is a list of one or more names, or @GROUP; leave it out to announce on the default device",
          exit: .usage)
      }
    }
    let role = Self.role(toEnqueue: object)
    guard role > visitor, let name = object["source"]?.string else { return (.announce(object), role) }
    // The list has those with a name that a person gave, and not the files that rules name.
    let programmes =
      try await documents.answer(.list(.programmes), for: visitor).json["programmes"]?.array ?? []
    guard programmes.contains(where: { $0["programme"]?.string == name }) else {
      return (.announce(object), role)
    }
    return (.announce(object, isProgramme: true), .operate)
  }

  private func accepted(
    _ question: WebQuestion, device: WatchedDevice?, verb: JSONValue, for visitor: WebVisitor
  ) throws(Problem) -> Response {
    guard let number = requests.number() else {
      var problem = Problem(.serviceUnavailable, "too_many_requests", "too many commands are under way")
      problem.headers[.retryAfter] = "1"
      throw problem
    }
    let (hub, documents, requests) = (hub, documents, requests)
    let label: JSONValue = device.map { .string($0.label) } ?? .null
    Task {
      var outcome: [String: JSONValue] = [
        "request": .string(number), "device": label, "verb": verb,
        "result": .null, "error": .null,
      ]
      do throws(Failure) {
        let answer = try await documents.answer(question, for: visitor.role) { step in
          var members = step.object ?? [:]
          members["request"] = .string(number)
          await hub.publish(.progress(.object(members), asker: visitor.token))
        }
        let result = answer.json
        outcome["result"] = result
        // An announcement that some screens have not shown is a document with an error in it.
        if let error = result["error"], error.object != nil { outcome["error"] = error }
      } catch { outcome["error"] = error.paged.json }
      outcome["done"] = .bool(outcome["error"] == .null)
      requests.end()
      await hub.publish(.outcome(.object(outcome), device: device, asker: visitor.token))
    }
    return Self.json(
      WebDocument(["request": .string(number), "device": label, "verb": verb]), status: .accepted)
  }

  /// - Returns: 201 with the device.
  func addDevice(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    return Self.json(
      try await documents.answer(.addDevice(object), for: request.visitor.role), status: .created)
  }

  /// - Returns: 201 with the entries; the same answer for a request that is sent again with its key.
  func enqueue(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    try Self.require(Self.role(toEnqueue: object), request)
    let question = WebQuestion.enqueue(request.arguments[0], object)
    guard let given = HTTPField.Name("Idempotency-Key").flatMap({ request.headers[$0] }) else {
      return Self.json(try await documents.answer(question, for: request.visitor.role), status: .created)
    }
    guard (1...200).contains(given.utf8.count) else {
      throw Problem(.badRequest, "usage", "an Idempotency-Key has 1 to 200 bytes")
    }
    let visitor = request.visitor
    let key = "\(visitor.token?.name ?? "") \(visitor.role.rawValue) \(given)"
    switch requests.begin(key, "\(request.path) \(object.text)") {
    case .new: break
    case .running:
      throw Problem(.conflict, "running", "the first request with this Idempotency-Key is still being done")
    case .other:
      throw Problem(
        .unprocessableContent, "idempotency_key", "this Idempotency-Key was used for another request")
    case .done(let status, let text):
      return Self.json(WebDocument(text: text), status: .init(code: status))
    }
    do throws(Failure) {
      let answer = try await documents.answer(question, for: request.visitor.role)
      requests.finish(key, status: HTTPResponse.Status.created.code, text: answer.text)
      return Self.json(answer, status: .created)
    } catch {
      requests.forget(key)
      throw Problem(error)
    }
  }

  /// Names of local files are for those who may edit: castq would give the device whatever it can read.
  static func role(toEnqueue object: JSONValue) -> WebRole {
    var sources = (object["sources"]?.array ?? []).compactMap(\.string)
    if let source = object["source"]?.string { sources.append(source) }
    let isLocal = sources.contains { source in
      let start = source.lowercased()
      // What its owner has put into the library, or given a name, is there to be played.
      if source == TestCard.source || LibrarySource.file(source) ?? LibrarySource.programme(source) != nil {
        return false
      }
      return !start.hasPrefix("http://") && !start.hasPrefix("https://")
    }
    return isLocal ? .edit : .operate
  }

  /// 409 has the present rows, so that the page can show what is.
  func move(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    try Self.check(object, ["entry", "after", "version"])
    let device = request.arguments[0]
    let entry = try Self.integer(object, "entry")
    let version = try Self.integer(object, "version")
    let after = object["after"] == nil || object["after"] == .null ? nil : try Self.integer(object, "after")
    do throws(Failure) {
      return Self.json(
        try await documents.answer(
          .move(device, entry: entry, after: after, version: version), for: request.visitor.role))
    } catch {
      var problem = Problem(error)
      if error.code == "stale" {
        problem.members["present"] = try await documents.answer(
          .queue(device, since: nil, from: 0, count: 1000), for: request.visitor.role
        ).json
      }
      throw problem
    }
  }

  /// A member that nothing reads is a mistake.
  private static func check(_ object: JSONValue, _ names: Set<String>) throws(Problem) {
    guard let unknown = object.object?.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw Problem(
      .badRequest, "usage",
      "`\(TerminalText.excerpt(unknown))` means nothing here; there are \(names.sorted().joined(separator: ", "))",
      exit: .usage)
  }

  private static func integer(_ object: JSONValue, _ name: String) throws(Problem) -> Int64 {
    guard let number = object[name]?.int, number >= 0 else {
      throw Problem(.unprocessableContent, "usage", "`\(name)` is a number from 0 on", exit: .usage)
    }
    return Int64(number)
  }

  func remove(_ request: WebRequest) async throws -> Response {
    guard let entry = Int64(request.arguments[1]), entry > 0 else {
      throw Problem(.notFound, "entry_unknown", "an entry is a number")
    }
    _ = try await documents.answer(.remove(request.arguments[0], entry: entry), for: request.visitor.role)
    return Response(status: .noContent)
  }

  /// - Returns: the version of the list as it was, by which it can be brought back.
  func removeAll(_ request: WebRequest) async throws -> Response {
    Self.json(try await documents.answer(.removeAll(request.arguments[0]), for: request.visitor.role))
  }

  /// Brings removed entries back under their numbers.
  func restore(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    try Self.check(object, ["entries", "version"])
    let version = try Self.integer(object, "version")
    var entries: [Int64]?
    if let list = object["entries"], list != .null {
      let numbers = (list.array ?? []).compactMap(\.int).filter { $0 > 0 }
      guard let all = list.array, numbers.count == all.count, numbers.count <= 100_000 else {
        throw Problem(.unprocessableContent, "usage", "`entries` is a list of entries", exit: .usage)
      }
      entries = numbers.map(Int64.init)
    }
    return Self.json(
      try await documents.answer(
        .restore(request.arguments[0], entries: entries, version: version), for: request.visitor.role))
  }

  func checkSources(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    try Self.check(object, ["sources"])
    let sources = (object["sources"]?.array ?? []).compactMap(\.string)
    guard !sources.isEmpty, sources.count == object["sources"]?.array?.count else {
      throw Problem(.unprocessableContent, "usage", "`sources` is a list of texts", exit: .usage)
    }
    return Self.json(try await documents.answer(.check(sources), for: request.visitor.role))
  }

  // MARK: - Programmes

  func makeProgramme(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    return Self.json(
      try await documents.answer(.makeProgramme(object), for: request.visitor.role), status: .created)
  }

  func addToProgramme(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    _ = try await documents.answer(.addToProgramme(request.arguments[0], object), for: request.visitor.role)
    return Response(status: .noContent)
  }

  func removeProgramme(_ request: WebRequest) async throws -> Response {
    _ = try await documents.answer(.removeProgramme(request.arguments[0]), for: request.visitor.role)
    return Response(status: .noContent)
  }

  // MARK: - Rules

  /// A rule that is there needs `If-Match` with its revision; one that is not needs none.
  func putRule(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    let revision = try await revision(request)
    do throws(Failure) {
      return Self.json(
        try await documents.answer(
          .putRule(request.arguments[0], object, revision: revision), for: request.visitor.role))
    } catch { throw Self.precondition(error, isGiven: revision != nil) }
  }

  /// Needs `If-Match` as a change does: somebody else may have changed the rule meanwhile.
  func removeRule(_ request: WebRequest) async throws -> Response {
    let name = request.arguments[0]
    guard let revision = try await revision(request) else {
      // A rule that nobody has is told as such.
      _ = try await documents.answer(.rule(name), for: request.visitor.role)
      throw Problem(
        .preconditionRequired, "stale", "a rule is removed as it was seen; send its ETag as If-Match",
        exit: .tryAgain)
    }
    do throws(Failure) {
      _ = try await documents.answer(.removeRule(name, revision: revision), for: request.visitor.role)
    } catch { throw Self.precondition(error, isGiven: true) }
    return Response(status: .noContent)
  }

  /// Changes some members of a rule, and leaves everything else of it as it is. Switching it needs nothing but its name.
  func changeRule(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    let name = request.arguments[0]
    if let isEnabled = object["enabled"]?.bool, object.object?.count == 1 {
      _ = try await documents.answer(.enable(name, isEnabled), for: request.visitor.role)
      return Self.json(try await documents.answer(.rule(name), for: request.visitor.role))
    }
    guard object.object?.isEmpty == false, object["enabled"].map({ $0.bool != nil }) ?? true else {
      throw Problem(
        .badRequest, "usage", "say what changes: a rule is switched by {\"enabled\":false} or true",
        exit: .usage)
    }
    let revision = try await revision(request)
    do throws(Failure) {
      return Self.json(
        try await documents.answer(.editRule(name, object, revision: revision), for: request.visitor.role))
    } catch { throw Self.precondition(error, isGiven: revision != nil) }
  }

  private static func precondition(_ failure: Failure, isGiven: Bool) -> Problem {
    var problem = Problem(failure)
    if failure.code == "stale" {
      problem.status = isGiven ? .preconditionFailed : .preconditionRequired
      if !isGiven { problem.detail += "; send its ETag as If-Match" }
    }
    return problem
  }

  func exception(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    return Self.json(
      try await documents.answer(.exception(request.arguments[0], object), for: request.visitor.role))
  }

  /// What a change would change; a look, though it is posted: it has a body.
  func preview(_ request: WebRequest) async throws -> Response {
    let object = try await request.object(limit: settings.limits.body)
    return Self.json(
      try await documents.answer(.preview(request.arguments[0], object), for: request.visitor.role))
  }

  /// The revision that `If-Match` names; that of the rule as it is for `*`, and nil without the field.
  private func revision(_ request: WebRequest) async throws(Problem) -> Int? {
    guard let text = request.headers[.ifMatch] else { return nil }
    if text == "*" {
      let missing = Problem(.preconditionFailed, "precondition", "there is no rule of this name")
      let rule: WebDocument
      do throws(Failure) {
        rule = try await documents.answer(.rule(request.arguments[0]), for: request.visitor.role)
      } catch {
        let problem = Problem(error)
        throw problem.status == .notFound ? missing : problem
      }
      guard let revision = rule.version.flatMap({ Int($0) }) else { throw missing }
      return revision
    }
    let bare = text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    guard let revision = Int(bare), revision >= 0 else {
      throw Problem(.preconditionFailed, "precondition", "If-Match is the ETag of a rule")
    }
    return revision
  }
}
