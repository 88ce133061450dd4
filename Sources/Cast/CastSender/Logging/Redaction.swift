import CastProtocol
import Logging

/// Hides secrets in every log record, of every library: what `AddressText` hides, and random parts of paths, which often serve as
/// passwords.
struct Redaction: Sendable {
  static let standard = Redaction()

  func metadata(_ metadata: Logger.Metadata) -> Logger.Metadata {
    metadata.reduce(into: [:]) {
      $0[$1.key] = AddressText.isSecret($1.key) ? .string(AddressText.mark) : value($1.value)
    }
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
  func text(_ text: String) -> String { AddressText.withoutSecrets(words: text, hidesKeys: true) }
}
