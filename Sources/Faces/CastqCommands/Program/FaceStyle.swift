import CastPresentation
import CastqFeeding
import CastqOperations
import CastqTerminal

/// The look of the faces, as a person chose it.
enum FaceStyle {
  /// The colours of the terminal: those of the style where it has enough of them.
  static func palette(_ face: FaceRules) -> TerminalPalette {
    guard let style = face.style.flatMap({ try? PresentationStyle(json: $0) }), hasManyColours else {
      return TerminalPalette()
    }
    // Terminals that say it name the colours of text and background; white and light grey are 7 and 15.
    let background = Environment.value("COLORFGBG")?.split(separator: ";").last
    return TerminalPalette(style, scheme: ["7", "15"].contains(background) ? .light : .dark)
  }

  private static var hasManyColours: Bool {
    Environment.value("COLORTERM") != nil || Environment.value("TERM")?.contains("256color") == true
  }
}
