import CastqText

/// What an HLS playlist consists of: the files that a player fetches for it, which are no entries of their own.
struct StreamManifest {
  /// Whether it names other HLS playlists and no segments.
  let isMaster: Bool
  /// Paths relative to it, as written and with `%20` decoded.
  let names: Set<String>

  /// Tags that occur only in HLS playlists.
  static let tags: Set<String> = [
    "#EXT-X-TARGETDURATION", masterTag, "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-MEDIA-SEQUENCE",
    "#EXT-X-PLAYLIST-TYPE",
  ]
  /// Names beyond this are not kept.
  static let limit = 100_000
  private static let masterTag = "#EXT-X-STREAM-INF"

  /// Nil when it is a list of entries.
  init?(_ bytes: [UInt8]) {
    var names: Set<String> = []
    var (isStream, isMaster) = (false, false)
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(decoding: line, as: UTF8.self)
      guard names.count < Self.limit else { break }
      guard text.utf8.first == UInt8(ascii: "#") else {
        names.formUnion(Self.names(text))
        continue
      }
      let tag = String(text.prefix { $0 != ":" && $0 != " " }).uppercased()
      isStream = isStream || Self.tags.contains(tag)
      isMaster = isMaster || tag == Self.masterTag
      // `#EXT-X-MAP`, `#EXT-X-MEDIA` and others name theirs so.
      if tag.hasPrefix("#EXT-X-"), let start = text.firstRange(of: "URI=\"")?.upperBound {
        names.formUnion(Self.names(String(text[start...].prefix { $0 != "\"" })))
      }
    }
    guard isStream else { return nil }
    self.isMaster = isMaster
    self.names = names
  }

  /// What an address may be on the disk; nothing for one on the web.
  static func names(_ text: String) -> [String] {
    guard WebAddress.scheme(of: text) == nil else { return [] }
    let path = String(text.prefix { $0 != "?" && $0 != "#" })
    return [text, path] + (PercentEncoding.decoding(path).map { [$0] } ?? [])
  }
}

/// The HLS and DASH streams of a folder, while it is listed.
struct FolderStreams {
  /// The paths that masters name, and those that the others name.
  private var (variants, segments): (Set<String>, Set<String>) = ([], [])
  private var masters: Set<String> = []
  /// Names of segments without their numbers: a stream that runs leaves earlier ones behind.
  private var patterns: Set<String> = []
  /// Those of DASH manifests, by their folders.
  private var templates: [String: Set<SegmentTemplate>] = [:]
  /// Some segments of each HLS playlist that has any, and the playlists that masters name.
  private var samples: [String: [String]] = [:]
  private var named: [String: [String]] = [:]

  /// The files that DASH manifests name.
  private var dashSegments: Set<String> = []
  /// These manifests, which are part of none: they may name each other.
  private var manifests: Set<String> = []
  /// Segments of a playlist by which it is compared with DASH manifests.
  private static let sampled = 8

  /// Lists beyond this are not looked into: an HLS playlist of a day has a tenth of it.
  static let bytes = 4 << 20

  /// Whether no more is looked into.
  var isFull: Bool { variants.count + segments.count > 4 * StreamManifest.limit }

  mutating func add(_ manifest: StreamManifest, at path: String) {
    let directory = FilePath.directory(of: path)
    let paths = Set(manifest.names.map { FilePath.absolute($0, in: directory) })
    if manifest.isMaster {
      masters.insert(path)
      variants.formUnion(paths)
      named[path] = paths.sorted()
    } else {
      add(segments: paths)
      samples[path] = Array(paths.prefix(Self.sampled))
    }
  }

  mutating func add(_ manifest: DashManifest, at path: String) {
    let directory = FilePath.directory(of: path)
    add(segments: Set(manifest.segments.map { FilePath.absolute($0, in: directory) }))
    for name in manifest.templates {
      guard let template = SegmentTemplate(FilePath.absolute(name, in: directory)) else { continue }
      templates[template.directory, default: []].insert(template)
    }
    let paths = Set(manifest.names.map { FilePath.absolute($0, in: directory) })
    manifests.insert(path)
    segments.formUnion(paths)
    dashSegments.formUnion(paths)
  }

  private mutating func add(segments paths: Set<String>) {
    segments.formUnion(paths)
    var counts: [String: Int] = [:]
    for path in paths { Self.pattern(path).map { counts[$0, default: 0] += 1 } }
    // One file with a number may be a whole film.
    patterns.formUnion(counts.filter { $0.value > 1 }.keys)
  }

  /// Whether a file is played as part of a stream. A master is part of none, so that streams that name each other are not lost; but of the
  /// playlists that say in HLS what a DASH manifest beside them says, too, none is a stream of its own.
  func contains(_ path: String, isList: Bool) -> Bool {
    if isList {
      if masters.contains(path) { return named[path]?.contains(where: repeatsDash) ?? false }
      return variants.contains(path) || repeatsDash(path)
    }
    if manifests.contains(path) { return false }
    return variants.contains(path) || segments.contains(path) || isOfTemplate(path)
      || Self.pattern(path).map(patterns.contains) == true
  }

  /// Whether the segments of an HLS playlist are those of a DASH manifest.
  private func repeatsDash(_ path: String) -> Bool {
    samples[path]?.contains { dashSegments.contains($0) || isOfTemplate($0) } ?? false
  }

  private func isOfTemplate(_ path: String) -> Bool {
    guard !templates.isEmpty else { return false }
    return templates[FilePath.directory(of: path)]?.contains { $0.matches(path) } ?? false
  }

  /// The path with `#` for the last number of its name; nil when the name has none.
  private static func pattern(_ path: String) -> String? {
    let name = FilePath.name(of: path)
    let stem = name.dropLast(FilePath.fileExtension(of: name).count)
    guard let last = stem.utf8.lastIndex(where: { (0x30...0x39).contains($0) }) else { return nil }
    let before = stem.utf8[...last].lastIndex { !(0x30...0x39).contains($0) }
    let start = before.map { stem.utf8.index(after: $0) } ?? stem.startIndex
    return "\(FilePath.directory(of: path))/\(stem[..<start])#\(name[stem.utf8.index(after: last)...])"
  }
}
