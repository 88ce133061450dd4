import CastProtocol
import CastqCore

/// The members of an object that somebody sent.
struct Members {
  private let object: JSONValue

  init(_ object: JSONValue) { self.object = object }

  /// A member that nothing reads is a mistake.
  func check(_ names: Set<String>) throws(ControlFailure) {
    guard let unknown = object.object?.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw ControlFailure(
      "usage",
      "`\(TerminalText.excerpt(unknown))` means nothing here; there are \(names.sorted().joined(separator: ", "))",
      exit: .usage)
  }

  func text(_ name: String) throws(ControlFailure) -> String {
    guard let text = object[name]?.string, !text.isEmpty, text.utf8.count <= 4096 else {
      throw ControlFailure("usage", "`\(name)` is missing, or is no text", exit: .usage)
    }
    return text
  }

  /// False without one.
  func flag(_ name: String) throws(ControlFailure) -> Bool {
    switch object[name] {
    case nil, .null?: return false
    case .bool(let value)?: return value
    default: throw ControlFailure("usage", "`\(name)` is true or false", exit: .usage)
    }
  }

  /// Whether it is there, and not null.
  func has(_ name: String) -> Bool { object[name] != nil && object[name] != .null }

  /// The one of these members that is given.
  func one(of names: [String]) throws(ControlFailure) -> String {
    let given = names.filter(has)
    guard let name = given.first, given.count == 1 else {
      let list = names.map { "`\($0)`" }.joined(separator: " or ")
      throw ControlFailure("usage", "give either \(list)", exit: .usage)
    }
    return name
  }

  func number(_ name: String, _ range: ClosedRange<Int>) throws(ControlFailure) -> Int {
    guard let number = object[name]?.int, range.contains(number) else {
      throw ControlFailure(
        "usage", "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)", exit: .usage)
    }
    return number
  }

  /// Any number in a range, as decimal text without an exponent.
  func decimal(_ name: String, _ range: ClosedRange<Double>) throws(ControlFailure) -> String {
    guard let number = object[name]?.double, range.contains(number) else {
      throw ControlFailure(
        "usage", "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)", exit: .usage)
    }
    let thousandths = Int64(bounded: (abs(number) * 1000).rounded())
    let rest = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
  }
}
