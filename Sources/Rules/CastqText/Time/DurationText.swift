/// Durations such as `90`, `90s`, `1m30s`, `01:30`, `1:02:03`, `250ms`, `1.5s`.
package enum DurationText {
  private static let units: [(name: String, seconds: Double)] = [
    ("w", 604_800), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1), ("ms", 0.001),
  ]

  /// Three hundred years, in seconds; a larger value is a typing error.
  private static let limit = 10_000_000_000.0

  /// Seconds, 0 or more and below `limit`.
  package static func seconds(_ text: String) throws(TextError) -> Double {
    let bytes = Array(text.utf8)
    let seconds = bytes.contains(UInt8(ascii: ":")) ? clock(bytes) : sum(bytes)
    guard bytes.count <= 40, let seconds, seconds < limit else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a duration",
        hint: "write 90, 90s, 1m30s, 01:30, 1:02:03, 1.5s or 250ms")
    }
    return seconds
  }

  /// `MM:SS` or `H:MM:SS`, the seconds with an optional fraction. All fields but the first have two digits below 60, so that
  /// `1:5` is refused instead of guessed.
  private static func clock(_ bytes: [UInt8]) -> Double? {
    let fields = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(fields.count) else { return nil }
    var total = 0.0
    for (index, field) in fields.enumerated() {
      guard let number = DecimalText(prefixOf: field), number.length == field.count else { return nil }
      let digits = field.prefix { $0 != UInt8(ascii: ".") }.count
      if number.hasPoint && index != fields.count - 1 { return nil }
      if index > 0 && (digits != 2 || number.value >= 60) { return nil }
      if index == 0 && !(1...6).contains(digits) { return nil }
      total = total * 60 + number.value
    }
    return total
  }

  /// A bare number of seconds, or numbers with units from the longest to the shortest, each at most once.
  private static func sum(_ bytes: [UInt8]) -> Double? {
    var rest = bytes[...]
    var total = 0.0
    var nextUnit = 0
    repeat {
      guard let number = DecimalText(prefixOf: rest) else { return nil }
      rest = rest.dropFirst(number.length)
      let name = rest.prefix { (0x61...0x7A).contains($0) }
      rest = rest.dropFirst(name.count)
      if name.isEmpty && rest.isEmpty && nextUnit == 0 { return number.value }
      let word = String(decoding: name, as: UTF8.self)
      guard let unit = units[nextUnit...].firstIndex(where: { $0.name == word }) else { return nil }
      if number.hasPoint && !rest.isEmpty { return nil }
      // Division gives 250ms exactly the double nearest to a quarter.
      total += word == "ms" ? number.value / 1000 : number.value * units[unit].seconds
      nextUnit = unit + 1
    } while !rest.isEmpty
    return total
  }
}
