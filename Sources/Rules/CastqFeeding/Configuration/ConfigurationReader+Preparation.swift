import CastqText

extension ConfigurationReader {
  private enum Key: String, CaseIterable {
    case allow
    case onDemand = "on_demand"
    case live, budget, folder, hours
  }

  /// What is converted, from the `prepare` of a configuration.
  mutating func preparation(_ node: DocumentNode) -> PreparationRules {
    var rules = PreparationRules()
    for (key, value) in fields(node, of: "`prepare`", as: Key.self) {
      switch key {
      case .allow: rules.allow = allowance(value) ?? rules.allow
      case .onDemand: rules.onDemand = allowance(value) ?? rules.onDemand
      case .live: rules.isLive = isOn(value) ?? rules.isLive
      case .budget: rules.budget = size(value) ?? rules.budget
      case .folder: rules.folder = folder(value) ?? rules.folder
      case .hours: rules.hours = hours(value) ?? rules.hours
      }
    }
    return rules
  }

  /// The name of a model, as devices announce it.
  mutating func model(_ node: DocumentNode) -> String? {
    guard let text = node.string, (1...100).contains(text.utf8.count) else {
      report(node.place, TextError("\(node.shown) is not a model", hint: "write it as in Chromecast Ultra"))
      return nil
    }
    return text
  }

  private mutating func allowance(_ node: DocumentNode) -> PreparationRules.Allowance? {
    // YAML reads a bare `off` as false in some versions; its text is what was written.
    guard case .scalar(_, let text) = node.content, let allowance = PreparationRules.Allowance(rawValue: text)
    else {
      report(
        node.place, TextError("\(node.shown) is not valid here", hint: "write off, remux, audio or video"))
      return nil
    }
    return allowance
  }

  private mutating func isOn(_ node: DocumentNode) -> Bool? {
    // YAML reads bare words as truth values in some versions; their text is what was written.
    if case .scalar(_, let text) = node.content {
      if ["on", "true", "yes"].contains(text) { return true }
      if ["off", "false", "no"].contains(text) { return false }
    }
    report(node.place, TextError("\(node.shown) is not valid here", hint: "write on or off"))
    return nil
  }

  private mutating func size(_ node: DocumentNode) -> Int? {
    value(node) { () throws(TextError) in
      guard case .scalar(_, let text) = node.content else {
        throw TextError("\(node.shown) is not a size", hint: "write it as in 20GB, 500MB or 2GiB")
      }
      return try ByteSizeText.bytes(text)
    }
  }

  private mutating func folder(_ node: DocumentNode) -> String? {
    guard let text = node.string, text.hasPrefix("/"), !text.utf8.contains(0), text.utf8.count <= 4096 else {
      report(
        node.place,
        TextError("\(node.shown) is not the path of a folder", hint: "write it as in /var/cache/castq"))
      return nil
    }
    return text
  }
}
