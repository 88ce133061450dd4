import CastProtocol
package import CastqText

/// What castq does when another sender plays on the device, or stops castq's playback.
package enum GuestPolicy: Sendable, Hashable {
  /// Reclaims the device at once.
  case never
  /// Waits for this time, counted from the takeover, then reclaims the device.
  case lease(Duration)
  /// Waits until a person starts castq again.
  case always

  /// The default.
  package static let standard = GuestPolicy.lease(.seconds(600))

  /// Reads `never`, `always` or `lease 10m`; a duration alone is a lease, too.
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

  /// Seconds; `always` serves longer times.
  private static let longestLease = 366.0 * 86_400

  private static func wrong(_ text: String) -> TextError {
    TextError(
      "`\(TerminalText.excerpt(text))` is not a guest policy", hint: "write never, always or lease 10m")
  }
}
