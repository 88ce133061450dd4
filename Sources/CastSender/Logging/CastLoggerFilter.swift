/// Which records a `CastLogger` passes on (protocol 17.8).
///
/// The level for a record is that of the last function pattern that matches, else that of the last class pattern that
/// matches, else `minimumLevel`. When there are message patterns, the message has to match one of them as well.
///
///     var filter = CastLoggerFilter(minimumLevel: .debug)
///     filter.setLevel(.none, forClasses: ["TLS*"])
///     filter.setLevel(.verbose, forFunctions: ["Session.end*"])
///     CastLogger.shared.filter = filter
///
/// In every pattern `*` stands for any run of characters and `?` for exactly one; upper and lower case differ. Of a pattern the
/// first 128 characters count, of a text the first 1024.
public struct CastLoggerFilter: Sendable, Hashable {
  /// The least that passes where no pattern says otherwise.
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

  /// Sets the level of the functions whose names match any of the patterns. A function is called by its name (`end`), by its
  /// name with arguments (`end(_:)`), and by either with its class in front (`Session.end`).
  public mutating func setLevel(_ level: CastLogLevel, forFunctions patterns: [String]) {
    Self.set(level, for: patterns, in: &functionRules)
  }

  /// Lets only messages pass that match one of the patterns, or one that was added before.
  public mutating func addMessagePatterns(_ patterns: [String]) {
    messagePatterns += patterns.map(GlobPattern.init)
  }

  /// Forgets all patterns, and sets the minimum level back to `info`.
  public mutating func reset() { self = CastLoggerFilter() }

  /// The least that passes from this function of this class.
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

  /// The least that passes from anywhere; nil when nothing does.
  var lowestLevel: CastLogLevel? {
    ([minimumLevel] + classRules.map(\.level) + functionRules.map(\.level)).filter { $0 != .none }.min()
  }

  /// A pattern that is set again takes its new place: the last word counts.
  private static func set(_ level: CastLogLevel, for patterns: [String], in rules: inout [Rule]) {
    let rule = patterns.map { Rule(pattern: GlobPattern($0), level: level) }
    rules.removeAll { old in rule.contains { $0.pattern == old.pattern } }
    rules += rule
  }
}
