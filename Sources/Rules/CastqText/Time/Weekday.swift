/// A day of the week; weeks begin on Monday.
package enum Weekday: Int, Sendable, Hashable, CaseIterable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// Days are counted from a Monday, 0, in both directions.
  package init(index: Int) {
    let rest = index % 7
    self =
      switch rest < 0 ? rest + 7 : rest {
      case 0: .monday
      case 1: .tuesday
      case 2: .wednesday
      case 3: .thursday
      case 4: .friday
      case 5: .saturday
      default: .sunday
      }
  }

  /// The English name: `Monday`.
  package var name: String {
    switch self {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }

  /// `Mon`.
  package var abbreviation: String { String(name.prefix(3)) }

  /// The day that a text begins with in full or in three letters, without regard to case, and how many bytes it has.
  package static func prefix(of text: ArraySlice<UInt8>) -> (day: Weekday, length: Int)? {
    for day in allCases {
      let name = Array(day.name.lowercased().utf8)
      for length in [name.count, 3] where text.count >= length {
        if text.prefix(length).map({ $0 | 0x20 }) == Array(name.prefix(length)) { return (day, length) }
      }
    }
    return nil
  }
}

/// Some days of the week.
package struct Weekdays: OptionSet, Sendable, Hashable {
  /// Bit 0 is Monday.
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }

  package init(_ day: Weekday) { self.init(rawValue: 1 << UInt8(day.rawValue)) }

  package static let all = Weekdays(rawValue: 0x7F)

  package func contains(_ day: Weekday) -> Bool { contains(Weekdays(day)) }

  /// Parses `mon-fri`, `sat,sun` or `fri-mon`; names in full or in three letters.
  package init(_ text: String) throws(TextError) {
    var days: Weekdays = []
    for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let ends = part.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        .map { Weekday.whole(Array($0)) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
        throw TextError(
          "`\(TerminalText.excerpt(text))` does not name days of the week",
          hint: "write mon-fri, or sat,sun",
          offset: text.utf8.distance(from: text.startIndex, to: part.startIndex))
      }
      // The week may end within a range: Friday to Monday.
      let count = (last.rawValue - first.rawValue + 7) % 7
      for step in 0...count { days.insert(Weekdays(Weekday(index: first.rawValue + step))) }
    }
    self = days
  }

  /// `mon-fri`, `sat,sun`; every day is `mon-sun`.
  package var text: String {
    var parts: [String] = []
    var day = 0
    while day < 7 {
      guard contains(Weekday(index: day)) else {
        day += 1
        continue
      }
      let first = day
      while day < 7, contains(Weekday(index: day)) { day += 1 }
      let names = [first, day - 1].map { Weekday(index: $0).abbreviation.lowercased() }
      parts.append(
        day - first == 1
          ? names[0] : day - first == 2 ? names.joined(separator: ",") : names.joined(separator: "-"))
    }
    return parts.joined(separator: ",")
  }
}

extension Weekday {
  /// The day that this whole text names.
  fileprivate static func whole(_ text: [UInt8]) -> Weekday? {
    prefix(of: text[...]).flatMap { $0.length == text.count ? $0.day : nil }
  }
}
