import CastProtocol

/// The time expressions of TTML: clock times with fractions or frames, and numbers with a unit.
struct TimedTextClock {
  /// Frames a second.
  private var frameRate = 30.0
  /// Ticks a second.
  private var tickRate = 1.0

  init() {}

  /// - Parameter values: attributes of the root, by their names without prefix.
  init(_ values: [String: String]) {
    let rate = values["frameRate"].flatMap(Double.init)
    let parts = (values["frameRateMultiplier"] ?? "").split { $0 == " " || $0 == ":" }.compactMap {
      Double($0)
    }
    let multiplier = parts.count == 2 && parts[1] > 0 ? parts[0] / parts[1] : 1
    let frames = (rate ?? 30) * multiplier
    if frames.isFinite, (1...1000).contains(frames) { frameRate = frames }
    let ticks = values["tickRate"].flatMap(Double.init) ?? (rate == nil ? 1 : frameRate)
    if ticks.isFinite, (1...1e9).contains(ticks) { tickRate = ticks }
  }

  /// Milliseconds; nil when the text is no time.
  func milliseconds(_ text: String) -> Int? {
    let text = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }.joined()
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    let seconds = fields.count == 1 ? offset(text) : clockTime(fields)
    guard let seconds, seconds < 1e6 * 3600 else { return nil }
    return Int(bounded: (seconds * 1000).rounded())
  }

  /// `HH:MM:SS`, with a fraction or with frames.
  private func clockTime(_ fields: [Substring]) -> Double? {
    guard (3...4).contains(fields.count) else { return nil }
    let numbers = fields.enumerated().map { number($0.element, isWhole: $0.offset < 2) }
    guard let hours = numbers[0], let minutes = numbers[1], let seconds = numbers[2], minutes < 60,
      seconds < 61
    else { return nil }
    guard fields.count == 4 else { return hours * 3600 + minutes * 60 + seconds }
    // Frames may have a fraction of their own.
    guard let frames = numbers[3] else { return nil }
    return hours * 3600 + minutes * 60 + seconds + frames / frameRate
  }

  /// A number with a unit.
  private func offset(_ text: String) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = number(digits, isWhole: false) else { return nil }
    switch text.dropFirst(digits.count) {
    case "h": return number * 3600
    case "m": return number * 60
    case "s": return number
    case "ms": return number / 1000
    case "f": return number / frameRate
    case "t": return number / tickRate
    default: return nil
    }
  }

  private func number(_ text: Substring, isWhole: Bool) -> Double? {
    guard (1...20).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (!isWhole && $0 == UInt8(ascii: ".")) })
    else { return nil }
    return Double(text)
  }
}
