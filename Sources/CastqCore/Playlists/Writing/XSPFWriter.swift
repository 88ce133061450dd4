import CastProtocol

/// Writes a playlist as XSPF. Where an entry starts and ends stands in VLC's extension.
enum XSPFWriter {
  static func text(_ playlist: Playlist) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/">

      """
    if let name = playlist.name { text += "  <title>\(escaped(name))</title>\n" }
    text += "  <trackList>\n"
    for draft in playlist.drafts { text += track(draft) }
    return text + "  </trackList>\n</playlist>\n"
  }

  private static func track(_ draft: EntryDraft) -> String {
    guard let entry = PlainEntry(draft) else { return "" }
    var text = "    <track>\n"
    func put(_ name: String, _ value: String?) {
      if let value { text += "      <\(name)>\(escaped(value))</\(name)>\n" }
    }
    put("location", entry.location)
    put("identifier", entry.foreign.value("identifier"))
    put("title", entry.title)
    put("creator", entry.artist)
    put("annotation", entry.subtitle)
    put("info", entry.foreign.value("info"))
    put("image", entry.image)
    put("album", entry.album)
    put("trackNum", entry.trackNumber.map { "\($0)" })
    put("duration", entry.length.flatMap(milliseconds).map { "\($0)" })
    let options = options(draft)
    if !options.isEmpty {
      text += "      <extension application=\"\(XSPFParser.player)\">\n"
      for option in options { text += "        <vlc:option>\(escaped(option))</vlc:option>\n" }
      text += "      </extension>\n"
    }
    return text + "    </track>\n"
  }

  private static func options(_ draft: EntryDraft) -> [String] {
    var options: [String] = []
    if let start = draft.startTime { options.append("start-time=\(DecimalText.text(start.seconds))") }
    if let length = draft.playbackDuration, !draft.media.standsStill || draft.startTime != nil {
      options.append("stop-time=\(DecimalText.text((length + (draft.startTime ?? .zero)).seconds))")
    }
    let tag = "#EXTVLCOPT:"
    return options
      + draft.foreign.lines.filter { $0.hasPrefix(tag) }.map { String($0.dropFirst(tag.count)) }
  }

  static func milliseconds(_ seconds: Double) -> Int64? { Int64(exactly: (seconds * 1000).rounded()) }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in TerminalText.sanitized(text).unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      // XML has no way to write these two.
      case "\u{FFFE}", "\u{FFFF}": break
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
