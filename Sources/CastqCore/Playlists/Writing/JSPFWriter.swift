import CastProtocol

/// Writes a playlist as JSPF.
enum JSPFWriter {
  static func text(_ playlist: Playlist) -> String {
    var list = OutputMapping()
    list["title"] = playlist.name
    list.list("track", playlist.drafts.compactMap(PlainEntry.init).map(track), always: true)
    var root = OutputMapping()
    root.add("playlist", .mapping(list))
    return JSONDocumentWriter.text(.mapping(root))
  }

  private static func track(_ entry: PlainEntry) -> OutputNode {
    var track = OutputMapping()
    track.list("location", [.scalar(.string(entry.location))])
    track.list(
      "identifier", [entry.foreign.value("identifier")].compactMap { $0 }.map { .scalar(.string($0)) })
    track["title"] = entry.title
    track["creator"] = entry.artist
    track["annotation"] = entry.subtitle
    track["info"] = entry.foreign.value("info")
    track["image"] = entry.image
    track["album"] = entry.album
    track["trackNum"] = entry.trackNumber
    if let length = entry.length.flatMap(XSPFWriter.milliseconds) {
      track.add("duration", .scalar(.integer(length)))
    }
    return .mapping(track)
  }
}
