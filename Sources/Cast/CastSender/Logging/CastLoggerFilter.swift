/// Selects the records that a `CastLogger` passes (protocol 17.8).
///
/// The level for a record is that of the last matching function pattern, else that of the last matching class pattern, else
/// `minimumLevel`. If there are message patterns, the message must match one of them, too.
///
///     var filter = CastLoggerFilter(minimumLevel: .debug)
///     filter.setLevel(.none, forClasses: ["TLS*"])
///     filter.setLevel(.verbose, forFunctions: ["Session.end*"])
///     CastLogger.shared.filter = filter
///
/// In every pattern `*` matches any characters and `?` exactly one; matching is case-sensitive. Only the first 128 characters of a
/// pattern and the first 1024 of a text are used.
public struct CastLoggerFilter: Sendable, Hashable {
  /// The lowest level that passes if no pattern matches.
  public var minimumLevel: CastLogLevel

  private struct Rule: Sendable, Hashable {
    var pattern: GlobPattern
    var level: CastLogLevel
  }

  private var classRules: [Rule] = []
  private var functionRules: [Rule] = []
  private var messagePatterns: [GlobPattern] = []

  /// A filter without patterns.
  public init(minimumLevel: CastLogLevel = .info) { self.minimumLevel = minimumLevel }

  /// Sets the level of the classes whose names match any of the patterns, such as `Session` or `Remote*Client`.
  public mutating func setLevel(_ level: CastLogLevel, forClasses patterns: [String]) {
    Self.set(level, for: patterns, in: &classRules)
  }

  /// Sets the level of the functions whose names match any of the patterns. A function is matched by its name (`end`), by its name
  /// with arguments (`end(_:)`), and by either with its class in front (`Session.end`).
  public mutating func setLevel(_ level: CastLogLevel, forFunctions patterns: [String]) {
    Self.set(level, for: patterns, in: &functionRules)
  }

  /// Passes only messages that match one of the patterns, or one that was added before.
  public mutating func addMessagePatterns(_ patterns: [String]) {
    messagePatterns += patterns.map(GlobPattern.init)
  }

  /// Removes all patterns, and resets the minimum level to `info`.
  public mutating func reset() { self = CastLoggerFilter() }

  /// The lowest level that passes for this function of this class.
  public func level(forClass name: String, function: String) -> CastLogLevel {
    if !functionRules.isEmpty {
      let bare = String(function.prefix { $0 != "(" })
      let names = [function, bare, "\(name).\(function)", "\(name).\(bare)"]
      if let rule = functionRules.last(where: { names.contains(where: $0.pattern.matches) }) {
        return rule.level
      }
    }
    return classRules.last { $0.pattern.matches(name) }?.level ?? minimumLevel
  }

  /// Whether a record passes.
  public func allows(_ level: CastLogLevel, class name: String, function: String, message: String) -> Bool {
    self.level(forClass: name, function: function).admits(level)
      && (messagePatterns.isEmpty || messagePatterns.contains { $0.matches(message) })
  }

  /// The lowest level that passes for any function; nil if none does.
  var lowestLevel: CastLogLevel? {
    ([minimumLevel] + classRules.map(\.level) + functionRules.map(\.level)).filter { $0 != .none }.min()
  }

  /// A pattern that is set again moves to the end: the last one applies.
  private static func set(_ level: CastLogLevel, for patterns: [String], in rules: inout [Rule]) {
    let rule = patterns.map { Rule(pattern: GlobPattern($0), level: level) }
    rules.removeAll { old in rule.contains { $0.pattern == old.pattern } }
    rules += rule
  }
}
