import CastqText

/// Why a directive is invalid, and at which column.
struct DirectiveError: Error {
  var column: Int
  var error: TextError

  init(_ column: Int, _ error: TextError) {
    self.column = column
    self.error = error
  }
}

/// The value of a directive's key. It records what was quoted, so that a quoted comma does not separate.
struct DirectiveValue: Sendable {
  struct Element: Sendable {
    var scalar: Unicode.Scalar
    var isQuoted: Bool
    var column: Int
  }

  var elements: ArraySlice<Element>
  /// Column of its first character; for an empty value, where that would be.
  var column: Int

  var text: String {
    var view = String.UnicodeScalarView()
    for element in elements { view.append(element.scalar) }
    return String(view)
  }

  var isEmpty: Bool { elements.isEmpty }

  /// Index from the beginning of the value.
  func lastIndex(of scalar: Unicode.Scalar) -> Int? {
    elements.lastIndex { $0.scalar == scalar && !$0.isQuoted }.map { $0 - elements.startIndex }
  }

  func dropFirst(_ count: Int) -> DirectiveValue { part(elements.dropFirst(count)) }
  func prefix(_ count: Int) -> DirectiveValue { part(elements.prefix(count)) }

  func split(at scalar: Unicode.Scalar) -> [DirectiveValue] {
    elements.split(omittingEmptySubsequences: false) { $0.scalar == scalar && !$0.isQuoted }.map(part)
  }

  private func part(_ slice: ArraySlice<Element>) -> DirectiveValue {
    DirectiveValue(elements: slice, column: slice.first?.column ?? column)
  }
}

/// Parses `key=value key="quoted value" …` after a directive's colon. A backslash escapes the next character.
struct DirectiveFields {
  struct Field {
    var key: String
    var keyColumn: Int
    var value: DirectiveValue
  }

  private let scalars: [Unicode.Scalar]
  private var index: Int

  /// - Parameter start: number of scalars of the line to skip.
  init(_ line: SourceLine, from start: Int) {
    scalars = Array(line.text.unicodeScalars)
    index = min(start, scalars.count)
  }

  /// The next field; nil at the end. After an error the reader is behind the invalid field, so that the fields after it are
  /// still read.
  mutating func next() throws(DirectiveError) -> Field? {
    while let scalar = current, Self.isSpace(scalar) { index += 1 }
    guard current != nil else { return nil }
    let keyColumn = index + 1
    var key = String.UnicodeScalarView()
    while let scalar = current, scalar != "=", !Self.isSpace(scalar) {
      key.append(scalar)
      index += 1
    }
    let name = String(key)
    guard current == "=" else {
      throw DirectiveError(
        keyColumn, TextError("`\(TerminalText.excerpt(name))` has no value", hint: "write key=value"))
    }
    index += 1
    let value = try value()
    guard !name.isEmpty else {
      throw DirectiveError(keyColumn, TextError("a value without a key before `=`"))
    }
    return Field(key: name, keyColumn: keyColumn, value: value)
  }

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func value() throws(DirectiveError) -> DirectiveValue {
    let column = min(index + 1, scalars.count)
    var elements: [DirectiveValue.Element] = []
    var quote: Int?
    while let scalar = current, quote != nil || !Self.isSpace(scalar) {
      let escapes = scalar == "\\" && index + 1 < scalars.count
      if escapes { index += 1 }
      if scalar == "\"" {
        quote = quote == nil ? index + 1 : nil
      } else {
        let element = DirectiveValue.Element(
          scalar: scalars[index], isQuoted: escapes || quote != nil, column: index + 1)
        elements.append(element)
      }
      index += 1
    }
    if let quote {
      throw DirectiveError(quote, TextError("the quote is not closed", hint: "end the value with \""))
    }
    return DirectiveValue(elements: elements[...], column: column)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
}
