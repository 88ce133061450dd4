import CastqText

/// How a web server answers a player that asks for the beginning of a document.
package struct WebAnswer: Sendable, Hashable {
  /// In small letters, without parameters; nil when the server sends none.
  package var contentType: String?
  /// Whether the server names no length, as for a stream without end.
  package var isEndless: Bool
  /// Whether a receiver may read it as a script does, which it needs for streams in pieces (protocol 12.4).
  package var isShared: Bool
  /// The name of the file that the server states, or the one to which it redirects; nil when there is none.
  package var fileName: String?
  /// What the first bytes show.
  package var head: DocumentHead

  /// - Parameter head: the first bytes; empty when none came.
  package init(
    contentType: String?, fileName: String? = nil, head: some Collection<UInt8> = [], isEndless: Bool = false,
    isShared: Bool = false
  ) {
    self.isShared = isShared
    self.fileName = fileName
    self.head = DocumentHead(head)
    self.contentType = contentType.flatMap { $0.split(whereSeparator: { ";, ".contains($0) }).first }.map {
      $0.lowercased()
    }
    self.isEndless = isEndless
  }

  /// Types that servers give to what they do not know.
  private static let meaningless: Set = ["application/octet-stream", "binary/octet-stream", "text/plain"]
  /// What an address is.
  package enum Kind: Sendable, Hashable {
    /// Media of this type.
    case media(String)
    case page
    case list(PlaylistFormat)
    /// A list of a kind that castq does not read, by its name.
    case otherList(String)
    case unknown
  }

  /// What the address is. The first bytes are believed where they show it: names and types are wrong more often. Then a type that says
  /// something, then the name of the file.
  package var kind: Kind {
    let said = typeKind
    switch head {
    case .list(let format):
      // Of M3U the type may say that it is UTF-8, and a stream if it cannot be read.
      if format == .m3u, said == .list(.m3u8) || nameKind == .list(.m3u8) { return .list(.m3u8) }
      return .list(format)
    case .otherList(let name): return .otherList(name)
    case .media(let type):
      if case .media(let other) = said, !ContentTypes.isInPieces(type) { return .media(other) }
      return .media(type)
    case .page:
      if case .media = said { return said }
      return .page
    case .addresses:
      switch (said, nameKind) {
      case (.list, _): return said
      case (_, .list): return nameKind
      case (.media, _): return said
      default: return .list(.m3u)
      }
    case .text:
      if case .list = said { return said }
      if case .list = nameKind { return nameKind }
      return said == .unknown ? nameKind : said
    case .unclear:
      return said == .unknown ? nameKind : said
    }
  }

  /// What an address is whose name says that it is of this type: that, unless the server shows a list, a stream in pieces, or media in the
  /// place of a page.
  package func kind(called type: String) -> Kind {
    switch kind {
    case .list, .otherList: kind
    case .media(let found) where type == ContentTypes.page || ContentTypes.isInPieces(found): kind
    case .media, .page, .unknown: type == ContentTypes.page ? .page : .media(type)
    }
  }

  /// What the list at an address is whose name says that it is one of this format.
  package func kind(named format: PlaylistFormat) -> Kind {
    switch head {
    case .list(let found): return .list(found == .m3u && format == .m3u8 ? format : found)
    case .page: return .page
    case .media, .otherList: return kind
    case .addresses, .text, .unclear:
      if case .media = typeKind { return typeKind }
      return .list(format)
    }
  }

  /// What the type says.
  private var typeKind: Kind {
    guard let type = contentType, ContentTypes.isWellFormed(type), !Self.meaningless.contains(type) else {
      return .unknown
    }
    if let format = PlaylistFormat(contentType: type) { return .list(format) }
    if type == ContentTypes.page || type == "application/xhtml+xml" { return .page }
    if type == ContentTypes.dash || type == ContentTypes.smoothStreaming { return .media(type) }
    return ["audio", "video", "image"].contains(ContentTypes.family(of: type)) ? .media(type) : .unknown
  }

  /// What the name of the file says.
  private var nameKind: Kind {
    guard let fileName else { return .unknown }
    if let format = PlaylistFormat(fileExtension: FilePath.fileExtension(of: fileName)) {
      return .list(format)
    }
    let type = ContentTypes.standard.type(path: fileName)
    return type.map { $0 == ContentTypes.page ? .page : .media($0) } ?? .unknown
  }

  /// Whether it is a stream in pieces, which a receiver reads as a script does (protocol 12.4).
  package func needsSharing(at address: String) -> Bool {
    let name = (try? WebAddress(address)).flatMap { ContentTypes.standard.type(path: $0.path) }
    if kind == .list(.m3u8) || kind == .media(ContentTypes.hls) { return true }
    return [contentType, name].contains { $0.map(ContentTypes.isInPieces) ?? false }
  }

  /// Whether it is of no type that receivers play.
  package var isForeign: Bool {
    switch kind {
    case .media, .list: false
    case .page, .otherList: true
    // A server that knows no type for films says so in one of two ways.
    case .unknown: contentType.map { !$0.hasSuffix("/octet-stream") } ?? false
    }
  }
}

extension PlaylistFormat {
  /// The format of a list that a server sends with this type; nil for others. HLS has some of the types of M3U: its content tells.
  fileprivate init?(contentType: String) {
    switch contentType {
    case "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl",
      "application/mpegurl":
      self = .m3u8
    case "audio/x-scpls", "audio/scpls", "application/pls+xml": self = .pls
    case "application/xspf+xml": self = .xspf
    case "application/jspf+json": self = .jspf
    default: return nil
    }
  }
}
