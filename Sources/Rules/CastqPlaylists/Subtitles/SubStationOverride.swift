/// The overrides of SubStation Alpha, `{\…}`, as far as WebVTT can show them: italic, bold, underlined, and the place of the subtitle.
/// Colours, fonts, movements and karaoke are left out.
struct SubStationOverride: Sendable {
  /// Place of the subtitle as on a number pad, 1 to 9; nil when nothing says so. The first override counts.
  private(set) var alignment: Int?
  /// Whether what follows is a drawing, written in commands.
  private(set) var isDrawing = false

  /// - Parameters:
  ///   - text: what stands between the braces.
  ///   - style: what `\r` returns to.
  mutating func read(
    _ text: Substring.UnicodeScalarView, style: Set<CueText.Style>, into cue: inout CueText
  ) {
    for part in text.split(separator: "\\") {
      let name = part.prefix { ("a"..."z").contains($0) }
      let value = String(part.dropFirst(name.count).prefix { $0 != " " })
      switch String(name) {
      case "i": cue.set(.italic, isOn(value, or: style.contains(.italic)))
      case "b": cue.set(.bold, isOn(value, or: style.contains(.bold)))
      case "u": cue.set(.underline, isOn(value, or: style.contains(.underline)))
      case "an": if let place = Int(value), (1...9).contains(place) { alignment = alignment ?? place }
      case "a": if let place = Int(value) { alignment = alignment ?? Self.numberPad(legacy: place) }
      case "p": isDrawing = (Int(value) ?? 0) > 0
      default:
        // `\r` may be followed by the name of a style, which begins with any letter.
        if name.first == "r" { cue.set(style) }
      }
    }
  }

  /// 0 is off, 1 on; bold may have a weight, too. Without a number it is as in the style.
  private func isOn(_ value: String, or standard: Bool) -> Bool {
    guard let number = Int(value) else { return standard }
    return number == 1 || number >= 600
  }

  /// The older numbers: 1 to 3 at the bottom, 5 to 7 at the top, 9 to 11 in the middle.
  static func numberPad(legacy place: Int) -> Int? {
    switch place {
    case 1...3: place
    case 5...7: place + 2
    case 9...11: place - 5
    default: nil
    }
  }

  /// WebVTT settings for a place on the number pad; empty for the usual one.
  static func settings(_ place: Int) -> String {
    let lines = ["", "line:50%", "line:0"]
    let columns = ["align:left", "", "align:right"]
    guard (1...9).contains(place) else { return "" }
    return [lines[(place - 1) / 3], columns[(place - 1) % 3]].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
