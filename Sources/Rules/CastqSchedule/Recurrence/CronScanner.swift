import CastqText

/// A field of a cron expression.
enum CronField {
  case minute, hour, dayOfMonth, month, dayOfWeek

  var name: String {
    switch self {
    case .minute: "minute"
    case .hour: "hour"
    case .dayOfMonth: "day of the month"
    case .month: "month"
    case .dayOfWeek: "day of the week"
    }
  }

  var range: ClosedRange<Int> {
    switch self {
    case .minute: 0...59
    case .hour: 0...23
    case .dayOfMonth: 1...31
    case .month: 1...12
    case .dayOfWeek: 0...7
    }
  }

  /// Words for the numbers from the first one of the range on.
  var names: [String] {
    switch self {
    case .minute, .hour, .dayOfMonth: []
    case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    case .dayOfWeek: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    }
  }
}

/// Reads the fields of a cron expression in their order, and knows where it is.
struct CronScanner {
  private let scalars: [Unicode.Scalar]
  /// In scalars from 0.
  private(set) var offset = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    skipBlanks()
  }

  var isShorthand: Bool { next == "@" }

  /// The text from here on, without blanks at its end.
  var rest: String {
    var rest = scalars[offset...]
    while let last = rest.last, Self.isBlank(last) { rest.removeLast() }
    return String(String.UnicodeScalarView(rest))
  }

  private var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private mutating func skipBlanks() {
    while let scalar = next, Self.isBlank(scalar) { offset += 1 }
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    offset += 1
    return true
  }

  mutating func field(_ field: CronField) throws(TextError) -> (numbers: NumberSet, beginsWithStar: Bool) {
    guard next != nil else {
      throw TextError(
        "the \(field.name) is missing",
        hint: "write five fields: minute, hour, day of the month, month, day of the week",
        offset: offset)
    }
    let beginsWithStar = next == "*"
    var numbers = NumberSet()
    repeat { numbers.formUnion(try item(field)) } while skip(",")
    if let scalar = next, !Self.isBlank(scalar) {
      throw TextError(
        "`\(TerminalText.excerpt(String(scalar)))` does not belong in the \(field.name)", offset: offset)
    }
    skipBlanks()
    return (numbers, beginsWithStar)
  }

  func end() throws(TextError) {
    guard next == nil else {
      throw TextError(
        "`\(TerminalText.excerpt(rest))` comes after the fifth field", hint: "write the five fields only",
        offset: offset)
    }
  }

  /// A number, a range or a star, each of the last two with an optional step. A number with a step is a range to the last number.
  private mutating func item(_ field: CronField) throws(TextError) -> NumberSet {
    var range = field.range
    if !skip("*") {
      let start = offset
      let first = try number(field)
      let isRange = skip("-")
      let last = isRange ? try number(field) : next == "/" ? field.range.upperBound : first
      guard first <= last else {
        throw TextError(
          "the range of the \(field.name) runs backwards", hint: "write two ranges with a comma",
          offset: start)
      }
      range = first...last
    }
    guard skip("/") else { return NumberSet(range) }
    let start = offset
    guard let step = digits(), step > 0 else {
      throw TextError("the step of the \(field.name) must be a number from 1 on", offset: start)
    }
    return NumberSet(range, step: step)
  }

  private mutating func number(_ field: CronField) throws(TextError) -> Int {
    let start = offset
    if let number = digits() {
      guard field.range.contains(number) else {
        throw TextError(
          "the \(field.name) must be \(field.range.lowerBound) to \(field.range.upperBound)", offset: start)
      }
      return number
    }
    var word = ""
    while let scalar = next, scalar.isASCII, scalar.properties.isAlphabetic, word.utf8.count < 20 {
      word.unicodeScalars.append(scalar)
      offset += 1
    }
    if let index = field.names.firstIndex(of: word.lowercased()) { return index + field.range.lowerBound }
    throw TextError(
      word.isEmpty ? "the \(field.name) must have a number here" : "`\(word)` is not a \(field.name)",
      hint: field.names.isEmpty ? nil : "names have three letters: \(field.names.joined(separator: " "))",
      offset: start)
  }

  /// A number of up to nine digits.
  private mutating func digits() -> Int? {
    let start = offset
    var value = 0
    while let scalar = next, ("0"..."9").contains(scalar), offset - start < 9 {
      value = value * 10 + Int(scalar.value) - 0x30
      offset += 1
    }
    return offset == start ? nil : value
  }
}
