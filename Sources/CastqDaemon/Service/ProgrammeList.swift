package import CastqCore

/// What was read of a programme's source.
package enum ProgrammeList: Sendable, Hashable {
  case list(Playlist)
  /// It has nothing to play, and why.
  case problem(String)
}

/// A source of a programme that is being read again after each edit.
struct FollowedProgramme {
  let source: String
  /// How often it is read again if it is on the web; nil reads it once.
  let refresh: Duration?
  let task: Task<Void, Never>
  /// What was read last; nil before the first time.
  var list: ProgrammeList?
}
