import Foundation
import Synchronization
import Testing

/// A port of this machine: one that accepts connections and never says a word, or one at which nothing listens.
final class QuietPort: Sendable {
  let address: String
  private let descriptor: Int32

  /// - Parameter listens: whether connections are accepted; they are refused otherwise.
  init(listens: Bool = true) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let fd = descriptor
    let port = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain -> UInt16? in
        guard bind(fd, plain, length) == 0, !listens || listen(fd, 8) == 0,
          getsockname(fd, plain, &length) == 0
        else {
          return nil
        }
        return UInt16(bigEndian: UnsafeRawPointer(plain).load(fromByteOffset: 2, as: UInt16.self))
      }
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    address = "127.0.0.1:\(try #require(port))"
  }

  deinit { close(descriptor) }

  /// Waits until somebody has connected.
  func accepted() async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [descriptor] in
        continuation.resume(returning: accept(descriptor, nil, nil) >= 0)
      }
    }
  }

  /// An address at which nothing listens, for as long as the tests run: a port that is free again may be the next receiver's.
  static func closed() throws -> String {
    let port = try QuietPort(listens: false)
    kept.withLock { $0.append(port) }
    return port.address
  }

  private static let kept = Mutex<[QuietPort]>([])
}

/// Ports that this test alone has, also while nothing listens there: the system gives those of connections, and of listeners that
/// ask for any, from 32768 on.
enum FreePort {
  private static let last = Mutex(Int.random(in: 10_240..<32_768))

  static func next() throws -> Int {
    for _ in 0..<1000 {
      let port = last.withLock { last in
        last = last < 32_767 ? last + 1 : 10_240
        return last
      }
      if isFree(port) { return port }
    }
    throw POSIXError(.EADDRINUSE)
  }

  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(port).bigEndian
    return withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

/// The lock of a feeder, seen from outside.
enum FeederEnd {
  /// Waits until no process holds the lock: the feeder has ended, however it did.
  static func of(_ stage: Stage, device: Int = 1) async -> Bool {
    let path = "\(stage.database).feeder-\(device).lock"
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let isFree = flock(descriptor, LOCK_EX) == 0
        // Before the test goes on: it may start the next feeder at once. A child that is just being started has the descriptor, too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        continuation.resume(returning: isFree)
      }
    }
  }
}
