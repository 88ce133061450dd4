import CastProtocol
import CastqText

/// Reads `hooks`: a list of `{on: dark>60s, run: PROGRAM}` and `{on: failed, post: ADDRESS, secret: TEXT}`.
extension ConfigurationReader {
  private enum HookKey: String, CaseIterable {
    case on, run, post, secret, within
    case secretFile = "secret_file"
  }

  private static let mostHooks = 100

  mutating func hooks(_ node: DocumentNode) -> [HookRule] {
    if case .scalar(.null, _) = node.content { return [] }
    guard let nodes = node.list else {
      report(
        node.place,
        TextError(
          "expected a list of hooks, found \(node.kindName)",
          hint: "write `- {on: dark>60s, run: [/usr/local/bin/page-me]}`"))
      return []
    }
    if nodes.count > Self.mostHooks { report(node.place, TextError("more than \(Self.mostHooks) hooks")) }
    var rules: [HookRule] = []
    for node in nodes.prefix(Self.mostHooks) { if let rule = hook(node) { rules.append(rule) } }
    return rules
  }

  private mutating func hook(_ node: DocumentNode) -> HookRule? {
    var triggers: Set<HookRule.Trigger> = []
    var targets: [HookRule.Target] = []
    var secret: HookRule.Secret?
    var limit: Duration?
    var isMistaken = false
    for (key, value) in fields(node, of: "a hook", as: HookKey.self) {
      switch key {
      case .on: triggers = self.triggers(value)
      case .run:
        let words = command(value)
        isMistaken = isMistaken || words.isEmpty
        if !words.isEmpty { targets.append(.run(words)) }
      case .post:
        let address = postAddress(value)
        isMistaken = isMistaken || address == nil
        if let address { targets.append(.post(address)) }
      case .within: limit = hookLimit(value)
      case .secret: secret = secretText(value).map { .text($0) } ?? secret
      case .secretFile: secret = secretPath(value).map { .file($0) } ?? secret
      }
    }
    guard let target = targets.first, targets.count == 1 else {
      if !isMistaken {
        report(
          node.place,
          TextError("a hook has `run` or `post`, one of the two", hint: "write two hooks for both"))
      }
      return nil
    }
    guard !triggers.isEmpty else {
      report(node.place, TextError("a hook needs `on`", hint: "write dark>60s, failed, takeover or list"))
      return nil
    }
    if secret != nil, case .run = target {
      report(node.place, TextError("a program is not sent anything that a secret could sign"))
    }
    return HookRule(triggers: triggers, target: target, secret: secret, limit: limit)
  }

  private mutating func hookLimit(_ node: DocumentNode) -> Duration? {
    guard let seconds = node.string.flatMap({ try? DurationText.seconds($0) }), (1...600).contains(seconds)
    else {
      report(node.place, TextError("expected how long a hook may take", hint: "write 1s to 10m"))
      return nil
    }
    return .bounded(seconds: seconds)
  }

  private mutating func triggers(_ node: DocumentNode) -> Set<HookRule.Trigger> {
    Set(
      (node.list ?? [node]).prefix(20).compactMap { node in
        value(node) { () throws(TextError) in try HookRule.Trigger(node.string ?? "") }
      })
  }

  /// An address may hold a key, so that no message quotes it.
  private mutating func postAddress(_ node: DocumentNode) -> String? {
    guard let text = node.string, text.utf8.count <= 2000,
      ["http://", "https://"].contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else {
      report(node.place, TextError("this is no address", hint: "write it as in https://ops.example/hook"))
      return nil
    }
    return text
  }

  private mutating func secretText(_ node: DocumentNode) -> String? {
    guard case .scalar(let value, let text) = node.content, value != .null,
      (8...1000).contains(text.utf8.count)
    else {
      report(node.place, TextError("a secret has 8 to 1000 bytes"))
      return nil
    }
    return text
  }

  private mutating func secretPath(_ node: DocumentNode) -> String? {
    guard let path = node.string, path.hasPrefix("/"), path.utf8.count <= 4096, !path.utf8.contains(0) else {
      report(
        node.place, TextError("this is no absolute path", hint: "write it as in /etc/castq/hook.secret"))
      return nil
    }
    return path
  }
}
