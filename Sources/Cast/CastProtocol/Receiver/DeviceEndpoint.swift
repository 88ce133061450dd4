/// The address and port of a device.
public struct DeviceEndpoint: Sendable, Hashable, CustomStringConvertible {
  /// The default port of a device (protocol 1.1).
  public static let defaultPort = 8009

  /// Address literal or host name, without brackets.
  public var host: String
  /// TCP port, 1 to 65535. A session with any other port fails with `invalidRequest`, and connects to nothing.
  public var port: Int

  /// An endpoint; the port defaults to 8009.
  public init(host: String, port: Int = DeviceEndpoint.defaultPort) {
    self.host = host
    self.port = port
  }

  /// Parses `host`, `host:port`, `[v6]`, `[v6]:port` and a bare IPv6 literal; nil for any other text.
  public init?(_ text: String) {
    var rest = Substring(text)
    var host: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else if rest.filter({ $0 == ":" }).count > 1 {
      host = rest
      rest = ""
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = rest[..<end]
      rest = rest[end...]
    }
    guard !host.isEmpty,
      host.allSatisfy({ !$0.isWhitespace && $0 != "/" && $0 != "@" && $0 != "[" && $0 != "]" })
    else {
      return nil
    }
    if rest.isEmpty {
      self.init(host: String(host))
    } else {
      guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
      self.init(host: String(host), port: Int(port))
    }
  }

  /// Whether the port is one that TCP has.
  package var hasPort: Bool { (1...65535).contains(port) }

  /// `host:port`, an IPv6 literal in brackets.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
