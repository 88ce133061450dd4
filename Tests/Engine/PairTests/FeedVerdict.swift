import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists

/// Holds rows and history of a run that is over against what the screen has really shown.
struct FeedVerdict {
  /// What a run may have had done to it.
  struct Excuses: OptionSet {
    let rawValue: Int
    /// Somebody passed over entries on the receiver: they need not have been shown.
    static let strangersSkip = Excuses(rawValue: 1)
    /// Statuses tell wrong positions: what history concludes from them is worth no more.
    static let wrongTimes = Excuses(rawValue: 2)
    /// The receiver said nothing for a time: that the screen is dark takes longer to be noticed.
    static let silence = Excuses(rawValue: 4)
    /// The wall clock jumped while no process was there: how long a picture stood is anybody's guess.
    static let wrongPictureTimes = Excuses(rawValue: 8)
  }

  let feed: VirtualFeed
  let excuses: Excuses
  /// How long a picture is shown, in seconds.
  let imageDuration: Double
  /// Seconds in which something must be on the screen again.
  var bound = 10.0

  /// Seconds. What is believed to be so near its end when it vanishes counts as finished.
  private static let tolerance = 1.75

  /// Every rule that was broken, in words.
  var complaints: [String] {
    var all: [String] = []
    for row in feed.rows.rows { all += complaints(about: row) }
    all += feed.rows.facts.compactMap(complaint(about:))
    let open = opened.subtracting(ended.map(\.turn))
    if !open.isEmpty { all.append("begun and never ended: \(open.sorted { $0.turn < $1.turn })") }
    if Set(ended.map(\.turn)).count != ended.count { all.append("a play ended twice") }
    if feed.watch.longestReturn > (excuses.contains(.silence) ? 25 : bound) {
      all.append("nothing on the screen for \(feed.watch.longestReturn) s while the device answered")
    }
    return all
  }

  private var opened: Set<EntryTurn> {
    Set(
      feed.rows.facts.compactMap { fact in
        if case .started(let turn, _) = fact { turn } else { nil }
      })
  }

  private var ended: [(turn: EntryTurn, play: EndedPlay)] {
    feed.rows.facts.compactMap { fact in
      if case .ended(let turn, let play) = fact { (turn, play) } else { nil }
    }
  }

  // MARK: - Entries

  private func complaints(about row: VirtualRows.Row) -> [String] {
    let plays = ended.filter { $0.turn.entry == row.id }
    let isFinished = plays.contains { $0.play.outcome == .finished }
    let length = length(of: row)
    let shown = plays.filter { (feed.watch.reached($0.turn) ?? 0) >= length - Self.tolerance }
    var all: [String] = []
    if !row.state.isEnded { all.append("entry \(row.id) is \(row.state)") }
    if plays.filter({ $0.play.outcome == .finished }).count > 1 {
      all.append("entry \(row.id) finished twice")
    }
    if let first = plays.firstIndex(where: { $0.play.outcome == .finished }), first < plays.count - 1 {
      all.append("entry \(row.id) played again after it had finished")
    }
    let isExcused =
      excuses.contains(.strangersSkip) && !plays.isEmpty
      || isImage(row) && excuses.contains(.wrongPictureTimes)
    if shown.isEmpty, !isExcused, row.state != .failed {
      all.append("entry \(row.id) was never shown to its end")
    }
    if !isFinished, shown.isEmpty, plays.isEmpty { all.append("entry \(row.id) has no play") }
    // Shown to its end again: only when nobody could know of the first time.
    for (turn, play) in shown.dropLast()
    where play.outcome == .finished || (play.evidence == .reported && play.outcome != .interrupted) {
      all.append("\(turn) was shown to its end, \(play.outcome) \(play.evidence), and again")
    }
    return all + jumps(of: row, plays.map(\.turn), length: length)
  }

  /// What was cut goes on where it was cut.
  private func jumps(of row: VirtualRows.Row, _ turns: [EntryTurn], length: Double) -> [String] {
    guard !isImage(row), !excuses.contains(.wrongTimes), !excuses.contains(.strangersSkip) else { return [] }
    var reached = 0.0
    var all: [String] = []
    for stretch in feed.watch.all {
      guard case .turn(let turn) = stretch.shown, turn.entry == row.id, turns.contains(turn) else { continue }
      if stretch.position > reached + Self.tolerance {
        all.append("\(turn) began at \(stretch.position), only \(reached) had been shown")
      }
      reached = max(reached, stretch.position + stretch.seconds)
    }
    return all
  }

  // MARK: - History

  /// A play may claim no more than the screen has shown.
  private func complaint(about fact: PlaybackFact) -> String? {
    guard case .ended(let turn, let play) = fact,
      let row = feed.rows.rows.first(where: { $0.id == turn.entry })
    else { return nil }
    let seen = feed.watch.seconds(of: turn)
    if isImage(row), excuses.contains(.wrongPictureTimes) { return nil }
    if play.played > seen + Self.tolerance, !excuses.contains(.wrongTimes) {
      return "\(turn) claims \(play.played) s, \(seen) s were shown"
    }
    guard play.outcome == .finished, !excuses.contains(.wrongTimes) else { return nil }
    let reached = max(feed.watch.reached(turn) ?? 0, begun(turn))
    let length = length(of: row)
    return reached >= length - Self.tolerance
      ? nil : "\(turn) is said to have finished (\(play.evidence)) at \(reached) of \(length) s"
  }

  /// Where a play went on that was cut at the very end, as far as that had been shown; 0 for one from the beginning.
  private func begun(_ turn: EntryTurn) -> Double {
    let before = feed.rows.facts.compactMap { fact in
      if case .started(let other, _) = fact, other.entry == turn.entry, other.turn < turn.turn {
        feed.watch.reached(other)
      } else {
        nil
      }
    }.max()
    let start = feed.rows.facts.compactMap { fact in
      if case .started(turn, let play) = fact { play.position.seconds } else { nil }
    }.first
    return min(start ?? 0, before ?? 0)
  }

  private func isImage(_ row: VirtualRows.Row) -> Bool {
    row.draft.media.contentType?.hasPrefix("video/") != true
  }

  private func length(of row: VirtualRows.Row) -> Double {
    if isImage(row) { return imageDuration }
    return Double(row.draft.media.url.split(separator: "/").last?.dropFirst().prefix { $0.isNumber } ?? "")
      ?? 4
  }
}
