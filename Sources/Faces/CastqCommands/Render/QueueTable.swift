import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqPlaylists
import CastqText

/// The table of `castq queue`: its entries and a summary line.
struct QueueTable {
  let entries: [QueueEntry]
  let settings: QueueSettings
  /// The zone of the shown windows; nil where no entry has one.
  let zone: Zone?
  let now: WallTime

  func lines(on terminal: OutputTerminal?) -> [String] {
    guard !entries.isEmpty else { return [] }
    var table = Table(
      [
        .init("POS", .right), .init("ENTRY", .right), .init("STATE", .left),
        .init("LENGTH", .right, leaves: 0),
      ] + (zone != nil ? [.init("WINDOW", .left, leaves: 1)] : []) + [.init("TITLE", .flexible, least: 20)])
    let times = entries.map { $0.draft.playingTime()?.seconds }
    for (entry, time) in zip(entries, times) {
      let state = entry.state.rawValue
      table.add(
        [
          "\(entry.position)", "\(entry.id.rawValue)", state, time.map(ClockText.format) ?? "-",
        ]
          + (zone.map { [window(entry.draft, $0)] } ?? [])
          + [entry.title + (entry.failure.map { ": \($0.words)" } ?? "")],
        inks: Ink(state: state).map { [2: $0] } ?? [:])
    }
    let lines = table.lines(on: terminal)
    return lines + [total(times.compactMap(\.self))] + (zone.map { [$0.legend] } ?? [])
  }

  /// `5 entries, 1:30 and 2 of unknown length; repeat all, shuffled`
  /// - Parameter times: in seconds, of those entries whose length is known.
  private func total(_ times: [Double]) -> String {
    let unknown = entries.count - times.count
    var line = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
    if !times.isEmpty { line += ", \(ClockText.format(times.reduce(0, +)))" }
    if unknown > 0 { line += times.isEmpty ? " of unknown length" : " and \(unknown) of unknown length" }
    return line + "; " + settings.words
  }

  /// Its time window: `09:00–17:00` today, with the date on other days.
  private func window(_ draft: EntryDraft, _ zone: Zone) -> String {
    if draft.notBefore == nil, draft.notAfter == nil { return "-" }
    let (opens, closes) = (draft.notBefore.map { moment($0, zone) }, draft.notAfter.map { moment($0, zone) })
    return "\(opens ?? "")–\(closes ?? "")"
  }

  private func moment(_ time: WallTime, _ zone: Zone) -> String {
    let text = zone.text(time)
    let clock = text.hasSuffix(":00") ? text.dropLast(3) : Substring(text)
    return text.prefix(10) == zone.text(now).prefix(10) ? String(clock.dropFirst(11)) : String(clock)
  }
}

extension QueueSettings {
  /// `repeat off`, `repeat all, shuffled`.
  var words: String { "repeat \(repeatMode.rawValue)\(isShuffled ? ", shuffled" : "")" }
}
