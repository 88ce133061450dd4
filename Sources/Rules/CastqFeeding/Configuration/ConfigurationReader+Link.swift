import CastProtocol
import CastqText

/// `link:` of the configuration.
extension ConfigurationReader {
  private enum LinkKey: String, CaseIterable {
    case site, postgres, mqtt, discovery, bundle
    case bundleKey = "bundle_key"
  }

  mutating func link(_ node: DocumentNode) -> LinkRules {
    var rules = LinkRules()
    for (key, value) in fields(node, of: "`link`", as: LinkKey.self) {
      switch key {
      case .site: rules.site = site(value)
      case .postgres:
        rules.postgres = address(
          value, of: ["postgres://", "postgresql://"], such: "postgres://HOST/DATABASE")
      case .mqtt: rules.mqtt = address(value, of: ["mqtt://", "mqtts://"], such: "mqtt://HOST:1883")
      case .discovery: rules.discovery = discovery(value)
      case .bundle: rules.bundle = source(value)
      case .bundleKey: rules.bundleKey = source(value, isFile: true)
      }
    }
    return rules
  }

  private mutating func site(_ node: DocumentNode) -> String? {
    // YAML reads a site called 7 as a number; its text is what was written.
    guard case .scalar(let value, let text) = node.content, value != .null, LinkRules.isSite(text) else {
      report(
        node.place,
        TextError(
          "\(node.shown) is not the name of a site",
          hint: "write letters, digits, hyphens, dots and underscores, at most 64"))
      return nil
    }
    return text
  }

  /// An address may hold a password, so that no message quotes it.
  private mutating func address(_ node: DocumentNode, of schemes: [String], such example: String) -> String? {
    guard let text = node.string, text.utf8.count <= 2000, !text.utf8.contains(0),
      schemes.contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count })
    else {
      report(node.place, TextError("this is not an address of that kind", hint: "write it as in \(example)"))
      return nil
    }
    return text
  }

  private mutating func discovery(_ node: DocumentNode) -> String? {
    guard case .scalar(_, let text) = node.content, text != "off", LinkRules.isSite(text) else {
      if node.string == "off" || node.shown == "`off`" { return nil }
      report(
        node.place,
        TextError("\(node.shown) is not a topic", hint: "write one such as homeassistant, or off"))
      return nil
    }
    return text
  }

  private mutating func source(_ node: DocumentNode, isFile: Bool = false) -> String? {
    guard let text = node.string, text.utf8.count <= 4096, !text.utf8.contains(0),
      text.hasPrefix("/") || !isFile && ["http://", "https://"].contains(where: text.hasPrefix)
    else {
      report(
        node.place,
        TextError(
          isFile ? "this is no absolute path" : "this is neither an absolute path nor an address",
          hint: isFile
            ? "write it as in /etc/castq/bundle.pem" : "write it as in https://centre.example/site.bundle"))
      return nil
    }
    return text
  }
}
