import CastProtocol

/// The parts of which a hash of format 2 is made.
enum PlayHash {
  /// The members that a proof may withhold.
  static let placeNames = ["line", "nonce", "source", "url"]

  /// That of a place in the chain.
  /// - Parameter content: the hash of all other words.
  static func chained(
    _ content: String, chain: Int64, previous: String?, _ sha: (String) -> String?
  ) -> String? {
    let members: [String: JSONValue] = [
      "chain": .integer(chain), "content": .string(content),
      "previous": previous.map { .string($0) } ?? .null,
    ]
    return CanonicalText.of(.object(members)).flatMap(sha)
  }

  /// That of address, source and line.
  static func place(_ members: [String: JSONValue], _ sha: (String) -> String?) -> String? {
    CanonicalText.of(.object(members)).flatMap(sha)
  }
}

/// One hash over the hashes of all plays of a proof, in their order. The end has it, so that the signature holds the hashes of plays of
/// format 1 that are not shown.
package struct HashOfRows: Sendable {
  /// 64 zeros before the first.
  package private(set) var value = PlayWords.firstHash

  package init() {}

  package mutating func add(_ hash: String, _ sha: (String) -> String?) { value = sha(value + hash) ?? "" }
}
