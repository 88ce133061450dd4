import CastProtocol

/// A look of subtitles that can be chosen: a part of the text track style, so that a size and colours go together.
struct RemoteTextStyle: Sendable {
  let name: String
  let style: MediaTextTrackStyle

  private init(_ name: String, _ change: (inout MediaTextTrackStyle) -> Void) {
    var style = MediaTextTrackStyle()
    change(&style)
    (self.name, self.style) = (name, style)
  }

  private static func size(_ name: String, _ scale: Double) -> RemoteTextStyle {
    RemoteTextStyle(name) { $0.fontScale = scale }
  }

  private typealias Color = MediaTextTrackStyle.Color
  private static let (white, yellow) = (
    Color(red: 255, green: 255, blue: 255), Color(red: 255, green: 255, blue: 0)
  )
  private static let (black, clear) = (
    Color(red: 0, green: 0, blue: 0), Color(red: 0, green: 0, blue: 0, alpha: 0)
  )

  /// Sizes, then colours.
  static let all: [RemoteTextStyle] = [
    size("small", 0.75), size("normal size", 1), size("large", 1.5), size("very large", 2),
    RemoteTextStyle("white on black") {
      ($0.foregroundColor, $0.backgroundColor, $0.edgeType) = (
        white, black, MediaTextTrackStyle.EdgeType.none
      )
    },
    RemoteTextStyle("yellow on black") {
      ($0.foregroundColor, $0.backgroundColor, $0.edgeType) = (
        yellow, black, MediaTextTrackStyle.EdgeType.none
      )
    },
    RemoteTextStyle("white with an outline") {
      ($0.foregroundColor, $0.backgroundColor, $0.edgeType, $0.edgeColor) = (white, clear, .outline, black)
    },
    RemoteTextStyle("yellow with an outline") {
      ($0.foregroundColor, $0.backgroundColor, $0.edgeType, $0.edgeColor) = (yellow, clear, .outline, black)
    },
  ]
}
