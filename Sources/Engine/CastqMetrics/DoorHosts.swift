import NIOCore

/// The names under which the port of metrics is asked.
///
/// A browser on this computer may be led here by a name that somebody else controls (DNS rebinding), and its page would read the answer:
/// only addresses, this computer's own name for itself and configured names are answered.
package struct DoorHosts: Sendable {
  private let names: Set<String>
  private let isLoopback: Bool

  /// - Parameters:
  ///   - host: where the port is; when that is a name, it is one of those.
  ///   - names: further names, in any case.
  package init(listeningAt host: String, names: [String] = []) {
    let host = Self.bare(host)
    isLoopback = Self.isLoopback(host)
    self.names = Set(names.map { $0.lowercased() }).union(Self.isAddress(host) ? [] : [host])
  }

  /// Whether a request with this `Host` field is answered.
  /// - Parameter field: with or without a port.
  package func admits(_ field: String) -> Bool {
    guard field.utf8.count <= 300, let host = Self.host(of: field) else { return false }
    if names.contains(host) || Self.isLoopback(host) { return true }
    return !isLoopback && Self.isAddress(host)
  }

  /// Without the port, in lower case; nil when it is no host.
  private static func host(of field: String) -> String? {
    var host = Substring(field)
    let bracket = field.hasPrefix("[") ? field.firstIndex(of: "]") : field.startIndex
    guard let bracket else { return nil }
    if let colon = field[bracket...].firstIndex(of: ":") {
      guard UInt16(field[field.index(after: colon)...]) != nil else { return nil }
      host = field[..<colon]
    }
    var name = bare(String(host))
    // A name may end in a dot, which means the same.
    if name.hasSuffix(".") { name.removeLast() }
    return name.isEmpty ? nil : name
  }

  private static func bare(_ host: String) -> String {
    let host = host.lowercased()
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.") && isAddress(host)
  }

  private static func isAddress(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }
}
