// Text, references and CDATA.

extension XMLReader {
  mutating func text() -> String {
    let start = place
    var result: [UInt8] = []
    var isCut = false
    while let byte = byte(0), byte != UInt8(ascii: "<"), !isCut {
      if byte == UInt8(ascii: "&") {
        result += reference()
      } else {
        result.append(byte)
        advance()
      }
      isCut = result.count > limits.textBytes
    }
    if isCut {
      while let byte = byte(0), byte != UInt8(ascii: "<") { advance() }
      report(.longText(limits.textBytes), start)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// What `&…;` stands for. A `&` that begins no reference is kept: addresses are often pasted as they are.
  mutating func reference() -> [UInt8] {
    let start = place
    let name = bytes[(index + 1)...].prefix(12).prefix {
      $0 == UInt8(ascii: "#") || Self.isAlphanumeric($0)
    }
    guard byte(1 + name.count) == UInt8(ascii: ";"), !name.isEmpty else {
      report(.noReference, start)
      advance()
      return [UInt8(ascii: "&")]
    }
    let word = String(decoding: name, as: UTF8.self)
    let named: [String: String] = ["lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": "\""]
    let text: String
    if let known = named[word] {
      text = known
    } else if let scalar = Self.scalar(word) {
      text = String(Character(scalar))
    } else {
      report(.unknownReference(word), start)
      text = "&\(word);"
    }
    advance(name.count + 2)
    return Array(text.utf8)
  }

  /// The character of `#65` or `#x41`; nil when XML allows none of that number.
  private static func scalar(_ word: String) -> Unicode.Scalar? {
    guard word.hasPrefix("#") else { return nil }
    let digits = word.dropFirst()
    let isHex = digits.hasPrefix("x")
    guard let number = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10),
      number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number), number & 0xFFFE != 0xFFFE
    else { return nil }
    return Unicode.Scalar(number)
  }

  mutating func cdata(_ start: XMLPlace) -> XMLToken? {
    advance("<![CDATA[".utf8.count)
    let from = index
    let isClosed = skip(past: "]]>")
    if !isClosed { report(.notClosed(.cdata), start) }
    let content = bytes[from..<(isClosed ? index - 3 : index)]
    if content.count > limits.textBytes {
      report(.longText(limits.textBytes), start)
    }
    return .text(String(decoding: content.prefix(limits.textBytes), as: UTF8.self))
  }
}
