import CastqFeeding
import CastqPlaylists
import GRDB
import Synchronization

/// The progress of plays that waits for the next commit of any device: each commit waits for the disk, and the devices of a daemon
/// report at different moments.
final class WaitingProgress: Sendable {
  /// The progress of one play.
  struct Waiting: Sendable, Equatable {
    let play: ProgressedPlay
    let device: DeviceID
  }

  private let plays = Mutex<[EntryTurn: Waiting]>([:])

  /// Whether any of this device waits: another one's commit may have taken it along.
  func waits(for device: DeviceID) -> Bool { plays.withLock { $0.values.contains { $0.device == device } } }

  /// What waits, by plays.
  var waiting: [EntryTurn: Waiting] { plays.withLock { $0 } }

  /// Replaces what waits for the same play.
  func keep(_ play: ProgressedPlay, of turn: EntryTurn, on device: DeviceID) {
    plays.withLock { $0[turn] = Waiting(play: play, device: device) }
  }

  /// Writes all of it within a transaction.
  /// - Returns: what was written, for `remove` after the commit.
  func write(_ db: GRDB.Database) throws -> [EntryTurn: Waiting] {
    let plays = plays.withLock { $0 }
    for (turn, waiting) in plays {
      do {
        _ = try PlayRows.progress(turn, waiting.play, db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // A row that does not take it must not keep the others back; its end is written nevertheless.
        continue
      }
    }
    return plays
  }

  /// Removes what has been committed, unless something newer waits.
  func remove(_ written: [EntryTurn: Waiting]) {
    plays.withLock { plays in
      for (turn, waiting) in written where plays[turn] == waiting { plays[turn] = nil }
    }
  }
}
