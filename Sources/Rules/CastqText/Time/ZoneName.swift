/// The name of a zone of the zone database, such as `Europe/Berlin` or `UTC`.
package struct ZoneName: Sendable, Hashable {
  package let text: String

  package static let utc = ZoneName(known: "UTC")

  private init(known text: String) { self.text = text }

  /// Checks that the name can be one. Names become file names, so a name must not lead out of the folder of the database.
  package init(_ text: String) throws(TextError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard text.utf8.count <= 100, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isLetter) }) else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not the name of a time zone",
        hint: "write it as in Europe/Berlin, or UTC")
    }
    self.text = text
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }
  }
}
