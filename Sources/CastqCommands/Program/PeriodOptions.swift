import ArgumentParser
import CastqCore

/// The options of a period.
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
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: Zone.init)
  var tz: Zone?

  /// The period that the options mean.
  /// - Parameter isShown: whether times are printed by the clocks of the zone.
  func read(_ global: GlobalOptions, isShown: Bool = true) throws -> Period {
    guard isShown || since != nil || until != nil else { return Period(since: nil, until: nil, zone: .local) }
    let zone = try tz ?? .site(global)
    try zone.check()
    let period = Period(since: since?.last(in: zone), until: until?.last(in: zone), zone: zone)
    if let start = period.since, let end = period.until, start >= end {
      throw ValidationError(
        "nothing lies between --since, which is \(zone.text(start)), and --until, which is \(zone.text(end))")
    }
    return period
  }
}

/// A period, and the zone in which its times were read and are shown.
struct Period {
  let since: WallTime?
  let until: WallTime?
  let zone: Zone

  /// ` since 2026-11-20 04:30:00 Europe/Berlin`; empty for all times.
  var words: String {
    switch (since, until) {
    case (nil, nil): ""
    case (let since?, nil): " since \(zone.text(since)) \(zone.name)"
    case (nil, let until?): " before \(zone.text(until)) \(zone.name)"
    case (let since?, let until?): " from \(zone.text(since)) to \(zone.text(until)) \(zone.name)"
    }
  }
}
