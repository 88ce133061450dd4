import CastProtocol
import Logging

/// Removes secrets from every log record, of every library.
///
/// Removed are: the values of members and metadata that are called credentials, tokens, passwords and the like; custom data, which
/// belongs to the application; and the user, the query, the fragment and long random parts of the path of addresses, which often
/// serve as passwords.
struct Redaction: Sendable {
  static let standard = Redaction()

  /// The replacement for a secret.
  static let mark = "[removed]"

  /// Parts of names, in lower case, that mark a secret.
  private static let secretNames = [
    "credential", "token", "password", "passwd", "secret", "authorization", "cookie", "customdata", "apikey",
    "api_key",
  ]

  /// Whether the value with this name is a secret.
  func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return Self.secretNames.contains { name.contains($0) }
  }

  func metadata(_ metadata: Logger.Metadata) -> Logger.Metadata {
    metadata.reduce(into: [:]) { $0[$1.key] = isSecret($1.key) ? .string(Self.mark) : value($1.value) }
  }

  private func value(_ value: Logger.MetadataValue) -> Logger.MetadataValue {
    switch value {
    case .string(let text): .string(self.text(text))
    case .stringConvertible(let some): .string(text("\(some)"))
    case .array(let values): .array(values.map { self.value($0) })
    case .dictionary(let members): .dictionary(metadata(members))
    }
  }

  /// Redacts any text; JSON is redacted member by member.
  func text(_ text: String) -> String {
    if text.hasPrefix("{") || text.hasPrefix("["), let json = try? JSONValue(parsing: text) {
      return self.json(json).text
    }
    return AddressRedaction.redacted(text)
  }

  func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.reduce(into: [:]) { result, member in
          result[member.key] = isSecret(member.key) ? .string(Self.mark) : named(member.value, member.key)
        })
    case .array(let values): .array(values.map { json($0) })
    case .string(let text): .string(self.text(text))
    case .null, .bool, .integer, .number: value
    }
  }

  /// A value whose name marks an address needs no scheme: its query is removed in any case.
  private func named(_ value: JSONValue, _ name: String) -> JSONValue {
    let name = name.lowercased()
    guard case .string(let text) = value, name.hasSuffix("url") || name == "contentid" || name == "entity"
    else {
      return json(value)
    }
    return .string(AddressRedaction.redactedAddress(text))
  }
}
