package import CastqFeeding
package import CastqPlaylists
import CastqSchedule
import CastqText

/// What castq says of the screens of a virtual site, by its rows.
extension VirtualSite {
  /// The timeline of a device up to now, and whose turns its plays are.
  package func timeline(of id: DeviceID) -> (timeline: Timeline, turns: [Int64: EntryTurn]) {
    let rows = feeds[index(id)].rows
    let first = WallTime(milliseconds: 1_000_000)
    var facts = TimelineFacts(madeAt: first, now: wall, isFed: runs.contains(id))
    facts.outages = rows.absences
    facts.stoppedAt = rows.stoppedAt
    facts.darkHours = DarkHours(configuration.standard, local: TimeZoneRules())
    for (number, decision) in rows.decisions.enumerated() where decision.kind != .share {
      facts.decisions.append(
        .init(
          id: Int64(number), at: decision.at, kind: decision.kind, rule: decision.onAir?.programme,
          programme: decision.onAir?.programme, planned: decision.planned,
          end: decision.onAir?.occurrence.end))
    }
    let plays = rows.plays
    let turns = Dictionary(uniqueKeysWithValues: plays.map { ($0.play.id, $0.turn) })
    return (Timeline(facts, plays: plays.map(\.play), in: first..<wall), turns)
  }
}

extension VirtualRows {
  /// The rows of all plays, as the database has them, by their beginnings.
  package var plays: [(turn: EntryTurn, play: Timeline.Play)] {
    var order: [EntryTurn] = []
    var known: [EntryTurn: (started: StartedPlay?, seen: WallTime?, ended: EndedPlay?)] = [:]
    for fact in facts {
      if known[fact.turn] == nil {
        order.append(fact.turn)
        known[fact.turn] = (nil, nil, nil)
      }
      switch fact {
      case .started(_, let play):
        known[fact.turn]?.started = play
        known[fact.turn]?.seen = play.at
      case .progressed(_, let play): known[fact.turn]?.seen = play.at
      case .ended(_, let play): known[fact.turn]?.ended = play
      case .adEnded: break
      }
    }
    let plays = order.enumerated().map { number, turn in
      let (started, seen, ended) = known[turn] ?? (nil, nil, nil)
      let isBase = rows.contains { $0.id == turn.entry }
      return (
        turn,
        Timeline.Play(
          id: Int64(number), title: "\(turn.entry)", key: .init(isBase ? .base : .rule),
          startedAt: started?.at ?? ended?.startedAt, endedAt: ended?.at, observedAt: seen,
          played: ended?.played ?? 0, outcome: ended?.outcome, cause: ended?.cause,
          causedBy: ended?.causedBy, gapBefore: started?.gapBefore,
          unobserved: ended?.unobserved ?? 0, reason: ended?.reasonWords)
      )
    }
    return plays.sorted { ($0.1.moment ?? .latest, $0.1.id) < ($1.1.moment ?? .latest, $1.1.id) }
  }
}
