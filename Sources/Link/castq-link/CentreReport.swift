import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqPostgres
import CastqText

/// What the rows of a central report are.
enum CentreKey: String, CaseIterable, ExpressibleByArgument {
  case site, media, device, day, hour, rule

  /// How one site counts.
  fileprivate var ofSite: ReportKey {
    switch self {
    case .site, .device: .device
    case .media: .media
    case .day: .day
    case .hour: .hour
    case .rule: .rule
    }
  }
}

/// The plays of all sites, counted as `castq report plays` counts those of one.
struct CentreReport {
  private struct Line {
    /// What names it: the members of the document, in the order of the columns.
    let names: [(key: String, value: String?)]
    let sum: PlayTotals.Sum
  }

  private let by: CentreKey
  private let grouping: ReportGrouping
  private let period: Range<WallTime>
  /// By site where rows belong to sites, else under an empty name.
  private var totals: [String: PlayTotals] = [:]

  init(by: CentreKey, period: Range<WallTime>, zone: Zone) {
    self.by = by
    self.period = period
    grouping = ReportGrouping(by.ofSite, utcOffset: zone.utcOffset)
  }

  mutating func add(_ row: Centre.Row) {
    let owner = [.site, .device].contains(by) ? row.site : ""
    totals[owner, default: PlayTotals(grouping, period: period)].add(
      ReportPlay(
        play: row.play, device: row.device,
        title: MediaTitle.shown(row.title == row.url ? nil : row.title, url: row.url), url: row.url,
        startedAt: row.startedAt.map { WallTime(milliseconds: $0) },
        endedAt: WallTime(milliseconds: row.endedAt),
        played: row.played, outcome: PlayOutcome(rawValue: row.outcome),
        evidence: PlayEvidence(rawValue: row.evidence),
        gapBefore: row.gapBefore, kind: row.kind.flatMap(PlayKind.init(rawValue:)), rule: row.schedule))
  }

  // MARK: - Rows

  private var rows: [Line] {
    if by == .site {
      return totals.sorted { $0.key < $1.key }.map { Line(names: [("site", $0.key)], sum: $0.value.total) }
    }
    return totals.sorted { $0.key < $1.key }.flatMap { owner, totals in
      totals.sums.sorted { $0.key < $1.key }.map { label, sum in
        let names: [(key: String, value: String?)] =
          switch by {
          case .device: [("site", owner), ("device", label)]
          case .media: [("media", label), ("title", sum.title)]
          case .rule: [("rule", label.isEmpty ? nil : label)]
          case .site, .day, .hour: [(by.rawValue, label)]
          }
        return Line(names: names, sum: sum)
      }
    }
  }

  /// The sum of no plays.
  private var none: PlayTotals.Sum { PlayTotals(grouping, period: period).total }

  private var total: PlayTotals.Sum {
    totals.values.reduce(into: none) { sum, totals in
      let other = totals.total
      sum.plays += other.plays
      sum.seconds += other.seconds
      sum.open += other.open
      sum.outcomes.merge(other.outcomes) { $0 + $1 }
      sum.evidence.merge(other.evidence) { $0 + $1 }
    }
  }

  private static func counts(_ sum: PlayTotals.Sum) -> [(key: String, value: JSONValue)] {
    [("plays", .integer(Int64(sum.plays))), ("shown_s", seconds(sum.seconds))]
      + PlayOutcome.allCases.map { ($0.rawValue, .integer(Int64(sum.outcomes[$0] ?? 0))) }
      + [("playing", .integer(Int64(sum.open)))]
      + PlayEvidence.allCases.map { ($0.rawValue, .integer(Int64(sum.evidence[$0] ?? 0))) }
  }

  private static func seconds(_ value: Double) -> JSONValue {
    JSONValue(Optional((value * 1000).rounded() / 1000)) ?? .null
  }

  // MARK: - Output

  func json(since: WallTime?, until: WallTime?, clocks: [Centre.ClockChange]) -> JSONValue {
    func object(_ line: Line) -> JSONValue {
      let names = line.names.map { ($0.key, $0.value.map { JSONValue.string($0) } ?? .null) }
      return .object(
        Dictionary(names + Self.counts(line.sum).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    }
    func time(_ value: WallTime?) -> JSONValue { value.map { .string(RFC3339.text($0)) } ?? .null }
    return [
      "report": "plays", "by": .string(by.rawValue), "since": time(since), "until": time(until),
      "rows": .array(rows.map(object)), "total": object(Line(names: [], sum: total)),
      "clocks": .array(
        clocks.map { clock in
          [
            "site": .string(clock.site), "seq": .integer(clock.seq), "device": .string(clock.device),
            "ended_at": .string(RFC3339.text(WallTime(milliseconds: clock.endedAt))),
            "back_s": Self.seconds(clock.back),
          ]
        }),
    ]
  }

  var csv: [String] {
    let rows = rows
    let names = rows.first?.names.map(\.key) ?? [by.rawValue]
    return [(names + Self.counts(none).map(\.key)).joined(separator: ",")]
      + rows.map { line in
        (line.names.map { CSVField.text($0.value ?? "") } + Self.counts(line.sum).map { $0.value.text })
          .joined(separator: ",")
      }
  }

  /// A table without the columns that hold nothing but zeros.
  var lines: [String] {
    let rows = rows
    guard let first = rows.first else { return [] }
    let counts = rows.map { Self.counts($0.sum) }
    let shown = counts[0].indices.filter { column in counts.contains { $0[column].value != .integer(0) } }
    var table = Table(
      first.names.map { ($0.key.uppercased(), .left) } + shown.map { (Self.title(counts[0][$0].key), .right) }
    )
    for (line, count) in zip(rows, counts) {
      table.add(line.names.map { $0.value ?? "-" } + shown.map { count[$0].value.text })
    }
    if rows.count > 1 {
      let sum = Self.counts(total)
      table.add(first.names.indices.map { $0 == 0 ? "total" : "" } + shown.map { sum[$0].value.text })
    }
    return table.lines()
  }

  private static func title(_ key: String) -> String { key == "shown_s" ? "SHOWN S" : key.uppercased() }
}
