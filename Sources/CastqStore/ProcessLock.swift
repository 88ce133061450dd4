import Glibc
import Synchronization

/// Something that one process at a time may do, as a lock file. The lock is the kernel's: it goes with the process, however
/// that ends.
package final class ProcessLock: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Why a lock was not taken.
  enum Refusal: Error {
    case taken(by: Holder?)
    case failed(words: String)
  }

  init(path: String) throws(Refusal) {
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(words: String(cString: strerror(errno))) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Holder(descriptor)
      close(descriptor)
      throw .taken(by: holder)
    }
    self.descriptor = Mutex(descriptor)
    write(socket: nil)
  }

  deinit { release() }

  /// Tells other programs where its holder can be spoken to.
  /// - Parameter socket: an absolute path without a line end.
  func announce(socket: String) { write(socket: socket) }

  /// Gives the lock back before the process ends. Giving it back twice is fine.
  func release() {
    descriptor.withLock { descriptor in
      guard let open = descriptor else { return }
      // What stands there is only true while the lock is held.
      _ = ftruncate(open, 0)
      // Closing alone would leave it with a child that is just being started.
      flock(open, LOCK_UN)
      close(open)
      descriptor = nil
    }
  }

  /// The text is for people and a hint for programs; the lock itself does not depend on it.
  private func write(socket: String?) {
    descriptor.withLock { descriptor in
      guard let descriptor else { return }
      let text = Array("\(getpid())\n\(socket.map { "\($0)\n" } ?? "")".utf8)
      if ftruncate(descriptor, 0) == 0 { pwrite(descriptor, text, text.count, 0) }
    }
  }

  /// Who wrote itself into a lock; it may be gone since.
  package struct Holder: Sendable, Hashable {
    /// The process.
    package var process: Int32
    /// Where it can be spoken to; nil when it has not said.
    package var socket: String?

    /// Whether that process lives, or one that has got its number since.
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

  /// Who holds the lock, or did last when it could not tidy up; nil when nobody says so. Does not touch the lock, so that
  /// asking never keeps anybody out.
  static func holder(path: String) -> Holder? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return Holder(descriptor)
  }
}
