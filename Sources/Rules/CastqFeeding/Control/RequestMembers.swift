package import CastProtocol
package import CastqText

/// The members of an object that somebody sent.
package struct RequestMembers {
  private let object: JSONValue

  package init(_ object: JSONValue) { self.object = object }

  /// A member that nothing reads is a mistake.
  package func check(_ names: Set<String>) throws(Failure) {
    guard let unknown = object.object?.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw Failure(
      "usage",
      "`\(TerminalText.excerpt(unknown))` means nothing here; there are \(names.sorted().joined(separator: ", "))",
      exit: .usage)
  }

  package func text(_ name: String) throws(Failure) -> String {
    guard let text = object[name]?.string, !text.isEmpty, text.utf8.count <= 4096 else {
      throw Failure("usage", "`\(name)` is missing, or is no text", exit: .usage)
    }
    return text
  }

  /// False without one.
  package func flag(_ name: String) throws(Failure) -> Bool {
    switch object[name] {
    case nil, .null?: return false
    case .bool(let value)?: return value
    default: throw Failure("usage", "`\(name)` is true or false", exit: .usage)
    }
  }

  /// Whether it is there, and not null.
  package func has(_ name: String) -> Bool { object[name] != nil && object[name] != .null }

  /// The one of these members that is given.
  package func one(of names: [String]) throws(Failure) -> String {
    let given = names.filter(has)
    guard let name = given.first, given.count == 1 else {
      let list = names.map { "`\($0)`" }.joined(separator: " or ")
      throw Failure("usage", "give either \(list)", exit: .usage)
    }
    return name
  }

  package func number(_ name: String, _ range: ClosedRange<Int>) throws(Failure) -> Int {
    guard let number = object[name]?.int, range.contains(number) else {
      throw Failure(
        "usage", "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)", exit: .usage)
    }
    return number
  }

  /// Any number in a range.
  package func decimal(_ name: String, _ range: ClosedRange<Double>) throws(Failure) -> Double {
    guard let number = object[name]?.double, range.contains(number) else {
      throw Failure(
        "usage", "`\(name)` is a number from \(range.lowerBound) to \(range.upperBound)", exit: .usage)
    }
    return number
  }
}
