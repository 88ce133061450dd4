/// The members of one object during decoding: removed ones are known, the rest is kept as unknown.
package struct JSONMembers {
  /// The remaining members; `null` members are removed, because absent and `null` are equivalent (protocol 18, quirk 40).
  package private(set) var rest: [String: JSONValue]

  /// Nil when the value is not an object.
  package init?(_ value: JSONValue?) {
    guard let members = value?.object else { return nil }
    rest = members.filter { $0.value != .null }
  }

  /// Removes and returns one member.
  package mutating func take(_ key: String) -> JSONValue? { rest.removeValue(forKey: key) }
}

extension JSONValue {
  /// This object with additional members; its own take precedence.
  package func keeping(_ unknown: [String: JSONValue]) -> JSONValue {
    guard case .object(let members) = self, !unknown.isEmpty else { return self }
    return .object(members.merging(unknown, uniquingKeysWith: { own, _ in own }))
  }
}

extension Optional where Wrapped == JSONValue {
  /// All elements that can be decoded as `Element`; others are skipped. Nil when there is no array.
  package func list<Element>(_ read: (JSONValue) -> Element?) -> [Element]? { self?.array?.compactMap(read) }
}
