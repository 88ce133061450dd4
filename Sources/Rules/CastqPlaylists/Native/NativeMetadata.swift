import CastProtocol
import CastqText

/// A metadata key of the protocol (protocol 11): its name here, its name on the wire, and the type of its value.
struct MetadataKey: Sendable {
  /// The wire name with its words separated: `seriesTitle` is `series_title`.
  var name: String
  var wire: String
  var value: MediaMetadata.Key.ValueType

  private init?(_ key: MediaMetadata.Key) {
    guard let value = key.valueType else { return nil }
    self.value = value
    wire = key.rawValue
    name = wire.unicodeScalars.reduce(into: "") { name, scalar in
      if scalar.properties.isUppercase { name += "_" }
      name += scalar.properties.lowercaseMapping
    }
  }

  static let all = MediaMetadata.Key.predefined.compactMap(MetadataKey.init)

  private static let byName = Dictionary(
    all.flatMap { [($0.name, $0), ($0.wire, $0)] }, uniquingKeysWith: { first, _ in first })
  private static let byWire = Dictionary(all.map { ($0.wire, $0) }, uniquingKeysWith: { first, _ in first })
  static let names = ["kind"] + all.map(\.name)

  /// The key with this name, in this format or on the wire; nil for an application's own key.
  static func named(_ name: String) -> MetadataKey? { byName[name] }

  /// The same text for all names of a key.
  static func meaning(_ name: String) -> String {
    kindNames.contains(name) ? "kind" : named(name)?.wire ?? name
  }

  static func onWire(_ name: String) -> MetadataKey? { byWire[name] }

  static let kinds: [(String, MediaMetadata.Kind)] = [
    ("generic", .generic), ("movie", .movie), ("tv_show", .tvShow), ("music_track", .musicTrack),
    ("photo", .photo), ("audiobook_chapter", .audiobookChapter),
  ]

  /// Keys that state the kind of the metadata.
  static let kindNames: Set<String> = ["kind", "metadataType"]
}

extension NativePlaylistParser {
  mutating func metadata(_ node: DocumentNode, _ entry: inout NativeEntry) {
    guard let members = node.mapping else {
      fail(node, "expected metadata, found \(node.kindName)", hint: "write key: value")
      return
    }
    entry.hasMetadata = true
    var hasKind = false
    for member in members {
      if MetadataKey.kindNames.contains(member.key) {
        if hasKind { fail(member.value, "the kind of metadata is given twice; the first one counts") }
        if !hasKind { entry.metadataKind = metadataKind(member.value) }
        hasKind = true
        continue
      }
      guard let key = MetadataKey.named(member.key) else {
        own(member, &entry)
        continue
      }
      guard let value = value(of: key, member.value) else { continue }
      guard entry.metadataValues[key.wire] == nil else {
        report(
          .error, member.place,
          TextError("`\(key.name)` is given twice for one entry; the first one counts"))
        continue
      }
      entry.metadataValues[key.wire] = value
    }
  }

  /// An application's own key is kept; one that resembles a known key is kept with a warning.
  private mutating func own(_ member: DocumentMember, _ entry: inout NativeEntry) {
    if member.key == "images" {
      report(.error, member.place, TextError("write `images` beside `metadata`, not in it"))
      return
    }
    if givesAdvice, let near = Spelling.nearest(to: member.key, in: MetadataKey.names) {
      report(
        .warning, member.place,
        TextError(
          "`\(TerminalText.excerpt(member.key))` is kept as a key for the application",
          hint: "did you mean `\(near)`?"))
    }
    if let value = json(member.value) { entry.metadataValues[member.key] = value }
  }

  private mutating func metadataKind(_ node: DocumentNode) -> MediaMetadata.Kind? {
    if let number = node.scalar?.int {
      guard (0...5).contains(number) || (100...Int(Int32.max)).contains(number) else {
        fail(
          node, "\(shown(node)) is not a kind of metadata",
          hint: "kinds of an application have numbers from 100")
        return nil
      }
      return MediaMetadata.Kind(rawValue: number)
    }
    return word(node, of: MetadataKey.kinds)
  }

  private mutating func value(of key: MetadataKey, _ node: DocumentNode) -> JSONValue? {
    switch key.value {
    case .string: return text(node).map(JSONValue.string)
    case .integer: return count(node, 0...Int(Int32.max)).flatMap { JSONValue($0) }
    case .number: return number(node, -1e15...1e15, "a number") == nil ? nil : node.scalar
    case .time: return duration(node).flatMap { JSONValue($0) }
    case .date:
      guard let text = node.string, Self.isDate(text) else {
        fail(
          node, "\(shown(node)) is not a date",
          hint: node.scalar?.double == nil ? "write 2014-02-10" : "put it in quotes")
        return nil
      }
      return .string(text)
    }
  }

  /// The form of an ISO 8601 date, with or without a time, also in the short form that senders write (protocol 11).
  private static func isDate(_ text: String) -> Bool {
    guard (4...40).contains(text.utf8.count) else { return false }
    return text.wholeMatch(
      of:
        /[0-9]{4}(-?[0-9]{2}(-?[0-9]{2}([Tt][0-9]{2}:?[0-9]{2}(:?[0-9]{2}(\.[0-9]+)?)?([Zz]|[+\-][0-9]{2}:?[0-9]{2})?)?)?)?/
    ) != nil
  }
}
