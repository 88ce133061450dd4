import CastXML
import CastqText

/// What a DASH manifest consists of: the files that a player fetches for it, which are no entries of their own.
struct DashManifest {
  /// Paths relative to it, as written and with `%20` decoded.
  private(set) var names: Set<String> = []
  /// Those that a list of segments names, and that have others of their kind.
  private(set) var segments: Set<String> = []
  /// Names of segments, with `wildcard` where their numbers are.
  private(set) var templates: Set<String> = []

  /// Stands for digits in a template; no path has it.
  static let wildcard: Character = "\0"
  /// Templates beyond this are not kept.
  private static let limit = 1000
  /// Base addresses of one element that are followed; further ones are mirrors, too.
  private static let bases = 4

  /// A part of the manifest that has addresses: the whole, a period, an adaptation set or a representation.
  private struct Part {
    /// What its addresses are relative to; nil entries are on the web.
    var bases: [String?] = [""]
    var hasOwnBase = false
    var initialization: String?
    var media: String?
    /// What stands beside segments, and what lists of segments name.
    var listed: [String] = []
    var segments: [String] = []
    var id: String?
    var bandwidth: String?
  }

  private static let parts: Set<String> = ["MPD", "Period", "AdaptationSet", "Representation"]

  /// Nil when it is something else.
  init?(_ bytes: [UInt8]) {
    var reader = XMLReader(bytes)
    var open: [(name: String, text: String)] = []
    var parts: [Part] = []
    while let token = reader.next() {
      _ = reader.takeIssues()
      switch token {
      case .start(let element):
        guard !open.isEmpty || element.name == "MPD" else { return nil }
        open.append((element.name, ""))
        if Self.parts.contains(element.name) {
          var part = parts.last ?? Part()
          part.hasOwnBase = false
          part.id = element.attribute("id")
          part.bandwidth = element.attribute("bandwidth")
          parts.append(part)
        } else if !parts.isEmpty {
          Self.read(element, into: &parts[parts.count - 1])
        }
      case .text(let text): if open.last?.name == "BaseURL" { open[open.count - 1].text += text }
      case .end:
        guard let ended = open.popLast() else { break }
        if ended.name == "BaseURL", !parts.isEmpty {
          let outer = parts.dropLast().last?.bases ?? [""]
          Self.add(base: ended.text, to: &parts[parts.count - 1], outer: outer)
        } else if Self.parts.contains(ended.name), let part = parts.popLast() {
          if ended.name == "Representation" { add(part) }
        }
      }
      guard names.count + segments.count < StreamManifest.limit else { break }
    }
    names.formUnion(segments)
    guard !names.isEmpty || !templates.isEmpty else { return nil }
  }

  private static func read(_ element: XMLElement, into part: inout Part) {
    switch element.name {
    case "SegmentTemplate":
      part.initialization = element.attribute("initialization") ?? part.initialization
      part.media = element.attribute("media") ?? part.media
    case "Initialization", "RepresentationIndex", "BitstreamSwitching":
      if let name = element.attribute("sourceURL") { part.listed.append(name) }
    case "SegmentURL":
      if let name = element.attribute("media") { part.segments.append(name) }
      if let name = element.attribute("index") { part.listed.append(name) }
    default: break
    }
  }

  private static func add(base text: String, to part: inout Part, outer: [String?]) {
    let own = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let bases = outer.map { $0.flatMap { joined($0, own) } }
    part.bases = Array(((part.hasOwnBase ? part.bases : []) + bases).prefix(Self.bases))
    part.hasOwnBase = true
  }

  /// An address relative to the manifest; nil for one on the web.
  private static func joined(_ base: String, _ reference: String) -> String? {
    guard WebAddress.scheme(of: reference) == nil, !reference.hasPrefix("//") else { return nil }
    if reference.utf8.first == UInt8(ascii: "/") { return reference }
    guard let slash = base.utf8.lastIndex(of: UInt8(ascii: "/")) else { return reference }
    return String(base[...slash]) + reference
  }

  /// Adds the files of a representation.
  private mutating func add(_ part: Part) {
    for case let base? in part.bases {
      // A file that is fetched in parts.
      if !base.isEmpty, base.utf8.last != UInt8(ascii: "/") { names.formUnion(StreamManifest.names(base)) }
      for name in part.listed {
        if let path = Self.joined(base, name) { names.formUnion(StreamManifest.names(path)) }
      }
      for name in part.segments {
        if let path = Self.joined(base, name) { segments.formUnion(StreamManifest.names(path)) }
      }
      for template in [part.initialization, part.media] {
        guard let name = template.flatMap({ Self.filled($0, part) }), let path = Self.joined(base, name)
        else {
          continue
        }
        let paths = StreamManifest.names(path)
        if !name.contains(Self.wildcard) {
          names.formUnion(paths)
        } else if templates.count < Self.limit {
          templates.formUnion(paths)
        }
      }
    }
  }

  /// A template with what is known of its representation, and `wildcard` for the numbers and times of segments; nil when it is malformed.
  private static func filled(_ template: String, _ part: Part) -> String? {
    let pieces = template.split(separator: "$", omittingEmptySubsequences: false)
    guard pieces.count % 2 == 1, !template.contains(wildcard) else { return nil }
    var name = ""
    for (index, piece) in pieces.enumerated() {
      guard index % 2 == 1 else {
        name += piece
        continue
      }
      switch piece.prefix(while: { $0 != "%" }) {
      case "": name += "$"
      case "RepresentationID":
        guard let id = part.id else { return nil }
        name += id
      case "Bandwidth" where piece.contains("%"): name.append(wildcard)
      case "Bandwidth":
        guard let bandwidth = part.bandwidth else { return nil }
        name += bandwidth
      case "Number", "Time", "SubNumber": name.append(wildcard)
      default: return nil
      }
    }
    return name
  }
}

/// A path of a segment, with digits in one or more places.
struct SegmentTemplate: Hashable {
  private let first: String
  private let others: [String]

  /// Nil when it has no place for digits in its name.
  init?(_ path: String) {
    var parts = path.split(separator: DashManifest.wildcard, omittingEmptySubsequences: false).map(
      String.init)
    guard parts.count > 1, !parts[1...].contains(where: { $0.contains("/") }) else { return nil }
    first = parts.removeFirst()
    // Two numbers side by side are one.
    others = parts.enumerated().filter { !$0.element.isEmpty || $0.offset == parts.count - 1 }.map(\.element)
  }

  /// The folder of its segments.
  var directory: String { FilePath.directory(of: first) }

  func matches(_ path: String) -> Bool {
    guard path.utf8.starts(with: first.utf8) else { return false }
    var rest = Substring(path).utf8.dropFirst(first.utf8.count)
    for part in others {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, rest.starts(with: part.utf8) else { return false }
      rest = rest.dropFirst(part.utf8.count)
    }
    return rest.isEmpty
  }
}
