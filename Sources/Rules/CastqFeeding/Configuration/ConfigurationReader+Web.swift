import CastqText

/// `web:` of the configuration.
extension ConfigurationReader {
  private enum WebKey: String, CaseIterable { case listen, hosts, tokens, certificate, key }

  mutating func web(_ node: DocumentNode) -> WebRules {
    var rules = WebRules()
    for (key, value) in fields(node, of: "`web`", as: WebKey.self) {
      switch key {
      case .listen: rules.listen = listen(value)
      case .hosts: rules.hosts = hosts(value)
      case .tokens:
        rules.alwaysAsksForToken = isAlways(
          value,
          TextError(
            "`tokens` is always or auto", hint: "auto asks for none where only this computer can connect"))
      case .certificate: rules.certificate = path(value)
      case .key: rules.key = path(value)
      }
    }
    if (rules.certificate == nil) != (rules.key == nil) {
      report(
        node.place,
        TextError("`web` has only one of certificate and key", hint: "TLS needs both, as paths of PEM files"))
    }
    return rules
  }

  mutating func listen(_ node: DocumentNode) -> WebListen? {
    value(node) { () throws(TextError) in try WebListen(node.string ?? "") }
  }

  mutating func hosts(_ node: DocumentNode) -> [String] {
    let nodes = node.list ?? [node]
    return nodes.compactMap { node in
      guard let name = node.string, !name.isEmpty, !name.contains("/"), !name.contains(":") else {
        report(node.place, TextError("this is no host name", hint: "write it as in hosts: [castq.example]"))
        return nil
      }
      return name
    }
  }

  /// Whether the word is `always`, and not `auto`. Anything else is an issue.
  mutating func isAlways(_ node: DocumentNode, _ error: TextError) -> Bool {
    if node.string != "always", node.string != "auto" { report(node.place, error) }
    return node.string == "always"
  }

  private mutating func path(_ node: DocumentNode) -> String? {
    guard let path = node.string, path.hasPrefix("/") else {
      report(node.place, TextError("this is no absolute path", hint: "write it as in /etc/castq/web.pem"))
      return nil
    }
    return path
  }
}
