package import CastqText

/// The database's file and the space around it.
package struct DiskFinding: Sendable, Hashable {
  /// The state of the file.
  package enum State: Sendable, Hashable {
    case unusable(Failure)
    /// The first problem that a quick check found.
    case damaged(String)
    /// Another program holds it for writing.
    case locked
    case intact
    /// Too large for a quick check.
    case unchecked
  }

  package var path: String
  package var state: State
  /// Whether this user may only read it.
  package var isReadOnly: Bool
  /// Bytes that this user can still write beside the database; nil when unknown.
  package var free: UInt64?
  /// Bytes for prepared files, where these are on another disk; nil where they are not.
  package var preparedFree: UInt64?
  /// The processes that feed from the database.
  package var feeders: [Int32]
  /// What waits beside the database to be written, or cannot be: what it is, and after a semicolon what to do. Nil when nothing does.
  package var pending: String?

  package init(
    path: String, state: State, isReadOnly: Bool = false, free: UInt64? = nil, preparedFree: UInt64? = nil,
    feeders: [Int32] = []
  ) {
    self.path = path
    self.state = state
    self.isReadOnly = isReadOnly
    self.free = free
    self.preparedFree = preparedFree
    self.feeders = feeders
  }

  /// Below this, in bytes, the database cannot be written for long.
  private static let least: UInt64 = 16 << 20
  /// Below this, in bytes, a log that grows may fill it within days.
  private static let little: UInt64 = 200 << 20

  package var verdict: DoctorVerdict {
    switch state {
    case .unusable(let failure): return .fail(.disk, failure)
    case .damaged(let problem):
      return .fail(
        .disk, "\(path) is damaged: \(problem)",
        advice: FaceWords(
          typed: "'castq db check' lists all problems; restore a backup", paged: "restore a backup"),
        exit: .inputOutput)
    case .locked:
      return .fail(
        .disk, "another program holds \(path) for writing", advice: "end it: 'fuser -v' on the file names it",
        exit: .tryAgain)
    case .intact, .unchecked: break
    }
    let spaces = [free, preparedFree].compactMap { $0 }
    if let least = spaces.min(), least < Self.little {
      let words = "only \(Self.text(least)) are free for the \(least == free ? "database" : "prepared files")"
      return least < Self.least
        ? .fail(.disk, words, advice: "free some space", exit: .inputOutput)
        : .warn(.disk, words, advice: "free some space")
    }
    if let pending {
      let (words, advice) = DoctorVerdict.halves(of: pending)
      return .warn(.disk, words, advice: advice.map { FaceWords($0) } ?? Self.writer)
    }
    var words = [state == .intact ? "the database is intact" : "the database is too large for a quick check"]
    if let free { words.append("\(Self.text(free)) are free") }
    if let preparedFree { words.append("\(Self.text(preparedFree)) for prepared files") }
    if isReadOnly { words.append("this user may only read it") }
    if !feeders.isEmpty {
      words.append("fed from by process \(feeders.map(String.init).joined(separator: " and "))")
    }
    return .ok(
      .disk, words.joined(separator: ", "),
      advice: state == .unchecked
        ? FaceWords(typed: "'castq db check' takes its time", paged: nil) : nil)
  }

  private static let writer = FaceWords(typed: "'castq daemon' writes it", paged: "the daemon writes it")

  private static func text(_ bytes: UInt64) -> String { ByteSizeText.words(Int(clamping: bytes)) }
}
