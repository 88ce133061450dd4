package import CastqText

/// The clocks that the times of calendars are read by: those of the site, and those of the zone database.
package struct CalendarClocks: Sendable {
  /// Of times without a zone, and of days.
  package let site: TimeZoneRules
  /// Nil where the site's zone has no name.
  package let siteName: ZoneName?
  private let lookup: @Sendable (String) -> (name: ZoneName, rules: TimeZoneRules)?

  /// - Parameter find: the zone of the database with a name, in letters of any case; nil when there is none.
  package init(
    site: TimeZoneRules, name: ZoneName? = nil,
    find: @escaping @Sendable (String) -> (name: ZoneName, rules: TimeZoneRules)?
  ) {
    (self.site, siteName, lookup) = (site, name, find)
  }

  /// The zone of the database with exactly this name, or with it in another case; nil when there is none.
  package func zone(_ name: String) -> (name: ZoneName, rules: TimeZoneRules)? { lookup(name) }

  /// The offsets of the zone of a rule; nil is that of the site.
  func rules(of zone: ZoneName?) -> TimeZoneRules? {
    guard let zone else { return site }
    if zone == siteName { return site }
    return zone == .utc ? TimeZoneRules() : lookup(zone.text)?.rules
  }

  /// The zone that a name means: one of the database, one that ends in such a name behind what programs write before it, as in
  /// `/mozilla.org/20050126_1/Asia/Tokyo`, or one of Windows.
  func find(_ text: String) -> (name: ZoneName, rules: TimeZoneRules)? {
    let text = String(text.prefix(200)).trimmingBlanks
    if let zone = lookup(text) { return zone }
    if let name = WindowsZone.name(of: text) { return lookup(name) }
    let parts = text.split(separator: "/")
    for count in [3, 2, 1] where count < parts.count || (count == parts.count && text.hasPrefix("/")) {
      // One word alone behind a prefix is a name only where the text says that it has one (section 3.2.19).
      if count == 1, !text.hasPrefix("/") { break }
      if let zone = lookup(parts.suffix(count).joined(separator: "/")) { return zone }
    }
    return text.lowercased() == "tzone://microsoft/utc" ? (.utc, TimeZoneRules()) : nil
  }
}

/// The clock of one time of a calendar.
struct CalendarClock: Sendable {
  enum Kind: Sendable, Hashable {
    /// That of whatever place the calendar is read in.
    case floating
    /// A zone of the database.
    case named(ZoneName)
    /// UTC, or a zone that only the file knows: rules have the moments by the clock of the site.
    case foreign
  }

  let kind: Kind
  let rules: TimeZoneRules
}

/// The clocks of one file, found out as they are needed.
struct CalendarZones {
  let clocks: CalendarClocks
  private let defined: [String: CalendarZone]
  /// No later day is wanted.
  private let last: LocalDate
  /// Where a zone of the file and one of the database must agree to be one.
  private let range: Range<Int64>
  private var known: [String: CalendarClock?] = [:]
  private var budget = RepeatRule.Budget(days: 600_000)

  private static let most = 1000
  private static let namesOfUTC: Set = [
    "UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Universal", "Zulu",
  ]

  init(_ defined: [CalendarZone], _ clocks: CalendarClocks, from first: LocalDate, through last: LocalDate) {
    self.clocks = clocks
    self.defined = Dictionary(defined.map { ($0.identifier, $0) }) { first, _ in first }
    self.last = last.advanced(by: 400)
    let start = Int64(first.number - 1) * 86_400
    range = start..<max(start + 1, Int64(last.number + 2) * 86_400)
  }

  /// Nil for a zone that neither the file nor the zone database has.
  mutating func clock(_ zone: CalendarTime.Zone) -> CalendarClock? {
    switch zone {
    case .floating: return CalendarClock(kind: .floating, rules: clocks.site)
    case .utc: return CalendarClock(kind: .foreign, rules: TimeZoneRules())
    case .named(let identifier):
      if let clock = known[identifier] { return clock }
      guard known.count < Self.most else { return nil }
      let clock = found(identifier)
      known[identifier] = .some(clock)
      return clock
    }
  }

  func defines(_ identifier: String) -> Bool { defined[identifier] != nil }

  /// What the file says comes first (section 3.2.19); a zone of the database that agrees with it gives it a name.
  private mutating func found(_ identifier: String) -> CalendarClock? {
    guard let own = defined[identifier] else { return clocks.find(identifier).map(Self.clock) }
    guard let rules = own.rules(through: last, &budget) else { return nil }
    var candidates = [clocks.find(identifier), own.location.flatMap { clocks.find($0) }].compactMap(\.self)
    if let name = clocks.siteName { candidates.append((name, clocks.site)) }
    for zone in candidates where rules.agrees(with: zone.rules, in: range) { return Self.clock(zone) }
    return CalendarClock(kind: .foreign, rules: rules)
  }

  private static func clock(_ zone: (name: ZoneName, rules: TimeZoneRules)) -> CalendarClock {
    CalendarClock(kind: namesOfUTC.contains(zone.name.text) ? .foreign : .named(zone.name), rules: zone.rules)
  }
}
