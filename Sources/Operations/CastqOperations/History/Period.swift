package import CastqText

/// A period as somebody asks for it.
package struct PeriodQuery {
  package var since: TimeArgument?
  package var until: TimeArgument?
  /// The zone for input and output; nil is that of the site.
  package var tz: Zone?

  package init(since: TimeArgument? = nil, until: TimeArgument? = nil, tz: Zone? = nil) {
    self.since = since
    self.until = until
    self.tz = tz
  }

  /// The period that is meant.
  /// - Parameter isShown: whether times are printed by the clocks of the zone.
  /// - Throws: `usage` where nothing lies in it.
  package func read(_ global: CallOptions, isShown: Bool = true) throws(Failure) -> Period {
    guard isShown || since != nil || until != nil else { return Period(since: nil, until: nil, zone: .local) }
    let zone: Zone
    if let tz { zone = tz } else { zone = try .site(global) }
    try zone.check()
    let period = Period(since: since?.last(in: zone), until: until?.last(in: zone), zone: zone)
    if let start = period.since, let end = period.until, start >= end {
      throw Failure(
        "usage",
        "nothing lies between --since, which is \(zone.text(start)), and --until, which is \(zone.text(end))",
        exit: .usage)
    }
    return period
  }
}

/// A period, and the zone in which its times were read and are shown.
package struct Period {
  package let since: WallTime?
  package let until: WallTime?
  package let zone: Zone

  /// ` since 2026-11-20 04:30:00 Europe/Berlin`; empty for all times.
  package var words: String {
    switch (since, until) {
    case (nil, nil): ""
    case (let since?, nil): " since \(zone.text(since)) \(zone.name)"
    case (nil, let until?): " before \(zone.text(until)) \(zone.name)"
    case (let since?, let until?): " from \(zone.text(since)) to \(zone.text(until)) \(zone.name)"
    }
  }
}
