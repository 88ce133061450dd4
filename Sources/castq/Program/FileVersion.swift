import Glibc
import Synchronization

/// What tells one version of a file from another.
struct FileVersion: Hashable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil when there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// The lists and folders that were read, and the files that were missing, each as it was when it was looked at first; of endless
/// ones, the first.
final class SeenFiles: Sendable {
  private static let limit = 1000
  private let seen = Mutex<[String: FileVersion?]>([:])

  /// Nil for a file that was not there.
  var versions: [String: FileVersion?] { seen.withLock { $0 } }

  /// To be called before the file is read, so that what is written meanwhile counts as a change.
  func add(_ path: String) {
    seen.withLock { seen in
      if seen[path] == nil, seen.count < Self.limit {
        seen.updateValue(FileVersion(path: path), forKey: path)
      }
    }
  }
}
