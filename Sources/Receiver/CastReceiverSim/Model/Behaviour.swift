/// One open point of the protocol by name, for the program's `--behaviour`.
///
/// Written `name` or `name=value`; what is only on or off may be written `name=off`.
package struct Behaviour: Sendable {
  package var name: String
  /// The form of the text after `=`, for people.
  package var value: String
  package var help: String
  /// Applies a value; false when it is invalid.
  let apply: @Sendable (inout ReceiverConfiguration, String) -> Bool

  /// Applies a behaviour in text form to a receiver.
  package static func apply(
    _ text: String, to receiver: inout ReceiverConfiguration
  ) throws(BehaviourSyntaxError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let behaviour = all.first(where: { $0.name == parts.first }) else {
      throw BehaviourSyntaxError(
        description: "unknown behaviour “\(parts.first ?? "")”; “--behaviour help” lists them")
    }
    guard behaviour.apply(&receiver, parts.count > 1 ? parts[1] : "") else {
      throw BehaviourSyntaxError(
        description: "behaviour \(behaviour.name) needs a value: \(behaviour.name)=\(behaviour.value)")
    }
  }

  /// The list for `--behaviour help`, one line for each.
  package static var listing: String {
    let names = all.map { $0.name + ($0.value == onOff ? "" : "=\($0.value)") }
    let width = (names.map(\.count).max() ?? 0) + 1
    return zip(names, all).map { name, behaviour in
      "  " + name + String(repeating: " ", count: width - name.count) + behaviour.help
    }.joined(separator: "\n")
  }

  static let onOff = "on|off"

  static func flag(
    _ name: String, _ help: String, _ set: @escaping @Sendable (inout ReceiverConfiguration, Bool) -> Void
  ) -> Behaviour {
    Behaviour(name: name, value: onOff, help: help) { receiver, text in
      guard ["", "on", "off"].contains(text) else { return false }
      set(&receiver, text != "off")
      return true
    }
  }

  static func number(
    _ name: String, _ value: String, _ help: String, in range: ClosedRange<Double>,
    _ set: @escaping @Sendable (inout ReceiverConfiguration, Double) -> Void
  ) -> Behaviour {
    Behaviour(name: name, value: value, help: help) { receiver, text in
      guard let number = Double(text), range.contains(number) else { return false }
      set(&receiver, number)
      return true
    }
  }

  static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ name: String, _ help: String, _ set: @escaping @Sendable (inout ReceiverConfiguration, Word) -> Void
  ) -> Behaviour {
    let words = Word.allCases.map(\.rawValue).joined(separator: "|")
    return Behaviour(name: name, value: words, help: help) { receiver, text in
      guard let word = Word(rawValue: text) else { return false }
      set(&receiver, word)
      return true
    }
  }
}

/// Why a behaviour's text is invalid; the description is for people.
package struct BehaviourSyntaxError: Error, Hashable, CustomStringConvertible {
  package var description: String
}
