import CastProtocol
import Logging

/// Takes secrets out of what is logged: every record passes through it, whoever wrote it.
///
/// Gone are: the values of members and facts that are called credentials, tokens, passwords and the like; custom data, which is
/// the application's own affair; and of addresses the user, the query, the fragment, and long random parts of the path, which
/// are passwords by another name.
struct Redaction: Sendable {
  static let standard = Redaction()

  /// What stands in the place of a secret.
  static let mark = "[removed]"

  /// Parts of names, in lower case, that mark a secret.
  private static let secretNames = [
    "credential", "token", "password", "passwd", "secret", "authorization", "cookie", "customdata", "apikey",
    "api_key",
  ]

  /// Whether what goes by this name is a secret.
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

  /// A text of any kind; one that is JSON is gone through member by member.
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

  /// What is an address by its name needs no scheme to be one: its query goes in any case.
  private func named(_ value: JSONValue, _ name: String) -> JSONValue {
    let name = name.lowercased()
    guard case .string(let text) = value, name.hasSuffix("url") || name == "contentid" || name == "entity"
    else {
      return json(value)
    }
    return .string(AddressRedaction.redactedAddress(text))
  }
}
