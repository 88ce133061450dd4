import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// Why something was played: what its row of the history says.
struct WhyPlay {
  private let look: ScheduleLook
  private let zone: NamedZone

  init(_ look: ScheduleLook, _ zone: NamedZone) {
    self.look = look
    self.zone = zone
  }

  func reply(_ number: Int64) throws(Failure) -> WhyReply {
    let store = ScheduleStore(look.workspace.database)
    let (play, decision) = try look.workspace.ask { (_) throws(StoreError) in
      let play = try store.play(number)
      let decision = try play?.decision.flatMap { (id) throws(StoreError) in try store.decision(id) }
      return (play, decision)
    }
    guard let play else {
      throw Failure(
        "unknown_play", "there is no play \(number)", hint: .listPlays, exit: .badData)
    }
    let lines = ["\(play.title) on \(play.device): \(times(play))", "  \(Self.reason(play, zone))"]
    return WhyReply(
      json: Self.json(play, decision),
      lines: lines + (decision.map { ["  decided: \($0.decision.reason)"] } ?? []))
  }

  /// `Mon 14 Dec 08:00–08:12, finished`.
  func times(_ play: StoredPlay) -> String {
    var words = PlanWording(look.schedule.book, zone: zone.rules)
    let outcome = play.outcome?.rawValue ?? "playing"
    guard let start = play.startedAt ?? play.endedAt else { return outcome }
    return "\(words.time(start, play.endedAt ?? start)), \(outcome)"
  }

  /// What put it on the screen, in words.
  static func reason(_ play: StoredPlay, _ zone: NamedZone) -> String {
    let late = play.plannedAt?.dated.flatMap { planned in play.startedAt.map { $0 - planned } }
    let occurrence = play.occurrence.flatMap(LocalTime.dated).map { " of \($0)" } ?? ""
    let lateness = late.map { $0 >= 1 ? ", \(Int(bounded: $0)) s after its time" : "" } ?? ""
    let rule = "\(play.rule ?? "without a name")\(play.revision.map { " (revision \($0))" } ?? "")"
    switch play.kind {
    case nil: return "it was played before rules were recorded"
    case "base": return "base: no rule was on, so the queue of the device played"
    case "share": return "share: \(rule)"
    case let kind?: return "\(kind): \(rule)\(occurrence)\(lateness)"
    }
  }

  static func json(_ play: StoredPlay, _ decision: StoredDecision?) -> JSONValue {
    [
      "play": .integer(play.id), "entry": .integer(play.entry.rawValue), "device": .string(play.device),
      "title": .string(play.title), "started_at": JSONOutput.time(play.startedAt),
      "ended_at": JSONOutput.time(play.endedAt), "outcome": JSONOutput.text(play.outcome?.rawValue),
      "kind": JSONOutput.text(play.kind), "rule": JSONOutput.text(play.rule),
      "revision": JSONOutput.number(play.revision),
      "occurrence": JSONOutput.text(play.occurrence.flatMap(LocalTime.dated)),
      "planned_at": JSONOutput.bound(play.plannedAt), "decision": decision.map(WhyAnswer.json) ?? .null,
    ]
  }
}
