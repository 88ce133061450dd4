import CastGuard

/// Where somebody on another computer finds the operator page.
package enum PageReach: Sendable, Hashable {
  /// Nobody does: it listens on this computer alone.
  case nowhere
  /// By a name of the configuration, behind which a proxy may have another port, and the certificate.
  case name(String)
  case address(String)
  /// At any address of this computer.
  case port(Int, isSecure: Bool)

  /// - Parameters:
  ///   - host: where the page listens.
  ///   - name: a name under which browsers may ask; nil where none was given.
  ///   - asked: the host and the port by which somebody has found it; nil where nobody has.
  package init(host: String, port: Int, isSecure: Bool, name: String?, asked: String? = nil) {
    if let name {
      self = .name(name)
    } else if HostName.isLoopback(host) {
      self = .nowhere
    } else if !["0.0.0.0", "::"].contains(host) {
      self = .address(Self.address(host, port, isSecure))
    } else if let asked, HostName.split(asked).map({ HostName.isLoopback($0.host) }) == false {
      self = .address(Self.address(at: asked, isSecure))
    } else {
      self = .port(port, isSecure: isSecure)
    }
  }

  /// What is opened there; nil where nobody can.
  package var words: String? {
    switch self {
    case .nowhere: nil
    case .name(let text), .address(let text): text
    case .port(let port, let isSecure):
      "port \(port) of this computer (\(Self.address("ADDRESS", port, isSecure)))"
    }
  }

  /// `http://192.0.2.10:8010/`
  package static func address(_ host: String, _ port: Int, _ isSecure: Bool) -> String {
    address(at: WebListen.text(host, port), isSecure)
  }

  private static func address(at place: String, _ isSecure: Bool) -> String {
    "\(isSecure ? "https" : "http")://\(place)/"
  }
}
