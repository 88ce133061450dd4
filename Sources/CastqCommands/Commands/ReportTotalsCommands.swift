import ArgumentParser
import CastqCore
import CastqStore

/// `castq report plays`
struct ReportPlaysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plays", abstract: "Count plays, and sum up what was shown.",
    discussion: """
      By media, unless --by says otherwise. A play counts where it started; its seconds belong to the days and hours on which they \
      were shown, by the clocks of the site or of --tz. A day has the hours that its clocks show.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: Set(ReportKey.allCases))
  }

  func run() async throws {
    let report = try await ReportRun(global, period, options)
    let key = options.by ?? .media
    var totals = PlayTotals(report.grouping(key), period: report.period)
    try report.readPlays { totals.add($0) }
    let outcomes = PlayOutcome.allCases
    let evidence = PlayEvidence.allCases
    var document = report.document(
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
    try report.print(document)
  }
}

/// `castq report gaps`
struct ReportGapsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gaps", abstract: "Measure the time without a picture between plays.",
    discussion: "By device, unless --by says otherwise. A gap belongs to the play that follows it.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: Set(ReportKey.allCases))
  }

  func run() async throws {
    let report = try await ReportRun(global, period, options)
    let key = options.by ?? .device
    var totals = GapTotals(report.grouping(key), period: report.period)
    try report.readPlays { totals.add($0) }
    var document = report.document(
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
    try report.print(document)
  }
}

/// `castq report outages`
struct ReportOutagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outages", abstract: "List the times in which devices did not answer.",
    discussion: """
      An outage begins when a device that is fed was heard last, and ends when it answers again, or when castq stops calling it. With --by device, day or hour it is \
      counted where it began, and its seconds belong to the days and hours on which they passed.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: [.device, .day, .hour])
  }

  func run() async throws {
    let report = try await ReportRun(global, period, options)
    let outages = try report.workspace.ask { (here) throws(StoreError) in
      try report.store.outages(in: report.period, of: report.devices)
    }
    try report.print(options.by.map { summary(outages, by: $0, report) } ?? list(outages, report))
  }

  private func list(_ outages: [Outage], _ report: ReportRun) -> ReportDocument {
    var document = report.document(
      "outages", by: nil,
      [
        ("began_at", "BEGAN"), ("ended_at", "ENDED"), ("device", "DEVICE"), ("seconds", "LASTED"),
        ("cause", "CAUSE"),
      ])
    for outage in outages {
      let range = outage.range(now: report.now)
      document.rows.append([
        .time(outage.beganAt), .time(outage.endedAt), .text(outage.device),
        .clock(range.upperBound - range.lowerBound), .text(outage.cause),
      ])
    }
    return document
  }

  private func summary(_ outages: [Outage], by key: ReportKey, _ report: ReportRun) -> ReportDocument {
    var totals = OutageTotals(report.grouping(key), period: report.period, now: report.now)
    for outage in outages { totals.add(outage) }
    var document = report.document(
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
}
