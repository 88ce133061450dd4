/// What lies at a path, symbolic links followed.
package enum PathKind: Sendable, Hashable {
  case missing
  case file
  case directory
  /// A device, a pipe or a socket.
  case other
}

/// Why something could not be loaded.
package enum PlaylistLoadError: Error, Sendable, Hashable {
  /// It is larger than the limit that was given.
  case tooLarge(limit: Int)
  /// Anything else, in words such as `permission denied` or `404 Not Found`.
  case failed(String)

  package var message: String {
    switch self {
    case .tooLarge(let limit): "it is larger than \(limit) bytes"
    case .failed(let reason): reason
    }
  }
}

/// What came from an address.
package struct FetchedPlaylist: Sendable, Hashable {
  package var bytes: [UInt8]
  /// The address after redirections; relative addresses are resolved against it.
  package var address: String
  /// What the server calls it; nil when it does not say.
  package var contentType: String?

  package init(bytes: [UInt8], address: String, contentType: String? = nil) {
    self.bytes = bytes
    self.address = address
    self.contentType = contentType
  }

  /// The type when the server calls it sound, film or picture. Lists are called `audio/x-mpegurl` and `audio/x-scpls`, and
  /// most often something that says nothing.
  var mediaType: String? {
    guard let type = contentType?.lowercased().split(separator: ";").first.map(String.init),
      ContentTypes.isWellFormed(type), ["audio", "video", "image"].contains(ContentTypes.family(of: type)),
      !["mpegurl", "x-mpegurl", "x-scpls", "scpls"].contains(type.split(separator: "/").last)
    else { return nil }
    return type
  }
}

/// The world outside: files and the network, as the playlist reader sees them. Reading decides nothing but asks here, so
/// every decision can be tested with a loader made of a dictionary.
package protocol PlaylistLoader {
  /// Where relative paths begin; absolute.
  var workingDirectory: String { get }
  /// What lies at an absolute path; what may not be looked at is missing.
  func kind(of path: String) -> PathKind
  /// The same path for all ways to the same file: symbolic links resolved. The path itself when that cannot be told.
  func canonicalPath(_ path: String) -> String
  /// A whole file of at most `limit` bytes.
  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8]
  /// The names in a directory, without `.` and `..`, in any order.
  func list(_ directory: String) throws(PlaylistLoadError) -> [String]
  /// A whole document of at most `limit` bytes from an `http` or `https` address.
  func fetch(_ address: String, limit: Int) throws(PlaylistLoadError) -> FetchedPlaylist
  /// All of standard input, at most `limit` bytes.
  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8]
}

extension PlaylistLoader {
  package func canonicalPath(_ path: String) -> String { path }
}
