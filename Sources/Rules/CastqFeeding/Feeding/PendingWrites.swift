import CastqPlaylists

/// What could not be written while the database did not work: kept in order, and bounded.
///
/// Of the progress of a play only the last word is kept. Beyond the bound the oldest progress goes first, then the oldest of
/// everything; how much went is counted, because history must say that it has a hole.
package struct PendingWrites: Sendable {
  /// A night of short clips: each play takes about four.
  package static let limit = 10_000

  package let limit: Int
  /// Nil where progress has been let go.
  private var slots: [FeederWrite?] = []
  /// What stands before is done.
  private var head = 0
  private var progress: [EntryTurn: Int] = [:]

  /// How many wait.
  package private(set) var count = 0
  /// Facts that were let go.
  package private(set) var lostFacts = 0

  package init(limit: Int = Self.limit) { self.limit = limit }

  package var isEmpty: Bool { count == 0 }

  /// Facts of history among what waits.
  package var factCount: Int { slots[head...].reduce(0) { $0 + ($1?.factCount ?? 0) } }

  /// The oldest; nil when nothing waits.
  package var first: FeederWrite? { slots[head...].first { $0 != nil }.flatMap { $0 } }

  /// All that waits, the oldest first.
  package var all: [FeederWrite] { slots[head...].compactMap(\.self) }

  package mutating func append(_ write: FeederWrite) {
    if let turn = write.progress?.turn, let slot = progress[turn] {
      slots[slot] = write
      return
    }
    if count == limit { makeRoom() }
    if let turn = write.progress?.turn { progress[turn] = slots.count }
    slots.append(write)
    count += 1
  }

  /// The oldest has been written, or never can be.
  package mutating func removeFirst() {
    while head < slots.count {
      let write = slots[head]
      forget(head)
      head += 1
      guard write != nil else { continue }
      count -= 1
      break
    }
    if head > 1024, head * 2 > slots.count { compact() }
  }

  /// The oldest can never be written.
  package mutating func dropFirst() {
    lostFacts += first?.factCount ?? 0
    removeFirst()
  }

  private mutating func makeRoom() {
    guard let oldest = progress.values.min() else { return dropFirst() }
    lostFacts += 1
    forget(oldest)
    slots[oldest] = nil
    count -= 1
  }

  private mutating func forget(_ slot: Int) {
    if let turn = slots[slot]?.progress?.turn { progress[turn] = nil }
  }

  private mutating func compact() {
    slots.removeFirst(head)
    for turn in progress.keys { progress[turn]? -= head }
    head = 0
  }
}
