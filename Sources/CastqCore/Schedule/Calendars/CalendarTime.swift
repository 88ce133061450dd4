/// A date, or a date and a time, of an iCalendar file (RFC 5545, sections 3.3.4 and 3.3.5).
struct CalendarTime: Sendable, Hashable {
  enum Zone: Sendable, Hashable {
    /// The clock of whatever place it is read in.
    case floating
    case named(ZoneName)
  }

  var date: LocalDate
  /// Seconds after midnight; nil for a date alone.
  var second: Int?
  var zone = Zone.floating

  /// Parses `20261224`, `20261224T080000` or `20261224T070000Z`.
  /// - Parameter zone: what `TZID` says, where it is known.
  init(_ text: String, zone: Zone = .floating) throws(TextError) {
    let bytes = Array(text.utf8)
    let wrong = TextError(
      "`\(TerminalText.excerpt(text))` is not a date",
      hint: "it is written as in 20261224 or 20261224T080000Z")
    func number(_ range: Range<Int>) throws(TextError) -> Int {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw wrong
      }
      return bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    guard
      let date = LocalDate(year: try number(0..<4), month: try number(4..<6), day: try number(6..<8))
    else { throw wrong }
    self.date = date
    guard bytes.count > 8 else { return }
    let isUTC = bytes.last == UInt8(ascii: "Z")
    guard bytes[8] == UInt8(ascii: "T"), bytes.count == (isUTC ? 16 : 15) else { throw wrong }
    let (hour, minute, second) = (try number(9..<11), try number(11..<13), try number(13..<15))
    guard hour < 24, minute < 60, second <= 60 else { throw wrong }
    self.second = hour * 3600 + minute * 60 + min(second, 59)
    self.zone = isUTC ? .named(.utc) : zone
  }

  /// What the clock shows; midnight for a date alone.
  var local: LocalTime { LocalTime(date, second: second ?? 0) }

  /// The zone that a `TZID` names: an IANA name, or one that ends in such a name, as some programs write it; else floating.
  static func zone(_ identifier: String?) -> Zone {
    guard let identifier else { return .floating }
    let parts = identifier.split(separator: "/")
    for count in [parts.count, 3, 2] where count > 0 && count <= parts.count && count <= 3 {
      let name = parts.suffix(count).joined(separator: "/")
      if count > 1 || name == "UTC", let zone = try? ZoneName(name) { return .named(zone) }
    }
    return .floating
  }
}

/// Zones for the times of a calendar.
struct CalendarZones: Sendable {
  /// The zone of times without one.
  let site: TimeZoneRules
  let rules: [ZoneName: TimeZoneRules]

  /// The same moment by the clock of another zone; unchanged where a zone is not known.
  func local(_ time: CalendarTime, in zone: CalendarTime.Zone) -> LocalTime {
    guard time.second != nil, time.zone != zone, let from = offsets(time.zone), let to = offsets(zone) else {
      return time.local
    }
    return to.localTime(at: from.instant(of: time.local))
  }

  private func offsets(_ zone: CalendarTime.Zone) -> TimeZoneRules? {
    switch zone {
    case .floating: site
    case .named(let name): name == .utc ? TimeZoneRules() : rules[name]
    }
  }
}
