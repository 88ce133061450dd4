/// A text in two or four bytes for each character: which of UTF-16 and UTF-32 it is.
package struct WideText {
  let set: CharacterSet
  /// Bytes of its byte order mark.
  private let mark: Int

  /// Nil when it is neither. Without a byte order mark, only UTF-16 is found out.
  package init?(_ bytes: [UInt8]) {
    let head = bytes.prefix(1024)
    var zeros = [0, 0]
    for (index, byte) in head.enumerated() where byte == 0 { zeros[index % 2] += 1 }
    if head.starts(with: [0xFF, 0xFE, 0, 0]) {
      (set, mark) = (.utf32LittleEndian, 4)
    } else if head.starts(with: [0, 0, 0xFE, 0xFF]) {
      (set, mark) = (.utf32BigEndian, 4)
    } else if head.starts(with: [0xFF, 0xFE]), zeros[1] > zeros[0] {
      // The mark alone may be a damaged line; in UTF-16 line ends and other ASCII characters follow, which have a zero byte.
      (set, mark) = (.utf16LittleEndian, 2)
    } else if head.starts(with: [0xFE, 0xFF]), zeros[0] > zeros[1] {
      (set, mark) = (.utf16BigEndian, 2)
    } else if let set = SubtitleDecoding.wideSet(bytes), Self.isText(head, set) {
      (self.set, mark) = (set, 0)
    } else {
      return nil
    }
  }

  /// The text; nil when the system does not know the set.
  package func text(_ bytes: [UInt8], _ decode: PlaylistText.Conversion) -> String? {
    let body = bytes.dropFirst(mark)
    return switch set {
    case .utf16LittleEndian: Self.fromUTF16(body, isBig: false)
    case .utf16BigEndian: Self.fromUTF16(body, isBig: true)
    default: decode(body, set)
    }
  }

  /// A byte that is left at the end is dropped.
  static func fromUTF16(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBig ? first << 8 | second : second << 8 | first)
      index += 2
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// A film or a picture may have as many zeros, and control characters with them.
  private static func isText(_ head: ArraySlice<UInt8>, _ set: CharacterSet) -> Bool {
    // A pair of surrogates may be cut off at the end.
    let text = fromUTF16(head, isBig: set == .utf16BigEndian).unicodeScalars.dropLast()
    return text.allSatisfy { $0.value >= 0x20 && $0.value != 0xFFFD || [9, 10, 13].contains($0.value) }
  }
}
