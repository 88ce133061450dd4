/// An IP address, as its bytes: 4 or 16.
package struct IPAddress: Sendable, Hashable {
  package let bytes: [UInt8]

  /// Nil for anything but 4 or 16 bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads the usual notation, `192.0.2.7` or `2001:db8::7`; IPv6 with or without brackets, and without a zone. Nil for a name, and for what
  /// only some programs read as an address, such as `127.1` or `0x7f000001`: the system resolves those.
  package init?(_ text: some StringProtocol) {
    var text = Substring(text)
    if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
      text = text.dropFirst().dropLast()
      guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    }
    guard text.utf8.count <= 45,
      let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.sixteen(text) : Self.four(text)
    else { return nil }
    self.bytes = bytes
  }

  var isIPv6: Bool { bytes.count == 16 }

  private static func four(_ text: Substring) -> [UInt8]? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> UInt8? in
      // With a leading zero it is octal to some, and decimal to others.
      guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
        part.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return UInt8(Substring(part))
    }
    return parts.count == 4 && numbers.count == 4 ? numbers : nil
  }

  private static func sixteen(_ text: Substring) -> [UInt8]? {
    let halves = text.ranges(of: "::")
    guard halves.count <= 1, !text.contains(":::") else { return nil }
    guard let gap = halves.first else {
      let bytes = groups(text)
      return bytes?.count == 16 ? bytes : nil
    }
    guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
      head.count + tail.count <= 14, !(text[..<gap.lowerBound].utf8.contains(UInt8(ascii: ".")))
    else { return nil }
    return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  /// The bytes of groups between colons. The last group may be an IPv4 address.
  private static func groups(_ text: Substring) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    var bytes: [UInt8] = []
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard let last = four(Substring(part)) else { return nil }
        bytes += last
        continue
      }
      guard (1...4).contains(part.count), part.allSatisfy(isHexadecimal),
        let number = UInt16(Substring(part), radix: 16)
      else { return nil }
      bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    return bytes
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}

extension IPAddress: CustomStringConvertible {
  /// `192.0.2.7`, or all eight groups of IPv6 with the longest run of zeros left out (RFC 5952).
  package var description: String {
    guard isIPv6 else { return bytes.map { "\($0)" }.joined(separator: ".") }
    if let four = embeddedAsIPv4 { return "::ffff:\(four)" }
    let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    var longest = 0..<0
    var start = 0
    for index in 0...8 where index == 8 || groups[index] != 0 {
      if index - start > max(longest.count, 1) { longest = start..<index }
      start = index + 1
    }
    let text = groups.map { String($0, radix: 16) }
    guard !longest.isEmpty else { return text.joined(separator: ":") }
    return text[..<longest.lowerBound].joined(separator: ":") + "::"
      + text[longest.upperBound...].joined(separator: ":")
  }

  /// The IPv4 address that this is, in the form of IPv6; nil for others.
  private var embeddedAsIPv4: IPAddress? {
    let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return bytes.starts(with: prefix) ? IPAddress(bytes: bytes.suffix(4)) : nil
  }
}
