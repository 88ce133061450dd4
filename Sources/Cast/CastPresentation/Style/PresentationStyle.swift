/// The look of all parts as one value, as `GCKUIStyle` of the iOS SDK: colours by role for light and dark, fonts by role, both for all
/// parts or for one. A face asks for a role in a part; what a part does not set comes from the style as a whole, and what that does not
/// set from the standard style.
public struct PresentationStyle: Sendable, Hashable {
  /// The scheme of colours.
  public enum Scheme: String, Sendable, Hashable, CaseIterable {
    /// Dark on light.
    case light
    /// Light on dark.
    case dark
  }

  /// A part of the user interface.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// The Cast button.
    case castButton = "cast_button"
    /// The dialog of the Cast button.
    case deviceChooser = "device_chooser"
    /// The introduction.
    case introduction
    /// The small controller.
    case miniController = "mini_controller"
    /// The full controller.
    case expandedController = "expanded_controller"
    /// The choice of tracks.
    case trackChooser = "track_chooser"
    /// Errors and notes.
    case notice
  }

  /// The use of a colour.
  public enum ColorRole: String, Sendable, Hashable, CaseIterable {
    /// Behind everything.
    case background
    /// Text of the first rank.
    case text
    /// Text of the second rank.
    case secondaryText = "secondary_text"
    /// Icons and buttons.
    case tint
    /// Icons and buttons that are lit: a filled Cast button, shown subtitles.
    case activeTint = "active_tint"
    /// Text on a lit button.
    case buttonText = "button_text"
    /// The part of the seek bar that was played.
    case progress
    /// The rest of it, and the outlines of controls.
    case track
    /// Ads on the seek bar.
    case adMark = "ad_mark"
    /// Errors.
    case error
  }

  /// The use of a font.
  public enum FontRole: String, Sendable, Hashable, CaseIterable {
    /// Titles of media and dialogs.
    case title
    /// Second lines.
    case subtitle
    /// Other text.
    case body
    /// Text on buttons.
    case button
    /// Times and small print.
    case caption
  }

  /// A font.
  public struct Font: Sendable, Hashable {
    /// Name of the family; nil is that of the face.
    public var family: String?
    /// Size in CSS pixels, 6 to 96; a terminal ignores it.
    public var size: Double
    /// Whether it is bold.
    public var isBold: Bool
    /// Whether it is italic.
    public var isItalic: Bool

    /// A font; upright and of the face's family by default. The size is clamped to 6 to 96.
    public init(size: Double, family: String? = nil, isBold: Bool = false, isItalic: Bool = false) {
      self.size = size.isNaN ? 16 : min(max(size, 6), 96)
      self.family = family
      self.isBold = isBold
      self.isItalic = isItalic
    }
  }

  private struct ColorKey: Hashable, Sendable {
    var scheme: Scheme
    var part: Part?
    var role: ColorRole
  }
  private struct FontKey: Hashable, Sendable {
    var part: Part?
    var role: FontRole
  }
  private var colors: [ColorKey: StyleColor] = [:]
  private var fonts: [FontKey: Font] = [:]

  /// The standard style, with nothing set.
  public init() {}

  /// The colour for a role in a part; the standard one if nothing else is set.
  public func color(_ role: ColorRole, in part: Part, _ scheme: Scheme) -> StyleColor {
    ownColor(role, in: part, scheme) ?? ownColor(role, in: nil, scheme) ?? Self.standard(role, scheme)
  }

  /// The font for a role in a part; the standard one if nothing else is set.
  public func font(_ role: FontRole, in part: Part) -> Font {
    ownFont(role, in: part) ?? ownFont(role, in: nil) ?? Self.standard(role)
  }

  /// The colour that was set for a role in a scheme; nil when none was. A part of nil is all parts.
  public func ownColor(_ role: ColorRole, in part: Part?, _ scheme: Scheme) -> StyleColor? {
    colors[ColorKey(scheme: scheme, part: part, role: role)]
  }

  /// The font that was set for a role; nil when none was. A part of nil is all parts.
  public func ownFont(_ role: FontRole, in part: Part?) -> Font? { fonts[FontKey(part: part, role: role)] }

  /// Sets a colour for a role; nil removes it. A part of nil is all parts that have none of their own; a scheme of nil is both.
  public mutating func set(
    _ color: StyleColor?, for role: ColorRole, in part: Part? = nil, _ scheme: Scheme? = nil
  ) {
    for scheme in scheme.map({ [$0] }) ?? Scheme.allCases {
      colors[ColorKey(scheme: scheme, part: part, role: role)] = color
    }
  }

  /// Sets a font for a role; nil removes it. A part of nil is all parts that have none of their own.
  public mutating func set(_ font: Font?, for role: FontRole, in part: Part? = nil) {
    fonts[FontKey(part: part, role: role)] = font
  }
}

// MARK: - The standard style

extension PresentationStyle {
  /// Every text has a contrast of 4.5 on its background, every control of 3.
  private static func standard(_ role: ColorRole, _ scheme: Scheme) -> StyleColor {
    func color(_ light: UInt32, _ dark: UInt32) -> StyleColor {
      let value = scheme == .light ? light : dark
      return StyleColor(
        red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
        blue: UInt8(truncatingIfNeeded: value))
    }
    return switch role {
    case .background: color(0xFFFFFF, 0x15181C)
    case .text: color(0x1B1F24, 0xF2F4F7)
    case .secondaryText: color(0x565D66, 0xB4BBC4)
    case .tint: color(0x4A525C, 0xC3C9D1)
    case .activeTint: color(0x1659C7, 0x7FB0FF)
    case .buttonText: color(0xFFFFFF, 0x0B1220)
    case .progress: color(0x1659C7, 0x7FB0FF)
    case .track: color(0x848B95, 0x7A828D)
    case .adMark: color(0x9A6700, 0xE3B341)
    case .error: color(0xB3261E, 0xFF8A80)
    }
  }

  private static func standard(_ role: FontRole) -> Font {
    switch role {
    case .title: Font(size: 20, isBold: true)
    case .subtitle: Font(size: 16)
    case .body: Font(size: 16)
    case .button: Font(size: 16, isBold: true)
    case .caption: Font(size: 13)
    }
  }
}
