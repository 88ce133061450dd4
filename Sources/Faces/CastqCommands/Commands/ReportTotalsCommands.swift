import ArgumentParser
import CastqOperations

/// `castq report plays`
struct ReportPlaysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plays", abstract: "Count plays, and sum up what was shown.",
    discussion: """
      By media, unless --by says otherwise. A play counts where it started; its seconds belong to the days and hours on which they \
      were shown, by the clocks of the site or of --tz. A day has the hours that its clocks show.
      """)

  @OptionGroup var given: GivenOptions
  var global: CallOptions { given.call }
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: ReportRun.Kind.plays.keys)
  }

  func run() async throws {
    let report = try await ReportRun(global, period.read(global))
    try report.print(report.document(.plays, by: options.by), options)
  }
}

/// `castq report gaps`
struct ReportGapsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gaps", abstract: "Measure the time without a picture between plays.",
    discussion: "By device, unless --by says otherwise. A gap belongs to the play that follows it.")

  @OptionGroup var given: GivenOptions
  var global: CallOptions { given.call }
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: ReportRun.Kind.gaps.keys)
  }

  func run() async throws {
    let report = try await ReportRun(global, period.read(global))
    try report.print(report.document(.gaps, by: options.by), options)
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

  @OptionGroup var given: GivenOptions
  var global: CallOptions { given.call }
  @OptionGroup var period: PeriodOptions
  @OptionGroup var options: ReportOptions

  func validate() throws {
    try options.check(global, keys: ReportRun.Kind.outages.keys)
  }

  func run() async throws {
    let report = try await ReportRun(global, period.read(global))
    try report.print(report.document(.outages, by: options.by), options)
  }
}
