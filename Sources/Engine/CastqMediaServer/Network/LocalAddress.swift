import Glibc

/// The address of this machine at which a given device reaches it.
package struct LocalAddress: Sendable, Hashable, CustomStringConvertible {
  /// `192.0.2.7` or `fe80::1`: no brackets and no zone, which has no meaning on the device.
  package let literal: String

  package var description: String { literal }

  /// Looks up the routing table by connecting a UDP socket: no packet leaves the machine.
  ///
  /// For a device on this machine it is 127.0.0.1.
  /// - Parameter device: its IP address, an IPv6 one with or without brackets and zone (`fe80::1%eth0`).
  package static func reaching(_ device: String) throws(LocalAddressError) -> LocalAddress {
    let remote = try SocketEndpoint(literal: device)
    guard remote.isOneHost else { throw .notAHost(device) }
    let handle = socket(remote.family, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard handle >= 0 else { throw .unreachable(device, reason: String(cString: strerror(errno))) }
    defer { close(handle) }
    let connected = remote.withAddress { connect(handle, $0, $1) }
    guard connected == 0 else { throw .unreachable(device, reason: String(cString: strerror(errno))) }
    guard let literal = SocketEndpoint(localOf: handle)?.literal else {
      throw .unreachable(device, reason: "the system does not report the local address")
    }
    let isHere = literal == "::1" || literal.hasPrefix("127.")
    return LocalAddress(literal: isHere ? "127.0.0.1" : literal)
  }

  /// A host in the form of a URL: IPv6 in brackets and without a zone.
  package static func urlHost(of host: String) -> String {
    var bare = host[...]
    if bare.hasPrefix("["), bare.hasSuffix("]") { bare = bare.dropFirst().dropLast() }
    guard bare.utf8.contains(UInt8(ascii: ":")) else { return String(bare) }
    return "[" + bare.prefix { $0 != "%" } + "]"
  }
}

/// Why no local address could be found for a device.
package enum LocalAddressError: Error, Equatable, CustomStringConvertible {
  case notAnAddress(String)
  /// A multicast address, or one that is not of a host.
  case notAHost(String)
  case unreachable(String, reason: String)

  package var description: String {
    switch self {
    case .notAnAddress(let text):
      "no IP address is known for \(text); check the name, or use the device's address"
    case .notAHost(let text): "not the address of one host: \(text)"
    case .unreachable(let device, let reason):
      "no route from this machine to \(device): \(reason); check the network and the device's address"
    }
  }
}
