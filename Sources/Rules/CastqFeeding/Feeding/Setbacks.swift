import CastProtocol

/// Loads and plays that failed in a row, and what follows from that: a list in which everything is dead must not become a storm.
struct Setbacks: Sendable, Hashable {
  /// The fallback list, which is shown while nothing of the list can be.
  private enum StandIn: Sendable, Hashable {
    /// It is not wanted.
    case none
    /// It may be loaded at once: it was not yet, or it was displayed.
    case due
    /// It was loaded, and nothing of it has been displayed.
    case tried
    /// There is none, or nothing of it could be displayed: nothing is shown until the list is tried again.
    case exhausted
  }

  /// Loads in a row that showed nothing.
  private(set) var fruitlessLoads = 0
  /// How many there were before the play on the screen.
  private var formerLoads = 0
  /// Plays in a row that ended with little of them having been seen.
  private(set) var unseenPlays = 0
  /// Plays in a row that failed.
  private(set) var failedPlays = 0
  /// Entries that failed for good in this run.
  private(set) var failedEntries = 0
  /// The pause before the next load has been made.
  private(set) var hasPaused = false
  /// What becomes of the fallback list.
  private var standIn = StandIn.none
  /// Why the list must not continue; nil while it may.
  var fatal: PlayReason?

  /// Whether the fallback list is shown, or requested.
  var isFallingBack: Bool {
    get { isStandInDue || standIn == .tried }
    set { standIn = newValue ? .due : .none }
  }

  /// Whether the fallback list may be loaded at once: one of which nothing was displayed waits, as a list does.
  var isStandInDue: Bool { standIn == .due }

  /// Whether nothing of the list could be displayed, nor anything in its place.
  var isExhausted: Bool { standIn == .exhausted && fruitlessLoads > 0 }

  /// The last loads showed nothing: each entry is tried once, not round after round.
  var isTryingList: Bool { failedPlays > 0 && fruitlessLoads > 1 && !isFallingBack }

  /// Nothing of the list has been displayed since it was loaded.
  var isUnproven: Bool { fruitlessLoads > 0 && !isFallingBack }

  /// How many turns of a single entry are sent while it is unproven: on the receiver, they fail within a moment of each other. One more
  /// than is displayed hides the seam.
  static let unprovenTurns = 2

  /// Whether the next load has to wait.
  var isPauseDue: Bool { fruitlessLoads > 1 && !hasPaused }

  /// How long it waits: a second, and twice as long each time.
  var pause: Duration { .seconds(1 << min(max(fruitlessLoads - 2, 0), 10)) }

  mutating func paused() { hasPaused = true }

  mutating func beginLoad() {
    hasPaused = false
    fruitlessLoads += 1
    isFallingBack = false
  }

  mutating func beginStandIn() { standIn = .tried }

  /// There is no fallback list, or nothing of it could be displayed.
  mutating func exhaustStandIn() { standIn = .exhausted }

  /// An entry of the fallback list is displayed.
  /// - Parameter isBehind: whether the list can be tried behind it, which ends a pause that is over.
  mutating func standInDisplayed(listIsBehind isBehind: Bool) {
    switch standIn {
    case .tried: standIn = .due
    case .none where hasPaused && isBehind: tryBehind()
    case .none, .due, .exhausted: break
    }
  }

  /// The pause is over, and the list is tried behind what is displayed: that counts as a load.
  mutating func tryBehind() {
    hasPaused = false
    fruitlessLoads += 1
  }

  /// The list was tried, and nothing of it could be loaded.
  mutating func countLoad() { fruitlessLoads += 1 }

  /// A load was lost with its session, or was too large: that says nothing of what was loaded.
  mutating func forgiveLoad() {
    if standIn == .tried { return standIn = .due }
    fruitlessLoads = max(fruitlessLoads - 1, 0)
  }

  /// The next pause may come.
  mutating func endPause() { hasPaused = false }

  /// An entry of the list is displayed.
  mutating func displayed() {
    formerLoads = fruitlessLoads
    fruitlessLoads = 0
    failedPlays = 0
    hasPaused = false
  }

  /// What was displayed is over; when little of it was seen, its load was one that showed nothing.
  mutating func finished(unseen: Bool) {
    unseenPlays = unseen ? unseenPlays + 1 : 0
    guard unseen else { return }
    fruitlessLoads = max(fruitlessLoads, formerLoads)
    if standIn == .due { standIn = .tried }
  }

  /// What the receiver holds was adopted, or a person wants the list from somewhere else.
  mutating func forgetLoads() {
    fruitlessLoads = 0
    hasPaused = false
  }

  mutating func playFailed() { failedPlays += 1 }

  mutating func entryFailed() { failedEntries += 1 }

  mutating func forgetEntries() { failedEntries = 0 }
}
