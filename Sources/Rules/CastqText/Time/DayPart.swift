/// A part of a day by the clock on the wall, such as `08:00-10:30`.
package struct DayPart: Sendable, Hashable {
  /// Seconds after the midnight at which the day begins, 0 to 86,399.
  package let start: Int
  /// Seconds after the same midnight; after `start`, and so on the next day from 86,401 on.
  package let end: Int

  /// The whole day.
  package static let day = DayPart(start: 0, end: 86_400)

  /// Seconds after midnight. An end that is not after the start is on the next day; equal ones are a whole day.
  /// - Parameters:
  ///   - start: 0 to 86,399, clamped.
  ///   - end: 0 to 86,400, clamped.
  package init(start: Int, end: Int) {
    self.start = min(max(start, 0), 86_399)
    let end = min(max(end, 0), 86_400)
    self.end = end <= self.start ? end + 86_400 : end
  }

  /// Parses `08:00-10:30` or `22:00-02:00`; seconds may follow, `24:00` is the midnight at which the day ends.
  package init(_ text: String) throws(TextError) {
    let halves = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .map { Self.second(Array($0)) }
    guard halves.count == 2, let start = halves[0], let end = halves[1], start < 86_400 else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a time range",
        hint: "write it as in 08:00-10:30 or 22:00-02:00")
    }
    self.init(start: start, end: end)
  }

  /// `08:00-10:30`.
  package var text: String { "\(startText)-\(endText)" }

  /// `08:00`.
  package var startText: String { Self.text(start) }

  /// `10:30`, at most `24:00`: one that is not after the start is on the next day.
  package var endText: String { end == 86_400 ? "24:00" : Self.text(end % 86_400) }

  /// `8:00`, `08:00`, `08:00:30`, up to `24:00`, in seconds after midnight; nil for anything else.
  static func second(_ text: [UInt8]) -> Int? {
    let fields = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(fields.count), (1...2).contains(fields[0].count) else { return nil }
    var numbers: [Int] = []
    for (index, field) in fields.enumerated() {
      guard index == 0 || field.count == 2, field.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      numbers.append(field.reduce(0) { $0 * 10 + Int($1) - 0x30 })
    }
    let second = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    return numbers[1] < 60 && (numbers.count < 3 || numbers[2] < 60) && second <= 86_400 ? second : nil
  }

  /// `08:00`, and the seconds when there are any.
  package static func text(_ second: Int) -> String {
    let text = "\((second / 3600).digits(2)):\((second / 60 % 60).digits(2))"
    return second % 60 == 0 ? text : text + ":\((second % 60).digits(2))"
  }
}
