import CastProtocol
import CastqOperations
import CastqText

/// Days, clocks and numbers as papers write them.
enum PaperWords {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// `28 November 2026`.
  static func day(_ date: LocalDate, withYear: Bool = true) -> String {
    let civil = CivilTime(daysSinceEpoch: date.number)
    let year = withYear ? " \(civil.year)" : ""
    return "\(civil.day) \(month(civil))\(year)"
  }

  /// `November 2026` for `2026-11`, and a day for what is one.
  static func bar(_ label: String) -> String {
    if let date = try? LocalDate(label) { return day(date, withYear: false) }
    guard let date = try? LocalDate("\(label)-01") else { return label }
    let civil = CivilTime(daysSinceEpoch: date.number)
    return "\(month(civil)) \(civil.year)"
  }

  private static func month(_ civil: CivilTime) -> String {
    months.indices.contains(civil.month - 1) ? months[civil.month - 1] : "?"
  }

  /// `1–30 November 2026`: what both ends have in common is said once.
  static func days(_ days: ClosedRange<LocalDate>) -> String {
    guard days.lowerBound < days.upperBound else { return day(days.lowerBound) }
    let first = CivilTime(daysSinceEpoch: days.lowerBound.number)
    let last = CivilTime(daysSinceEpoch: days.upperBound.number)
    if first.year != last.year { return "\(day(days.lowerBound)) – \(day(days.upperBound))" }
    if first.month != last.month {
      return "\(day(days.lowerBound, withYear: false)) – \(day(days.upperBound))"
    }
    return "\(first.day)–\(day(days.upperBound))"
  }

  /// `5,278`.
  static func count(_ number: Int) -> String {
    let digits = Array("\(number.magnitude)")
    var text = number < 0 ? "−" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// The number of a cell; a dash for nothing, so that what is there is seen.
  static func cell(_ value: JSONValue?) -> String {
    guard let number = value?.int, number != 0 else { return "–" }
    return count(number)
  }

  /// `6 screens`, `1 screen`.
  static func counted(_ number: Int, _ one: String, _ many: String) -> String {
    "\(count(number)) \(number == 1 ? one : many)"
  }

  /// `99.7 %`: never rounded up to all.
  static func percent(_ part: Double?) -> String {
    guard let part, part.isFinite else { return "–" }
    let tenths = Int(bounded: (min(max(part, 0), 10) * 1000 + 1e-6).rounded(.down))
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }

  /// The length of a cell; a dash for none.
  static func length(_ value: JSONValue?) -> String {
    guard let seconds = value?.double, seconds >= 1 else { return "–" }
    return PageLength.clock(seconds)
  }

  static func clock(_ value: JSONValue?) -> String { PageLength.clock(value?.double) }
}

extension PageContext {
  /// `14:59:57`, with its day before it: `Sat 28 Nov, 14:59:57`.
  func moment(_ text: String?, withDay: Bool = true, withSeconds: Bool = true) -> HTML {
    guard let text, let moment = try? RFC3339.parse(text) else { return "–" }
    let day = withDay ? "\(Self.dayText(zone.localTime(at: moment).date)), " : ""
    return .element(
      "time", [.init("datetime", text)], [HTML("\(day)\(clock(moment, withSeconds: withSeconds))")])
  }

  /// The day of a moment in a document; nil for what is none.
  func date(_ value: JSONValue?) -> LocalDate? {
    guard let moment = value?.string.flatMap({ try? RFC3339.parse($0) }) else { return nil }
    return zone.localTime(at: moment).date
  }
}
