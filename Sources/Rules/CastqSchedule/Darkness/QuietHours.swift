package import CastqText

/// What a device shows in quiet hours in which nothing plays.
package enum QuietShow: String, Sendable, Hashable, CaseIterable {
  /// The media stops and its application stays, until the device ends it by itself.
  case application
  /// The application ends: the device shows what it shows by itself.
  case backdrop
  /// A black picture of castq's own, which is no play.
  case black
}

/// A part of each day in local time, such as `22:00-07:00`; it may include midnight.
///
/// Only the local time counts: when clocks are put back, the hour that occurs twice is quiet twice.
package struct QuietHours: Sendable, Hashable {
  /// Minutes since midnight, 0 to 1439.
  package let start: Int
  /// Minutes since midnight, 1 to 1440; a value not after `start` is on the next day.
  package let end: Int

  /// All of it.
  package static let wholeDay = QuietHours(start: 0, end: 1440)

  private init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Reads `HH:MM-HH:MM`; the second time is the first minute that is not quiet, `24:00` is midnight.
  package init(_ text: String) throws(TextError) {
    let halves = text.filter { $0 != " " }.split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, let start = Self.minutes(halves[0]), start < 1440,
      let end = Self.minutes(halves[1])
    else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a time range", hint: "write it as in \"22:00-07:00\"")
    }
    guard start != end else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is empty", hint: "the whole day is \"00:00-24:00\"")
    }
    self.start = start
    self.end = end == 0 ? 1440 : end
  }

  /// Whether this local time is within.
  package func contains(_ time: CivilTime) -> Bool {
    let minute = time.hour * 60 + time.minute
    return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  private static func minutes(_ text: Substring) -> Int? {
    let fields = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count == 2, (1...2).contains(fields[0].count), fields[1].count == 2 else { return nil }
    var numbers: [Int] = []
    for field in fields {
      guard field.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(Substring(field)) else {
        return nil
      }
      numbers.append(number)
    }
    guard numbers[0] < 24 && numbers[1] < 60 || numbers == [24, 0] else { return nil }
    return numbers[0] * 60 + numbers[1]
  }
}
