import CastProtocol
import CastSender
import Foundation
import Glibc
import Synchronization

/// Real time that knows how many tasks wait for it.
final class CountedTime: Sendable {
  private let count = Atomic(0)

  /// Tasks that wait now.
  var waiting: Int { count.load(ordering: .sequentiallyConsistent) }

  var source: TimeSource {
    var source = TimeSource.continuous
    let pause = source.sleep
    source.sleep = { [self] duration in
      count.add(1, ordering: .sequentiallyConsistent)
      defer { count.subtract(1, ordering: .sequentiallyConsistent) }
      try await pause(duration)
    }
    return source
  }
}

/// Descriptors of this process that are connected to a port of loopback.
func connections(toPort port: Int) throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    .count { descriptor in
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
      }
      return result == 0 && Int(UInt16(bigEndian: address.sin_port)) == port
    }
}
