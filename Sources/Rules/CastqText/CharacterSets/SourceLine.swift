/// One line of a playlist, decoded.
package struct SourceLine: Sendable {
  /// From 1.
  package var number: Int
  /// Without its line end.
  package var text: String

  /// The column of an index: in Unicode scalars from 1, never beyond the last one.
  package func column(of index: String.Index) -> Int {
    max(1, min(text.unicodeScalars.distance(from: text.startIndex, to: index) + 1, text.unicodeScalars.count))
  }
}

/// A value with its place.
package struct Located<Value> {
  package var value: Value
  package var line: Int
  package var column: Int

  package init(_ value: Value, line: Int, column: Int) {
    self.value = value
    self.line = line
    self.column = column
  }
}

extension Located: Sendable where Value: Sendable {}

/// Splits the bytes of a text file at LF, CR LF and CR, and decodes each line by itself: files edited by several programs have
/// lines in several encodings.
package struct LineReader: Sendable {
  package enum Encoding: Sendable {
    /// Anything else is an error.
    case utf8
    /// A line that is not UTF-8 is Windows-1252, which contains ISO 8859-1's letters.
    case utf8OrWindows1252
  }

  package enum Line: Sendable {
    case text(SourceLine)
    /// An unusable line, why, and whether it was only a comment.
    case bad(Located<TextError>, isComment: Bool)
  }

  private let bytes: [UInt8]
  private let encoding: Encoding
  private let limit: Int
  private let keepsMarks: Bool
  private var index = 0
  private var number = 0

  /// - Parameter keepsMarks: whether byte order marks at the beginning of lines are kept, for who asks where files were joined.
  package init(_ bytes: [UInt8], encoding: Encoding, limit: Int, keepsMarks: Bool = false) {
    self.bytes = bytes
    self.encoding = encoding
    self.limit = limit
    self.keepsMarks = keepsMarks
  }

  /// The next line; nil at the end.
  package mutating func next() -> Line? {
    guard index < bytes.count else { return nil }
    let start = index
    number += 1
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    var line = bytes[start..<index]
    // Files that were joined have the mark of each at the beginning of a line.
    while !keepsMarks, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    if index < bytes.count {
      index += bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
    }
    let isComment = line.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "#")
    guard line.count <= limit else {
      let error = TextError("the line is longer than \(limit) bytes, so it was left out")
      return .bad(Located(error, line: number, column: 1), isComment: isComment)
    }
    if let text = String(validating: line, as: UTF8.self) {
      return .text(SourceLine(number: number, text: text))
    }
    switch encoding {
    case .utf8OrWindows1252: return .text(SourceLine(number: number, text: Windows1252.decode(line)))
    case .utf8:
      let error = TextError(
        "the line is not UTF-8, so it was left out",
        hint: "save the file as UTF-8")
      let column = Self.scalarsBeforeInvalidByte(line) + 1
      return .bad(Located(error, line: number, column: column), isComment: isComment)
    }
  }

  /// The number of scalars before the first byte that is not UTF-8. Bisecting with the decoder that refused the line guarantees
  /// that both agree.
  private static func scalarsBeforeInvalidByte(_ line: ArraySlice<UInt8>) -> Int {
    var (valid, invalid) = (0, line.count)
    while valid + 1 < invalid {
      let middle = (valid + invalid) / 2
      // A prefix may end inside a scalar, so up to three bytes are dropped.
      let ends = (0...3).map { middle - $0 }
      if ends.contains(where: { $0 >= 0 && String(validating: line.prefix($0), as: UTF8.self) != nil }) {
        valid = middle
      } else {
        invalid = middle
      }
    }
    for length in stride(from: valid, through: max(0, valid - 3), by: -1) {
      if let text = String(validating: line.prefix(length), as: UTF8.self) {
        return text.unicodeScalars.count
      }
    }
    return 0
  }
}

/// The encoding of old Windows text, often called Latin-1.
enum Windows1252 {
  private static let upper: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
  ]

  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    String(
      decoding: bytes.map { (0x80..<0xA0).contains($0) ? upper[Int($0) - 0x80] : UInt16($0) }, as: UTF16.self)
  }
}
