import CastProtocol
import CastqText

/// Writes a playlist as JSPF.
enum JSPFWriter {
  static func text(_ playlist: Playlist) -> String {
    var list = OutputMapping()
    list["title"] = playlist.name
    add(playlist.foreign.notes, to: &list)
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
    add(entry.foreign.notes.filter { !$0.isOfList }, to: &track)
    return .mapping(track)
  }

  private static func add(_ notes: [ForeignNote], to mapping: inout OutputMapping) {
    for (key, kind) in [("link", ForeignNote.Kind.link), ("meta", .meta)] {
      mapping.list(
        key,
        notes.filter { $0.kind == kind }.map {
          var note = OutputMapping()
          note[$0.name] = $0.value
          return .mapping(note)
        })
    }
    var applications: [String] = []
    for note in notes where note.kind == .json && !applications.contains(note.name) {
      applications.append(note.name)
    }
    guard !applications.isEmpty else { return }
    var extensions = OutputMapping()
    for name in applications {
      let values = notes.filter { $0.kind == .json && $0.name == name }.map(\.value)
      extensions.list(name, values.map { OutputNode((try? JSONValue(parsing: $0)) ?? .string($0)) })
    }
    mapping.add("extension", .mapping(extensions))
  }
}
