/// What happens when an entry cannot be played.
package enum EntryErrorPolicy: Sendable, Hashable, CustomStringConvertible {
  /// The next entry plays at once.
  case skip
  /// The entry is retried at most this often, 1 to 100, then the next one plays.
  case retry(Int)
  /// Playback stops.
  case stop

  /// Reads `skip`, `stop` or `retry 3`; nil for everything else.
  package init?(_ text: String) {
    switch text {
    case "skip": self = .skip
    case "stop": self = .stop
    default:
      let digits = text.utf8.dropFirst("retry ".utf8.count)
      guard text.utf8.starts(with: "retry ".utf8), (1...3).contains(digits.count),
        digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != 0x30,
        let count = Int(Substring(digits)), count <= 100
      else { return nil }
      self = .retry(count)
    }
  }

  /// The form that `init(_:)` reads.
  package var description: String {
    switch self {
    case .skip: "skip"
    case .retry(let count): "retry \(count)"
    case .stop: "stop"
    }
  }
}
