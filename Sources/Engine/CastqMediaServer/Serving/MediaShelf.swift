import CastqPaths
import Glibc
import Synchronization

/// The published files by token. No other file is ever opened for a request.
final class MediaShelf: Sendable {
  struct Published: Sendable {
    let source: MediaSource
    let contentType: String
    let link: MediaLink
  }

  private struct Contents {
    var byToken: [String: Published] = [:]
    /// The first token of each source.
    var tokenByKey: [String: String] = [:]

    mutating func forgetKey(of old: Published) {
      guard tokenByKey[old.source.key] == old.link.token else { return }
      tokenByKey[old.source.key] = nil
    }
  }

  private let contents = Mutex(Contents())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func published(token: String) -> Published? {
    contents.withLock { $0.byToken[token] }
  }

  /// - Parameters:
  ///   - conversion: what is served of the file; nil serves it as it is.
  ///   - token: nil for a random one, or for the existing one of the file.
  func publish(
    path: String, contentType: String, conversion: MediaConversion? = nil, token: String?
  ) throws(MediaServerError) -> MediaLink {
    let canonical = try Self.canonicalPath(of: path)
    do {
      try MediaFile.open(canonicalPath: canonical).close()
    } catch {
      throw MediaServerError(error, path: path)
    }
    var name = PathText.readable(path.split(separator: "/").last.map(String.init) ?? path)
    if conversion != nil, let own = MediaContentType.ending(ofName: name),
      let ending = MediaContentType.ending(forType: contentType)
    {
      name = "\(name.dropLast(own.count))\(ending)"
    }
    let source = conversion.map { MediaSource.converted(path: canonical, $0) } ?? .file(path: canonical)
    return try publish(source, name: name, contentType: contentType, token: token)
  }

  /// - Parameter name: becomes the end of the address.
  func publish(
    _ source: MediaSource, name: String, contentType: String, token: String?
  ) throws(MediaServerError) -> MediaLink {
    guard Self.isHeaderSafe(contentType) else { throw .notAContentType(contentType) }
    if let token, !MediaLink.isAcceptable(token: token) { throw .weakToken }
    let link = contents.withLock { contents -> MediaLink? in
      if token == nil, let known = contents.tokenByKey[source.key], let old = contents.byToken[known] {
        let source = Self.current(source, before: old.source)
        contents.byToken[known] = Published(source: source, contentType: contentType, link: old.link)
        return old.link
      }
      let token = token ?? MediaLink.randomToken()
      let old = contents.byToken[token]
      guard old != nil || contents.byToken.count < capacity else { return nil }
      if let old, old.source.key != source.key { contents.forgetKey(of: old) }
      let link = MediaLink(token: token, fileName: name, contentType: contentType)
      let source = old.map { Self.current(source, before: $0.source) } ?? source
      contents.byToken[token] = Published(source: source, contentType: contentType, link: link)
      if contents.tokenByKey[source.key] == nil { contents.tokenByKey[source.key] = token }
      return link
    }
    guard let link else { throw .full(limit: capacity) }
    return link
  }

  /// A document that is published again stays, with what it has made.
  private static func current(_ source: MediaSource, before old: MediaSource) -> MediaSource {
    if case .document = source, old.key == source.key { return old }
    return source
  }

  func withdraw(_ link: MediaLink) {
    contents.withLock { contents in
      if let old = contents.byToken.removeValue(forKey: link.token) { contents.forgetKey(of: old) }
    }
  }

  static func canonicalPath(of path: String) throws(MediaServerError) -> String {
    // A NUL would end the path early for the system, which would then use another file.
    guard !path.utf8.contains(0) else { throw .noSuchFile(path) }
    guard let resolved = realpath(PathText.system(path), nil) else {
      throw MediaServerError(MediaFileError(errno), path: path)
    }
    defer { free(resolved) }
    return PathText.text(resolved)
  }

  /// A type from a playlist becomes a response header: only `type/subtype` and parameters in plain ASCII are allowed.
  private static func isHeaderSafe(_ type: String) -> Bool {
    let halves = type.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard type.utf8.count <= 127, halves.count == 2, let main = halves.first, let rest = halves.last else {
      return false
    }
    let isToken = { (byte: UInt8) in byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
    }
    let sub = rest.prefix { isToken($0) }
    return !main.isEmpty && main.allSatisfy(isToken) && !sub.isEmpty
      && (sub.endIndex == rest.endIndex || rest[sub.endIndex] == UInt8(ascii: ";")
        || rest[sub.endIndex] == 0x20)
      && rest.allSatisfy { (0x20..<0x7F).contains($0) }
  }
}
