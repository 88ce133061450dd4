package import CastProtocol
package import CastqText

/// What came of a command.
package enum LiveReply {
  /// Characters of a message that are sent.
  private static let longest = 2000

  /// The document of a reply. Its message may quote addresses, and a broker is not the owner.
  package static func document(
    _ id: String?, _ device: String, at moment: WallTime, exit: Int, error: (code: String, message: String)?
  ) -> JSONValue {
    [
      "id": id.map { .string($0) } ?? .null, "device": .string(device), "at": .string(RFC3339.text(moment)),
      "exit": .integer(Int64(exit)),
      "error": error.map {
        [
          "code": .string($0.code),
          "message": .string(String(AddressText.withoutSecrets(words: $0.message).prefix(longest))),
        ]
      } ?? .null,
    ]
  }
}
