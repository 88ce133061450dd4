import CastqPaths
import CastqPlaylists
import CastqText
import Glibc

/// The pictures beside the local media of a list. They are looked for when an entry is offered and not when it is listed, so that a
/// list stays what was written, and a picture that comes later is shown.
struct DirectoryPictures {
  private struct Contents {
    /// When the directory was changed last, in seconds and nanoseconds.
    var changed: [Int]
    var pictures: SidecarPictures
  }

  private var contents: [String: Contents] = [:]
  /// Directories that are remembered: entries of one directory usually follow each other.
  private static let most = 16
  /// Names that are read of a directory.
  private static let names = 100_000

  /// The path of the picture for a file; nil when there is none beside it.
  mutating func picture(of path: String, isMusic: Bool) -> String? {
    let directory = FilePath.directory(of: path)
    var status = stat()
    guard stat(PathText.system(directory), &status) == 0 else { return nil }
    let changed = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    if let known = contents[directory], known.changed == changed {
      return known.pictures.picture(of: path, isMusic: isMusic)
    }
    if contents.count >= Self.most { contents = [:] }
    let found = Contents(changed: changed, pictures: SidecarPictures(Self.names(in: directory)))
    contents[directory] = found
    return found.pictures.picture(of: path, isMusic: isMusic)
  }

  private static func names(in directory: String) -> [String] {
    (FolderEntry.all(in: directory, limit: names) ?? []).map(\.name)
  }
}
