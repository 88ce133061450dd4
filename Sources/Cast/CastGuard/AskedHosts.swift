/// The names under which a server is asked.
///
/// A browser may be led here by a name that somebody else controls (DNS rebinding), and its page would read the answer: only addresses,
/// this computer's own name for itself and known names are answered, and at a place for this computer alone no other address.
package struct AskedHosts: Sendable {
  /// Whether the server is for this computer alone.
  package let isLoopback: Bool
  private let names: Set<String>

  /// - Parameters:
  ///   - host: where the server listens; when that is a name, it is one of those.
  ///   - names: further names, in any case.
  package init(listeningAt host: String, names: [String] = []) {
    isLoopback = HostName.isLoopback(host.lowercased())
    self.names = Set(names.map { $0.lowercased() }).union(HostName.isAddress(host) ? [] : [host.lowercased()])
  }

  /// Whether a request for this host is answered.
  /// - Parameter host: as `HostName.split` gives it.
  package func admits(_ host: String) -> Bool {
    if names.contains(host) || HostName.isLoopback(host) { return true }
    return !isLoopback && HostName.isAddress(host)
  }

  /// Whether a request with this `Host` field is answered.
  /// - Parameter field: with or without a port.
  package func admits(field: String) -> Bool { HostName.split(field).map { admits($0.host) } ?? false }
}
