/// The members of one object while it is read: what has been taken is known, what is left is kept as unknown.
package struct JSONMembers {
  /// What nobody has taken; `null` members are gone, since absent and `null` mean the same (protocol 18, quirk 40).
  package private(set) var rest: [String: JSONValue]

  /// Nil when the value is no object.
  package init?(_ value: JSONValue?) {
    guard let members = value?.object else { return nil }
    rest = members.filter { $0.value != .null }
  }

  /// Removes and returns one member.
  package mutating func take(_ key: String) -> JSONValue? { rest.removeValue(forKey: key) }
}

extension JSONValue {
  /// This object with members added that it does not have itself.
  package func keeping(_ unknown: [String: JSONValue]) -> JSONValue {
    guard case .object(let members) = self, !unknown.isEmpty else { return self }
    return .object(members.merging(unknown, uniquingKeysWith: { own, _ in own }))
  }
}

extension Optional where Wrapped == JSONValue {
  /// Every element that can be read as `Element`; elements of another shape are passed over. Nil when there is no array.
  package func list<Element>(_ read: (JSONValue) -> Element?) -> [Element]? { self?.array?.compactMap(read) }
}
