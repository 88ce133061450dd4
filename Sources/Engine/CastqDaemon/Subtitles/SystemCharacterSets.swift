package import CastqText
import Glibc

/// Converts character sets with the system's own tables (iconv of the C library).
package enum SystemCharacterSets {
  /// The text of bytes in a character set. Bytes that are no character become U+FFFD, those of a character that is cut off at the end
  /// are dropped.
  /// - Returns: nil when this system has no tables for the set.
  package static func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? {
    // Not a pointer with a nil: a failed opening is -1.
    guard let descriptor = iconv_open("UTF-8", set.rawValue), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    defer { iconv_close(descriptor) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    var input = Array(bytes).map { CChar(bitPattern: $0) }
    var piece = [CChar](repeating: 0, count: 16 << 10)
    input.withUnsafeMutableBufferPointer { input in
      var next = input.baseAddress
      var left = input.count
      var isEnding = false
      while true {
        var (code, failure) = (0, Int32(0))
        let written = piece.withUnsafeMutableBufferPointer { piece -> Int in
          var place = piece.baseAddress
          var room = piece.count
          errno = 0
          // The last call writes what a set with shifts holds back.
          code =
            isEnding
            ? iconv(descriptor, nil, nil, &place, &room) : iconv(descriptor, &next, &left, &place, &room)
          failure = errno
          return piece.count - room
        }
        output += piece[..<written].map { UInt8(bitPattern: $0) }
        if code != -1 {
          if isEnding { return }
          isEnding = true
          continue
        }
        switch failure {
        case E2BIG: continue
        case EILSEQ where left > 0:
          output += "\u{FFFD}".utf8
          next = next.map { $0 + 1 }
          left -= 1
        default:
          // EINVAL: a character is cut off at the end.
          if isEnding { return }
          isEnding = true
        }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes of a text in a character set.
  /// - Returns: nil when the set lacks a character of it, or this system has no tables for the set.
  package static func bytes(_ text: String, in set: CharacterSet) -> [UInt8]? {
    guard let descriptor = iconv_open(set.rawValue, "UTF-8"), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    defer { iconv_close(descriptor) }
    var input = text.utf8.map { CChar(bitPattern: $0) }
    // No character takes more than four bytes, and shifts a few more.
    var output = [CChar](repeating: 0, count: input.count * 4 + 16)
    let written = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output -> Int? in
        var (next, left) = (input.baseAddress, input.count)
        var (place, room) = (output.baseAddress, output.count)
        guard iconv(descriptor, &next, &left, &place, &room) == 0,
          iconv(descriptor, nil, nil, &place, &room) != -1
        else { return nil }
        return output.count - room
      }
    }
    return written.map { output[..<$0].map { UInt8(bitPattern: $0) } }
  }
}
