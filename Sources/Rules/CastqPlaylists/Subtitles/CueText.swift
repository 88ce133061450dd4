/// Builds the text of a WebVTT cue: markup is always nested and closed, lines are never empty, and nothing that the viewer was to
/// read is taken for markup.
struct CueText: Sendable {
  /// What WebVTT can show of a style.
  enum Style: String, Sendable, CaseIterable {
    case italic = "i"
    case bold = "b"
    case underline = "u"
  }

  private var text = ""
  /// Styles whose tags are open, the outermost first.
  private var open: [Style] = []
  private(set) var wanted: Set<Style> = []
  private var hasLineEnd = false
  private var spaces = 0

  init() {}

  mutating func set(_ style: Style, _ isOn: Bool) {
    if isOn { wanted.insert(style) } else { wanted.remove(style) }
  }

  mutating func set(_ styles: Set<Style>) { wanted = styles }

  /// Adds text as it is to be read.
  mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case " ", "\t": spaces += 1
    case "&": add("&amp;")
    case "<": add("&lt;")
    case ">": add("&gt;")
    case "\u{A0}": add("&nbsp;")
    case "\u{FEFF}": return
    // In WebVTT of others this would be an override.
    case "\\" where text.last == "{": add("&#92;")
    default:
      // Control characters say nothing, and receivers draw boxes for them.
      if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) { return }
      add(String(Character(scalar)))
    }
  }

  mutating func append(_ text: some StringProtocol) {
    for scalar in text.unicodeScalars { append(scalar) }
  }

  mutating func endLine() {
    hasLineEnd = !text.isEmpty
    spaces = 0
  }

  /// Adds text that is WebVTT already.
  private mutating func add(_ piece: String) {
    if let outer = open.firstIndex(where: { !wanted.contains($0) }) {
      for style in open[outer...].reversed() { text += "</\(style.rawValue)>" }
      open.removeSubrange(outer...)
    }
    // A line end and spaces between two styles belong to neither.
    if hasLineEnd {
      text += "\n"
    } else if !text.isEmpty {
      text += String(repeating: " ", count: spaces)
    }
    (hasLineEnd, spaces) = (false, 0)
    for style in Style.allCases where wanted.contains(style) && !open.contains(style) {
      text += "<\(style.rawValue)>"
      open.append(style)
    }
    text += piece
  }

  /// The text with every tag closed.
  var finished: String {
    open.reversed().reduce(text) { "\($0)</\($1.rawValue)>" }
  }
}
