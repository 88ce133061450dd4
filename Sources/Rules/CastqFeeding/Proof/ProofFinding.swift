/// What is wrong with a proof, at one place.
package struct ProofFinding: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The words of a play are not those that were hashed.
    case changed
    /// Plays are missing.
    case removed
    /// A line that does not belong to the proof.
    case putIn = "put_in"
    /// Two plays have changed places.
    case swapped
    /// A play does not stand at its place.
    case moved
    /// The header is missing, or not the one that was signed.
    case header
    /// The end is missing or not readable.
    case end
    /// The signature does not fit.
    case signature
  }

  package let kind: Kind
  /// The line in the file, from 1; nil for what is not there.
  package let line: Int?
  /// For a clock: the lines up to the last one; nil otherwise.
  package var lines: ClosedRange<Int>?
  /// The places in the chain; nil when they are unknown.
  package let chain: ClosedRange<Int64>?
  /// In words, without a full stop.
  package let words: String

  init(_ kind: Kind, line: Int? = nil, chain: ClosedRange<Int64>? = nil, _ words: String) {
    self.kind = kind
    self.line = line
    self.chain = chain
    self.words = words
  }

  /// Of a line: `words` is nil for what is no line of a proof.
  init(_ kind: Kind, line: Int, chain: ClosedRange<Int64>? = nil, of words: String?, _ verb: String) {
    self.init(kind, line: line, chain: chain, words.map { "\($0) \(verb)" } ?? Self.stray)
  }

  private static let stray = "not a line of a proof"

  /// `line 7: play 12 "Welcome" on lobby was changed`.
  package var text: String {
    line.map { words == Self.stray ? "line \($0) is \(words)" : "line \($0): \(words)" } ?? words
  }
}

/// Findings in their order, the first thousand of them.
struct ProofFindings: Sendable {
  static let limit = 1000
  private(set) var all: [ProofFinding] = []
  private(set) var count = 0

  mutating func add(_ finding: ProofFinding) {
    count += 1
    if all.count < Self.limit { all.append(finding) }
  }
}

/// What a proof is checked with: the hash and the signatures are another module's.
package struct ProofChecks: Sendable {
  /// SHA-256 of a text in UTF-8, as 64 lower-case hexadecimal digits; nil when it cannot be computed.
  package let hash: @Sendable (String) -> String?
  /// Whether an Ed25519 signature fits a text; all of them are base64, the key of its SubjectPublicKeyInfo.
  package let verifies: @Sendable (_ signature: String, _ text: String, _ key: String) -> Bool

  package init(
    hash: @escaping @Sendable (String) -> String?,
    verifies: @escaping @Sendable (_ signature: String, _ text: String, _ key: String) -> Bool
  ) {
    self.hash = hash
    self.verifies = verifies
  }
}
