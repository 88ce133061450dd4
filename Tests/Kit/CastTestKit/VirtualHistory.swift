import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

/// The history of one device in memory. As in the database, each fact counts once.
struct VirtualHistory: Sendable {
  /// Every fact that was new, in the order it was recorded.
  private(set) var facts: [PlaybackFact] = []
  /// Plays that have begun and not ended.
  private(set) var unfinished: [EntryTurn: UnfinishedPlay] = [:]
  private var started: Set<EntryTurn> = []
  private var ended: Set<EntryTurn> = []
  /// The newest play that has ended at a position.
  private var newest: (turn: EntryTurn, play: EndedPlay)?
  /// The newest of each entry, and its number among all ends.
  private var ends: [EntryID: (number: Int, play: EndedPlay)] = [:]

  func hasEnded(_ turn: EntryTurn) -> Bool { ended.contains(turn) }

  /// The resume position of the newest play, if that was cut; nil when it was not.
  var lastCut: ResumePoint? {
    guard unfinished.isEmpty, let newest, [.interrupted, .cancelled].contains(newest.play.outcome),
      let position = newest.play.position, position > .zero
    else { return nil }
    return ResumePoint(entry: newest.turn.entry, position: position)
  }

  /// The resume position of the newest play of these entries, if that was cut; nil when it was not.
  func lastCut(of entries: Set<EntryID>) -> ResumePoint? {
    let last = ends.filter { entries.contains($0.key) }.max { $0.value.number < $1.value.number }
    guard let last, [.interrupted, .cancelled].contains(last.value.play.outcome),
      let position = last.value.play.position, position > .zero
    else { return nil }
    return ResumePoint(entry: last.key, position: position)
  }

  /// - Returns: the facts that were new.
  mutating func record(_ recorded: [RecordedFact]) -> [RecordedFact] {
    recorded.filter { fact in
      guard isNew(fact.fact) else { return false }
      facts.append(fact.fact)
      return true
    }
  }

  /// Closes plays whose end is unobserved, except those that continue.
  /// - Returns: the resume position of the last one; nil when there was none.
  mutating func close(keeping kept: [EntryTurn]) -> ResumePoint? {
    var point: ResumePoint?
    for (turn, play) in unfinished.sorted(by: { $0.value.startedAt < $1.value.startedAt })
    where !kept.contains(turn) {
      unfinished[turn] = nil
      let end = EndedPlay(
        at: play.observedAt, startedAt: play.startedAt, position: play.position, played: play.played,
        duration: play.duration, outcome: .interrupted, evidence: .unobserved)
      ends[turn.entry] = (ended.count, end)
      ended.insert(turn)
      facts.append(.ended(turn, end))
      point = ResumePoint(entry: turn.entry, position: play.position)
    }
    return point
  }

  mutating func takeFacts() -> [PlaybackFact] {
    defer { facts = [] }
    return facts
  }

  private mutating func isNew(_ fact: PlaybackFact) -> Bool {
    switch fact {
    case .started(let turn, let play):
      guard started.insert(turn).inserted else { return false }
      unfinished[turn] = UnfinishedPlay(
        startedAt: play.at, observedAt: play.at, position: play.position, played: 0, duration: play.duration)
      return true
    case .ended(let turn, let play):
      unfinished[turn] = nil
      if play.position != nil { newest = (turn, play) }
      if ended.contains(turn) { return false }
      ends[turn.entry] = (ended.count, play)
      return ended.insert(turn).inserted
    case .progressed(let turn, let play):
      guard unfinished[turn] != nil else { return false }
      unfinished[turn]?.observedAt = play.at
      unfinished[turn]?.position = play.position
      unfinished[turn]?.played = play.played
      return true
    case .adEnded: return true
    }
  }
}
