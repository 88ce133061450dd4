import Glibc
import Synchronization

/// The published files by token. No other file is ever opened for a request.
final class MediaShelf: Sendable {
  struct Published: Sendable, Equatable {
    /// Absolute, without symbolic links at the time of publishing.
    let path: String
    let contentType: String
    let link: MediaLink
  }

  private struct Contents {
    var byToken: [String: Published] = [:]
    /// The first token of each file.
    var tokenByPath: [String: String] = [:]

    mutating func forgetPath(of old: Published) {
      guard tokenByPath[old.path] == old.link.token else { return }
      tokenByPath[old.path] = nil
    }
  }

  private let contents = Mutex(Contents())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func published(token: String) -> Published? {
    contents.withLock { $0.byToken[token] }
  }

  /// - Parameter token: nil for a random one, or for the existing one of the file.
  func publish(path: String, contentType: String, token: String?) throws(MediaServerError) -> MediaLink {
    guard Self.isHeaderSafe(contentType) else { throw .notAContentType(contentType) }
    if let token, !MediaLink.isAcceptable(token: token) { throw .weakToken }
    let canonical = try Self.canonicalPath(of: path)
    do {
      try MediaFile.open(canonicalPath: canonical).close()
    } catch {
      throw MediaServerError(error, path: path)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let link = contents.withLock { contents -> MediaLink? in
      if token == nil, let known = contents.tokenByPath[canonical], let old = contents.byToken[known] {
        contents.byToken[known] = Published(path: canonical, contentType: contentType, link: old.link)
        return old.link
      }
      let token = token ?? MediaLink.randomToken()
      let old = contents.byToken[token]
      guard old != nil || contents.byToken.count < capacity else { return nil }
      if let old, old.path != canonical { contents.forgetPath(of: old) }
      let link = MediaLink(token: token, fileName: name, contentType: contentType)
      contents.byToken[token] = Published(path: canonical, contentType: contentType, link: link)
      if contents.tokenByPath[canonical] == nil { contents.tokenByPath[canonical] = token }
      return link
    }
    guard let link else { throw .full(limit: capacity) }
    return link
  }

  func withdraw(_ link: MediaLink) {
    contents.withLock { contents in
      if let old = contents.byToken.removeValue(forKey: link.token) { contents.forgetPath(of: old) }
    }
  }

  static func canonicalPath(of path: String) throws(MediaServerError) -> String {
    // A NUL would end the path early for the system, which would then use another file.
    guard !path.utf8.contains(0) else { throw .noSuchFile(path) }
    guard let resolved = realpath(path, nil) else {
      throw MediaServerError(MediaFileError(errno), path: path)
    }
    defer { free(resolved) }
    guard let canonical = String(validatingCString: resolved) else {
      throw .unreadable(path, reason: "its resolved path is not UTF-8")
    }
    return canonical
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
