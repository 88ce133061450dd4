import CastProtocol
import CastqText

/// The members of a resolver's document. Each is checked: a resolver is a program that reads pages of strangers.
struct ResolverFields {
  let root: JSONValue
  let program: String

  /// - Parameter bytes: the whole output of the program.
  init(_ bytes: [UInt8], of program: String) throws(LinkFailure) {
    self.program = program
    let root: JSONValue
    do throws(JSONError) { root = try JSONValue(parsing: bytes) } catch {
      throw LinkFailure(
        bytes.isEmpty
          ? "\(program) wrote nothing"
          : "\(program) wrote no JSON document: \(error.reason) at byte \(error.offset + 1)")
    }
    guard root.object != nil else { throw LinkFailure("\(program) wrote no JSON object") }
    self.root = root
  }

  init(root: JSONValue, program: String) {
    self.root = root
    self.program = program
  }

  private func value(_ key: String) -> JSONValue? { root[key].flatMap { $0 == .null ? nil : $0 } }

  func failure(_ key: String, _ words: String) -> LinkFailure {
    LinkFailure("\(program) returned `\(key)`, which \(words)")
  }

  /// A text; nil when it is absent.
  func text(_ key: String) throws(LinkFailure) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else { throw failure(key, "is not text") }
    return text
  }

  /// A finite number from 0; nil when it is absent.
  func number(_ key: String) throws(LinkFailure) -> Double? {
    guard let value = value(key) else { return nil }
    guard let number = value.double, number.isFinite, (0...1e10).contains(number) else {
      throw failure(key, "is not a number of seconds")
    }
    return number
  }

  func bool(_ key: String) throws(LinkFailure) -> Bool {
    guard let value = value(key) else { return false }
    guard let bool = value.bool else { throw failure(key, "is not true or false") }
    return bool
  }

  /// A content type that a media receiver may play; nil when it is absent.
  func contentType(_ key: String) throws(LinkFailure) -> String? {
    guard let text = try text(key) else { return nil }
    guard ContentTypes.isWellFormed(text) else { throw failure(key, "is not a content type") }
    let type = WebAnswer(contentType: text)
    guard !type.isForeign else { throw failure(key, "is \(type.contentType ?? ""): no media") }
    return text.lowercased()
  }

  /// An address that a device can fetch.
  func url(_ text: String?, named key: String) throws(LinkFailure) -> String {
    guard let text, !text.isEmpty else { throw LinkFailure("\(program) returned no `\(key)`") }
    let address: WebAddress
    do throws(TextError) { address = try WebAddress(text) } catch {
      throw failure(key, "a device cannot fetch (`\(TerminalText.excerpt(text))`): \(error.message)")
    }
    guard address.text.utf8.count <= ResolvedLink.longestAddress else {
      throw failure(key, "is longer than \(ResolvedLink.longestAddress) bytes")
    }
    return address.text
  }

  /// The address of a picture; nil when a device could not fetch it.
  func picture(_ text: String) -> String? {
    let address = try? WebAddress(text).text
    return address.flatMap { $0.utf8.count <= ResolvedLink.longestAddress ? $0 : nil }
  }

  /// A title as other titles are; nil when nothing of it is left.
  func title(_ text: String) -> String? {
    let clean = TerminalText.sanitized(String(text.unicodeScalars.prefix(4 * ResolvedLink.longestTitle)))
    let title = String(clean.unicodeScalars.prefix(ResolvedLink.longestTitle))
    return title.allSatisfy(\.isWhitespace) ? nil : title
  }

  /// Until when the link can be fetched. From 10⁹ on the number is seconds since 1970, which was 2001; below, seconds from now.
  /// Nil when it is absent.
  func lifetime(_ key: String, at wall: WallTime) throws(LinkFailure) -> Duration? {
    guard let expires = try number(key) else { return nil }
    let left = expires >= 1e9 ? expires - Double(wall.milliseconds) / 1000 : expires
    guard left > 0 else {
      throw LinkFailure(
        "\(program) returned a link that has expired already; is the clock of this computer right?")
    }
    return .bounded(seconds: left)
  }

  /// Refuses a link that needs headers: a television fetches by itself, and castq does not relay media. Headers that every client
  /// sends in its own words are ignored.
  func refuseHeaders(_ key: String) throws(LinkFailure) {
    guard let value = value(key) else { return }
    guard let headers = value.object else { throw failure(key, "is not an object") }
    guard let needed = Self.needed(headers) else { return }
    throw LinkFailure(
      "the link that \(program) found needs the header \(TerminalText.excerpt(needed)), which a television does not send"
    )
  }

  /// The first header, by name, that a device cannot send for itself; nil when there is none.
  static func needed(_ headers: [String: JSONValue]) -> String? {
    headers.filter { !own.contains($0.key.lowercased()) && $0.value != .null }.keys.min()
  }

  private static let own: Set = [
    "user-agent", "accept", "accept-language", "accept-encoding", "accept-charset", "connection", "range",
    "dnt",
    "sec-fetch-mode", "sec-fetch-site", "sec-fetch-dest", "sec-fetch-user", "upgrade-insecure-requests",
    "host",
  ]
}
