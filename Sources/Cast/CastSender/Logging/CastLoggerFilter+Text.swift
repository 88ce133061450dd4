extension CastLoggerFilter {
  /// An error in the text of a filter.
  public struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The invalid part, as written.
    public var part: String
    /// The error in it.
    public var reason: String

    /// A message for a person.
    public var description: String { "'\(part)' \(reason)" }
  }

  /// Parses a filter from text, for example from an environment variable: `debug,TLS*=none`.
  ///
  /// The parts are separated by commas. A level alone is the minimum level and may occur once, anywhere; without it the minimum is
  /// `none`. `CLASS=LEVEL` sets the level of classes; of several matching parts the last applies. Levels are `none`, `verbose`,
  /// `debug`, `info`, `warning`, `error` and `assert`; `trace` and `warn` are accepted, too.
  /// - Throws: `TextError` for any other text: a misspelt filter must not silence the log.
  public init(_ text: String) throws(TextError) {
    self.init(minimumLevel: .none)
    var hasMinimum = false
    let parts = text.split(separator: ",", maxSplits: Self.partLimit, omittingEmptySubsequences: false)
    guard parts.count <= Self.partLimit else {
      throw TextError(part: "…", reason: "exceeds the limit of \(Self.partLimit) parts")
    }
    for part in parts {
      let part = String(part)
      guard let sign = part.firstIndex(of: "=") else {
        guard !hasMinimum else { throw TextError(part: part, reason: "is a second minimum level") }
        minimumLevel = try Self.level(part, in: part)
        hasMinimum = true
        continue
      }
      let pattern = part[..<sign]
      guard !pattern.isEmpty, pattern.utf8.count <= GlobPattern.patternLimit,
        pattern.utf8.allSatisfy(Self.isPatternByte)
      else {
        throw TextError(
          part: part, reason: "does not begin with a class name; names are letters, digits and _ with * and ?"
        )
      }
      setLevel(
        try Self.level(String(part[part.index(after: sign)...]), in: part), forClasses: [String(pattern)])
    }
  }

  private static let partLimit = 64

  private static func level(_ word: String, in part: String) throws(TextError) -> CastLogLevel {
    guard let level = CastLogLevel(word: word) else {
      let words = CastLogLevel.allCases.map(\.word).joined(separator: ", ")
      throw TextError(part: part, reason: "is not a level; levels are \(words)")
    }
    return level
  }

  private static func isPatternByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: "?"):
      true
    default: false
    }
  }
}
