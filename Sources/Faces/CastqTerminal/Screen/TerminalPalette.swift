package import CastPresentation
import CastProtocol

/// Colours in place of the terminal's own, by what they are used for: those that a person's style sets. Its own background, text and
/// fonts a terminal keeps.
package struct TerminalPalette: Sendable, Hashable {
  private var parameters: [CellStyle.Colour: String] = [:]

  /// The terminal's own.
  package init() {}

  /// The nearest of the 256 colours of a terminal (ISO 8613-6) for what the style sets.
  /// - Parameters:
  ///   - scheme: that of the terminal.
  package init(_ style: PresentationStyle, scheme: PresentationStyle.Scheme) {
    let roles: [(CellStyle.Colour, PresentationStyle.ColorRole)] = [
      (.green, .activeTint), (.green, .progress), (.yellow, .adMark), (.cyan, .tint), (.red, .error),
    ]
    for (colour, role) in roles {
      let own =
        style.ownColor(role, in: .expandedController, scheme) ?? style.ownColor(role, in: nil, scheme)
      if let own { parameters[colour] = "38;5;\(Self.index(own))" }
    }
  }

  /// The parameter that selects a colour.
  func parameter(_ colour: CellStyle.Colour) -> String { parameters[colour] ?? "\(colour.rawValue)" }

  /// The nearest colour of the cube of 6 × 6 × 6, or of the 24 greys behind it.
  static func index(_ colour: StyleColor) -> Int {
    let levels = [0, 95, 135, 175, 215, 255]
    func nearest(_ value: UInt8) -> Int {
      levels.indices.min { abs(levels[$0] - Int(value)) < abs(levels[$1] - Int(value)) } ?? 0
    }
    let (red, green, blue) = (nearest(colour.red), nearest(colour.green), nearest(colour.blue))
    func distance(_ one: (Int, Int, Int)) -> Int {
      let (r, g, b) = (one.0 - Int(colour.red), one.1 - Int(colour.green), one.2 - Int(colour.blue))
      return r * r + g * g + b * b
    }
    let mean = (Int(colour.red) + Int(colour.green) + Int(colour.blue)) / 3
    let step = min(max((mean - 8 + 5) / 10, 0), 23)
    let grey = 8 + step * 10
    return distance((grey, grey, grey)) < distance((levels[red], levels[green], levels[blue]))
      ? 232 + step : 16 + 36 * red + 6 * green + blue
  }
}
