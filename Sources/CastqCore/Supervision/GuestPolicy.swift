import CastProtocol

/// What castq does when somebody else wants the screen: plays something of their own, or stops what castq plays.
package enum GuestPolicy: Sendable, Hashable {
  /// Takes the screen back at once.
  case never
  /// Leaves it to them for so long, counted from the takeover, then comes back.
  case lease(Duration)
  /// Leaves it to them until somebody starts castq again.
  case always

  /// When nobody said anything.
  package static let standard = GuestPolicy.lease(.seconds(600))

  /// Reads `never`, `always` or `lease 10m`; a length of time alone is a lease, too.
  package init(_ text: String) throws(TextError) {
    let words = text.split(separator: " ").map(String.init)
    switch words.first {
    case "never" where words.count == 1: self = .never
    case "always" where words.count == 1: self = .always
    case let first?:
      let length = first == "lease" ? words.dropFirst().joined(separator: " ") : text
      guard let seconds = try? DurationText.seconds(length), seconds > 0, seconds <= Self.longestLease else {
        throw Self.wrong(text)
      }
      self = .lease(.milliseconds(Int64(bounded: seconds * 1000)))
    case nil: throw Self.wrong(text)
    }
  }

  /// Seconds; whoever wants more wants `always`.
  private static let longestLease = 366.0 * 86_400

  private static func wrong(_ text: String) -> TextError {
    TextError(
      "`\(TerminalText.excerpt(text))` says nothing about guests", hint: "write never, always or lease 10m")
  }
}
