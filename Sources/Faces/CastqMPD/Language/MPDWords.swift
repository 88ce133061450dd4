/// A line as a command and its arguments.
///
/// Arguments are separated by blanks. One in double quotes may contain blanks; in it a backslash stands before a quote or another
/// backslash.
package struct MPDWords: Sendable, Hashable {
  package let command: String
  package let arguments: [String]

  /// The most arguments of a command.
  package static let most = 64

  /// - Throws: `unknown` for what is no command with arguments.
  package init(_ line: [UInt8]) throws(MPDFailure) {
    guard !line.contains(0), let text = String(validating: line, as: UTF8.self) else {
      throw MPDFailure(.unknown, "the line is not UTF-8")
    }
    var rest = Array(text.utf8)[...]
    let name = rest.prefix { !Self.isBlank($0) }
    rest = rest.dropFirst(name.count).drop(while: Self.isBlank)
    guard let first = name.first else { throw MPDFailure(.unknown, "No command given") }
    guard Self.isLetter(first), name.allSatisfy({ Self.isLetter($0) || $0 == UInt8(ascii: "_") }) else {
      throw MPDFailure(.unknown, "Invalid command name")
    }
    command = String(decoding: name, as: UTF8.self)
    var arguments: [String] = []
    while let next = rest.first {
      guard arguments.count < Self.most else { throw MPDFailure(.unknown, "Too many arguments") }
      let word = next == UInt8(ascii: "\"") ? try Self.quoted(&rest) : try Self.plain(&rest)
      arguments.append(String(decoding: word, as: UTF8.self))
      rest = rest.drop(while: Self.isBlank)
    }
    self.arguments = arguments
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(MPDFailure) -> [UInt8] {
    var word: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        if let next = rest.first, !isBlank(next) {
          throw MPDFailure(.unknown, "Space expected after closing '\"'")
        }
        return word
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { throw missingQuote }
        word.append(escaped)
      default: word.append(byte)
      }
    }
    throw missingQuote
  }

  private static func plain(_ rest: inout ArraySlice<UInt8>) throws(MPDFailure) -> [UInt8] {
    let word = rest.prefix { !isBlank($0) }
    guard word.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }) else {
      throw MPDFailure(.unknown, "Invalid unquoted character")
    }
    rest = rest.dropFirst(word.count)
    return Array(word)
  }

  private static let missingQuote = MPDFailure(.unknown, "Missing closing '\"'")

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }
}
