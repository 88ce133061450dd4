import Dispatch
import Glibc
package import NIOCore

/// The addresses of a name, in the order in which they are tried.
package struct AddressLookup: Sendable {
  /// Blocks its caller. Nil where the name is not known.
  package let addresses: @Sendable (_ host: String) -> [SocketAddress]?

  package init(_ addresses: @escaping @Sendable (_ host: String) -> [SocketAddress]?) {
    self.addresses = addresses
  }

  /// Asks the system, which orders them (RFC 6724). It reads numbers in every notation that programs have ever understood.
  package static let system = AddressLookup { host in
    var hints = addrinfo()
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    hints.ai_protocol = CInt(IPPROTO_TCP)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    var addresses: [SocketAddress] = []
    var next = found
    while let entry = next {
      next = entry.pointee.ai_next
      guard let address = entry.pointee.ai_addr else { continue }
      switch CInt(address.pointee.sa_family) {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          addresses.append(SocketAddress($0.pointee))
        }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          addresses.append(SocketAddress($0.pointee))
        }
      default: break
      }
    }
    return addresses
  }
}
