import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqPlaylists
import CastqText

/// History as a table and as CSV.
struct HistoryTable {
  /// The zone of the shown times.
  let zone: Zone

  /// Whether nobody has to be told whose plays they are.
  var isOfOneDevice = false

  func lines(_ plays: [PlayRecord], on terminal: OutputTerminal? = nil) -> [String] {
    let device: [Table.Column] = isOfOneDevice ? [] : [.init("DEVICE", .flexible)]
    var table = Table(
      [.init("STARTED", .left)] + device + [
        .init("PLAYED", .right), .init("OUTCOME", .left), .init("EVIDENCE", .left, leaves: 0),
        .init("TITLE", .flexible, least: 24), .init("REASON", .flexible, least: 12),
      ])
    for play in plays {
      let started = (play.startedAt ?? play.endedAt).map(zone.text) ?? "-"
      table.add(
        [started] + (isOfOneDevice ? [] : [play.device]) + [
          ClockText.format(play.playedSeconds.rounded()), play.outcome?.rawValue ?? "playing",
          play.evidence?.rawValue ?? "-", play.title + Self.adMark(play.adPlays), play.reasonWords ?? "",
        ],
        inks: [device.count + 2: play.outcome.map { Ink(state: $0.rawValue) } ?? .good]
          .compactMapValues(\.self))
    }
    return table.lines(on: terminal)
  }

  /// One play as a line without titles; never nil for a play in history.
  func row(_ play: PlayRecord, on terminal: OutputTerminal? = nil) -> String? {
    // Below the row is what has no room.
    lines([play], on: terminal).dropFirst().first
  }

  func csv(_ plays: [PlayRecord]) -> [String] {
    let titles = [
      "play", "entry", "device", "title", "url", "source", "line", "started_at", "ended_at", "played_s",
      "duration_s",
      "outcome", "evidence", "reason", "gap_before_s", "started_local", "ended_local", "cause", "caused_by",
      "attempt", "unobserved_s", "rate",
    ]
    return [titles.joined(separator: ",")]
      + plays.map { play in
        let cells: [String] = [
          "\(play.play)", "\(play.turn.entry.rawValue)", play.device, play.title, play.url,
          play.source?.file ?? "",
          play.source?.line.map { "\($0)" } ?? "", play.startedAt.map(RFC3339.text) ?? "",
          play.endedAt.map(RFC3339.text) ?? "", Self.number(play.playedSeconds),
          Self.number(play.duration?.seconds),
          play.outcome?.rawValue ?? "", play.evidence?.rawValue ?? "", play.reasonWords ?? "",
          Self.number(play.gapBefore), play.startedAt.map(zone.text) ?? "",
          play.endedAt.map(zone.text) ?? "", play.cause?.rawValue ?? "", play.causedBy ?? "",
          play.attempt.map { "\($0)" } ?? "", Self.number(play.unobserved), Self.number(play.rate),
        ]
        return cells.map(CSVField.text).joined(separator: ",")
      }
  }

  /// The suffix of a title: ` [2 ads, 1 skipped]`.
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
