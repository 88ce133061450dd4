package import CastGuard
package import CastqText

/// The kind of file at a path, symbolic links followed.
package enum PathKind: Sendable, Hashable {
  case missing
  case file
  case directory
  /// A device, a pipe or a socket.
  case other
}

/// Why a playlist could not be loaded.
package enum PlaylistLoadError: Error, Sendable, Hashable {
  /// It is larger than the given limit.
  case tooLarge(limit: Int)
  /// Those who name it may not have it asked.
  case refused(String)
  /// Any other reason, such as `permission denied` or `404 Not Found`.
  case failed(String)

  package var message: String {
    switch self {
    case .tooLarge(let limit): "it is larger than \(limit) bytes"
    case .refused(let reason), .failed(let reason): reason
    }
  }
}

/// A document fetched from an address.
package struct FetchedPlaylist: Sendable, Hashable {
  package var bytes: [UInt8]
  /// The address after redirects; relative addresses are resolved against it.
  package var address: String
  /// The content type in the response; nil when there is none.
  package var contentType: String?
  /// The IP address that sent it; nil when it is not known.
  package var peer: IPAddress?

  package init(bytes: [UInt8], address: String, contentType: String? = nil, peer: IPAddress? = nil) {
    self.bytes = bytes
    self.address = address
    self.peer = peer
    self.contentType = contentType
  }

  /// The character set that the server names. Latin-1 is what many say of every text.
  var declaredSet: CharacterSet? {
    guard let type = contentType?.lowercased(), let label = type.firstRange(of: "charset=") else {
      return nil
    }
    let value = type[label.upperBound...].drop { $0 == "\"" }.prefix { !"\"; ".contains($0) }
    return CharacterSet(label: value).flatMap { $0 == .western ? nil : $0 }
  }

  /// What it is, where its name or its server said that it is a list of this format.
  func kind(named format: PlaylistFormat) -> WebAnswer.Kind {
    let answer = WebAnswer(contentType: contentType, head: bytes)
    // Many servers call everything text/html.
    let isHTML =
      answer.contentType == ContentTypes.page && bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<")
    let kind = answer.kind(named: format)
    return isHTML && kind == .list(format) && format != .xspf ? .page : kind
  }
}

/// Access to files. The reader reaches them only through this protocol, so that tests can use a loader made of a dictionary; lists of
/// the web are supplied to it.
package protocol PlaylistLoader {
  /// The base of relative paths; absolute.
  var workingDirectory: String { get }
  /// The kind of file at an absolute path; inaccessible files are missing.
  func kind(of path: String) -> PathKind
  /// Why nobody can say whether there is a file at an absolute path, such as a folder that may not be entered; nil where it is known.
  func obstacle(at path: String) -> String?
  /// Whether the file at an absolute path has no bytes.
  func isEmpty(_ path: String) -> Bool
  /// The path with symbolic links resolved, so that it is equal for all paths to a file. The path itself when it cannot be
  /// resolved.
  func canonicalPath(_ path: String) -> String
  /// The content of a file of at most `limit` bytes.
  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8]
  /// The names in a directory, without `.` and `..`, in any order.
  func list(_ directory: String) throws(PlaylistLoadError) -> [String]
  /// The names in a directory, as far as they can be read. What is found there only adds to an entry, so that a change of the
  /// directory is none of the list.
  func names(in directory: String) -> [String]
  /// The text of bytes in a character set; what is no character becomes U+FFFD.
  /// - Returns: nil when the system does not know the set.
  func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String?
  /// The bytes of a text in a character set.
  /// - Returns: nil when the set lacks a character of it, or the system does not know the set.
  func bytes(_ text: String, in set: CharacterSet) -> [UInt8]?
  /// All of standard input, at most `limit` bytes.
  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8]
}

extension PlaylistLoader {
  package func obstacle(at path: String) -> String? { nil }
  package func isEmpty(_ path: String) -> Bool { false }
  package func canonicalPath(_ path: String) -> String { path }
  package func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? { nil }
  package func bytes(_ text: String, in set: CharacterSet) -> [UInt8]? { nil }
  package func names(in directory: String) -> [String] { (try? list(directory)) ?? [] }
}
