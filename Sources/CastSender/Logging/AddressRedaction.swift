/// Removes possible secrets from addresses: user and password, query and fragment, and random parts of the path.
///
/// `https://me:pw@host/a/b.mp4?key=1` becomes `https://[removed]@host/a/b.mp4?[removed]`. One pass over the bytes finds addresses
/// anywhere in a text.
enum AddressRedaction {
  /// Redacts a text that may contain addresses with a scheme.
  static func redacted(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while let start = endOfScheme(bytes[index...]) {
      result += bytes[index..<start]
      let end = bytes[start...].firstIndex(where: isEnd) ?? bytes.count
      append(bytes[start..<end], hasAuthority: true, to: &result)
      index = end
    }
    result += bytes[index...]
    return String(decoding: result, as: UTF8.self)
  }

  /// Redacts a text that is one address, with or without a scheme.
  static func redactedAddress(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    if let start = endOfScheme(bytes[...]) {
      result += bytes[..<start]
      append(bytes[start...], hasAuthority: true, to: &result)
    } else {
      append(bytes[...], hasAuthority: false, to: &result)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The index after the next `://`.
  private static func endOfScheme(_ bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while index + 2 < bytes.endIndex {
      if bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == slash, bytes[index + 2] == slash {
        return index + 3
      }
      index += 1
    }
    return nil
  }

  private static func append(_ rest: ArraySlice<UInt8>, hasAuthority: Bool, to result: inout [UInt8]) {
    let cut = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    var path = rest[..<cut]
    var hasAuthority = hasAuthority
    // An address may be part of another's path, as behind a proxy.
    while let next = endOfScheme(path) {
      appendPath(path[..<next], hasAuthority: hasAuthority, to: &result)
      path = path[next...]
      hasAuthority = true
    }
    appendPath(path, hasAuthority: hasAuthority, to: &result)
    if cut < rest.endIndex {
      result.append(rest[cut])
      result += Array(Redaction.mark.utf8)
    }
  }

  private static func appendPath(_ part: ArraySlice<UInt8>, hasAuthority: Bool, to result: inout [UInt8]) {
    var path = part
    if hasAuthority {
      // The last @ counts: a password that contains a slash is invalid, but still a secret.
      if let sign = path.lastIndex(of: UInt8(ascii: "@")), isUser(path[..<sign]) {
        result += Array(Redaction.mark.utf8)
        path = path[sign...]
      }
      let host = path.prefix { $0 != slash }
      result += host
      path = path[host.endIndex...]
    }
    for (number, part) in path.split(separator: slash, omittingEmptySubsequences: false).enumerated() {
      if number > 0 { result.append(slash) }
      result += isRandom(part) ? Array(Redaction.mark.utf8)[...] : part
    }
  }

  /// Whether this is the user part: it contains no slash, or the text before the slash is not a host with a port.
  private static func isUser(_ part: ArraySlice<UInt8>) -> Bool {
    let host = part.prefix { $0 != slash }
    if host.endIndex == part.endIndex { return true }
    if host.contains(UInt8(ascii: "@")) { return true }
    guard host.first != UInt8(ascii: "["), let colon = host.firstIndex(of: UInt8(ascii: ":")) else {
      return false
    }
    return !host[(colon + 1)...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// 32 hexadecimal digits or more: a key, not a chosen name.
  private static func isRandom(_ part: ArraySlice<UInt8>) -> Bool {
    part.count >= 32
      && part.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      }
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether an address ends before this byte.
  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
    default: false
    }
  }
}
