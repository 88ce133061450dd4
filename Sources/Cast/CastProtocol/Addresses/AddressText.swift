/// Hides what may be a secret in addresses: user, password, query and fragment become `…`.
///
/// The one function for all that leaves the computer's owner: logs, tables, messages, hooks, MPD, MQTT, the centre, and the API for
/// those who may not edit.
package enum AddressText {
  /// What stands for a secret.
  package static let mark = "…"

  /// A text with each address in it hidden. What was hidden before stays as it is.
  /// - Parameter hidesKeys: whether random parts of paths, which open what is behind them, are hidden, too.
  package static func withoutSecrets(_ text: String, hidesKeys: Bool = false) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
    let bytes = Array(text.utf8)
    guard var start = AddressBytes.endOfScheme(bytes[...]) else { return text }
    var result: [UInt8] = []
    var index = 0
    while true {
      result += bytes[index..<start]
      let end = AddressBytes.end(of: start, in: bytes, after: index)
      AddressBytes.append(bytes[start..<end], hasAuthority: true, hidesKeys, to: &result)
      index = end
      guard let next = AddressBytes.endOfScheme(bytes[index...]) else { break }
      start = next
    }
    result += bytes[index...]
    return String(decoding: result, as: UTF8.self)
  }

  /// A text that is one address as a whole, with or without a scheme: its whole query is hidden, also one with spaces.
  package static func withoutSecrets(address: String, hidesKeys: Bool = false) -> String {
    let bytes = Array(address.utf8)
    let start = AddressBytes.endOfScheme(bytes[...])
    var result = Array(bytes[..<(start ?? 0)])
    AddressBytes.append(bytes[(start ?? 0)...], hasAuthority: start != nil, hidesKeys, to: &result)
    return String(decoding: result, as: UTF8.self)
  }
}

/// The parts of an address, by bytes: what separates them is ASCII.
private enum AddressBytes {
  private static let mark = Array(AddressText.mark.utf8)
  private static let (slash, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "\\"))

  /// The index after the next `://`; JSON may write its slashes as `\/`.
  static func endOfScheme(_ bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while index + 2 < bytes.endIndex {
      if bytes[index] == UInt8(ascii: ":") {
        var next = index + 1
        var slashes = 0
        while slashes < 2, next < bytes.endIndex {
          if bytes[next] == backslash, next + 1 < bytes.endIndex { next += 1 }
          guard bytes[next] == slash else { break }
          slashes += 1
          next += 1
        }
        if slashes == 2 { return next }
      }
      index += 1
    }
    return nil
  }

  /// Where an address ends whose scheme ends at an index: at a space, or at the quote that it began with. An apostrophe may be part of an
  /// address, so the last one before the space ends it.
  static func end(of start: Int, in bytes: [UInt8], after first: Int) -> Int {
    var opening = start - 1
    while opening >= first, isOfScheme(bytes[opening]) { opening -= 1 }
    let quote = opening >= first ? bytes[opening] : 0
    let space = bytes[start...].firstIndex { $0 <= 0x20 || $0 == 0x7F } ?? bytes.count
    let inside = bytes[start..<space]
    switch quote {
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return inside.firstIndex(of: quote) ?? space
    case UInt8(ascii: "<"): return inside.firstIndex(of: UInt8(ascii: ">")) ?? space
    case UInt8(ascii: "'"): return inside.lastIndex(of: quote) ?? space
    default: return space
    }
  }

  private static func isOfScheme(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), slash,
      backslash, UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Appends an address from its authority on.
  static func append(
    _ rest: ArraySlice<UInt8>, hasAuthority: Bool, _ hidesKeys: Bool, to result: inout [UInt8]
  ) {
    let cut = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    var path = rest[..<cut]
    var hasAuthority = hasAuthority
    // An address may be part of another's path, as behind a proxy.
    while let next = endOfScheme(path) {
      appendPath(path[..<next], hasAuthority: hasAuthority, hidesKeys, to: &result)
      path = path[next...]
      hasAuthority = true
    }
    appendPath(path, hasAuthority: hasAuthority, hidesKeys, to: &result)
    guard cut < rest.endIndex else { return }
    result.append(rest[cut])
    let query = rest[(cut + 1)...]
    if query.starts(with: mark), query.dropFirst(mark.count).first.map(isOfSentence) ?? true {
      // It was hidden before: what follows belongs to the sentence.
      result += query
    } else {
      result += mark
      result += query.suffix(from: endWithoutSentence(query))
    }
  }

  private static func appendPath(
    _ part: ArraySlice<UInt8>, hasAuthority: Bool, _ hidesKeys: Bool, to result: inout [UInt8]
  ) {
    var path = part
    if hasAuthority {
      // The last @ counts: a password that contains a slash is invalid, but still a secret.
      if let sign = path.lastIndex(of: UInt8(ascii: "@")), isUser(path[..<sign]) {
        result += mark + [path[sign]]
        path = path[(sign + 1)...]
      }
      let host = path.prefix { !isSlash($0) }
      let name = host[..<endWithoutSentence(host)]
      // What was cut off, or has no number for its port, may have been cut within a password.
      if name.suffix(mark.count).elementsEqual(mark) || !hasPort(name) {
        result += mark
        result += host[name.endIndex...]
      } else {
        result += host
      }
      path = path[host.endIndex...]
    }
    guard hidesKeys else {
      result += path
      return
    }
    for (number, part) in path.split(separator: slash, omittingEmptySubsequences: false).enumerated() {
      if number > 0 { result.append(slash) }
      result += isRandom(part) ? mark[...] : part
    }
  }

  /// Whether this is the user part: it contains no slash, or the text before the slash is not a host with a port.
  private static func isUser(_ part: ArraySlice<UInt8>) -> Bool {
    let host = part.prefix { !isSlash($0) }
    return host.endIndex == part.endIndex || host.contains(UInt8(ascii: "@")) || !hasPort(host)
  }

  /// Whether a host has a number behind its colon, or none.
  private static func hasPort(_ host: ArraySlice<UInt8>) -> Bool {
    guard let colon = host.firstIndex(of: UInt8(ascii: ":")), host.first != UInt8(ascii: "[") else {
      return true
    }
    return host[(colon + 1)...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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

  private static func isSlash(_ byte: UInt8) -> Bool { byte == slash || byte == backslash }

  /// A colon or a full stop behind an address belongs to the sentence.
  private static func isOfSentence(_ byte: UInt8) -> Bool { ":;,.)'\"`>".utf8.contains(byte) }

  private static func endWithoutSentence(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.lastIndex { !isOfSentence($0) }.map { $0 + 1 } ?? bytes.startIndex
  }
}
