/// The parts of an http URL that a request needs.
struct MediaURL: Sendable, Equatable {
  var isSecure: Bool
  var host: String
  var port: Int
  /// Path and query, beginning with `/`.
  var target: String

  /// Nil for anything that is no absolute http or https URL.
  init?(_ text: String) {
    let lower = text.prefix(8).lowercased()
    isSecure = lower.hasPrefix("https://")
    guard isSecure || lower.hasPrefix("http://") else { return nil }
    let rest = text.dropFirst(isSecure ? 8 : 7).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let tail = rest[authority.endIndex...]
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let defaultPort = isSecure ? 443 : 80
    if place.hasPrefix("["), let end = place.firstIndex(of: "]") {
      host = String(place[place.index(after: place.startIndex)..<end])
      let suffix = place[place.index(after: end)...]
      guard let port = suffix.isEmpty ? defaultPort : Int(suffix.dropFirst()) else { return nil }
      self.port = port
    } else {
      let parts = place.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, let port = parts.count == 2 ? Int(parts[1]) : defaultPort else { return nil }
      host = String(parts[0])
      self.port = port
    }
    // Control characters in a path would let the sender inject headers.
    let path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    guard !host.isEmpty, (1...65_535).contains(port), path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    target = path.unicodeScalars.allSatisfy(\.isASCII) ? path : Self.escaped(path) { $0 < 0x80 }
  }

  /// The URL a redirect points to, relative to this one.
  func redirected(to location: String) -> MediaURL? {
    if let absolute = MediaURL(location) { return absolute }
    guard !location.contains("://") else { return nil }
    let base = "http\(isSecure ? "s" : "")://\(authority)"
    if location.hasPrefix("//") { return MediaURL((isSecure ? "https:" : "http:") + location) }
    if location.hasPrefix("/") { return MediaURL(base + location) }
    let path = target.prefix { $0 != "?" }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return MediaURL(base + folder + location)
  }

  /// Host and port as the Host header has them.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Percent-encodes all bytes but those to keep.
  static func escaped(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    text.utf8.map { byte in
      if isKept(byte) { return String(Unicode.Scalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return (digits.count == 1 ? "%0" : "%") + digits
    }.joined()
  }
}
