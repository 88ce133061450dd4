package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// Where the rows of one device are: a database, or in virtual time memory. `FeederRows` is between it and the runner.
package protocol FeederStore: Sendable {
  associatedtype Failure: FeederStoreFailure

  /// The list that people fill.
  var base: QueueID { get }
  /// Makes a list ready to be read: it begins, or continues where it was.
  mutating func choose(_ choice: ListChoice, at now: WallTime) throws(Failure) -> ListAnswer
  /// The list that a choice names, which is not made ready: for a database that can only be read.
  func find(_ choice: ListChoice) throws(Failure) -> ListAnswer
  /// Milliseconds of the next item of each of these programmes that has one.
  mutating func lengths(of programmes: [RuleID: String], at now: WallTime) throws(Failure) -> [RuleID: Int64]
  /// Where the newest play of a list was cut; nil when it was not, or its entry is not due any more.
  func cut(of queue: QueueID) throws(Failure) -> ResumePoint?
  /// The next places of a list and when they change, from one snapshot.
  /// - Parameters:
  ///   - isLooping: whether the list restarts at its end, whatever its rows say.
  ///   - memory: number of entries per list to copy from the same snapshot; nil copies none.
  mutating func upcoming(
    of queue: QueueID, limit: Int, besides: UpcomingPlace?, at now: WallTime, isLooping: Bool,
    remembering memory: Int?
  ) throws(Failure) -> (list: UpcomingList, copies: QueueSnapshots?)
  /// The next places of the fallback list, likewise.
  mutating func upcomingFallback(
    of queue: QueueID, limit: Int, besides: UpcomingPlace?, isLooping: Bool, remembering memory: Int?
  ) throws(Failure) -> (places: [UpcomingEntry], copies: QueueSnapshots?)
  /// The rows of turns that a receiver holds.
  func held(_ turns: [EntryTurn], isLooping: Bool) throws(Failure) -> [HeldTurn]
  /// Recovers what an earlier feeder left behind. Where the last play was cut; nil if none was.
  mutating func recover(keeping kept: [EntryTurn]) throws(Failure) -> ResumePoint?
  /// Performs a write; repeating it changes nothing.
  mutating func perform(_ write: FeederWrite) throws(Failure)
  /// Commits the progress that waits for a commit, unless somebody else's commit has taken it along.
  mutating func commitProgress() throws(Failure)
  /// Closes plays whose end was lost.
  mutating func closeLostPlays() throws(Failure)
  /// Copies of both lists.
  func copies(of queue: QueueID, limit: Int, isLooping: Bool) throws(Failure) -> QueueSnapshots
  /// Does what the next read would do, to find out whether it works.
  mutating func probe(_ queue: QueueID, isLooping: Bool) throws(Failure)
  /// Whether nothing may be written, because all of it is damaged.
  var refusesWrites: Bool { get }
  /// Why writes of feeders before still wait; nil when none do.
  var lateFailure: Failure? { get }
  /// The writes of feeders before that still wait.
  var late: [FeederWrite] { get }
  /// Performs the writes of feeders before, all of them or none.
  /// - Returns: how many there were.
  mutating func performLate() throws(Failure) -> Int
  /// Keeps what cannot be written until the end of the feeder, for those that come after it.
  /// - Returns: whether it is kept.
  mutating func keepLate(_ writes: [FeederWrite], because failure: Failure?) -> Bool
}

/// A store whose feeders leave nothing behind.
extension FeederStore {
  package var lateFailure: Failure? { nil }
  package var late: [FeederWrite] { [] }
  package mutating func performLate() throws(Failure) -> Int { 0 }
  package mutating func keepLate(_ writes: [FeederWrite], because failure: Failure?) -> Bool { false }
}

/// Why a store did not do what it was asked.
package protocol FeederStoreFailure: Error {
  /// Whether the store is the cause and not the request: the same call may succeed later.
  var isOutage: Bool { get }
  /// Whether a single row is damaged.
  var isOfOneRow: Bool { get }
  /// In words for people.
  var failure: Failure { get }
  /// Nothing is known of the rows.
  static var unknownRows: Self { get }
}

/// Copies of a device's lists, for a feeder during an outage of its store.
package struct QueueSnapshots: Sendable {
  package let main: QueueSnapshot
  package let fallback: QueueSnapshot

  package init(main: QueueSnapshot, fallback: QueueSnapshot) {
    self.main = main
    self.fallback = fallback
  }
}
