import CastProtocol

/// Sizes such as `20GB`, `500 MB`, `1.5TB`, `2GiB`.
package enum ByteSizeText {
  private static let units: [String: Double] = [
    "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KIB": 1024, "MIB": 1_048_576, "GIB": 1_073_741_824,
    "TIB": 1_099_511_627_776,
  ]

  /// The largest size that is believed: a thousand terabytes.
  private static let limit = 1e15

  /// Bytes, 0 or more.
  package static func bytes(_ text: String) throws(TextError) -> Int {
    let bytes = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
    guard bytes.count <= 40, let number = DecimalText(prefixOf: bytes[...]),
      let unit = units[String(decoding: bytes.dropFirst(number.length), as: UTF8.self).uppercased()],
      case let size = number.value * unit, size <= limit
    else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a size", hint: "write it as in 20GB, 500MB or 2GiB")
    }
    return Int(size)
  }

  /// With three digits at most: `12 MB`, `1.4 GB`.
  package static func words(_ bytes: Int) -> String {
    var (value, unit) = (Double(max(bytes, 0)), "bytes")
    for next in ["kB", "MB", "GB", "TB"] where value >= 1000 { (value, unit) = (value / 1000, next) }
    let tenths = (value * 10).rounded() / 10
    let text = value < 10 && unit != "bytes" ? "\(tenths)" : "\(Int(bounded: value.rounded()))"
    return "\(text) \(unit)"
  }
}
