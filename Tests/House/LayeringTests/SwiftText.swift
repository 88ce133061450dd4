import Glibc

/// A source file told apart into code, comments and string literals.
///
/// The three texts have the lines and columns of the file; what belongs to another is blank. A rule about calls
/// then cannot be set off by a comment that explains why the call is forbidden, nor one about SQL by a name.
/// It works on bytes, because a debug build reads the whole project with it.
struct SwiftText {
  let code: [String]
  let comments: [String]
  let strings: [String]

  init(_ source: String) {
    var scanner = Scanner(source: Array(source.utf8))
    scanner.run()
    code = Self.lines(of: scanner.code)
    comments = Self.lines(of: scanner.comments)
    strings = Self.lines(of: scanner.strings)
  }

  private static func lines(of bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Walks through the bytes and copies each to the text it belongs to.
private struct Scanner {
  /// What we are inside of; an interpolation puts code on top of a string.
  private enum Context {
    case code(openParentheses: Int)
    case lineComment
    case blockComment(depth: Int)
    case string(pounds: Int, multiline: Bool)
  }

  let source: [UInt8]
  var code: [UInt8]
  var comments: [UInt8]
  var strings: [UInt8]
  private var index = 0
  private var stack = [Context.code(openParentheses: 0)]

  init(source: [UInt8]) {
    self.source = source
    let newline = UInt8(ascii: "\n")
    let blank = source.map { $0 == newline ? newline : UInt8(ascii: " ") }
    (code, comments, strings) = (blank, blank, blank)
  }

  mutating func run() {
    while index < source.count {
      switch stack.last ?? .code(openParentheses: 0) {
      case .code(let open): scanCode(openParentheses: open)
      case .lineComment: scanLineComment()
      case .blockComment(let depth): scanBlockComment(depth: depth)
      case .string(let pounds, let multiline): scanString(pounds: pounds, multiline: multiline)
      }
    }
  }

  private mutating func scanCode(openParentheses open: Int) {
    let byte = source[index]
    if byte == UInt8(ascii: "/"), follows("//") {
      stack.append(.lineComment)
    } else if byte == UInt8(ascii: "/"), follows("/*") {
      stack.append(.blockComment(depth: 1))
      copy(2, to: \.comments)
    } else if let pounds = poundsOfString() {
      let multiline = follows("\"\"\"", after: pounds)
      stack.append(.string(pounds: pounds, multiline: multiline))
      copy(pounds + (multiline ? 3 : 1), to: \.strings)
    } else if stack.count > 1, byte == UInt8(ascii: ")"), open == 1 {
      stack.removeLast()  // the interpolation ends; its parenthesis belongs to the string
      copy(1, to: \.strings)
    } else {
      if byte == UInt8(ascii: "(") { stack[stack.count - 1] = .code(openParentheses: open + 1) }
      if byte == UInt8(ascii: ")") { stack[stack.count - 1] = .code(openParentheses: open - 1) }
      copy(1 + plainBytes(before: "/\"#()", after: 1), to: \.code)
    }
  }

  private mutating func scanLineComment() {
    copy(plainBytes(before: "\n"), to: \.comments)
    stack.removeLast()
  }

  private mutating func scanBlockComment(depth: Int) {
    if follows("/*") {
      stack[stack.count - 1] = .blockComment(depth: depth + 1)
      copy(2, to: \.comments)
    } else if follows("*/") {
      if depth > 1 { stack[stack.count - 1] = .blockComment(depth: depth - 1) } else { stack.removeLast() }
      copy(2, to: \.comments)
    } else {
      copy(1 + plainBytes(before: "/*", after: 1), to: \.comments)
    }
  }

  private mutating func scanString(pounds: Int, multiline: Bool) {
    let quotes = multiline ? 3 : 1
    if source[index] == UInt8(ascii: "\\"), hasPounds(pounds, after: 1) {
      if follows("(", after: 1 + pounds) { stack.append(.code(openParentheses: 1)) }
      copy(2 + pounds, to: \.strings)
    } else if follows(multiline ? "\"\"\"" : "\""), hasPounds(pounds, after: quotes) {
      stack.removeLast()
      copy(quotes + pounds, to: \.strings)
    } else {
      copy(1 + plainBytes(before: "\\\"", after: 1), to: \.strings)
    }
  }

  /// The number of `#` before a string literal that opens here; nil if none does.
  private func poundsOfString() -> Int? {
    guard source[index] == UInt8(ascii: "#") || source[index] == UInt8(ascii: "\"") else { return nil }
    let pounds = source[index...].prefix { $0 == UInt8(ascii: "#") }.count
    return follows("\"", after: pounds) ? pounds : nil
  }

  /// How many bytes can be skipped before one that may change what we are inside of.
  private func plainBytes(before special: StaticString, after offset: Int = 0) -> Int {
    let start = min(index + offset, source.count)
    return source.withUnsafeBytes { source in
      guard let base = source.baseAddress?.advanced(by: start) else { return 0 }
      var nearest = source.count - start
      special.withUTF8Buffer { special in
        for byte in special {
          // Looks no further than the nearest found so far.
          if let found = memchr(base, Int32(byte), nearest) { nearest = UnsafeRawPointer(found) - base }
        }
      }
      return nearest
    }
  }

  private func follows(_ text: StaticString, after offset: Int = 0) -> Bool {
    guard index + offset + text.utf8CodeUnitCount <= source.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(source[(index + offset)...].prefix($0.count)) }
  }

  private func hasPounds(_ count: Int, after offset: Int) -> Bool {
    source[min(index + offset, source.count)...].prefix(count).elementsEqual(
      repeatElement(UInt8(ascii: "#"), count: count))
  }

  private mutating func copy(_ count: Int, to text: WritableKeyPath<Scanner, [UInt8]>) {
    let range = index..<min(index + count, source.count)
    self[keyPath: text].replaceSubrange(range, with: source[range])
    index = range.upperBound
  }
}
