import ArgumentParser
import CastProtocol
import CastqOperations
import CastqOutput
import CastqSchedule
import CastqStore

extension ScheduleCommand {
  /// `castq schedule log NAME`
  struct Log: CastqCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the revisions of a rule, and what each of them changed.",
      discussion: """
        A change of the programme, day part, calendar or group that a rule names is a revision of the rule, too. The history of plays \
        names the revision that was in force. A rule that was removed keeps its log.
        """)

    @OptionGroup var given: GivenOptions
    @Argument(help: "Name of the rule.", completion: NameCompletion.rules) var name: String

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      let revisions = try call.ask { (store) throws(StoreError) in try store.revisions(of: name) }
        .map(\.shown)
      let zone = try Zone.site(global)
      var table = Table([("REVISION", .right), ("AT", .left), ("CHANGE", .flexible)])
      for each in revisions {
        table.add(["\(each.revision)", zone.text(each.at), each.words])
      }
      try call.print(
        revisions.map(\.document), as: "revisions", table, none: "the rule has no revisions",
        legend: zone.legend)
    }
  }
}

extension RuleRevision {
  /// The revision with the names of programmes as people see them.
  fileprivate var shown: RuleRevision {
    var revision = self
    (revision.before, revision.after) = (before?.withShownProgrammes, after?.withShownProgrammes)
    return revision
  }

  fileprivate var words: String {
    if before == nil { return "made" }
    if after == nil { return "removed" }
    if let cause { return "the \(cause) was changed" }
    return changes.flatMap { change in
      change.member == "exceptions"
        ? Self.words(change.from, change.to) : ["\(change.member) \(change.from.text) → \(change.to.text)"]
    }.joined(separator: ", ")
  }

  /// What was said of single times: `2026-12-24T11:30 is skipped`.
  private static func words(_ old: JSONValue, _ new: JSONValue) -> [String] {
    func byTime(_ list: JSONValue) -> [String: JSONValue] {
      Dictionary((list.array ?? []).map { ($0["occurrence"]?.string ?? "", $0) }) { $1 }
    }
    let (old, new) = (byTime(old), byTime(new))
    return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { time in
      guard let exception = new[time] else { return "\(time) is as the rule has it" }
      switch exception["action"]?.string {
      case "skip": return "\(time) is skipped"
      case "move": return "\(time) is moved to \(exception["to"]?.string ?? "?")"
      default: return "\(time) plays \(exception["programme"]?.string ?? "?")"
      }
    }
  }

  fileprivate var document: JSONValue {
    [
      "revision": .integer(Int64(revision)), "at": JSONOutput.time(at),
      "change": .string(before == nil ? "made" : after == nil ? "removed" : "changed"),
      "cause": JSONOutput.text(cause), "before": before ?? .null, "after": after ?? .null,
    ]
  }
}

extension JSONValue {
  /// The document of a rule, or of one of its exceptions, with the names of programmes as people see them.
  fileprivate var withShownProgrammes: JSONValue {
    guard case .object(var members) = self else { return self }
    if let name = members["programme"]?.string { members["programme"] = .string(ProgrammeName.shown(name)) }
    if let list = members["exceptions"]?.array {
      members["exceptions"] = .array(list.map(\.withShownProgrammes))
    }
    return .object(members)
  }
}
