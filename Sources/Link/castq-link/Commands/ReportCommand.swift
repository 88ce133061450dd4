import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPostgres
import CastqText

/// `castq-link report`
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Count the plays of all sites, and sum up what was shown.",
    discussion: """
      By site, unless --by says otherwise; counted as 'castq report plays' counts at one site. Where the clock of a site was set back, \
      the report says so: its plays keep their order by number.
      """)

  @OptionGroup var global: LinkOptions
  @OptionGroup var period: LinkPeriod

  @Option(help: "What the rows are: site, media, device, day, hour or rule.")
  var by = CentreKey.site

  @Option(help: ArgumentHelp("Only this site; repeatable.", valueName: "name"))
  var site: [String] = []

  @Flag(help: "Print comma-separated values.")
  var csv = false

  func validate() throws {
    if csv, global.json { throw ValidationError("choose one of --csv and --json") }
    for name in site where !LinkRules.isSite(name) {
      throw ValidationError("'\(TerminalText.sanitized(name))' is not the name of a site")
    }
  }

  func run() throws {
    let period = try period.read(global)
    let centre = try global.centre(try global.rules())
    let range = period.range
    let bounds =
      range.lowerBound.milliseconds..<max(range.lowerBound.milliseconds, range.upperBound.milliseconds)
    let sites = site.isEmpty ? nil : site
    var report = CentreReport(by: by, period: range, zone: period.zone)
    let clocks: [Centre.ClockChange]
    do throws(PostgresError) {
      try centre.refuseNewerTables()
      try centre.readPlays(in: bounds, of: sites) { report.add($0) }
      clocks = try centre.clockChanges(in: bounds, of: sites)
    } catch { throw Failure(error) }
    // A role that may read plays alone is not told of a wrong name.
    if let stranger = (try? centre.strangers(among: site))?.first {
      throw Failure(
        "site_unknown", "the centre has never heard of a site \(stranger); 'castq-link sites' lists them",
        exit: .deviceUnknown)
    }
    if global.json {
      LinkOutput.print(report.json(since: period.since, until: period.until, clocks: clocks).text)
    } else if csv {
      report.csv.forEach { LinkOutput.print($0) }
    } else {
      let lines = report.lines
      lines.forEach { LinkOutput.print($0) }
      let dependsOnZone = by == .day || by == .hour || period.since != nil || period.until != nil
      if dependsOnZone, !lines.isEmpty { LinkOutput.print(period.zone.legend) }
    }
    guard !global.json else { return }
    for clock in clocks where !global.quiet {
      LinkOutput.say(
        "castq-link: the clock of \(clock.site) was set back by \(Int(bounded: clock.back.rounded())) s before "
          + "\(period.zone.text(WallTime(milliseconds: clock.endedAt))), when play number \(clock.seq) on \(clock.device) ended"
      )
    }
  }
}

/// The options of a period.
struct LinkPeriod: ParsableArguments {
  // A time may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional, help: ArgumentHelp("From this time on, such as -1w.", valueName: "time"),
    transform: TimeArgument.init)
  var since: TimeArgument?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Before this time.", valueName: "time"),
    transform: TimeArgument.init)
  var until: TimeArgument?

  @Option(
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: Zone.init)
  var tz: Zone?

  /// The period that the options mean.
  func read(_ global: LinkOptions) throws(Failure) -> Period {
    try PeriodQuery(since: since, until: until, tz: tz).read(global.call)
  }
}

extension Period {
  /// Everything up to the end of time where the period is open.
  fileprivate var range: Range<WallTime> {
    let first = since ?? WallTime(milliseconds: .min)
    return first..<max(first, until ?? .latest)
  }
}
