package import CastqCore
import Glibc
import Synchronization

/// One feeder a device and database. The lock is the kernel's: it goes with the process, however that ends.
package final class FeederLock: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Takes the lock of a device; `busy` names the process that holds it.
  package init(database: Database, device: DeviceID) throws(StoreError) {
    let path = Self.path(database, device)
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .failed(path: path, words: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Holder(descriptor).map { " (process \($0.process))" } ?? ""
      close(descriptor)
      throw .busy(path: "the device", holder: "another feeder holds it\(holder)")
    }
    self.descriptor = Mutex(descriptor)
    write(socket: nil)
  }

  deinit { release() }

  /// Tells other programs where the feeder can be spoken to.
  /// - Parameter socket: an absolute path without a line end.
  package func announce(socket: String) { write(socket: socket) }

  /// Gives the lock back before the process ends. Giving it back twice is fine.
  package func release() {
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

  private static func path(_ database: Database, _ device: DeviceID) -> String {
    "\(database.path).feeder-\(device.rawValue).lock"
  }
}

extension FeederLock {
  /// Who wrote itself into a lock; it may be gone since.
  package struct Holder: Sendable, Hashable {
    /// The process.
    package var process: Int32
    /// Where it can be spoken to; nil when it has not said.
    package var socket: String?

    fileprivate init?(_ descriptor: Int32) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      let lines = bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n"))
        .map { String(decoding: $0, as: UTF8.self) }
      guard let process = lines.first.flatMap({ Int32($0) }) else { return nil }
      self.process = process
      socket = lines.dropFirst().first
    }
  }

  /// Who feeds the device, or did last when it could not tidy up; nil when nobody says so. Does not touch the lock, so that
  /// asking never keeps a feeder out.
  package static func holder(database: Database, device: DeviceID) -> Holder? {
    let descriptor = open(path(database, device), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return Holder(descriptor)
  }
}
