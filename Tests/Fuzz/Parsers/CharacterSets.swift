import CastqText
import Glibc

extension Parser {
  /// The set of a text is the same each time, and a language of which nothing is known changes nothing. The sets are the system's.
  func parseSets(_ bytes: [UInt8]) {
    let plain = SubtitleDecoding(bytes, language: nil, decode: Self.text)
    let unknown = SubtitleDecoding(bytes, language: "und", hint: "und", decode: Self.text)
    precondition(plain.set == unknown.set && plain.text == unknown.text, "two sets of one text")
    precondition(plain.confidence == unknown.confidence, "two answers to how sure it is")
    for language in ["ru", "cy", "ja", "zh-Hant"] {
      _ = SubtitleDecoding(bytes, language: language, decode: Self.text)
    }
    let label = String(decoding: bytes.prefix(40), as: UTF8.self)
    if let set = CharacterSet(label: label) {
      _ = SubtitleDecoding(bytes, language: nil, declared: set, decode: Self.text)
    }
  }

  /// Bytes that are no character become U+FFFD; nil when the system does not know the set.
  static func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? {
    guard let descriptor = iconv_open("UTF-8", set.rawValue), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    defer { iconv_close(descriptor) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No set has a byte that becomes more than three bytes, and U+FFFD has three.
    var output = [CChar](repeating: 0, count: input.count * 3 + 16)
    let length = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (next, left) = (input.baseAddress, input.count)
        var (place, room) = (output.baseAddress, output.count)
        while left > 0, iconv(descriptor, &next, &left, &place, &room) == -1, errno == EILSEQ, room >= 3 {
          for byte in "\u{FFFD}".utf8 {
            place?.pointee = CChar(bitPattern: byte)
            place = place.map { $0 + 1 }
            room -= 1
          }
          next = next.map { $0 + 1 }
          left -= 1
        }
        _ = iconv(descriptor, nil, nil, &place, &room)
        return output.count - room
      }
    }
    return String(decoding: output[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
