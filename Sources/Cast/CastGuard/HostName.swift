/// The name under which a server was asked.
package enum HostName {
  /// Host and port of a `Host` field; nil when it is not valid.
  package static func split(_ text: String) -> (host: String, port: Int?)? {
    guard !text.isEmpty, text.utf8.count <= 300, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return nil
    }
    var host = Substring(text)
    var port: Int?
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
    guard let end else { return nil }
    if let colon = text[end...].lastIndex(of: ":") {
      guard let number = Int(text[text.index(after: colon)...]), (1...65535).contains(number) else {
        return nil
      }
      (host, port) = (text[..<colon], number)
    }
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), isAddress(String(host.dropFirst().dropLast())) else { return nil }
    } else {
      guard !host.isEmpty, host.utf8.allSatisfy(isLetter) else { return nil }
    }
    // A name may end in a dot, which means the same.
    var name = host.lowercased()
    if name.hasSuffix("."), name.utf8.count > 1 { name.removeLast() }
    return (name, port)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Whether a host is this computer itself: `localhost`, `127.0.0.1`, `[::1]`.
  package static func isLoopback(_ host: String) -> Bool {
    let bare = bare(host)
    return bare == "localhost" || bare == "::1" || (bare.hasPrefix("127.") && isAddress(bare))
  }

  /// Whether a host is an address and no name: a name may be made to lead anywhere, an address leads where it says.
  package static func isAddress(_ host: String) -> Bool { IPAddress(host) != nil }

  private static func bare(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }
}
