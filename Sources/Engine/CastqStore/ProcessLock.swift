import CastqFiles
import Glibc
import Synchronization

/// A lock file for one process at a time. The kernel releases the lock when the process ends, however that happens.
package final class ProcessLock: Sendable {
  private let descriptor: Mutex<Int32?>
  /// Whether the last holder did not release the lock, because it was killed or the computer crashed.
  let wasLeftBehind: Bool

  /// Why the lock was not acquired.
  enum Refusal: Error {
    case taken(by: Holder?)
    case failed(words: String)
  }

  init(path: String) throws(Refusal) {
    // Whatever else is at this path would be emptied.
    let descriptor: Int32
    do throws(OwnFileError) { descriptor = try OwnFile.open(path, for: .keeping) } catch {
      throw .failed(words: error.words)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Holder(descriptor)
      close(descriptor)
      throw .taken(by: holder)
    }
    wasLeftBehind = Holder(descriptor) != nil
    self.descriptor = Mutex(descriptor)
    write(socket: nil)
  }

  deinit { release() }

  /// Publishes the holder's control socket.
  /// - Parameter socket: an absolute path without a line end.
  func announce(socket: String) { write(socket: socket) }

  /// Releases the lock before the process ends; a second call does nothing.
  /// - Parameter isClean: false leaves the file as a killed process would, so that the next holder checks the database.
  func release(isClean: Bool = true) {
    descriptor.withLock { descriptor in
      guard let open = descriptor else { return }
      // The content is valid only while the lock is held.
      if isClean { _ = ftruncate(open, 0) }
      // Unlock explicitly: a child that is being spawned may hold a copy of the descriptor.
      flock(open, LOCK_UN)
      close(open)
      descriptor = nil
    }
  }

  /// Whether the lock is held, and the file at the path is still the one that is locked: without it another process could lock a new
  /// one.
  func isHeld(path: String) -> Bool {
    descriptor.withLock { descriptor in
      var (locked, present) = (stat(), stat())
      guard let descriptor, fstat(descriptor, &locked) == 0, lstat(path, &present) == 0 else { return false }
      return locked.st_dev == present.st_dev && locked.st_ino == present.st_ino
    }
  }

  /// Writes process and socket as information; the lock itself does not depend on them.
  private func write(socket: String?) {
    descriptor.withLock { descriptor in
      guard let descriptor else { return }
      let text = Array("\(getpid())\n\(socket.map { "\($0)\n" } ?? "")".utf8)
      if ftruncate(descriptor, 0) == 0 { pwrite(descriptor, text, text.count, 0) }
    }
  }

  /// The process recorded in a lock file; it may have ended since.
  package struct Holder: Sendable, Hashable {
    /// The process.
    package var process: Int32
    /// Its control socket; nil if it has published none.
    package var socket: String?

    /// Whether a process with this number runs; the number may have been reused.
    package var isAlive: Bool { kill(process, 0) == 0 || errno == EPERM }

    init?(_ descriptor: Int32) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      let lines = bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n"))
        .map { String(decoding: $0, as: UTF8.self) }
      guard let process = lines.first.flatMap({ Int32($0) }) else { return nil }
      self.process = process
      socket = lines.dropFirst().first
    }
  }

  /// The process that holds the lock, or that was killed while holding it; nil if there is none. Does not touch the lock, so that
  /// a query never blocks a holder.
  static func holder(path: String) -> Holder? {
    guard let descriptor = try? OwnFile.open(path, for: .reading) else { return nil }
    defer { close(descriptor) }
    return Holder(descriptor)
  }
}
