import Glibc
import NIOCore

/// A port that is bound but has no listener: connects are refused, or get no answer at all.
///
/// A released port could be in use by another program when the device returns.
final class HeldPort {
  let port: Int
  private var descriptors: [Int32]

  /// - Parameter port: 0 for any that is free.
  init(host: String, port: Int) throws(SimControlError) {
    let words = "cannot listen on \(host):\(port)"
    guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: port) else {
      throw SimControlError(description: "\(words): this is no address")
    }
    let descriptor = Self.socket(address)
    descriptors = [descriptor]
    var on: Int32 = 1
    let isBound =
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
      && address.withSockAddr({ bind(descriptor, $0, socklen_t($1)) }) == 0
    guard isBound, let bound = Self.port(of: descriptor) else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      descriptors = []
      throw SimControlError(description: "\(words): \(reason)")
    }
    self.port = bound
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Releases the bound socket to the caller, to listen on.
  func release() -> Int32? {
    // The connections that fill the queue are closed first, so that they are not accepted as senders.
    while descriptors.count > 1 { close(descriptors.removeLast()) }
    return descriptors.popLast()
  }

  /// Leaves connects unanswered: the kernel drops them while the accept queue is full.
  func playDead(host: String) {
    guard let descriptor = descriptors.first, listen(descriptor, 0) == 0 else { return }
    let reachable = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
    guard let address = try? SocketAddress.makeAddressResolvingHost(reachable, port: port) else { return }
    // The shortest queue holds one connection; a second filler makes sure.
    for _ in 0..<2 {
      let filler = Self.socket(address)
      guard filler >= 0 else { return }
      descriptors.append(filler)
      _ = address.withSockAddr { connect(filler, $0, socklen_t($1)) }
    }
  }

  private static func socket(_ address: SocketAddress) -> Int32 {
    let family = address.protocol == .inet6 ? AF_INET6 : AF_INET
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    return Glibc.socket(family, kind, 0)
  }

  private static func port(of descriptor: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0 else { return nil }
    // The port is at the same offset in both families.
    return withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) }
  }
}
