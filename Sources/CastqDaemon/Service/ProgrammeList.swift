package import CastqCore

/// What was read of a programme's source.
package enum ProgrammeList: Sendable, Hashable {
  /// The good lines, and what is wrong with the others.
  case list(Playlist, problems: [ListProblem] = [])
  /// It has nothing to play, and why: what was read before stays.
  case problem(String)

  /// Everything of it that is not taken up.
  var problems: [ListProblem] {
    switch self {
    case .list(_, let problems): problems
    case .problem(let words): [ListProblem(message: words)]
    }
  }
}

/// A source of a programme that is being read again after each edit.
struct FollowedProgramme {
  let source: String
  /// How often it is read again if it is on the web; nil reads it once.
  let refresh: Duration?
  let task: Task<Void, Never>
  /// What is played of it; nil before the first time.
  var list: ProgrammeList?
  /// Why the newest version is not taken up; nil when it is.
  var problem: String?

  /// Takes what was read. A version of which nothing can be played leaves an earlier one in its place.
  /// - Returns: whether anything has changed.
  mutating func take(_ new: ProgrammeList) -> Bool {
    switch (new, list) {
    case (.problem(let words), .list):
      guard problem != words else { return false }
      problem = words
    case (_, new):
      guard problem != nil else { return false }
      problem = nil
    default: (list, problem) = (new, nil)
    }
    return true
  }

  /// Everything that is not taken up.
  var problems: [ListProblem] { problem.map { [ListProblem(message: $0)] } ?? list?.problems ?? [] }
}
