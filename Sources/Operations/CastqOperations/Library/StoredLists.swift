import CastProtocol
import CastqFeeding
import CastqPlaylists
package import CastqText
import Glibc

/// The playlists that clients of the Music Player Daemon save and load, and that programmes of the page are made of: files in a folder of
/// their own.
package struct StoredLists: Sendable {
  /// Absolute.
  package let folder: String

  package init(folder: String) { self.folder = folder }

  /// Those of the configuration, else those beside the database.
  package init(_ global: CallOptions) {
    let configured = (try? ConfigurationFile(global).read().get())?.mpd.playlists
    self.init(folder: configured ?? MusicFolders.playlists(beside: global.databasePath))
  }

  /// The most lists that are shown, and bytes of one that is saved.
  private static let (most, largest) = (10_000, 64 << 20)

  private struct File {
    let name: String
    let path: String
    let modifiedAt: WallTime
  }

  private func files() -> [File] {
    FileLoader().names(in: folder).sorted(by: NaturalOrder.precedes).prefix(Self.most).compactMap { file in
      guard !file.hasPrefix("."), PlaylistFormat(fileExtension: FilePath.fileExtension(of: file)) != nil
      else {
        return nil
      }
      let path = FilePath.absolute(file, in: folder)
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      let name = String(file.dropLast(FilePath.fileExtension(of: file).count + 1))
      let modified = Int64(millisecondsOf: status.st_mtim.tv_sec, nanoseconds: 0)
      return File(name: name, path: path, modifiedAt: WallTime(milliseconds: modified))
    }
  }

  /// The lists by name.
  package func all() -> [(name: String, modifiedAt: WallTime)] { files().map { ($0.name, $0.modifiedAt) } }

  /// The file of a list; nil when there is none of this name.
  package func path(of name: String) -> String? { files().first { $0.name == name }?.path }

  /// Stores a list under a name, in the place of one that is there. Nobody reads half of it.
  package func write(_ text: String, as name: String) throws(Failure) {
    guard text.utf8.count <= Self.largest else { throw failure(name, "it is too large") }
    mkdir(folder, 0o700)
    let path = path(of: name)
    if let path, PlaylistFormat(fileExtension: FilePath.fileExtension(of: path)) != .m3u8 {
      throw failure(name, "the list of this name has another format")
    }
    let target = path ?? FilePath.absolute("\(name).m3u8", in: folder)
    let draft = FilePath.absolute(".\(getpid())-\(UInt64.random(in: 0...UInt64.max)).draft", in: folder)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(name, String(cString: strerror(errno))) }
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    let words = String(cString: strerror(errno))
    close(file)
    guard rest.isEmpty, rename(draft, target) == 0 else {
      unlink(draft)
      throw failure(name, words)
    }
  }

  /// Removes a list.
  package func remove(_ name: String) throws(Failure) {
    guard let path = path(of: name), unlink(path) == 0 else {
      throw failure(name, String(cString: strerror(errno)))
    }
  }

  private func failure(_ name: String, _ words: String) -> Failure {
    Failure(
      "io", "the playlist \(name) in \(folder): \(words); let castq write there", exit: .inputOutput)
  }
}
