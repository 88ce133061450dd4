package import CastqFeeding
package import CastqPlaylists
package import CastqStore
package import CastqText

/// A report that is being made: what it reads, and what of it.
package struct ReportRun {
  package let workspace: Workspace
  package let store: ReportStore
  package let devices: Set<DeviceID>?
  package let asked: Period
  package let now: WallTime
  package let global: CallOptions

  package init(_ global: CallOptions, _ period: Period) async throws(Failure) {
    try await self.init(global, period, Workspace(global, isReader: true))
  }

  package init(_ global: CallOptions, _ period: Period, _ workspace: Workspace) async throws(Failure) {
    asked = period
    self.workspace = workspace
    store = ReportStore(workspace.database)
    now = .now
    var devices: Set<DeviceID> = []
    let named = try global.expandedDevices()
    let selectors = named.isEmpty ? global.deviceSelector.map { [$0] } ?? [] : named
    for selector in selectors { devices.insert(try await workspace.device(selector, adding: false).id) }
    self.devices = selectors.isEmpty ? nil : devices
    self.global = global
  }

  /// Everything up to the end of time where the period is open.
  package var period: Range<WallTime> {
    let start = asked.since ?? WallTime(milliseconds: .min)
    return start..<max(start, asked.until ?? .latest)
  }

  func grouping(_ key: ReportKey) -> ReportGrouping {
    ReportGrouping(key) { [zone = asked.zone] in zone.utcOffset(at: $0) }
  }

  package func document(_ name: String, by key: ReportKey?, _ columns: [(String, String)]) -> ReportDocument {
    ReportDocument(
      name: name, by: key, columns: columns.map { .init(key: $0.0, title: $0.1) }, period: asked)
  }

  func readPlays(_ receive: (ReportPlay) -> Void) throws(Failure) {
    try workspace.ask { (here) throws(StoreError) in
      try store.readPlays(in: period, of: devices, receive)
    }
  }
}

/// The reports of numbers.
extension ReportRun {
  private func plays(by key: ReportKey) throws(Failure) -> ReportDocument {
    var totals = PlayTotals(grouping(key), period: period)
    try readPlays { totals.add($0) }
    let outcomes = PlayOutcome.allCases
    let evidence = PlayEvidence.allCases
    var document = self.document(
      "plays", by: key,
      key.columns + [("plays", "PLAYS"), ("shown_s", "SHOWN")]
        + outcomes.map { ($0.rawValue, $0.rawValue.uppercased()) } + [("playing", "PLAYING")]
        + evidence.map { ($0.rawValue, $0.rawValue.uppercased()) })
    func cells(_ sum: PlayTotals.Sum) -> [ReportDocument.Cell] {
      [.count(sum.plays), .clock(sum.seconds)] + outcomes.map { .count(sum.outcomes[$0] ?? 0) }
        + [.count(sum.open)] + evidence.map { .count(sum.evidence[$0] ?? 0) }
    }
    for (row, sum) in totals.sums.sorted(by: { key.isOrdered($0.key, $1.key) }) {
      document.rows.append(key.cells(row, title: sum.title) + cells(sum))
      document.bars.append(sum.seconds)
    }
    document.total = [.text("total")] + (key == .media ? [.text(nil)] : []) + cells(totals.total)
    return document
  }

  private func gaps(by key: ReportKey) throws(Failure) -> ReportDocument {
    var totals = GapTotals(grouping(key), period: period)
    try readPlays { totals.add($0) }
    var document = self.document(
      "gaps", by: key,
      key.columns + [
        ("gaps", "GAPS"), ("dark_s", "DARK"), ("median_s", "MEDIAN"), ("p95_s", "P95"),
        ("longest_s", "LONGEST"),
      ])
    func cells(_ row: GapTotals.Row) -> [ReportDocument.Cell] {
      [.count(row.count), .exact(row.seconds), .exact(row.median), .exact(row.p95), .exact(row.longest)]
    }
    for (row, sum) in totals.rows.sorted(by: { key.isOrdered($0.key, $1.key) }) {
      document.rows.append(key.cells(row, title: sum.title) + cells(sum))
      document.bars.append(sum.seconds)
    }
    document.total = totals.total.map {
      [.text("total")] + (key == .media ? [.text(nil)] : []) + cells($0)
    }
    return document
  }

  private func outages(by key: ReportKey?) throws(Failure) -> ReportDocument {
    let outages = try workspace.ask { (here) throws(StoreError) in try store.outages(in: period, of: devices)
    }
    if let key { return summary(outages, by: key) }
    return list(outages)
  }

  private func list(_ outages: [Outage]) -> ReportDocument {
    var document = document(
      "outages", by: nil,
      [
        ("began_at", "BEGAN"), ("ended_at", "ENDED"), ("device", "DEVICE"), ("seconds", "LASTED"),
        ("cause", "CAUSE"),
      ])
    for outage in outages {
      let range = outage.range(now: now)
      document.rows.append([
        .time(outage.beganAt), .time(outage.endedAt), .text(outage.device),
        .clock(range.upperBound - range.lowerBound), .text(outage.cause),
      ])
    }
    return document
  }

  private func summary(_ outages: [Outage], by key: ReportKey) -> ReportDocument {
    let totals = OutageTotals(outages, grouping(key), period: period, now: now)
    var document = document(
      "outages", by: key,
      key.columns + [("outages", "OUTAGES"), ("seconds", "LASTED"), ("longest_s", "LONGEST")])
    func cells(_ sum: OutageTotals.Sum) -> [ReportDocument.Cell] {
      [.count(sum.outages), .clock(sum.seconds), .clock(sum.longest)]
    }
    for (row, sum) in totals.sums.sorted(by: { key.isOrdered($0.key, $1.key) }) {
      document.rows.append(key.cells(row, title: nil) + cells(sum))
      document.bars.append(sum.seconds)
    }
    document.total = [.text("total")] + cells(totals.total)
    return document
  }

  /// A report for each of the keys: the plan of the past, which takes longest, is made once.
  func adherence(by keys: [ReportKey]) throws(Failure) -> [ReportDocument] {
    var totals = keys.map { AdherenceTotals(grouping($0), period: period) }
    for stretch in try PastPlan(self, global).planned() {
      for index in totals.indices { totals[index].add(stretch) }
    }
    try readPlays { play in
      for index in totals.indices { totals[index].add(play) }
    }
    for index in totals.indices { totals[index].finish() }
    return zip(totals, keys).map { adherence($0, by: $1) }
  }

  private func adherence(_ totals: AdherenceTotals, by key: ReportKey) -> ReportDocument {
    var document = self.document(
      "adherence", by: key,
      key.columns + [
        ("occurrences", "OCCURRENCES"), ("planned_s", "PLANNED"), ("shown_s", "SHOWN"),
        ("missing_s", "MISSING"), ("part", "SHOWN %"),
      ])
    func cells(_ sum: AdherenceTotals.Sum) -> [ReportDocument.Cell] {
      [
        .count(sum.occurrences), .clock(sum.planned), .clock(sum.shown), .clock(sum.missing),
        .part(sum.part),
      ]
    }
    for (row, sum) in totals.sums.sorted(by: { key.isOrdered($0.key, $1.key) }) {
      document.rows.append(key.cells(row, title: nil) + cells(sum))
      document.bars.append(sum.part ?? 0)
    }
    document.total = [.text("total")] + cells(totals.total)
    return document
  }

  private func share(by key: ReportKey) throws(Failure) -> ReportDocument {
    var totals = ShareTotals(
      grouping(key == .rule ? .media : key), period: period,
      stretches: try PastPlan(self, global).shares())
    try readPlays { totals.add($0) }
    var document = self.document(
      "share", by: key,
      (key == .rule ? [] : key.columns) + [
        ("rule", "RULE"), ("plays", "PLAYS"), ("shown_s", "SHOWN"), ("due_s", "DUE"),
        ("difference_s", "DIFFERENCE"),
      ])
    let sums = totals.sums.sorted {
      $0.key.group == $1.key.group
        ? $0.key.rule < $1.key.rule : key.isOrdered($0.key.group, $1.key.group)
    }
    for (row, sum) in sums {
      document.rows.append(
        (key == .rule ? [] : key.cells(row.group, title: nil)) + [
          .text(row.rule), .count(sum.plays), .clock(sum.shown), .clock(sum.due),
          .exact(sum.due.map { sum.shown - $0 }),
        ])
      document.bars.append(sum.shown)
    }
    return document
  }

  /// A report by its name, with its own rows where none are asked for.
  package func document(_ kind: Kind, by key: ReportKey?) throws(Failure) -> ReportDocument {
    switch kind {
    case .plays: try plays(by: key ?? .media)
    case .gaps: try gaps(by: key ?? .device)
    case .outages: try outages(by: key)
    case .adherence: try adherence(by: [key ?? .rule])[0]
    case .share: try share(by: key ?? .hour)
    }
  }

  package enum Kind: String, CaseIterable {
    case plays, gaps, outages, adherence, share

    /// What its rows may be by.
    package var keys: Set<ReportKey> {
      switch self {
      case .plays, .gaps: Set(ReportKey.allCases)
      case .outages: [.device, .day, .hour]
      case .adherence, .share: [.rule, .device, .day, .hour]
      }
    }
  }
}
