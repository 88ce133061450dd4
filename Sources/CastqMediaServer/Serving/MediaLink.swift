/// A published file as its URL names it: a secret, then a name for people who read logs.
///
/// Only the secret counts when a request is answered. The name carries the extension, which some receivers look at.
package struct MediaLink: Sendable, Hashable {
  /// Unguessable; the same for as long as the file is published.
  package let token: String
  /// Absolute path of the URL, percent-encoded: `/m/TOKEN/welcome.mp4`.
  package let path: String

  init(token: String, fileName: String, contentType: String) {
    self.token = token
    path = Self.root + token + "/" + Self.harmlessName(fileName, contentType: contentType)
  }

  /// 128 random bits in hexadecimal.
  static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  /// Whether a token from outside can stand in a URL as it is and be long enough to hold 128 bits.
  static func isAcceptable(token: String) -> Bool {
    (22...128).contains(token.utf8.count) && token.utf8.allSatisfy { isWordByte($0) }
  }

  /// The token that a request target names, nil when it has not the form of a link. Nothing is decoded: a link is
  /// written in one way only. A query is allowed, because receivers cache pictures by URL (protocol 12.4).
  static func token(inTarget target: String) -> String? {
    var path = Substring(target)
    // An absolute target is as good as its path (RFC 9112 3.2.2).
    if path.prefix(7).lowercased() == "http://" {
      path = path.dropFirst(7).drop { $0 != "/" }
    }
    path = path.prefix { $0 != "?" && $0 != "#" }
    guard path.hasPrefix(root) else { return nil }
    let parts = path.dropFirst(root.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2, let token = parts.first, !token.isEmpty else { return nil }
    if parts.count == 2, parts[1] == "." || parts[1] == ".." { return nil }
    return String(token)
  }

  private static let root = "/m/"

  private static func harmlessName(_ name: String, contentType: String) -> String {
    let ownEnding = MediaContentType.ending(ofName: name)
    let isOwnRight = ownEnding != nil && MediaContentType.forName(name) != nil
    let stem = ownEnding.map { String(name.dropLast($0.count + 1)) } ?? name
    let ending = isOwnRight ? ownEnding : MediaContentType.ending(forType: contentType) ?? ownEnding
    // Characters, not bytes, are cut, so that the rest still decodes. Leading dots would make a hidden file of it.
    var short = ""
    for character in stem.drop(while: { $0 == "." }) {
      guard short.utf8.count + character.utf8.count <= 60 else { break }
      short.append(character)
    }
    return encoded(short.isEmpty ? "media" : short) + (ending.map { "." + encoded($0) } ?? "")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      if isWordByte(byte) || byte == UInt8(ascii: ".") {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
