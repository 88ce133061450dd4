/// The URL of a published file: a secret token, and a name for logs.
///
/// Only the token is compared. The name carries the extension, which some receivers evaluate.
package struct MediaLink: Sendable, Hashable {
  /// Unguessable; constant while the file is published.
  package let token: String
  /// Absolute path of the URL, percent-encoded: `/m/TOKEN/welcome.mp4`.
  package let path: String

  /// The end of the path, without the token.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

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

  /// Whether an address of the web is one that castq gives devices: it is a secret, and opens a file.
  package static func isLink(_ address: String) -> Bool {
    guard address.prefix(7).lowercased() == "http://", let parts = parts(ofTarget: address), parts.name != nil
    else { return false }
    return isAcceptable(token: parts.token)
  }

  /// Whether a token from outside is valid in a URL and long enough for 128 bits.
  static func isAcceptable(token: String) -> Bool {
    (22...128).contains(token.utf8.count) && token.utf8.allSatisfy { isWordByte($0) }
  }

  /// The token in a request target; nil when it is not in the form of a link. Nothing is decoded: a link has one form only. A
  /// query is allowed, because receivers cache pictures by URL (protocol 12.4).
  static func token(inTarget target: String) -> String? { parts(ofTarget: target)?.token }

  /// The name behind the token in a request target, as it was written; nil without one.
  static func name(inTarget target: String) -> String? { parts(ofTarget: target)?.name }

  private static func parts(ofTarget target: String) -> (token: String, name: String?)? {
    let slash = UInt8(ascii: "/")
    var path = target.utf8[...]
    // An absolute target is equivalent to its path (RFC 9112 3.2.2).
    if path.first != slash, String(Substring(path.prefix(7))).lowercased() == "http://" {
      path = path.dropFirst(7).drop { $0 != slash }
    }
    path = path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard path.starts(with: root.utf8) else { return nil }
    let parts = path.dropFirst(root.utf8.count).split(separator: slash, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count == 1 || parts.count == 2, let token = parts.first, !token.isEmpty else { return nil }
    if parts.count == 2, parts[1] == "." || parts[1] == ".." { return nil }
    return (token, parts.count == 2 ? parts[1] : nil)
  }

  private static let root = "/m/"

  private static func harmlessName(_ name: String, contentType: String) -> String {
    let ownEnding = MediaContentType.ending(ofName: name)
    let isOwnRight = ownEnding != nil && MediaContentType.forName(name) != nil
    let stem = ownEnding.map { String(name.dropLast($0.count + 1)) } ?? name
    let ending = isOwnRight ? ownEnding : MediaContentType.ending(forType: contentType) ?? ownEnding
    // The name is cut by characters, not bytes, so that the rest still decodes. Leading dots would make it a hidden file.
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
