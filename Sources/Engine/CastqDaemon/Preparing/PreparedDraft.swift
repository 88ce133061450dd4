import CastqFiles
import Glibc
import Synchronization

/// A file that is being made, which one process holds. The kernel releases it when the process ends, however that happens.
final class PreparedDraft: Sendable {
  let path: String
  private let descriptor: Mutex<Int32?>

  /// Nil when another process holds it, or the file cannot be made.
  init?(path: String) {
    self.path = path
    guard let descriptor = try? OwnFile.open(path, for: .keeping) else { return nil }
    // The last holder may have renamed or removed the file between the two calls.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isStill(path, descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = Mutex(descriptor)
  }

  deinit { release() }

  /// Gives the file its name.
  /// - Returns: the size; nil when it is empty or could not be renamed, and then it is removed.
  func finish(as name: String) -> Int? {
    defer { release() }
    guard let size, size > 0, synchronize(), rename(path, name) == 0 else {
      unlink(path)
      return nil
    }
    return size
  }

  /// Bytes so far; nil when it is no file any more.
  var size: Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Removes it.
  func discard() {
    unlink(path)
    release()
  }

  /// Whether its bytes are on the disk: a name without them would survive a power cut.
  private func synchronize() -> Bool {
    descriptor.withLock { $0.map { fsync($0) == 0 } ?? false }
  }

  private func release() {
    descriptor.withLock { descriptor in
      if let open = descriptor {
        flock(open, LOCK_UN)
        close(open)
      }
      descriptor = nil
    }
  }

  private static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev && opened.st_mode & S_IFMT == S_IFREG
  }
}
