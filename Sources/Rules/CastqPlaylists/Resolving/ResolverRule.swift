package import CastqText

/// Which program finds out the address of the media behind a page, and for which pages.
package struct ResolverRule: Sendable, Hashable {
  /// It is for an address that one of these matches; at least one.
  package var patterns: [AddressPattern]
  /// The program and its first arguments; at least one.
  package var command: [String]
  /// How long it may take.
  package var time: Duration

  /// Where nothing is said; a page takes `yt-dlp` 3 to 10 s.
  package static let standardTime = Duration.seconds(30)
  /// A longer one would keep an entry from its turn for too long.
  package static let times: ClosedRange<Double> = 1...600

  package init(patterns: [AddressPattern], command: [String], time: Duration = Self.standardTime) {
    self.patterns = patterns
    self.command = command
    self.time = time
  }

  /// The program: a name, or an absolute path.
  package var program: String { command.first ?? "" }

  /// Whether the program is `yt-dlp`, which castq asks in its own way and whose document it reads.
  package var isYtDlp: Bool { program.split(separator: "/").last == "yt-dlp" }

  /// The arguments for a page. The address comes last, and after `--` where the program knows that.
  package func arguments(for page: String) -> [String] {
    let given = Array(command.dropFirst())
    guard isYtDlp else { return given + [page] }
    // What a person has configured for downloads is not meant for a television.
    return ["--ignore-config", "--no-cache-dir"] + given
      + ["--dump-single-json", "--no-playlist", "--no-warnings", "--", page]
  }
}

/// The resolvers of a configuration.
package struct ResolverRules: Sendable, Hashable {
  /// In the order of the file.
  package var rules: [ResolverRule]

  package init(_ rules: [ResolverRule] = []) { self.rules = rules }

  /// The first rule that matches; nil when the address is played as it is.
  package func rule(for address: String) -> ResolverRule? {
    guard !rules.isEmpty, let address = try? WebAddress(address) else { return nil }
    return rule(for: address)
  }

  /// The first rule that matches; nil when the address is played as it is.
  package func rule(for address: WebAddress) -> ResolverRule? {
    rules.first { rule in rule.patterns.contains { $0.matches(address) } }
  }
}
