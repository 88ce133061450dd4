/// A host and a port that may be asked whoever names them.
package struct LocalPlace: Sendable, Hashable, CustomStringConvertible {
  /// In lower case, without brackets.
  package let host: String
  /// 1 to 65535.
  package let port: Int

  package init(host: String, port: Int) {
    self.host = HostText.plain(host)
    self.port = port
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether an address is meant: by the same host, or by an IP address that its host has.
  func isMeant(host: String, port: Int, at address: IPAddress) -> Bool {
    guard port == self.port else { return false }
    if host == self.host { return true }
    if HostText.isLocalhost(self.host) { return address == .loopback4 || address == .loopback6 }
    return IPAddress(self.host) == address
  }
}

/// The exceptions to the rule of what strangers may have asked: `allow_local` of the configuration, and what castq serves itself.
package struct LocalPlaces: Sendable, Hashable {
  package var places: [LocalPlace]
  /// Ports at which castq itself serves what it has loaded.
  package var ownPorts: Set<Int>

  package init(_ places: [LocalPlace] = [], ownPorts: Set<Int> = []) {
    self.places = places
    self.ownPorts = ownPorts
  }
}

extension IPAddress {
  static let loopback4 = IPAddress("127.0.0.1")
  static let loopback6 = IPAddress("::1")
}
