import CastProtocol
import CastqCore

/// History for people and for spreadsheets.
enum HistoryTable {
  static func lines(_ plays: [PlayRecord]) -> [String] {
    var table = Table([
      ("STARTED", .left), ("DEVICE", .left), ("PLAYED", .right), ("OUTCOME", .left), ("EVIDENCE", .left),
      ("TITLE", .left), ("REASON", .left),
    ])
    for play in plays {
      let started = (play.startedAt ?? play.endedAt).map(ClockText.local) ?? "-"
      table.add([
        started, play.device, ClockText.format(play.playedSeconds.rounded()),
        play.outcome?.rawValue ?? "playing",
        play.evidence?.rawValue ?? "-", play.title + adMark(play.adPlays), play.reason?.words ?? "",
      ])
    }
    return table.lines
  }

  /// One play as a line of its own; nil never happens for a play that is in the history.
  static func row(_ play: PlayRecord) -> String? { lines([play]).last }

  static func csv(_ plays: [PlayRecord]) -> [String] {
    let titles = [
      "play", "entry", "device", "title", "url", "source", "line", "started_at", "ended_at", "played_s",
      "duration_s",
      "outcome", "evidence", "reason", "gap_before_s",
    ]
    return [titles.joined(separator: ",")]
      + plays.map { play in
        let cells: [String] = [
          "\(play.play)", "\(play.turn.entry.rawValue)", play.device, play.title, play.url,
          play.source?.file ?? "",
          play.source?.line.map { "\($0)" } ?? "", play.startedAt.map(RFC3339.text) ?? "",
          play.endedAt.map(RFC3339.text) ?? "", number(play.playedSeconds), number(play.duration?.seconds),
          play.outcome?.rawValue ?? "", play.evidence?.rawValue ?? "", play.reason?.words ?? "",
          number(play.gapBefore),
        ]
        return cells.map(CSVField.text).joined(separator: ",")
      }
  }

  /// What stands behind a title: ` [2 ads, 1 skipped]`.
  private static func adMark(_ ads: [AdPlay]) -> String {
    guard !ads.isEmpty else { return "" }
    let skipped = ads.count(where: \.isSkipped)
    let count = ads.count == 1 ? "1 ad" : "\(ads.count) ads"
    return skipped > 0 ? " [\(count), \(skipped) skipped]" : " [\(count)]"
  }

  private static func number(_ value: Double?) -> String {
    guard let value else { return "" }
    return JSONOutput.number(value).text
  }
}
