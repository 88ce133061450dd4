import CastProtocol
import Foundation
import Testing
@testable import CastqPlaylists
@testable import CastqText

/// The schema that editors use, held against the parser.
private enum PlaylistSchema {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let file = root.appending(path: "playlists/castq.schema.json")

  static func definitions() throws -> JSONValue {
    try #require(try JSONValue(parsing: Array(Data(contentsOf: file)))["$defs"])
  }
}

@Suite struct PlaylistSchemaTests {
  private static let kinds: [(definition: String, names: [String])] = [
    ("playlist", PlaylistKey.names), ("fields", EntryKey.names), ("track", TrackKey.names),
    ("style", StyleKey.names),
    ("break", BreakKey.names), ("clip", ClipKey.names), ("foreign", ForeignKey.names),
    ("foreign_list", ForeignListKey.names),
    ("metadata", ["images", "kind", "metadataType"] + MetadataKey.all.flatMap { [$0.name, $0.wire] }),
  ]

  @Test("the schema names the keys that the parser reads, and no others", arguments: kinds.indices)
  func names(index: Int) throws {
    let (definition, names) = Self.kinds[index]
    let properties = try #require(try PlaylistSchema.definitions()[definition]?["properties"]?.object)
    #expect(Set(properties.keys) == Set(names))
  }

  @Test("mappings inside others have the parser's keys, too")
  func innerNames() throws {
    let definitions = try PlaylistSchema.definitions()
    for (definition, names) in [("image", ImageKey.names), ("ads", AdsRequestKey.names)] {
      let choices = definitions[definition]?["anyOf"]?.array ?? []
      #expect(choices.compactMap { $0["properties"]?.object.map { Set($0.keys) } } == [Set(names)])
    }
  }

  @Test("the schema lists the words of the protocol that the parser knows")
  func words() throws {
    let definitions = try PlaylistSchema.definitions()
    func check<Word: WireWord>(_ type: Word.Type, _ definition: String, _ key: String) {
      let words = definitions[definition]?["properties"]?[key]?["enum"].list(\.string)
      #expect(words == Word.words.map { $0.word.lowercased() }, "\(definition).\(key)")
    }
    check(MediaTrack.Kind.self, "track", "kind")
    check(MediaTrack.TextSubtype.self, "track", "subtype")
    check(MediaTextTrackStyle.EdgeType.self, "style", "edge_type")
    check(MediaTextTrackStyle.WindowType.self, "style", "window_type")
    check(MediaTextTrackStyle.FontGenericFamily.self, "style", "font_generic_family")
    check(MediaTextTrackStyle.FontStyle.self, "style", "font_style")
    check(HLSSegmentFormat.self, "fields", "hls_segment_format")
    check(HLSVideoSegmentFormat.self, "fields", "hls_video_segment_format")
    check(HLSSegmentFormat.self, "clip", "hls_segment_format")
    check(HLSVideoSegmentFormat.self, "clip", "hls_video_segment_format")
    let streams = definitions["fields"]?["properties"]?["stream"]?["enum"].list(\.string) ?? []
    #expect(Set(streams) == Set(MediaStreamType.words.map { $0.word.lowercased() }))
  }
}

extension PlaylistSchemaTests {
  private func keys(_ node: DocumentNode) -> Set<String> {
    switch node.content {
    case .scalar: []
    case .list(let nodes): nodes.reduce(into: []) { $0.formUnion(keys($1)) }
    case .mapping(let members): members.reduce(into: Set(members.map(\.key))) { $0.formUnion(keys($1.value)) }
    }
  }

  @Test("`everything.yaml` uses every field, and each kind of metadata")
  func everything() throws {
    let bytes = Array(try Data(contentsOf: PlaylistSchema.root.appending(path: "playlists/everything.yaml")))
    let document = YAMLReader.read(bytes, limits: DocumentLimits())
    #expect(document.errors.isEmpty)
    let used = keys(try #require(document.root))
    let all = [
      PlaylistKey.names, EntryKey.names, ImageKey.names, TrackKey.names, StyleKey.names, BreakKey.names,
      ClipKey.names, AdsRequestKey.names,
      ForeignKey.names,
    ].flatMap { $0 }
    // What only earlier versions wrote.
    #expect(Set(all).subtracting(used) == [ForeignKey.list.rawValue])
    let text = String(decoding: bytes, as: UTF8.self)
    for kind in MetadataKey.kinds.map(\.0) where kind != "generic" {
      #expect(text.contains("kind: \(kind)\n"))
    }
  }
}

/// Agreement with a validator in another language, through `Foreign/check_playlists.py`.
@Suite(
  "A JSON Schema validator as a judge",
  .enabled(
    if: ProcessInfo.processInfo.environment["CASTQ_PYTHON"] != nil,
    "set CASTQ_PYTHON to a Python that has the package jsonschema"))
struct ForeignSchemaTests {
  private func judge(_ documents: [String]) throws -> [Bool] {
    let python = try #require(ProcessInfo.processInfo.environment["CASTQ_PYTHON"])
    let folder = FileManager.default.temporaryDirectory.appending(path: "castq-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files instead of pipes: nobody has to read while the other writes.
    let input = folder.appending(path: "input")
    let output = folder.appending(path: "output")
    try Data(documents.map { $0 + "\n" }.joined().utf8).write(to: input)
    try Data().write(to: output)
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Foreign/check_playlists.py")
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = [script.path, PlaylistSchema.file.path]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let answers = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map { $0 == "true" }
    try #require(answers.count == documents.count)
    return answers
  }

  /// What no schema can say: whether a file exists, an address is one, and values fit each other.
  private static let beyond = [
    "no such file", "unknown kind of", "another track", "another clip", "another break", "no clip has",
    "the end is not",
    "`not_after` is before", "the address", "a receiver cannot play", "the playing time must be",

    "more than 100000 entries",
  ]

  /// The mistakes the parser finds, those that the schema cannot know taken out.
  private func mistakes(_ document: String) -> [String] {
    var loader = MemoryLoader(media: ["ä b#%.mp4", "new\nline\u{1B}[1m.mp4", "plain.mp4"])
    loader.add("x.json", document)
    return loader.read("x.json").issues
      .filter { issue in
        issue.severity == .error && !Self.beyond.contains { issue.message.hasPrefix($0) }
      }.map(\.description)
  }

  private func compare(_ documents: [String]) throws -> (good: Int, bad: Int) {
    var count = (good: 0, bad: 0)
    for (document, isValid) in zip(documents, try judge(documents)) {
      let mistakes = mistakes(document)
      #expect(mistakes.isEmpty == isValid, "schema: \(isValid), parser: \(mistakes)\n\(document)")
      if isValid { count.good += 1 } else { count.bad += 1 }
    }
    return count
  }

  @Test("schema and parser agree about playlists and about damaged ones")
  func damaged() throws {
    var damage = DocumentDamage(generator: DraftGenerator(random: SeededGenerator(seed: 11)))
    var documents: [String] = []
    let rounds = scheduleRuns(80, 250)
    for _ in 0..<rounds {
      let whole = try JSONValue(
        parsing: NativeWriter(
          Playlist(
            name: "n", repeatMode: .all, drafts: [damage.generator.draft()],
            foreign: damage.generator.foreignOfList())
        ).text(.json))
      documents.append(whole.text)
      for _ in 0..<6 { documents.append(damage.damaged(whole).text) }
    }
    let count = try compare(documents)
    #expect(count.good > rounds * 8 / 5)
    #expect(count.bad > rounds * 8 / 5)
  }

  @Test("schema and parser agree about every value in every field")
  func values() throws {
    var documents: [String] = []
    for value in DocumentDamage.values {
      for key in EntryKey.names where key != "url" {
        documents.append(
          JSONValue.array([["url": "http://h/a.mp4", key == "file" ? "title" : key: value]]).text)
      }
      for key in PlaylistKey.names {
        documents.append(JSONValue.object(["entries": []].merging([key: value]) { $1 }).text)
      }
      for key in MetadataKey.all.flatMap({ [$0.name, $0.wire] }) + ["kind", "metadataType", "own", "images"] {
        documents.append(JSONValue.array([["url": "http://h/a.mp4", "metadata": [key: value]]]).text)
      }
      let inner: [(String, [String], JSONValue)] = [
        ("tracks", TrackKey.names, ["language": "en"]), ("clips", ClipKey.names, ["id": "c"]),
        ("breaks", BreakKey.names, ["position": 5, "clips": []]),
        ("images", ImageKey.names, ["url": "http://h/i"]),
      ]
      for (field, names, base) in inner {
        for key in names {
          let item = JSONValue.object((base.object ?? [:]).merging([key: value]) { $1 })
          documents.append(JSONValue.array([["url": "http://h/a.mp4", field: [item]]]).text)
        }
      }
      documents += [
        ["attributes": ["tvg-id": value]], ["attributes": value], ["lines": [value]], ["lines": value],
        ["list": ["url-tvg": value]], ["list": value], ["notes": value], ["notes": [value]],
        ["notes": [["kind": value, "name": "n", "value": "v"]]],
        ["notes": [["kind": "link", "name": value, "value": "v"]]],
        ["notes": [["kind": "meta", "name": "n", "value": value, "list": value]]],
        ["notes": [["kind": "xml", "name": "n", "value": "v", "list": value]]],
      ].map {
        JSONValue.array([["url": "http://h/a.mp4", "foreign": $0]]).text
      }
      documents += [
        ["attributes": ["url-tvg": value]], ["attributes": value], ["lines": value], ["notes": [value]],
        ["notes": [["kind": "link", "name": "n", "value": value, "list": value]]],
      ].map { JSONValue.object(["entries": [], "foreign": $0]).text }
      for key in StyleKey.names {
        documents.append(JSONValue.array([["url": "http://h/a.mp4", "style": [key: value]]]).text)
      }
    }
    // A fifth by chance has every field and every value; in full all of them.
    let share = scheduleRuns(5, 1)
    var random = SeededGenerator(seed: 12)
    let count = try compare(documents.filter { _ in Int.random(in: 0..<share, using: &random) == 0 })
    #expect(count.good > 1000 / share)
    #expect(count.bad > 1000 / share)
  }
}

/// Small damage to JSON documents.
struct DocumentDamage {
  var generator: DraftGenerator

  static let values: [JSONValue] = [
    nil, true, "yes", "Yes", "off", "", "x", 0, 1, 5, 50, 101, -1, 0.75, 3.5, 2e10, 1e20, "1:30", "1:5",
    "90s", "1m30s", "5m1h", "1.5h",
    "1.5h2m", ".5", "5.", "12345678901", "s", "#ffaa00", "#ffaa0011", "#ffaa001", "ffaa00", [], [:], ["x"],
    ["a": 1],
    ["castq": 1], "2026-11-20T09:00:00Z", "2026-11-20 09:00:00+01:00", "2026-11-20", "20140210", "2014",
    "video/mp4",
    "video/mp4; codecs=\"avc1\"", "video", "en", "pt-BR", "english language", "retry 3", "retry 101",
    "retry 03", "stop", "start",
    "end", "http://h/a.mp4", "all", "one", "live", "tv_show", "audio", "captions", "fmp4", "bold", "none",
    [["url": "http://h/b"]],
    "x\n", "é",
  ]

  private static let keys =
    EntryKey.names + TrackKey.names + ["metadataType", "seriesTitle", "series_title", "unknown", "castq"]

  mutating func damaged(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<8, using: &generator.random) > 0:
      let index = Int.random(in: 0..<elements.count, using: &generator.random)
      if Int.random(in: 0..<10, using: &generator.random) == 0 {
        elements.remove(at: index)
      } else {
        elements[index] = damaged(elements[index])
      }
      return .array(elements)
    case .object(var members) where Int.random(in: 0..<8, using: &generator.random) > 0:
      let key = members.keys.sorted().randomElement(using: &generator.random)
      let other = Self.keys.randomElement(using: &generator.random) ?? ""
      switch (Int.random(in: 0..<10, using: &generator.random), key) {
      case (0, let key?): members[key] = nil
      case (1, let key?): members[other] = members.removeValue(forKey: key)
      case (2, _), (_, nil): members[other] = Self.values.randomElement(using: &generator.random) ?? .null
      case (_, let key?): members[key] = damaged(members[key] ?? .null)
      }
      return .object(members)
    default: return Self.values.randomElement(using: &generator.random) ?? .null
    }
  }
}
