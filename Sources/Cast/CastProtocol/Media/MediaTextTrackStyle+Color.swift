extension MediaTextTrackStyle {
  /// A colour as `#RRGGBB` or `#RRGGBBAA`, with alpha last, `FF` being opaque (protocol 10.3).
  ///
  /// Two colours are equal when their texts are: a receiver's value is kept unchanged, even if it is malformed.
  public struct Color: Sendable, Hashable {
    /// The text on the wire.
    public let text: String

    /// Wraps a text, valid or not.
    public init(text: String) { self.text = text }

    /// Red, green, blue and alpha, each 0 to 255; nil when the text is malformed.
    private var bytes: [UInt8]? {
      let digits = Array(text.utf8)
      guard digits.count == 7 || digits.count == 9, digits[0] == UInt8(ascii: "#") else { return nil }
      var bytes: [UInt8] = []
      for index in stride(from: 1, to: digits.count, by: 2) {
        guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
          return nil
        }
        bytes.append(high << 4 | low)
      }
      return bytes.count == 3 ? bytes + [255] : bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
      Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
    }

    private func component(_ index: Int) -> Double? { bytes.map { Double($0[index]) / 255 } }

    /// Red, 0 to 1; nil when the text is malformed.
    public var red: Double? { component(0) }
    /// Green, 0 to 1; nil when the text is malformed.
    public var green: Double? { component(1) }
    /// Blue, 0 to 1; nil when the text is malformed.
    public var blue: Double? { component(2) }
    /// Alpha, 0 to 1, transparent to opaque; 1 for `#RRGGBB`, nil when the text is malformed.
    public var alpha: Double? { component(3) }
    /// Whether the text is well-formed.
    public var isValid: Bool { bytes != nil }
  }
}

extension MediaTextTrackStyle.Color: CustomStringConvertible, ExpressibleByStringLiteral {
  /// Parses `#RRGGBB` or `#RRGGBBAA`; nil for any other text.
  public init?(css text: String) {
    self.init(text: text)
    guard isValid else { return nil }
  }

  /// `"#FFFF00FF"` is opaque yellow. A literal is not checked; see `isValid`.
  public init(stringLiteral text: String) { self.init(text: text) }

  /// A colour of components from 0 to 1; values outside are clamped, and NaN counts as 0. An alpha of 0 is transparent, 1 is
  /// opaque.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    let digits = Array("0123456789ABCDEF")
    text = [red, green, blue, alpha].reduce(into: "#") { text, component in
      let value = Int(bounded: (min(max(component, 0), 1) * 255).rounded())
      text.append(digits[value / 16])
      text.append(digits[value % 16])
    }
  }

  /// The text on the wire.
  public var description: String { text }

  /// The same colour in upper case and with its alpha, as `#RRGGBBAA`; unchanged when the text is malformed.
  public var canonical: Self { alpha.map(with(alpha:)) ?? self }

  /// This colour with another alpha, 0 to 1; unchanged when the text is malformed.
  public func with(alpha: Double) -> Self {
    guard let red, let green, let blue else { return self }
    return Self(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Opaque black.
  public static let black: Self = "#000000FF"
  /// Opaque white.
  public static let white: Self = "#FFFFFFFF"
  /// Opaque red.
  public static let red: Self = "#FF0000FF"
  /// Opaque green.
  public static let green: Self = "#00FF00FF"
  /// Opaque blue.
  public static let blue: Self = "#0000FFFF"
  /// Opaque yellow.
  public static let yellow: Self = "#FFFF00FF"
  /// Opaque cyan.
  public static let cyan: Self = "#00FFFFFF"
  /// Opaque magenta.
  public static let magenta: Self = "#FF00FFFF"
  /// Transparent black.
  public static let clear: Self = "#00000000"

  init?(json: JSONValue?) {
    guard let text = json?.string else { return nil }
    self.init(text: text)
  }

  var json: JSONValue { .string(text) }
}

extension MediaTextTrackStyle {
  /// White sans-serif text on half-transparent black: readable on any video.
  public static let standard: MediaTextTrackStyle = {
    var style = MediaTextTrackStyle()
    style.fontScale = 1
    style.foregroundColor = .white
    style.backgroundColor = .black.with(alpha: 0.5)
    style.edgeType = EdgeType.none
    style.windowType = WindowType.none
    style.fontGenericFamily = .sansSerif
    style.fontStyle = .normal
    return style
  }()
}
