import Glibc

/// A colour of a style, with opacity.
public struct StyleColor: Sendable, Hashable, CustomStringConvertible {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8
  /// Opacity, 0 to 255; 255 is opaque.
  public var alpha: UInt8

  /// A colour; opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// The colour of a text `#RRGGBB` or `#RRGGBBAA` in hexadecimal digits; nil for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "#"), bytes.count == 7 || bytes.count == 9 else { return nil }
    let digits = bytes.dropFirst().compactMap { Self.digit($0) }
    guard digits.count == bytes.count - 1 else { return nil }
    let parts: [UInt8] = stride(from: 0, to: digits.count, by: 2).map { (index: Int) in
      digits[index] << 4 | digits[index + 1]
    }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count == 4 ? parts[3] : 255)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The text `#rrggbb`, or `#rrggbbaa` when it is not opaque; CSS reads both.
  public var description: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#"
      + parts.map { byte in
        let text = String(byte, radix: 16)
        return text.utf8.count == 1 ? "0\(text)" : text
      }.joined()
  }

  /// The contrast of this colour on an opaque background, 1 to 21, as the Web Content Accessibility Guidelines define it: text needs
  /// 4.5, icons and controls 3. The opacity of both is ignored.
  public func contrast(on background: StyleColor) -> Double {
    let (one, two) = (luminance, background.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Relative luminance, 0 to 1.
  private var luminance: Double {
    func linear(_ byte: UInt8) -> Double {
      let share = Double(byte) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
