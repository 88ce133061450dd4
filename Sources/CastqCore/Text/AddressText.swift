/// Addresses in messages, logs and error documents: user, password, query and fragment may be secrets.
package enum AddressText {
  /// The text with each address in it redacted.
  package static func withoutSecrets(_ text: String) -> String {
    guard text.contains("://") else { return text }
    var rest = Array(text.utf8)[...]
    var result: [UInt8] = []
    while let start = Self.authority(in: rest) {
      result += rest[..<start]
      rest = rest[start...]
      let end = rest.firstIndex(where: isEnd) ?? rest.endIndex
      result += shown(rest[..<end])
      rest = rest[end...]
    }
    return String(decoding: result + rest, as: UTF8.self)
  }

  /// One redacted address, from its authority on.
  private static func shown(_ address: ArraySlice<UInt8>) -> [UInt8] {
    let end = address.firstIndex { "/?#".utf8.contains($0) } ?? address.endIndex
    var authority = address[..<end]
    if let sign = authority.lastIndex(of: UInt8(ascii: "@")) {
      authority = authority[(sign + 1)...]
    } else if authority.suffix(3).elementsEqual(cut) {
      // The text was truncated here, perhaps within a password.
      authority = authority.suffix(3)
    }
    let rest = address[end...]
    guard let mark = rest.firstIndex(where: { "?#".utf8.contains($0) }) else {
      return Array(authority + rest)
    }
    // A text that was redacted before stays unchanged, with the text after it.
    if rest[(mark + 1)...].starts(with: cut) { return Array(authority + rest) }
    // A colon or a full stop after the address belongs to the sentence.
    let sentence = rest.suffix(while: { ":;,.)".utf8.contains($0) })
    return Array(authority) + rest[...mark] + cut + sentence
  }

  private static let cut = Array("…".utf8)

  /// The start of the authority: after `://` with a scheme before it.
  private static func authority(in text: ArraySlice<UInt8>) -> Int? {
    guard text.count > 3 else { return nil }
    for index in text.startIndex..<text.endIndex - 3
    where text[(index + 1)...].starts(with: "://".utf8) {
      if PercentEncoding.isAlphanumeric(text[index]) { return index + 4 }
    }
    return nil
  }

  /// Characters that end an address in a sentence.
  private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'`<>".utf8.contains(byte) }
}

extension ArraySlice<UInt8> {
  /// The longest suffix whose elements all match.
  fileprivate func suffix(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    suffix(from: lastIndex { !isPart($0) }.map { $0 + 1 } ?? startIndex)
  }
}
