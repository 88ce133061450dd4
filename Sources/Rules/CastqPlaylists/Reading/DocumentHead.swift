import CastqText

/// What the first bytes of a document show, whatever it is called: a list, a medium, a web page. Servers send lists as every type, and with
/// none, so that players look into what they get.
package enum DocumentHead: Sendable, Hashable {
  case list(PlaylistFormat)
  /// A list of a kind that castq does not read, by its name.
  case otherList(String)
  /// A medium of this type; of HLS it is the playlist of a stream (RFC 8216, 4.3).
  case media(String)
  case page
  /// A text that begins with an address of the web, as a list without marks does.
  case addresses
  case text
  case unclear

  /// As many bytes show all that is told here.
  package static let size = 1024

  /// - Parameter bytes: the first ones of a document, of which `size` are looked at.
  package init(_ bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(Self.size))
    // The mark of UTF-16 is also a frame of sound.
    let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    if isWide, let text = WideText(head)?.text(head, { _, _ in nil }) {
      self.init(text: Substring(text))
    } else if let type = MediaMarks.type(of: head) {
      self = .media(type)
    } else {
      self.init(narrow: head)
    }
  }

  private init(narrow head: [UInt8]) {
    if let text = WideText(head)?.text(head, { _, _ in nil }) {
      self.init(text: Substring(text))
      return
    }
    let body = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    guard !body.isEmpty, !body.contains(0) else {
      self = .unclear
      return
    }
    self.init(text: Substring(String(decoding: body, as: UTF8.self)))
    // A list may have a damaged title; what has no mark is text as long as no byte speaks against it. ISO 2022 writes with escapes.
    let isText = body.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) || $0 == 0x1B }
    if !isText, self == .text || self == .addresses { self = .unclear }
  }

  private init(text: Substring) {
    // Marks in the middle are those of joined files, and blank lines stand before many declarations.
    let body = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let word = body.prefix(64).lowercased()
    switch word.utf8.first {
    case UInt8(ascii: "#"): self = Self.lines(body, word)
    case UInt8(ascii: "["): self = word.hasPrefix("[playlist]") ? .list(.pls) : .text
    case UInt8(ascii: "<"): self = Self.element(body)
    case UInt8(ascii: "{"): self = Self.member(body)
    default: self = Self.plain(word)
    }
  }

  /// `#EXTM3U`, or a tag of it where the first line is missing. Only HLS has its own tags.
  private static func lines(_ body: Substring, _ word: String) -> DocumentHead {
    let isList = ["#extm3u", "#extinf:", "#castq:", "#castq-queue:", "#ext-x-"].contains {
      word.hasPrefix($0)
    }
    guard isList else {
      // Comments of YAML, before its first key.
      let rest = body.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") }
      return rest.map { plain($0.lowercased()) } == .list(.yaml) ? .list(.yaml) : .text
    }
    let isStream = body.split(whereSeparator: \.isNewline).contains { line in
      StreamManifest.tags.contains(String(line.prefix { $0 != ":" && $0 != " " }).uppercased())
    }
    return isStream ? .media(ContentTypes.hls) : .list(.m3u)
  }

  /// The root element, behind declarations, comments and processing instructions.
  private static func element(_ text: Substring) -> DocumentHead {
    var rest = text
    while true {
      rest = rest.drop { $0.isWhitespace }
      let word = rest.prefix(16).lowercased()
      if word.hasPrefix("<!--") {
        guard let end = rest.firstRange(of: "-->") else { return .text }
        rest = rest[end.upperBound...]
      } else if word.hasPrefix("<!doctype html") {
        return .page
      } else if word.hasPrefix("<?") || word.hasPrefix("<!") {
        guard let end = rest.firstIndex(of: ">") else { return .text }
        rest = rest[rest.index(after: end)...]
      } else {
        break
      }
    }
    guard rest.first == "<" else { return .text }
    let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == ":" }.lowercased()
    // A root may have a prefix of its namespace.
    switch name.split(separator: ":").last.map(String.init) ?? "" {
    case "playlist": return .list(.xspf)
    case "mpd": return .media(ContentTypes.dash)
    case "smoothstreamingmedia": return .media(ContentTypes.smoothStreaming)
    case "asx": return .otherList("ASX")
    case "rss": return .otherList("RSS")
    case "opml": return .otherList("OPML")
    case "smil": return .otherList("SMIL")
    // What browsers take for HTML (WHATWG MIME Sniffing, 7.1).
    case "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body",
      "br", "p":
      return .page
    default: return .text
    }
  }

  /// The first member of a JSON document: JSPF has one alone, castq's own format its version.
  private static func member(_ text: Substring) -> DocumentHead {
    let rest = text.dropFirst().drop { $0.isWhitespace }
    if rest.hasPrefix("\"playlist\"") { return .list(.jspf) }
    return rest.hasPrefix("\"castq\"") ? .list(.json) : .text
  }

  private static func plain(_ line: String) -> DocumentHead {
    if line.hasPrefix("castq:") || line.hasPrefix("%yaml") { return .list(.yaml) }
    return line.hasPrefix("http://") || line.hasPrefix("https://") ? .addresses : .text
  }
}
