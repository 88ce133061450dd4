import CastProtocol

/// Lengths and positions as the remote shows them.
enum RemoteClock {
  /// `0:07`, `12:34`, `1:02:03`; parts of a second are dropped.
  static func text(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(bounded: min(max(seconds, 0), 1e9)) : 0
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  /// `1.5`, `2`: two decimals at most.
  static func rate(_ rate: Double) -> String {
    let hundredths = rate.isFinite ? Int(bounded: (min(max(rate, 0), 99) * 100).rounded()) : 100
    let (whole, part) = (hundredths / 100, hundredths % 100)
    if part == 0 { return "\(whole)" }
    return part % 10 == 0 ? "\(whole).\(part / 10)" : "\(whole).\(part < 10 ? "0" : "")\(part)"
  }
}

/// Text in lines.
enum RemoteWords {
  /// The text in lines of at most so many columns, broken between words.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if Screen.width(line) + 1 + Screen.width(String(word)) <= columns {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
