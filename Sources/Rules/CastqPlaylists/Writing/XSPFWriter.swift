import CastProtocol
import CastqText

/// Writes a playlist as XSPF. Where an entry starts and ends stands in VLC's extension.
enum XSPFWriter {
  static func text(_ playlist: Playlist) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/">

      """
    if let name = playlist.name { text += "  <title>\(XMLFragment.escaped(name))</title>\n" }
    text += notes(playlist.foreign.notes, indent: "  ")
    text += "  <trackList>\n"
    for draft in playlist.drafts { text += track(draft) }
    return text + "  </trackList>\n</playlist>\n"
  }

  private static func track(_ draft: EntryDraft) -> String {
    guard let entry = PlainEntry(draft) else { return "" }
    var text = "    <track>\n"
    func put(_ name: String, _ value: String?) {
      if let value { text += "      <\(name)>\(XMLFragment.escaped(value))</\(name)>\n" }
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
      for option in options { text += "        <vlc:option>\(XMLFragment.escaped(option))</vlc:option>\n" }
      text += "      </extension>\n"
    }
    return text + notes(entry.foreign.notes.filter { !$0.isOfList }, indent: "      ") + "    </track>\n"
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

  private static func notes(_ notes: [ForeignNote], indent: String) -> String {
    notes.map { note in
      let name = XMLFragment.escaped(note.name, inQuotes: true)
      return switch note.kind {
      case .link, .meta:
        "\(indent)<\(note.kind.rawValue) rel=\"\(name)\">\(XMLFragment.escaped(note.value))</\(note.kind.rawValue)>\n"
      // A text that is not well-formed could end the document.
      case .xml:
        XMLFragment(parsing: note.value).map {
          "\(indent)<extension application=\"\(name)\">\($0.text)</extension>\n"
        } ?? ""
      case .json: ""
      }
    }.joined()
  }
}
