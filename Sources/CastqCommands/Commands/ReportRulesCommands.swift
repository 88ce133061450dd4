import ArgumentParser
import CastqCore
import CastqStore

/// `castq report adherence`
struct ReportAdherenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adherence", abstract: "Compare what rules were to show with what was shown by them.",
    discussion: """
      By rule, unless --by says otherwise. Planned is what the decisions of that time say, and where castq did not run, what the plan \
      says of the rules as they were, removed ones too, with the day parts, calendars, groups and zones of that time. Shown are the seconds \
      on the screen by that rule, without pauses.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: [.rule, .device, .day, .hour])
  }

  func run() async throws {
    let report = try await ReportRun(global, period, options)
    let key = options.by ?? .rule
    var totals = AdherenceTotals(report.grouping(key), period: report.period)
    for stretch in try PastPlan(report, global).planned() { totals.add(stretch) }
    try report.readPlays { totals.add($0) }
    var document = report.document(
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
    try report.print(document)
  }
}

/// `castq report share`
struct ReportShareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Compare the seconds of each share with what it was due.",
    discussion: """
      By hour, unless --by says otherwise. Due is the part of the time in which something was on the screen; dark time earns nothing. \
      It goes by the rules as they were, with the day parts, calendars, groups and zones of that time.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: [.rule, .device, .day, .hour])
  }

  func run() async throws {
    let report = try await ReportRun(global, period, options)
    let key = options.by ?? .hour
    var totals = ShareTotals(
      report.grouping(key == .rule ? .media : key), period: report.period,
      stretches: try PastPlan(report, global).shares())
    try report.readPlays { totals.add($0) }
    var document = report.document(
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
    try report.print(document)
  }
}
