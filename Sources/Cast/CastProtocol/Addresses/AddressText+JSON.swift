/// Documents that leave the computer's owner.
extension AddressText {
  /// Parts of names, in lower case, that mark a secret.
  private static let secretNames = [
    "credential", "token", "password", "passwd", "secret", "authorization", "cookie", "customdata",
    "custom_data",
    "apikey", "api_key",
  ]

  /// Whether the value with this name is a secret: what says who somebody is, headers that do, and custom data, which belongs to the
  /// application.
  package static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return secretNames.contains { name.contains($0) } || name.hasSuffix("headers")
  }

  /// A document with each address in its texts hidden, and without secret values, at any depth. Its form stays.
  package static func withoutSecrets(_ value: JSONValue, hidesKeys: Bool = false) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.reduce(into: [:]) { result, member in
          let name = withoutSecrets(member.key, hidesKeys: hidesKeys)
          guard member.value != .null, isSecret(member.key) else {
            return result[name] = named(member.value, member.key, hidesKeys)
          }
          result[name] = .string(mark)
        })
    case .array(let values): .array(values.map { withoutSecrets($0, hidesKeys: hidesKeys) })
    case .string(let text): .string(withoutSecrets(words: text, hidesKeys: hidesKeys))
    case .null, .bool, .integer, .number: value
    }
  }

  /// Words, which may be a document themselves: that is hidden member by member.
  package static func withoutSecrets(words: String, hidesKeys: Bool = false) -> String {
    if words.hasPrefix("{") || words.hasPrefix("["), let value = try? JSONValue(parsing: words) {
      let shown = withoutSecrets(value, hidesKeys: hidesKeys)
      return shown == value ? words : shown.text
    }
    return withoutSecrets(words, hidesKeys: hidesKeys)
  }

  /// A value whose name marks an address needs no scheme, and ends with its text.
  private static func named(_ value: JSONValue, _ name: String, _ hidesKeys: Bool) -> JSONValue {
    let name = name.lowercased()
    guard case .string(let text) = value,
      name.hasSuffix("url") || ["contentid", "entity", "image"].contains(name)
    else { return withoutSecrets(value, hidesKeys: hidesKeys) }
    return .string(withoutSecrets(address: text, hidesKeys: hidesKeys))
  }
}
