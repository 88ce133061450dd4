package import CastqFeeding
import Synchronization

/// The plays that a follower has reported: each once when it starts and once when it has ended.
package final class ReportedPlays: Sendable {
  private struct State {
    var newest: Int64 = 0
    var open: Set<Int64> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// All plays up to this one have ended and been reported; nil before the first.
  package var settled: Int64? {
    state.withLock { state in state.newest == 0 ? nil : state.open.min().map { $0 - 1 } ?? state.newest }
  }

  /// The new or newly ended ones of these plays, oldest first.
  package func news(in plays: [PlayRecord]) -> [PlayRecord] {
    state.withLock { state in
      plays.filter { play in
        let isNew = play.play > state.newest
        state.newest = max(state.newest, play.play)
        if play.endedAt != nil { return state.open.remove(play.play) != nil || isNew }
        return isNew && state.open.insert(play.play).inserted
      }
    }
  }
}
