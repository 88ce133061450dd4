/// What has to be done with a file so that a device plays it.
package struct PlayDecision: Sendable, Hashable {
  /// The ways, from the cheapest to the dearest.
  package enum Way: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The device plays the file as it is.
    case direct
    /// Its pictures and its sound go into another container, untouched.
    case remux
    /// Its sound is converted.
    case audio
    /// Its pictures are converted, and its sound where that is needed.
    case video
    /// Nothing helps.
    case impossible

    package static func < (left: Way, right: Way) -> Bool { left.rank < right.rank }

    /// For people: what is done.
    package var words: String {
      switch self {
      case .direct: "plays as it is"
      case .remux: "needs another container"
      case .audio: "needs its sound converted"
      case .video: "needs its pictures converted"
      case .impossible: "cannot be played"
      }
    }

    private var rank: Int {
      switch self {
      case .direct: 0
      case .remux: 1
      case .audio: 2
      case .video: 3
      case .impossible: 4
      }
    }
  }

  /// What is done.
  package var way: Way
  /// Why, in words; empty for a file that plays as it is.
  package var reasons: [String]
  /// The type to send: of the file itself for `direct`, else of what the recipe makes.
  package var contentType: String
  /// How to convert it; nil for `direct` and `impossible`.
  package var recipe: PreparationRecipe?
  /// Whether no Cast device plays the file as it is. Otherwise it is worth an attempt, because devices play more than they document.
  package var isCertain = false

  /// The reasons on one line.
  package var reason: String { reasons.joined(separator: "; ") }

  static func direct(as contentType: String) -> PlayDecision {
    PlayDecision(way: .direct, reasons: [], contentType: contentType, recipe: nil)
  }

  static func impossible(_ reason: String, contentType: String?) -> PlayDecision {
    PlayDecision(
      way: .impossible, reasons: [reason], contentType: contentType ?? "application/octet-stream", recipe: nil
    )
  }
}
