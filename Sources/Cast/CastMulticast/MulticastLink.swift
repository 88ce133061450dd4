package import NIOCore

/// One interface and one address family: a datagram that is sent on a link is received on that link only.
package struct MulticastLink: Sendable, Hashable, CustomStringConvertible {
  package enum Family: String, Sendable, Hashable, CaseIterable {
    case v4 = "IPv4"
    case v6 = "IPv6"
  }

  package let interfaceIndex: Int
  package let interfaceName: String
  package let family: Family

  package init(interfaceIndex: Int, interfaceName: String, family: Family) {
    self.interfaceIndex = interfaceIndex
    self.interfaceName = interfaceName
    self.family = family
  }

  /// `IPv4 on eth0`.
  package var description: String { "\(family.rawValue) on \(interfaceName)" }
}

/// A received datagram.
package struct MulticastDatagram: Sendable {
  /// At most `MulticastTransport.lengthLimit`.
  package let bytes: [UInt8]
  package let link: MulticastLink
  package let source: SocketAddress

  package init(bytes: [UInt8], link: MulticastLink, source: SocketAddress) {
    self.bytes = bytes
    self.link = link
    self.source = source
  }
}
