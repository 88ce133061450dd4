import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

extension ScheduleCommand {
  /// `castq schedule log NAME`
  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the revisions of a rule, and what each of them changed.",
      discussion: """
        A change of the programme, day part, calendar or group that a rule names is a revision of the rule, too. The history of plays \
        names the revision that was in force. A rule that was removed keeps its log.
        """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: "Name of the rule.", completion: NameCompletion.rules) var name: String

    func run() async throws {
      let call = try ScheduleCall(global, isReader: true)
      let revisions = try call.ask { (store) throws(StoreError) in try store.revisions(of: name) }
      let zone = Zone.local
      var table = Table([("REVISION", .right), ("AT", .left), ("CHANGE", .flexible)])
      for each in revisions {
        table.add(["\(each.revision)", zone.text(each.at), each.words])
      }
      try call.print(revisions.map(\.document), as: "revisions", table, none: "the rule has no revisions")
    }
  }
}

extension RuleRevision {
  fileprivate var words: String {
    if before == nil { return "made" }
    if after == nil { return "removed" }
    if let cause { return "the \(cause) was changed" }
    return changes.map { "\($0.member) \($0.from.text) → \($0.to.text)" }.joined(separator: ", ")
  }

  fileprivate var document: JSONValue {
    [
      "revision": .integer(Int64(revision)), "at": JSONOutput.time(at),
      "change": .string(before == nil ? "made" : after == nil ? "removed" : "changed"),
      "cause": JSONOutput.text(cause), "before": before ?? .null, "after": after ?? .null,
    ]
  }
}
