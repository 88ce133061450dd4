import CastProtocol
import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird

/// What pages without script post: a form with `do` (`command`, `enqueue`, `move`, `remove`, `announce`, `rule`, `skip`, `move-to`, `enable`,
/// `disable`, `start`, `add-screen`, `remove-rule`, `restore-rule`, `programme`, `programme-remove`), `device`, `back`, and the
/// members of the API's object; numbers and `true` are given as such.
extension WebSite {
  func perform(_ request: WebRequest) async throws -> Response {
    let form = try await form(request)
    let notice = try await outcome(of: form, request)
    return Response(
      status: .seeOther, headers: [.location: Self.back(form, notices.keep(notice), notice)])
  }

  /// Does what a form says. Whoever has filled it in gets it back, whatever is wrong with it.
  private func outcome(of form: WebOptions, _ request: WebRequest) async throws -> PageNotice {
    do {
      var form = form
      if form["do"] == "rule" { form = try await named(form, by: request.visitor) }
      let asked = try await question(form, by: request.visitor)
      try Self.require(asked.role, request)
      let answer = try await documents.answer(asked.question, for: request.visitor.role)
      // An announcement that some screens have not shown is a document with an error in it.
      if case .removeRule(let name, _) = asked.question, let object = answer.json["rule"] {
        return .removed(rule: name, object: object)
      }
      guard let failure = Failure(json: answer.json["error"]) else { return .done(Self.words(form)) }
      return .mistake(failure, form: form)
    } catch let failure as Failure {
      return .mistake(Self.spoken(failure, of: form), form: form)
    } catch let problem as Problem where problem.code != Self.nothing.code {
      return .mistake(
        Failure(problem.code, problem.detail, exit: problem.exit ?? .usage), form: form)
    }
  }

  private static let nothing = Problem(
    .badRequest, "nothing_to_do", "the form says nothing that can be done", exit: .usage)

  /// What became of a form that was done.
  private static func words(_ form: WebOptions) -> String {
    let rule = form["rule"] ?? ""
    return switch form["do"] {
    case "rule": "\(form["old"] ?? rule) is saved."
    case "restore-rule": "It is back."
    case "enable": "\(rule) is switched on."
    case "disable": "\(rule) is switched off."
    case "skip": "This time of \(rule) is skipped."
    case "move-to": "This time of \(rule) is moved."
    case NewProgramme.action: "\(form["programme"] ?? "") is a programme now."
    case "programme-remove": "\(form["programme"] ?? "") is no programme any more."
    case "start": "castq is running."
    default: "done"
    }
  }

  /// The form of a new rule with a name: that of its programme, where nobody has given one.
  private func named(_ form: WebOptions, by visitor: WebVisitor) async throws -> WebOptions {
    guard form["old"] == nil, (form["rule"] ?? "").isEmpty else { return form }
    try Self.require(.edit, visitor)
    var known: [String] = []
    for list in [ScheduleList.rules, .shares] {
      let rules = try await documents.answer(.list(list), for: visitor.role).json[list.rawValue]?.array
      known += (rules ?? []).compactMap { $0["rule"]?.string }
    }
    let name = RuleNaming.name(for: form["play"] ?? "", besides: known)
    return WebOptions(form.values.filter { $0.name != "rule" } + [.init("rule", name)])
  }

  /// What a rule would do, and what would change, of the fields as they are: the same as the form says when it is sent. What is
  /// wrong with them is an answer, too (`problem`): a rule that somebody is still writing is no error.
  func previewRule(_ request: WebRequest) async throws -> Response {
    let form = try await form(request)
    let fields = RuleFields(form)
    var object: [String: JSONValue] = [:]
    var name = form["old"] ?? ""
    if form["old"] == nil { name = try await named(form, by: request.visitor)["rule"] ?? "" }
    for (field, member) in [("shown", "device"), ("first", "from"), ("last", "until"), ("tz", "tz")] {
      if let text = form[field], !text.isEmpty { object[member] = .string(text) }
    }
    var members: [String: JSONValue]
    do throws(Failure) {
      if form["old"] == nil {
        object["rule"] = try fields.rule()
      } else {
        object["changes"] = .object(try fields.changes())
      }
      let answer = try await documents.answer(.preview(name, .object(object)), for: request.visitor.role)
      members = answer.json.object ?? [:]
    } catch {
      let problem = Problem(error)
      guard problem.status == .unprocessableContent else { throw problem }
      members = ["problem": problem.json]
    }
    members["rule"] = .string(name)
    return Self.json(WebDocument(.object(members)))
  }

  /// A failure in the words of the form.
  private static func spoken(_ failure: Failure, of form: WebOptions) -> Failure {
    guard form["do"] == "rule", failure.code == "stale" else { return failure }
    var failure = failure
    failure.message =
      form["old"].map { "somebody has changed \($0) meanwhile; look at it again, then save" }
      ?? "there is a rule \(form["rule"] ?? "") already; choose another name"
    return failure
  }

  /// What a form asks, and who may.
  private func question(
    _ form: WebOptions, by visitor: WebVisitor
  ) async throws -> (question: WebQuestion, role: WebRole) {
    let device = form["device"] ?? ""
    var members: [String: JSONValue] = [:]
    for field in form.values where !["do", "device", "back"].contains(field.name) && !field.value.isEmpty {
      let value = Self.value(field.value, of: field.name)
      if case .array(let values)? = members[field.name] {
        members[field.name] = .array(values + [value])
      } else if ["sources", "devices", "on", "files"].contains(field.name) {
        members[field.name] = .array([value])
      } else {
        members[field.name] = value
      }
    }
    let object = JSONValue.object(members)
    let question: WebQuestion
    var role = WebRole.operate
    switch form["do"] {
    case "command": question = .command(device, object)
    case "enqueue":
      question = .enqueue(device, object)
      role = Self.role(toEnqueue: object)
    case "announce":
      // A form without a chosen screen has no member of that name, and means no screen.
      guard members["devices"] != nil else {
        throw Failure("usage", "choose at least one screen", exit: .usage)
      }
      (question, role) = try await announcement(object, by: visitor.role)
    case NewProgramme.action: (question, role) = (.makeProgramme(object), .edit)
    case "programme-remove": (question, role) = (.removeProgramme(form["programme"] ?? ""), .edit)
    case "move":
      question = .move(
        device, entry: try Self.entry(object["entry"]), after: object["after"]?.int.map(Int64.init),
        version: try Self.entry(object["version"]))
    case "rule":
      let fields = RuleFields(form)
      let name = form["rule"] ?? ""
      if let old = form["old"] {
        question = .editRule(
          old, .object(try fields.changes()), revision: form["revision"].flatMap { Int($0) })
      } else if let copy = form["copy"] {
        let changes = try fields.changes().merging(["exceptions": .null, "enabled": .null]) { $1 }
        question = .copyRule(copy, as: name, .object(changes))
      } else {
        question = .putRule(name, try fields.rule(), revision: nil)
      }
      role = .edit
    case "remove-rule":
      guard let revision = form["revision"].flatMap({ Int($0) }) else { throw Self.nothing }
      question = .removeRule(form["rule"] ?? "", revision: revision)
      role = .edit
    case "restore-rule":
      guard case .removed(let name, let object)? = form["notice"].flatMap(notices.notice) else {
        throw Failure("usage", "castq does not have this time any more", exit: .usage)
      }
      question = .putRule(name, object, revision: nil)
      role = .edit
    case "skip"?, "move-to"?:
      let isMove = form["do"] == "move-to"
      question = .exception(
        form["rule"] ?? "",
        .object(
          [
            "occurrence": .string(form["occurrence"] ?? ""), "action": isMove ? "move" : "skip",
          ].merging(isMove ? ["to": .string(form["to"] ?? "")] : [:]) { $1 }))
      role = .edit
    case "enable"?, "disable"?:
      question = .enable(form["rule"] ?? "", form["do"] == "enable")
      role = .edit
    case "add-screen":
      question = .addDevice(object)
      role = .edit
    case "start": question = .startDaemon
    case "remove": question = .remove(device, entry: try Self.entry(object["entry"]))
    default: throw Self.nothing
    }
    return (question, role)
  }

  static func entry(_ value: JSONValue?) throws(Problem) -> Int64 {
    guard let number = value?.int else {
      throw Problem(.badRequest, "usage", "entries and versions are numbers")
    }
    return Int64(number)
  }

  static func require(_ role: WebRole, _ request: WebRequest) throws(Problem) {
    try require(role, request.visitor)
  }

  private static func require(_ role: WebRole, _ visitor: WebVisitor) throws(Problem) {
    guard visitor.role >= role else {
      throw Problem(
        .forbidden, "role",
        "this needs the role \(role.rawValue), and the token has \(visitor.role.rawValue)")
    }
  }

  private static func value(_ text: String, of name: String) -> JSONValue {
    if ["sources", "source", "devices", "files", "programme", "name", "address", "to"].contains(name) {
      return .string(text)
    }
    if let number = Int64(text) { return .integer(number) }
    if let number = Double(text), number.isFinite { return .number(number) }
    return text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
  }

  /// - Parameter number: that of the notice.
  private static func back(_ form: WebOptions, _ number: String, _ notice: PageNotice) -> String {
    let path = local(form["back"])
    let plain = path.prefix { $0 != "#" }
    let halves = plain.split(separator: "?", maxSplits: 1)
    let query = (halves.count > 1 ? halves[1] : "").split(separator: "&").filter { !$0.hasPrefix("notice=") }
    let fragment = if case .mistake = notice { FormMistake.fragment(of: form) } else { "" }
    return "\(halves.first ?? "/")?"
      + (query.map(String.init) + ["notice=\(number)"]).joined(separator: "&") + fragment
  }
}
