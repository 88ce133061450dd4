/// How subtitles look (protocol 10.3). Nil leaves a property to the receiver; `standard` is a style to begin with.
public struct MediaTextTrackStyle: Sendable, Hashable {
  /// How letters are set off from the picture.
  public enum EdgeType: WireWord {
    /// Not at all.
    case none
    /// A line around each letter.
    case outline
    /// A shadow below each letter.
    case dropShadow
    /// Letters stand out.
    case raised
    /// Letters are sunk in.
    case depressed
    /// A word this version does not know.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("NONE", .none), ("OUTLINE", .outline), ("DROP_SHADOW", .dropShadow), ("RAISED", .raised),
      ("DEPRESSED", .depressed),
    ]
  }

  /// The box behind the text.
  public enum WindowType: WireWord {
    /// No box.
    case none
    /// A box.
    case normal
    /// A box with round corners.
    case roundedCorners
    /// A word this version does not know.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("NONE", .none), ("NORMAL", .normal), ("ROUNDED_CORNERS", .roundedCorners),
    ]
  }

  /// The family to fall back to when `fontFamily` is not there.
  public enum FontGenericFamily: WireWord {
    /// Without serifs.
    case sansSerif
    /// Without serifs, all letters of one width.
    case monospacedSansSerif
    /// With serifs.
    case serif
    /// With serifs, all letters of one width.
    case monospacedSerif
    /// Like easy handwriting.
    case casual
    /// Like careful handwriting.
    case cursive
    /// Small capitals.
    case smallCapitals
    /// A word this version does not know.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("SANS_SERIF", .sansSerif), ("MONOSPACED_SANS_SERIF", .monospacedSansSerif), ("SERIF", .serif),
      ("MONOSPACED_SERIF", .monospacedSerif), ("CASUAL", .casual), ("CURSIVE", .cursive),
      ("SMALL_CAPITALS", .smallCapitals),
    ]
  }

  /// Weight and slant.
  public enum FontStyle: WireWord {
    /// Upright.
    case normal
    /// Heavy.
    case bold
    /// Slanted.
    case italic
    /// Heavy and slanted.
    case boldItalic
    /// A word this version does not know.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("NORMAL", .normal), ("BOLD", .bold), ("ITALIC", .italic), ("BOLD_ITALIC", .boldItalic),
    ]
  }

  /// Size factor above 0; the receiver's default is 1.
  public var fontScale: Double?
  /// Colour of the letters.
  public var foregroundColor: Color?
  /// Colour behind the letters.
  public var backgroundColor: Color?
  /// How letters are set off.
  public var edgeType: EdgeType?
  /// Colour of the edge; ignored without an edge.
  public var edgeColor: Color?
  /// The box behind the text.
  public var windowType: WindowType?
  /// Colour of the box; ignored without a box.
  public var windowColor: Color?
  /// Radius of round corners in pixels, 0 or more.
  public var windowRoundedCornerRadius: Double?
  /// A font by name.
  public var fontFamily: String?
  /// The family to fall back to.
  public var fontGenericFamily: FontGenericFamily?
  /// Weight and slant.
  public var fontStyle: FontStyle?
  /// The application's own data.
  public var customData: JSONValue?
  /// Members this version does not know.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A style that changes nothing yet.
  public init() {}

  package init?(json: JSONValue?) {
    guard var members = JSONMembers(json) else { return nil }
    fontScale = members.take("fontScale")?.number(.fontScale)
    foregroundColor = Color(json: members.take("foregroundColor"))
    backgroundColor = Color(json: members.take("backgroundColor"))
    edgeType = EdgeType(members.take("edgeType"))
    edgeColor = Color(json: members.take("edgeColor"))
    windowType = WindowType(members.take("windowType"))
    windowColor = Color(json: members.take("windowColor"))
    windowRoundedCornerRadius = members.take("windowRoundedCornerRadius")?.number(.pixels)
    fontFamily = members.take("fontFamily")?.string
    fontGenericFamily = FontGenericFamily(members.take("fontGenericFamily"))
    fontStyle = FontStyle(members.take("fontStyle"))
    customData = members.take("customData")
    unknownMembers = members.rest
  }

  package var json: JSONValue {
    .members([
      "fontScale": JSONValue(fontScale), "foregroundColor": foregroundColor?.json,
      "backgroundColor": backgroundColor?.json, "edgeType": edgeType?.json,
      "edgeColor": edgeColor?.json,
      "windowType": windowType?.json, "windowColor": windowColor?.json,
      "windowRoundedCornerRadius": JSONValue(windowRoundedCornerRadius), "fontFamily": JSONValue(fontFamily),
      "fontGenericFamily": fontGenericFamily?.json, "fontStyle": fontStyle?.json, "customData": customData,
    ]).keeping(unknownMembers)
  }
}
