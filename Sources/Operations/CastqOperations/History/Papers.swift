package import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
package import CastqText

/// What is printed for somebody who has no castq: each puts together what several reports say.
package enum Paper: String, Sendable, CaseIterable {
  /// What was shown, by programme and title.
  case proof
  /// How screens were reached, and what kept castq from them.
  case air
  /// What rules were to show, and what of it was shown.
  case plan
}

/// A paper: its table, and what stands around it.
package struct PaperDocument {
  /// The rows, which are also the paper as comma-separated values.
  package let table: ReportDocument
  /// What the table has no columns for, by names.
  package let more: [String: JSONValue]

  /// The members of a report, and those around it.
  package var json: JSONValue {
    .object((table.json.object ?? [:]).merging(more) { $1 })
  }
}

extension ReportRun {
  /// A paper of the period.
  package func paper(_ paper: Paper) throws(Failure) -> PaperDocument {
    switch paper {
    case .proof: try proofPaper()
    case .air: try airPaper()
    case .plan: try planPaper()
    }
  }

  // MARK: - Proof

  private func proofPaper() throws(Failure) -> PaperDocument {
    var totals = ProofTotals(period: period) { [zone = asked.zone] in zone.utcOffset(at: $0) }
    try readPlays { totals.add($0) }
    let outages = try outagesOfPeriod()
    totals.add(outages, now: now)
    var sums: [String: ProofTotals.Sum] = [:]
    for (line, sum) in totals.lines {
      var before = sums[line.programme ?? ""]
      before? += sum
      sums[line.programme ?? ""] = before ?? sum
    }
    // What was shown most comes first; the queue, which is no programme, last.
    let programmes = sums.sorted {
      ($0.key.isEmpty ? 1 : 0, -$0.value.plays, $0.key) < ($1.key.isEmpty ? 1 : 0, -$1.value.plays, $1.key)
    }
    let columns = [("programme", "PROGRAMME"), ("title", "TITLE")] + Self.proofColumns
    var table = document("proof", by: nil, columns)
    for (programme, _) in programmes {
      let lines = totals.lines.filter { ($0.key.programme ?? "") == programme }
      for (line, sum) in lines.sorted(by: {
        (-$0.value.plays, $0.key.title) < (-$1.value.plays, $1.key.title)
      }) {
        table.rows.append([.text(line.programme), .text(line.title)] + Self.cells(sum))
      }
    }
    table.total = [.text("total"), .text(nil)] + Self.cells(totals.total)
    var groups = document("proof", by: nil, [("programme", "PROGRAMME")] + Self.proofColumns)
    groups.rows = programmes.map { [.text($0.key.isEmpty ? nil : $0.key)] + Self.cells($0.value) }
    let days = totals.days.sorted { $0.key < $1.key }.map { day, sum in
      JSONValue.object([
        "day": .string(day), "plays": .integer(Int64(sum.plays)), "shown_s": JSONOutput.number(sum.seconds),
        "away_s": JSONOutput.number(sum.dark),
      ])
    }
    return PaperDocument(
      table: table,
      more: [
        "screens": .integer(Int64(totals.screens)), "programmes": .array(groups.documents),
        "days": .array(days), "outages": .array(outages.map { outage($0, due: nil) }),
      ])
  }

  private static let proofColumns = [
    ("plays", "PLAYS"), ("shown_s", "SHOWN"), ("complete", "COMPLETE"), ("cut_short", "CUT SHORT"),
    ("failed", "FAILED"), ("unknown", "UNKNOWN"), ("playing", "PLAYING"), ("inferred", "INFERRED"),
    ("unobserved", "UNOBSERVED"), ("complete_part", "COMPLETE %"),
  ]

  private static func cells(_ sum: ProofTotals.Sum) -> [ReportDocument.Cell] {
    [
      .count(sum.plays), .clock(sum.seconds), .count(sum.complete), .count(sum.cutShort), .count(sum.failed),
      .count(sum.unknown), .count(sum.open), .count(sum.inferred), .count(sum.unobserved),
      .part(sum.completePart),
    ]
  }

  // MARK: - On air

  private func airPaper() throws(Failure) -> PaperDocument {
    let look = try ScheduleLook(workspace, SiteZone(global))
    let wanted = look.schedule.devices.filter { device in
      guard let devices else { return true }
      return DeviceID(ruleName: device.id).map(devices.contains) ?? false
    }
    let screens = try TimelineReading(look, now: now).air(of: wanted, in: period)
    let outages = try outagesOfPeriod()
    var table = document(
      "air", by: nil,
      [
        ("device", "DEVICE"), ("available", "ANSWERED %"), ("outages", "OUTAGES"), ("away_s", "AWAY"),
        ("longest_s", "LONGEST"), ("shown_s", "SHOWN"), ("unobserved_s", "UNOBSERVED"), ("known_s", "KNOWN"),
      ])
    func cells(_ air: AirTotals, _ count: Int) -> [ReportDocument.Cell] {
      [
        .part(air.available), .count(count), .clock(air.away), .clock(air.longest), .clock(air.shown),
        .clock(air.unobserved), .clock(air.known),
      ]
    }
    var (total, count) = (AirTotals(), 0)
    for screen in screens.sorted(by: { $0.device.name < $1.device.name }) {
      let own = outages.count { $0.deviceID == screen.id }
      table.rows.append([.text(screen.device.name)] + cells(screen.totals, own))
      total += screen.totals
      count += own
    }
    table.total = [.text("total")] + cells(total, count)
    let list = outages.map { one in
      outage(one, due: screens.first { $0.id == one.deviceID }?.due(one.range(now: now)))
    }
    return PaperDocument(table: table, more: ["outages": .array(list)])
  }

  private func outagesOfPeriod() throws(Failure) -> [Outage] {
    try workspace.ask { (here) throws(StoreError) in try store.outages(in: period, of: devices) }
  }

  /// An outage as a whole, though it may have begun before the period.
  private func outage(_ outage: Outage, due: Timeline.Due?) -> JSONValue {
    let range = outage.range(now: now)
    return [
      "device": .string(outage.device), "began_at": JSONOutput.time(outage.beganAt),
      "ended_at": JSONOutput.time(outage.endedAt),
      "seconds": JSONOutput.number(range.upperBound - range.lowerBound), "cause": .string(outage.cause),
      "due": JSONOutput.text(due?.words),
    ]
  }

  // MARK: - Plan kept

  private func planPaper() throws(Failure) -> PaperDocument {
    let reports = try adherence(by: [.rule, .day])
    var table = reports[0]
    // The worst is what somebody looks for.
    table.rows.sort { Self.missing($0) > Self.missing($1) }
    let shares = try document(.share, by: .rule)
    return PaperDocument(
      table: table,
      more: [
        "days": .array(reports[1].documents), "shares": .array(shares.documents),
      ])
  }

  private static func missing(_ row: [ReportDocument.Cell]) -> Double {
    guard row.count > 4, case .clock(let seconds) = row[4] else { return 0 }
    return seconds ?? 0
  }
}
