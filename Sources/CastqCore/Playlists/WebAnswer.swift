/// How a web server answers a player that asks for the beginning of a document.
package struct WebAnswer: Sendable, Hashable {
  /// In small letters, without parameters; nil when the server sends none.
  package var contentType: String?
  /// Whether the server names no length, as for a stream without end.
  package var isEndless: Bool
  /// Whether a receiver may read it as a script does, which it needs for streams in pieces (protocol 12.4).
  package var isShared: Bool

  package init(contentType: String?, isEndless: Bool = false, isShared: Bool = false) {
    self.isShared = isShared
    self.contentType = contentType.flatMap { $0.split(whereSeparator: { ";, ".contains($0) }).first }.map {
      $0.lowercased()
    }
    self.isEndless = isEndless
  }

  /// Types that servers give to what they do not know.
  private static let meaningless: Set = ["application/octet-stream", "binary/octet-stream", "text/plain"]
  /// What the type says.
  package enum Kind: Sendable, Hashable {
    /// Media of this type.
    case media(String)
    case page
    case list(PlaylistFormat)
    case unknown
  }

  package var kind: Kind {
    guard let type = contentType, ContentTypes.isWellFormed(type), !Self.meaningless.contains(type) else {
      return .unknown
    }
    if let format = PlaylistFormat(contentType: type) { return .list(format) }
    if type == ContentTypes.page || type == "application/xhtml+xml" { return .page }
    if type == ContentTypes.dash || type == ContentTypes.smoothStreaming { return .media(type) }
    return ["audio", "video", "image"].contains(ContentTypes.family(of: type)) ? .media(type) : .unknown
  }

  /// Whether it is a stream in pieces, which a receiver reads as a script does (protocol 12.4).
  package func needsSharing(at address: String) -> Bool {
    let name = (try? WebAddress(address)).flatMap { ContentTypes.standard.type(path: $0.path) }
    return kind == .list(.m3u8) || [contentType, name].contains { $0.map(ContentTypes.isInPieces) ?? false }
  }

  /// Whether it is of no type that receivers play.
  package var isForeign: Bool {
    switch kind {
    case .media, .list: false
    case .page: true
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
