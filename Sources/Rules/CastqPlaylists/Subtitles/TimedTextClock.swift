import CastProtocol

/// The time expressions of TTML: clock times with fractions or frames, and numbers with a unit.
struct TimedTextClock {
  /// Frames a second.
  private var frameRate = 30.0
  /// Frames that a second of a clock time counts, which is another number of seconds in SMPTE time code at 29.97 frames.
  private var countedRate = 30.0
  private var subFrameRate = 1.0
  private var isTimeCode = false
  private var dropMode = ""
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
    if frames.isFinite, (1...1000).contains(frames) {
      frameRate = frames
      countedRate = rate ?? 30
    }
    let parted = values["subFrameRate"].flatMap(Double.init) ?? 1
    if parted.isFinite, (1...1000).contains(parted) { subFrameRate = parted }
    isTimeCode = values["timeBase"] == "smpte"
    dropMode = values["dropMode"] ?? ""
    let ticks = values["tickRate"].flatMap(Double.init) ?? (rate == nil ? 1 : frameRate * subFrameRate)
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
    let whole = hours * 3600 + minutes * 60 + seconds
    guard fields.count == 4 || isTimeCode else { return whole }
    guard let frames = fields.count == 4 ? self.frames(fields[3]) : 0 else { return nil }
    guard isTimeCode else { return whole + frames / frameRate }
    return (whole * countedRate + frames - dropped(hours, minutes)) / frameRate
  }

  /// Frames, and sub-frames behind a point; where a frame has none, a fraction.
  private func frames(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, subFrameRate > 1 else { return number(text, isWhole: false) }
    guard let frames = number(parts[0], isWhole: true), let parted = number(parts[1], isWhole: true) else {
      return nil
    }
    return frames + parted / subFrameRate
  }

  /// The numbers of frames that time code leaves out up to a minute (TTML1, appendix N).
  private func dropped(_ hours: Double, _ minutes: Double) -> Double {
    switch dropMode {
    case "dropNTSC": (hours * 54 + minutes - (minutes / 10).rounded(.down)) * 2
    case "dropPAL": (hours * 27 + (minutes / 2).rounded(.down) - (minutes / 20).rounded(.down)) * 4
    default: 0
    }
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
