import CastqDaemon
import CastqPaths
package import CastqPlaylists
package import CastqText
import Glibc

/// Reads playlists, folders and standard input for the parsers.
package struct FileLoader: PlaylistLoader {
  /// The files and folders that were read, for `run --watch`.
  let seen = SeenFiles()

  package init() {}

  package var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return PathText.text(path)
  }

  package func kind(of path: String) -> PathKind {
    var status = stat()
    guard stat(PathText.system(path), &status) == 0 else {
      seen.add(path)
      return .missing
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  package func obstacle(at path: String) -> String? {
    var status = stat()
    guard stat(PathText.system(path), &status) != 0, errno != ENOENT, errno != ENOTDIR else { return nil }
    return String(cString: strerror(errno))
  }

  package func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(PathText.system(path), &status) == 0 && status.st_size == 0
  }

  package func canonicalPath(_ path: String) -> String {
    guard let resolved = realpath(PathText.system(path), nil) else { return path }
    defer { free(resolved) }
    return PathText.text(resolved)
  }

  package func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    seen.add(path)
    let descriptor = open(PathText.system(path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    return try Self.read(descriptor, limit: limit)
  }

  package func list(_ directory: String) throws(PlaylistLoadError) -> [String] {
    seen.add(directory)
    return try Self.names(in: directory)
  }

  package func names(in directory: String) -> [String] { (try? Self.names(in: directory)) ?? [] }

  private static func names(in directory: String) throws(PlaylistLoadError) -> [String] {
    guard let entries = FolderEntry.all(in: directory) else {
      throw .failed(String(cString: strerror(errno)))
    }
    return entries.map(\.name)
  }

  package func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? {
    SystemCharacterSets.text(bytes, in: set)
  }

  package func bytes(_ text: String, in set: CharacterSet) -> [UInt8]? {
    SystemCharacterSets.bytes(text, in: set)
  }

  package func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    try Self.read(STDIN_FILENO, limit: limit)
  }

  private static func read(_ descriptor: Int32, limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .failed(String(cString: strerror(errno))) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
      bytes += chunk[..<count]
    }
  }
}
