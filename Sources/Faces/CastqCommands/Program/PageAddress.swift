import CastqFeeding

/// Where the operator page is found, as commands say it.
struct PageAddress: Sendable {
  private let host: String
  private let port: Int
  private let isSecure: Bool
  private let name: String?

  /// - Parameter listen: where to listen, of the command line; nil is that of the configuration.
  init(_ rules: WebRules, _ listen: WebListen?) {
    let place = listen ?? rules.listen
    (host, port) = (place?.host ?? "127.0.0.1", place?.port ?? 8010)
    isSecure = rules.certificate != nil && rules.key != nil
    name = rules.hosts.first
  }

  /// The address with the port on which it listens.
  func text(port: Int) -> String { PageReach.address(host, port, isSecure) }

  /// What to tell somebody who has a token now.
  func advice(for person: String) -> String {
    let reach = PageReach(host: host, port: port, isSecure: isSecure, name: name)
    if let words = reach.words { return "\(person) opens \(words) and gives this token" }
    return "the page is at \(text(port: port)), which nobody reaches from another computer: "
      + "'castq web --listen 0.0.0.0:8010' or 'web: {listen: 0.0.0.0:8010}' of the configuration lets others in"
  }
}
