import ArgumentParser
import CastqCore

/// The period of a report, and the zone in which it is written and read.
struct PeriodOptions: ParsableArguments {
  // A time may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("From this time on, such as -1w or 'yesterday 14:00'.", valueName: "time"),
    transform: TimeArgument.init)
  var since: TimeArgument?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Before this time.", valueName: "time"),
    transform: TimeArgument.init)
  var until: TimeArgument?

  @Option(
    help: ArgumentHelp("Time zone for input and output; local by default.", valueName: "zone"),
    transform: Zone.init)
  var tz: Zone = .local

  var start: WallTime? { since?.last(in: tz) }
  var end: WallTime? { until?.last(in: tz) }

  func check() throws {
    guard let start, let end, start >= end else { return }
    throw ValidationError(
      "nothing lies between --since, which is \(tz.text(start)), and --until, which is \(tz.text(end))")
  }
}
