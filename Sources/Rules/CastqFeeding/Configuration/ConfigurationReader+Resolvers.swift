import CastProtocol
import CastqPlaylists
import CastqText

/// Reads `resolvers`: a list of `{match: HOST, run: PROGRAM, time: 30s}`.
extension ConfigurationReader {
  private enum ResolverKey: String, CaseIterable { case match, run, time }

  /// Rules and patterns beyond these are a mistake.
  private static let mostRules = 100

  /// The rules of the configuration, in its order.
  mutating func resolvers(_ node: DocumentNode) -> ResolverRules {
    if case .scalar(.null, _) = node.content { return ResolverRules() }
    guard let nodes = node.list else {
      report(
        node.place,
        TextError(
          "expected a list of resolvers, found \(node.kindName)",
          hint: "write `- {match: example.org, run: yt-dlp}`"))
      return ResolverRules()
    }
    if nodes.count > Self.mostRules {
      report(node.place, TextError("more than \(Self.mostRules) resolvers"))
    }
    var rules: [ResolverRule] = []
    for node in nodes.prefix(Self.mostRules) {
      if let rule = resolver(node) { rules.append(rule) }
    }
    return ResolverRules(rules)
  }

  private mutating func resolver(_ node: DocumentNode) -> ResolverRule? {
    var patterns: [AddressPattern] = []
    var command: [String] = []
    var time = ResolverRule.standardTime
    var keys: Set<ResolverKey> = []
    guard node.mapping != nil else {
      report(
        node.place,
        TextError(
          "expected a resolver, found \(node.kindName)", hint: "write {match: example.org, run: yt-dlp}"))
      return nil
    }
    for (key, value) in fields(node, of: "a resolver", as: ResolverKey.self) {
      keys.insert(key)
      switch key {
      case .match: patterns = self.patterns(value)
      case .run: command = self.command(value)
      case .time: time = self.time(value) ?? time
      }
    }
    for (key, what) in [(ResolverKey.match, "which hosts it is for"), (.run, "which program it runs")]
    where !keys.contains(key) {
      report(node.place, TextError("a resolver needs `\(key.rawValue)`: \(what)"))
    }
    return patterns.isEmpty || command.isEmpty
      ? nil : ResolverRule(patterns: patterns, command: command, time: time)
  }

  private mutating func patterns(_ node: DocumentNode) -> [AddressPattern] {
    let nodes = node.list ?? [node]
    if nodes.isEmpty || nodes.count > Self.mostRules {
      report(node.place, TextError("`match` has 1 to \(Self.mostRules) hosts"))
    }
    return nodes.prefix(Self.mostRules).compactMap { node in
      value(node) { () throws(TextError) in
        // Without quotes YAML may read a host with a port as a number; its text is what was written.
        guard case .scalar(let value, let text) = node.content, value != .null else {
          throw TextError("\(node.shown) is not a host", hint: "write one such as example.org")
        }
        return try AddressPattern(text)
      }
    }
  }

  /// A program, or a list of a program and its first arguments. No shell reads it.
  mutating func command(_ node: DocumentNode) -> [String] {
    let nodes = node.list ?? [node]
    let words = nodes.compactMap { node -> String? in
      guard case .scalar(let value, let text) = node.content, value != .null else { return nil }
      return text
    }
    guard let program = words.first, !program.isEmpty, words.count == nodes.count, words.count <= 100,
      words.allSatisfy({ !$0.utf8.contains(0) })
    else {
      report(
        node.place,
        TextError("\(node.shown) is not a program", hint: "write a name, a path, or [program, argument, …]"))
      return []
    }
    guard !program.contains(where: \.isWhitespace) || program.hasPrefix("/") else {
      report(
        node.place,
        TextError(
          "`\(TerminalText.excerpt(program))` is not the name of a program",
          hint: "no shell reads it: write [program, argument, …]"))
      return []
    }
    guard program.hasPrefix("/") || !program.contains("/") else {
      report(
        node.place,
        TextError(
          "`\(TerminalText.excerpt(program))` depends on where castq is started",
          hint: "write its whole path, from the first slash on"))
      return []
    }
    return words
  }

  private mutating func time(_ node: DocumentNode) -> Duration? {
    value(node) { () throws(TextError) in
      guard case .scalar(let value, let text) = node.content, value != .null else {
        throw TextError("\(node.shown) is not a duration", hint: "write one such as 30s")
      }
      let seconds = try DurationText.seconds(text)
      guard ResolverRule.times.contains(seconds) else {
        throw TextError("a resolver has 1 s to 10 min", hint: "write one such as 30s")
      }
      return .bounded(seconds: seconds)
    }
  }
}
