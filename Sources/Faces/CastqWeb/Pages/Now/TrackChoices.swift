import CastProtocol

/// Audio and text tracks by language and name, and off.
struct TrackChoices {
  let tracks: [JSONValue]

  var html: HTML {
    let kinds: [(type: String, title: HTML)] = [("TEXT", "Subtitles"), ("AUDIO", "Sound")]
    return HTML(
      kinds.compactMap { kind in
        let own = tracks.filter { $0["type"]?.string == kind.type }
        guard !own.isEmpty else { return nil }
        let off: JSONValue = [
          "id": 0, "type": .string(kind.type), "name": "Off",
          "active": .bool(!own.contains { $0["active"]?.bool == true }),
        ]
        let rows = (kind.type == "TEXT" ? [off] : []) + own
        return .element(
          "fieldset", [.init("data-type", kind.type)],
          [.element("legend", [], [kind.title])] + rows.map { Self.row($0, name: kind.type.lowercased()) })
      })
  }

  /// What a script copies for a track.
  static var template: HTML {
    .element("template", [.id("track")], [row(["name": "", "type": "TEXT"], name: "track")])
  }

  static func row(_ track: JSONValue, name: String) -> HTML {
    .element(
      "label", [.class("check")],
      [
        .empty(
          "input",
          [
            .init("type", "radio"), .init("name", name),
            .init("value", track["id"]?.int.map { "\($0)" } ?? ""),
            .init("checked", if: track["active"]?.bool == true), .init("data-act", "true"),
          ]), .foreign(words(track), part: "name"),
      ])
  }

  /// `English (en)`, or what is known.
  static func words(_ track: JSONValue) -> String {
    let (name, language) = (track["name"]?.string, track["language"]?.string)
    guard let name, !name.isEmpty else { return language ?? "Track \(track["id"]?.int ?? 0)" }
    return language.map { "\(name) (\($0))" } ?? name
  }
}
