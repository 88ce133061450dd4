import CastqCore
import Synchronization

/// Attempts that wait until it is known what their files are made of, because the device has refused the files as they are: each waits once.
///
/// A file that changes all the time is never known. Its attempt goes on when it has been asked once.
final class RefusedFiles: Sendable {
  private struct State {
    var asked: Set<EntryTurn> = []
    var answered: Set<EntryTurn> = []
  }

  private let state = Mutex(State())

  /// Attempts that are remembered.
  private static let most = 4096

  /// Of these attempts on files that are not known, those that wait.
  /// - Returns: all of them, and those for which nobody has asked yet.
  func wait(_ turns: [EntryTurn]) -> (all: Set<EntryTurn>, new: Set<EntryTurn>) {
    state.withLock { state in
      let all = Set(turns).subtracting(state.answered)
      let new = all.subtracting(state.asked)
      if state.asked.count + new.count > Self.most { state = State() }
      state.asked.formUnion(new)
      return (all, new)
    }
  }

  /// What there is to know of their files is known.
  func answer(_ turns: Set<EntryTurn>) { state.withLock { $0.answered.formUnion(turns) } }
}
