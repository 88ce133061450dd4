/// Walks over the elements of a DER structure without judging what is in them. Only the few shapes that certificates are
/// made of are understood; every index is checked, the bytes are a stranger's.
struct DERReader {
  /// One element: its tag and where it lies.
  struct Element {
    var tag: UInt8
    /// Tag, length and content.
    var whole: Range<Int>
    var content: Range<Int>
  }

  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let sequence: UInt8 = 0x30
  /// The explicit tag [0] of a certificate's version.
  static let version: UInt8 = 0xA0

  private let bytes: [UInt8]
  private var index: Int
  private let end: Int

  init(_ bytes: [UInt8]) { self.init(bytes, in: bytes.startIndex..<bytes.endIndex) }

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { index >= end }
  var nextTag: UInt8? { index < end ? bytes[index] : nil }

  /// The next element; nil when there is none, or its length leads past the end.
  mutating func next() -> Element? {
    let start = index
    // Tags of more than one byte are not used in certificates.
    guard end - start >= 2, bytes[start] & 0x1F != 0x1F else { return nil }
    var length = Int(bytes[start + 1])
    var head = start + 2
    if length >= 0x80 {
      // Three bytes of length are 16 MiB, more than any message holds.
      let count = length & 0x7F
      guard (1...3).contains(count), end - head >= count else { return nil }
      length = bytes[head..<head + count].reduce(0) { $0 << 8 | Int($1) }
      head += count
    }
    guard end - head >= length else { return nil }
    index = head + length
    return Element(tag: bytes[start], whole: start..<index, content: head..<index)
  }

  /// The next element when it has this tag.
  mutating func next(_ tag: UInt8) -> Element? {
    guard nextTag == tag else { return nil }
    return next()
  }
}

/// Writes DER structures.
enum DERWriter {
  /// One element around its content.
  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    var rest = content.count
    repeat {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    } while rest > 0
    if content.count >= 0x80 { length.insert(0x80 | UInt8(truncatingIfNeeded: length.count), at: 0) }
    return [tag] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    element(DERReader.sequence, parts.flatMap { $0 })
  }

  /// An object identifier from its dotted form; empty when a number is too large or there are fewer than two.
  static func identifier(_ dotted: String) -> [UInt8] {
    let numbers = dotted.split(separator: ".").compactMap { UInt32($0) }
    guard numbers.count >= 2, numbers[0] <= 2, numbers[1] < 40 else { return [] }
    let content = ([numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2)).flatMap { number in
      var digits = [UInt8(truncatingIfNeeded: number & 0x7F)]
      var rest = number >> 7
      while rest > 0 {
        digits.insert(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return digits
    }
    return element(0x06, content)
  }
}
