/// The signs of the screens: of Unicode, or of ASCII where the terminal's locale has no other.
package struct RemoteGlyphs: Sendable, Hashable {
  /// Whether they are of Unicode. Where they are not, texts are drawn in ASCII, too.
  package private(set) var isUnicode = true
  package var playing = "▶"
  package var paused = "‖"
  package var stopped = "■"
  package var waiting = "…"
  package var connected = "◉"
  package var disconnected = "○"
  package var connecting = ["◜", "◝", "◞", "◟"]
  package var done = "━"
  package var left = "─"
  package var knob = "●"
  package var adMark = "┃"
  package var rule = "─"
  package var divider = "│"
  package var mark = "▸"
  package var cursor = "›"
  package var full = "▮"
  package var empty = "▯"
  package var separator = "·"
  package var active = "✓"
  package var times = "×"

  package static let unicode = RemoteGlyphs()

  package static let ascii: RemoteGlyphs = {
    var signs = RemoteGlyphs()
    signs.isUnicode = false
    (signs.playing, signs.paused, signs.stopped, signs.waiting) = (">", "=", "#", ".")
    (signs.connected, signs.disconnected, signs.connecting) = ("@", "o", ["|", "/", "-", "\\"])
    (signs.done, signs.left, signs.knob, signs.rule) = ("=", "-", "O", "-")
    (signs.adMark, signs.divider) = ("|", "|")
    (signs.mark, signs.full, signs.empty, signs.separator) = (">", "#", ".", "-")
    (signs.active, signs.times, signs.cursor) = ("*", "x", ">")
    return signs
  }()
}
