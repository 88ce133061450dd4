import CastqFeeding

/// Where the operator page is found.
struct PageAddress: Sendable {
  private let place: WebListen?
  private let isSecure: Bool
  /// A name under which browsers may ask; nil where none was given.
  private let name: String?

  /// - Parameter listen: where to listen, of the command line; nil is that of the configuration.
  init(_ rules: WebRules, _ listen: WebListen?) {
    place = listen ?? rules.listen
    isSecure = rules.certificate != nil && rules.key != nil
    name = rules.hosts.first
  }

  private var host: String { place?.host ?? "127.0.0.1" }

  /// The address with the port on which it listens.
  func text(port: Int) -> String { text(host, port) }

  private func text(_ host: String, _ port: Int) -> String {
    "\(isSecure ? "https" : "http")://\(Self.place(host, port))/"
  }

  /// Where to listen, as it is typed.
  static func place(_ listen: WebListen) -> String { place(listen.host, listen.port) }

  private static func place(_ host: String, _ port: Int) -> String {
    "\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// What to tell somebody who has a token now.
  func advice(for person: String) -> String {
    let port = place?.port ?? 8010
    // A proxy may have another port, and the certificate.
    if let name { return "\(person) opens \(name) and gives this token" }
    if ["127.0.0.1", "::1", "localhost"].contains(host) {
      return "the page is at \(text(host, port)), which nobody reaches from another computer: "
        + "'castq web --listen 0.0.0.0:8010' or 'web: {listen: 0.0.0.0:8010}' of the configuration lets others in"
    }
    if ["0.0.0.0", "::"].contains(host) {
      return
        "\(person) opens port \(port) of this computer, as in \(text("ADDRESS", port)), and gives this token"
    }
    return "\(person) opens \(text(host, port)) and gives this token"
  }
}
