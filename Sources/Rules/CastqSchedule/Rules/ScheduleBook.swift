package import CastqText

/// Everything that a plan is made from, as it stands at one moment.
package struct ScheduleBook: Sendable, Hashable {
  package var rules: [ScheduleRule]
  package var dayparts: [String: Daypart]
  package var calendars: [String: HolidayCalendar]
  /// The zones that rules, devices and the site name.
  package var zones: [ZoneName: TimeZoneRules]
  /// The zone of devices and rules without one.
  package var siteZone: ZoneName
  /// Expected seconds of one pass through a programme, by its name; for plans of what plays as long as its programme.
  package var lengths: [String: Int] = [:]

  package init(
    rules: [ScheduleRule] = [], dayparts: [Daypart] = [], calendars: [HolidayCalendar] = [],
    zones: [ZoneName: TimeZoneRules] = [:], siteZone: ZoneName = .utc
  ) {
    self.rules = rules
    self.dayparts = Dictionary(dayparts.map { ($0.name, $0) }) { $1 }
    self.calendars = Dictionary(calendars.map { ($0.name, $0) }) { $1 }
    self.zones = zones
    self.siteZone = siteZone
  }

  /// The zone in which a rule is read on a device.
  package func zone(of rule: ScheduleRule, on device: ScheduleDevice) -> ZoneName {
    switch rule.form {
    case .calendar(let expression): expression.zone ?? rule.zone ?? device.zone ?? siteZone
    case .always, .daily, .daypart, .cron, .once: rule.zone ?? device.zone ?? siteZone
    }
  }

  /// The offsets of a zone; UTC needs no file.
  package func rules(of zone: ZoneName) throws(RuleFault) -> TimeZoneRules {
    if let rules = zones[zone] { return rules }
    guard zone == .utc else { throw RuleFault("there is no time zone \(zone.text) here: install tzdata") }
    return TimeZoneRules()
  }

  func calendar(_ name: String) throws(RuleFault) -> HolidayCalendar {
    guard let calendar = calendars[name] else {
      throw RuleFault("there is no calendar \(TerminalText.excerpt(name))")
    }
    return calendar
  }
}

/// A screen, as far as rules know it.
package struct ScheduleDevice: Sendable, Hashable {
  package var id: String
  package var name: String
  package var groups: Set<String>
  /// Nil is the site's.
  package var zone: ZoneName?
  /// Whether the queue of the device has something to play when no rule wins.
  package var hasBase: Bool
  /// Since when the device has been stopped; nil while it is not, and where nobody asks what is on the screen.
  package var stoppedAt: WallTime?
  /// When the configuration has the device show nothing; nil is never, and where nobody asks what is on the screen.
  package var darkHours: DarkHours?
  /// What keeps castq from the screen; nil is nothing, and where nobody asks what is on the screen.
  package var loss: Outlook?
  /// From when on the queue has something that is due, where it has something to play; nil is now, and where
  /// nobody asks.
  package var baseFrom: WallTime?
  /// Seconds that the queue has left to play; nil is without an end or of unknown length, and where nobody asks.
  package var baseSeconds: Double?
  /// Whether what is on the screen is paused, and so does not end by itself; false where nobody asks.
  package var isPaused = false
  /// What a machine has found out about programmes: why an occurrence cannot play. Empty where nobody asks what is on the screen.
  package var passedOver: [OccurrenceKey: String] = [:]
  /// Programmes of shares of which nothing can be played, by their names, and why. Empty where nobody asks.
  package var emptyShares: [String: String] = [:]

  package init(
    id: String, name: String? = nil, groups: Set<String> = [], zone: ZoneName? = nil, hasBase: Bool = true
  ) {
    self.id = id
    self.name = name ?? id
    self.groups = groups
    self.zone = zone
    self.hasBase = hasBase
  }

  /// Whether the queue of the device has something that is due at a moment.
  func hasDueBase(at moment: WallTime) -> Bool { hasBase && baseFrom.map { $0 <= moment } ?? true }

  /// Whether rules for this target are for the device.
  package func isTarget(of target: RuleTarget) -> Bool {
    switch target {
    case .all: true
    case .group(let name): groups.contains(name)
    case .device(let id): id == self.id
    }
  }
}

/// Why a rule cannot be evaluated. Such a rule is passed over; what lies below it plays.
package struct RuleFault: Error, Sendable, Hashable {
  /// What is missing or wrong, without a full stop.
  package let message: String

  package init(_ message: String) { self.message = message }
}
