package import CastqCore
import Glibc

/// One feeder a device and database. The lock is the kernel's: it goes with the process, however that ends.
package final class FeederLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock of a device; `busy` names the process that holds it.
  package init(database: Database, device: DeviceID) throws(StoreError) {
    let path = "\(database.path).feeder-\(device.rawValue).lock"
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .failed(path: path, words: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.holder(descriptor)
      close(descriptor)
      throw .busy(path: "the device", holder: "another feeder holds it\(holder)")
    }
    // The number is for people only; the lock itself does not depend on it.
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { pwrite(descriptor, text, text.count, 0) }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private static func holder(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(count, 0)).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
  }
}
