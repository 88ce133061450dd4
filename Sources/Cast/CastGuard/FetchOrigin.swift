/// Whose words name an address that castq is to ask.
package enum FetchOrigin: Sendable, Hashable {
  /// Of the one who runs castq: the command line, the configuration, a list in a local file, a request with the right to edit.
  case owner
  /// Of a document of the network, such as a list, or of a redirection.
  /// - Parameters:
  ///   - host: the host that sent it, as its address names it; nil when it is not known.
  ///   - address: the address from which it came; nil when it is not known any more.
  case network(host: String?, address: IPAddress?)
  /// Of whoever has cast to a receiver: pictures, names and addresses in what it says it plays.
  /// - Parameter host: the host at which the receiver is; nil when it is not known.
  case receiver(host: String?)
  /// Of a program that has looked behind a page.
  /// - Parameter host: the host of the page; nil when it is not known.
  case resolver(host: String?)

  /// The words, for messages: `what 192.0.2.7 names`.
  var words: String {
    switch self {
    case .owner: "the owner's words"
    case .network(let host?, _): "what \(host) names"
    case .network(nil, _): "what a list of the network names"
    case .receiver: "what a receiver names"
    case .resolver(let host?): "what was found behind a page of \(host)"
    case .resolver(nil): "what was found behind a page"
    }
  }
}

/// The host of an address in the one form in which hosts are compared.
enum HostText {
  /// In lower case, without brackets, the dot of the root and a zone.
  static func plain(_ host: String) -> String {
    var text = host.lowercased()[...]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    if text.contains(":") { text = text.prefix { $0 != "%" } }
    while text.hasSuffix("."), text.count > 1 { text = text.dropLast() }
    return String(text)
  }

  /// Whether it is the name that every computer gives itself (RFC 6761, 6.3).
  static func isLocalhost(_ plain: String) -> Bool { plain == "localhost" || plain.hasSuffix(".localhost") }
}
