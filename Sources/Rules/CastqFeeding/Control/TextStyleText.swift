package import CastProtocol
package import CastqText

/// A text style as people write it: `foreground=#FFFF00FF font-scale=1.2 edge=outline`.
package enum TextStyleText {
  /// The keys and their values, for help and error messages.
  package static let keys: [(key: String, values: String)] = [
    ("foreground", "#RRGGBBAA"), ("background", "#RRGGBBAA"),
    ("edge", words(MediaTextTrackStyle.EdgeType.self)), ("edge-color", "#RRGGBBAA"),
    ("window", words(MediaTextTrackStyle.WindowType.self)), ("window-color", "#RRGGBBAA"),
    ("window-radius", "pixels from 0"), ("font-scale", "a factor above 0, at most 10"),
    ("font-family", "a name"), ("generic-family", words(MediaTextTrackStyle.FontGenericFamily.self)),
    ("font-style", words(MediaTextTrackStyle.FontStyle.self)),
  ]

  /// The style of these settings; the last one of a key wins.
  package static func style(_ settings: [String]) throws(TextError) -> MediaTextTrackStyle {
    var style = MediaTextTrackStyle()
    for setting in settings { try apply(setting, to: &style) }
    return style
  }

  /// The settings of a style, by their keys. What has no key, such as data of the sender, is left out.
  package static func settings(of style: MediaTextTrackStyle) -> [String: String] {
    let settings: [String: String?] = [
      "foreground": style.foregroundColor?.text, "background": style.backgroundColor?.text,
      "edge": word(style.edgeType), "edge-color": style.edgeColor?.text, "window": word(style.windowType),
      "window-color": style.windowColor?.text,
      "window-radius": style.windowRoundedCornerRadius.map(DecimalText.text),
      "font-scale": style.fontScale.map(DecimalText.text), "font-family": style.fontFamily,
      "generic-family": word(style.fontGenericFamily), "font-style": word(style.fontStyle),
    ]
    return settings.compactMapValues { $0 }
  }

  private static func apply(_ setting: String, to style: inout MediaTextTrackStyle) throws(TextError) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      throw TextError("`\(TerminalText.excerpt(setting))` is not KEY=VALUE", hint: FaceWords(keyList))
    }
    let (key, value) = (parts[0], parts[1])
    switch key {
    case "foreground": style.foregroundColor = try color(key, value)
    case "background": style.backgroundColor = try color(key, value)
    case "edge": style.edgeType = try word(key, value)
    case "edge-color": style.edgeColor = try color(key, value)
    case "window": style.windowType = try word(key, value)
    case "window-color": style.windowColor = try color(key, value)
    case "window-radius": style.windowRoundedCornerRadius = try number(key, value, 0...1000)
    case "font-scale":
      let scale = try number(key, value, 0...10)
      guard scale > 0 else { throw wrong(key, value) }
      style.fontScale = scale
    case "font-family":
      let name = TerminalText.sanitized(value)
      guard !name.isEmpty, name.utf8.count <= 200 else { throw wrong(key, value) }
      style.fontFamily = name
    case "generic-family": style.fontGenericFamily = try word(key, value)
    case "font-style": style.fontStyle = try word(key, value)
    default:
      let near = Spelling.nearest(to: key, in: keys.map(\.key)).map { "did you mean \($0)? " } ?? ""
      throw TextError("unknown style key `\(TerminalText.excerpt(key))`", hint: FaceWords(near + keyList))
    }
  }

  private static var keyList: String { "keys are \(keys.map(\.key).joined(separator: ", "))" }

  private static func wrong(_ key: String, _ value: String) -> TextError {
    let values = keys.first { $0.key == key }?.values ?? ""
    return TextError("`\(TerminalText.excerpt(value))` is not valid for \(key)", hint: "it takes \(values)")
  }

  /// Six digits mean opaque.
  private static func color(
    _ key: String, _ value: String
  ) throws(TextError) -> MediaTextTrackStyle.Color {
    guard let color = MediaTextTrackStyle.Color(css: value) else { throw wrong(key, value) }
    return color.canonical
  }

  private static func number(
    _ key: String, _ value: String, _ range: ClosedRange<Double>
  ) throws(TextError) -> Double {
    guard let number = DecimalText(value), range.contains(number.value) else { throw wrong(key, value) }
    return number.value
  }

  /// Words of the protocol, in kebab case.
  private static func word<Word: WireWord>(_ key: String, _ value: String) throws(TextError) -> Word {
    guard let known = Word.words.first(where: { kebab($0.word) == value }) else { throw wrong(key, value) }
    return known.value
  }

  private static func word<Word: WireWord>(_ value: Word?) -> String? { value.map { kebab($0.word) } }

  private static func words<Word: WireWord>(_ type: Word.Type) -> String {
    Word.words.map { kebab($0.word) }.joined(separator: ", ")
  }

  private static func kebab(_ word: String) -> String {
    String(word.lowercased().map { $0 == "_" ? "-" : $0 })
  }
}

extension MediaTextTrackStyle {
  /// This style with the non-nil properties of another one applied.
  package func overlaid(with other: MediaTextTrackStyle) -> MediaTextTrackStyle {
    MediaTextTrackStyle(json: other.json.keeping(json.object ?? [:])) ?? other
  }
}
