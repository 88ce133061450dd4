import CastqCore
import GRDB
import Synchronization

/// The progress of plays that waits for the next commit of any device: each commit waits for the disk, and the devices of a daemon
/// report at different moments.
final class WaitingProgress: Sendable {
  private let plays = Mutex<[EntryTurn: ProgressedPlay]>([:])

  var isEmpty: Bool { plays.withLock { $0.isEmpty } }

  /// Replaces what waits for the same play.
  func keep(_ play: ProgressedPlay, of turn: EntryTurn) { plays.withLock { $0[turn] = play } }

  /// Writes all of it within a transaction.
  /// - Returns: what was written, for `remove` after the commit.
  func write(_ db: GRDB.Database) throws -> [EntryTurn: ProgressedPlay] {
    let plays = plays.withLock { $0 }
    for (turn, play) in plays {
      do {
        _ = try PlayRows.progress(turn, play, db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // A row that does not take it must not keep the others back; its end is written nevertheless.
        continue
      }
    }
    return plays
  }

  /// Removes what has been committed, unless something newer waits.
  func remove(_ written: [EntryTurn: ProgressedPlay]) {
    plays.withLock { plays in
      for (turn, play) in written where plays[turn] == play { plays[turn] = nil }
    }
  }
}
