/// Paths of the file system as text, and back, without loss.
///
/// Linux names files by bytes; disks of old systems have names in Latin-1. A byte that belongs to no UTF-8 becomes one scalar of a private
/// area, U+10FE80 to U+10FEFF, so that a path stays text in rows, lists and messages. A name that holds such a scalar is taken for bytes
/// without a meaning, too: two files never get one text.
package enum PathText {
  /// The text of a path or a name as the system writes it.
  package static func text(_ bytes: [UInt8]) -> String {
    // U+10FE80 to U+10FEFF begin with this byte, as few others do.
    if !bytes.contains(leader), let text = String(validating: bytes, as: UTF8.self) { return text }
    var scalars = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if isByte(scalar) {
          scalars.append(contentsOf: encoded.map(scalarOfByte))
        } else {
          scalars.append(scalar)
        }
        index += encoded.count
      case .error(let length):
        scalars.append(contentsOf: bytes[index..<index + length].map(scalarOfByte))
        index += length
      case .emptyInput: return String(scalars)
      }
    }
  }

  /// The text of a path or a name that ends with a NUL.
  package static func text(_ pointer: UnsafePointer<CChar>) -> String {
    if let text = String(validatingCString: pointer), !text.utf8.contains(leader) { return text }
    var bytes: [UInt8] = []
    var next = pointer
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    return text(bytes)
  }

  /// The bytes that the system knows a path by.
  package static func bytes(_ path: String) -> [UInt8] {
    guard path.utf8.contains(leader) else { return Array(path.utf8) }
    var bytes: [UInt8] = []
    for scalar in path.unicodeScalars {
      if isByte(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return bytes
  }

  /// A path as functions of the system receive it: its bytes and a NUL.
  package static func system(_ path: String) -> [CChar] { bytes(path).map(CChar.init(bitPattern:)) + [0] }

  /// Whether a scalar stands for a byte that belongs to no UTF-8.
  package static func isByte(_ scalar: Unicode.Scalar) -> Bool {
    (0x10FE80...0x10FEFF).contains(scalar.value)
  }

  /// A name as a person reads it: bytes that belong to no UTF-8 are read as Latin-1, in which most such names were written.
  package static func readable(_ name: String) -> String {
    guard name.utf8.contains(leader) else { return name }
    return String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          guard isByte(scalar) else { return scalar }
          let byte = UInt8(truncatingIfNeeded: scalar.value)
          return byte < 0xA0 ? "\u{FFFD}" : Unicode.Scalar(byte)
        }))
  }

  /// The text of a name whose characters are written in Latin-1 on the disk; nil where it has others, or none beyond ASCII.
  package static func latin1(_ name: String) -> String? {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }), name.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) else {
      return nil
    }
    return text(name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  private static let leader: UInt8 = 0xF4

  private static func scalarOfByte(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0x10FE00 + UInt32(byte)) ?? "\u{FFFD}"
  }
}
