import CastqPaths
import Glibc
import Synchronization

/// Identifies a version of a file.
struct FileVersion: Hashable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if the file does not exist.
  init?(path: String) {
    var status = stat()
    guard stat(PathText.system(path), &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// Versions of the lists and folders that were read, and of missing files, each at its first look. Holds at most 1000.
final class SeenFiles: Sendable {
  private static let limit = 1000
  private let seen = Mutex<[String: FileVersion?]>([:])

  /// Nil for a missing file.
  var versions: [String: FileVersion?] { seen.withLock { $0 } }

  /// Call before reading the file, so that a write during the read counts as a change.
  func add(_ path: String) {
    seen.withLock { seen in
      if seen[path] == nil, seen.count < Self.limit {
        seen.updateValue(FileVersion(path: path), forKey: path)
      }
    }
  }
}
