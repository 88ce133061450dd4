import CastqText
import Glibc

/// Converts character sets as the system does, in one piece.
enum TestCharacterSets {
  static func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? {
    guard let descriptor = iconv_open("UTF-8", set.rawValue), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    defer { iconv_close(descriptor) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No set has a byte that becomes more than three bytes, and U+FFFD has three.
    var output = [CChar](repeating: 0, count: input.count * 3 + 8)
    let length = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (next, left) = (input.baseAddress, input.count)
        var (place, room) = (output.baseAddress, output.count)
        while left > 0, iconv(descriptor, &next, &left, &place, &room) == -1, errno == EILSEQ {
          for byte in "\u{FFFD}".utf8 {
            place?.pointee = CChar(bitPattern: byte)
            place = place.map { $0 + 1 }
            room -= 1
          }
          next = next.map { $0 + 1 }
          left -= 1
        }
        return output.count - room
      }
    }
    return String(decoding: output[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Nil when the set lacks a character.
  static func bytes(_ text: String, in set: CharacterSet) -> [UInt8]? {
    bytes(text, inSetCalled: set.rawValue)
  }

  /// In any set that the system has, also one that castq does not know.
  static func bytes(_ text: String, inSetCalled name: String) -> [UInt8]? {
    guard let descriptor = iconv_open(name, "UTF-8"), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    defer { iconv_close(descriptor) }
    var input = text.utf8.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 4 + 8)
    let length = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output -> Int? in
        var (next, left) = (input.baseAddress, input.count)
        var (place, room) = (output.baseAddress, output.count)
        return iconv(descriptor, &next, &left, &place, &room) == 0 ? output.count - room : nil
      }
    }
    return length.map { output[..<$0].map { UInt8(bitPattern: $0) } }
  }
}
