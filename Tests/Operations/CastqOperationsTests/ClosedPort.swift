import Glibc
import Synchronization
import Testing

/// A port of this machine at which nothing listens, for as long as the tests run.
enum ClosedPort {
  /// Held, so that it is no other test's.
  private static let held = Mutex<[MutePort]>([])

  static func number() throws -> Int {
    let port = try MutePort(listens: false)
    held.withLock { $0.append(port) }
    return port.number
  }

  static func url() throws -> String { "http://127.0.0.1:\(try number())/gone.mp4" }
}

/// A port of this machine that accepts connections and never says a word.
final class MutePort: Sendable {
  let number: Int
  private let descriptor: Int32

  /// - Parameter listens: whether connections are accepted; they are refused otherwise.
  init(listens: Bool = true) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain -> UInt16? in
        guard bind(descriptor, plain, length) == 0, !listens || listen(descriptor, 64) == 0,
          getsockname(descriptor, plain, &length) == 0
        else { return nil }
        return UInt16(bigEndian: UnsafeRawPointer(plain).load(fromByteOffset: 2, as: UInt16.self))
      }
    }
    number = Int(try #require(port))
  }

  deinit { close(descriptor) }
}
