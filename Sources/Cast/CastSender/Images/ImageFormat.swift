/// The format of an image, detected from its first bytes; servers often declare a wrong one.
package enum ImageFormat: Hashable, Sendable {
  case jpeg, png, gif, webp, bmp

  /// Nil when the bytes are not a format that receivers show (protocol 12.2).
  package init?(sniffing bytes: [UInt8]) {
    switch bytes {
    case _ where bytes.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
    case _ where bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): self = .png
    case _ where bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8): self = .gif
    case _ where bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8): self = .webp
    // The two letters are weak evidence: four bytes that every writer sets to zero are checked, too.
    case _ where bytes.starts(with: "BM".utf8) && bytes.dropFirst(6).starts(with: [0, 0, 0, 0]): self = .bmp
    default: return nil
    }
  }

  var mimeType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .bmp: "image/bmp"
    }
  }

  /// Width and height from the header of the file; nil when it is truncated or contains zero.
  package func size(of bytes: [UInt8]) -> PixelSize? {
    let reader = HeadReader(bytes: bytes)
    let found: (Int?, Int?) =
      switch self {
      case .png: (reader.big(at: 16, 4), reader.big(at: 20, 4))
      case .gif: (reader.little(at: 6, 2), reader.little(at: 8, 2))
      case .bmp: reader.bmp
      case .webp: reader.webp
      case .jpeg: reader.jpeg
      }
    guard case (let width?, let height?) = found, width > 0, height > 0 else { return nil }
    return PixelSize(width: width, height: height)
  }
}

/// Reads integers of a file's header; nil beyond its end.
private struct HeadReader {
  let bytes: [UInt8]

  func big(at offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  func little(at offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// A negative height means that the rows begin at the top; the oldest form has two bytes per number.
  var bmp: (Int?, Int?) {
    if little(at: 14, 4) == 12 { return (little(at: 18, 2), little(at: 20, 2)) }
    let height = little(at: 22, 4).map { abs(Int(Int32(truncatingIfNeeded: $0))) }
    return (little(at: 18, 4), height)
  }

  var webp: (Int?, Int?) {
    switch big(at: 12, 4) {
    case 0x5650_3820:  // "VP8 "
      return (little(at: 26, 2).map { $0 & 0x3FFF }, little(at: 28, 2).map { $0 & 0x3FFF })
    case 0x5650_384C:  // "VP8L"
      guard let bits = little(at: 21, 4) else { return (nil, nil) }
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    case 0x5650_3858:  // "VP8X"
      return (little(at: 24, 3).map { $0 + 1 }, little(at: 27, 3).map { $0 + 1 })
    default: return (nil, nil)
    }
  }

  /// Iterates over the segments up to the first frame header.
  var jpeg: (Int?, Int?) {
    var offset = 2
    while let marker = big(at: offset, 2), marker >> 8 == 0xFF {
      switch marker & 0xFF {
      case 0xFF: offset += 1  // filling
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        return (big(at: offset + 7, 2), big(at: offset + 5, 2))
      case 0xD9, 0xDA: return (nil, nil)
      default:
        guard let length = big(at: offset + 2, 2), length >= 2 else { return (nil, nil) }
        offset += 2 + length
      }
    }
    return (nil, nil)
  }
}
