import ArgumentParser
import CastqOperations

/// The options of a report with rows.
struct ReportQuestion: ParsableArguments {
  @OptionGroup var given: GivenOptions
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions
}

/// A command that prints one kind of report.
protocol ReportKindCommand: AsyncParsableCommand {
  static var kind: ReportRun.Kind { get }
  var asked: ReportQuestion { get }
}

extension ReportKindCommand {
  func validate() throws { try asked.options.check(asked.given.call, keys: Self.kind.keys) }

  func run() async throws {
    let report = try await ReportRun(asked.given.call, asked.period.read(asked.given.call))
    try report.print(report.document(Self.kind, by: asked.options.by), asked.options)
  }
}
