/// The style of subtitles (protocol 10.3). Nil leaves a property to the receiver; `standard` is a style to start from.
public struct MediaTextTrackStyle: Sendable, Hashable {
  /// The edges of characters.
  public enum EdgeType: WireWord {
    /// None.
    case none
    /// An outline.
    case outline
    /// A drop shadow.
    case dropShadow
    /// Raised.
    case raised
    /// Depressed.
    case depressed
    /// A value unknown to this version.
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
    /// A box with rounded corners.
    case roundedCorners
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("NONE", .none), ("NORMAL", .normal), ("ROUNDED_CORNERS", .roundedCorners),
    ]
  }

  /// The generic family to use when `fontFamily` is unavailable.
  public enum FontGenericFamily: WireWord {
    /// Sans-serif.
    case sansSerif
    /// Monospaced sans-serif.
    case monospacedSansSerif
    /// Serif.
    case serif
    /// Monospaced serif.
    case monospacedSerif
    /// Casual.
    case casual
    /// Cursive.
    case cursive
    /// Small capitals.
    case smallCapitals
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("SANS_SERIF", .sansSerif), ("MONOSPACED_SANS_SERIF", .monospacedSansSerif), ("SERIF", .serif),
      ("MONOSPACED_SERIF", .monospacedSerif), ("CASUAL", .casual), ("CURSIVE", .cursive),
      ("SMALL_CAPITALS", .smallCapitals),
    ]
  }

  /// The font style.
  public enum FontStyle: WireWord {
    /// Normal.
    case normal
    /// Bold.
    case bold
    /// Italic.
    case italic
    /// Bold italic.
    case boldItalic
    /// A value unknown to this version.
    case unknown(String)
    package static let words: [(word: String, value: Self)] = [
      ("NORMAL", .normal), ("BOLD", .bold), ("ITALIC", .italic), ("BOLD_ITALIC", .boldItalic),
    ]
  }

  /// Scale factor of the size, above 0; the receiver's default is 1.
  public var fontScale: Double?
  /// Colour of the text.
  public var foregroundColor: Color?
  /// Colour of the background.
  public var backgroundColor: Color?
  /// The edges of characters.
  public var edgeType: EdgeType?
  /// Colour of the edge; ignored without an edge.
  public var edgeColor: Color?
  /// The box behind the text.
  public var windowType: WindowType?
  /// Colour of the box; ignored without a box.
  public var windowColor: Color?
  /// Radius of rounded corners in pixels, 0 or more.
  public var windowRoundedCornerRadius: Double?
  /// A font by name.
  public var fontFamily: String?
  /// The generic family to use when `fontFamily` is unavailable.
  public var fontGenericFamily: FontGenericFamily?
  /// The font style.
  public var fontStyle: FontStyle?
  /// Application-defined data.
  public var customData: JSONValue?
  /// Members unknown to this version.
  public var unknownMembers: [String: JSONValue] = [:]

  /// A style without any property set.
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
