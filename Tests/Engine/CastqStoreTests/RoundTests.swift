import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

/// What waits is due, and what has had its turn does not wait, however a list that repeated was left.
@Suite struct RoundTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Entries that are due now.
  private func due(looping: Bool = false) throws -> [EntryID] {
    var seen: [EntryID] = []
    for place in try fixture.queue.advance(fixture.id, limit: 3, besides: nil, looping: looping).list.places
    where !seen.contains(place.entry) { seen.append(place.entry) }
    return seen
  }

  @Test("a wish to loop starts the list over without a word in its rows")
  func looping() throws {
    let entries = try fixture.enqueue(["a", "b"])
    for entry in entries { try fixture.play(entry) }
    #expect(try due() == [])
    #expect(try due(looping: true) == entries)
    #expect(try fixture.queue.settings(for: fixture.id).repeatMode == .off)
    #expect(try fixture.queue.devicesWithWork(looping: [fixture.id]) == [fixture.id])
  }

  @Test("a loop that is cut in the middle of a later round leaves that round's rest waiting, and due")
  func cut() throws {
    let (a, b) = try pair()
    for entry in [a, b] { try fixture.play(entry) }
    // Both are on the receiver for the next round, which nobody has read of since.
    for entry in [a, b] { try fixture.offer(entry, turn: 2, round: 1) }
    let turn = EntryTurn(entry: a, turn: 2)
    try fixture.record(started(turn, at: 20), EntryEffect(state: .playing))
    try fixture.record(ended(turn, at: 22, .interrupted), EntryEffect(state: .pending))
    try fixture.queue.release([EntryTurn(entry: b, turn: 2)])
    #expect(try fixture.states() == [.pending, .pending])
    #expect(try fixture.queue.devicesWithWork() == [fixture.id])
    #expect(try due() == [a, b])
  }

  @Test("what was on the receiver for a round that never came is over, as its last turn left it")
  func uncalled() throws {
    let (a, b) = try pair()
    try fixture.play(a)
    try fixture.offer(a, turn: 2, round: 1)
    try fixture.queue.release([EntryTurn(entry: a, turn: 2)])
    #expect(try fixture.states() == [.finished, .pending])
    try fixture.offer(a, turn: 3, round: 1)
    try fixture.queue.recover(fixture.id)
    #expect(try fixture.states() == [.finished, .pending])
    #expect(try due() == [b])
  }

  @Test(
    "an entry whose end nobody saw is not shown again when its turn of a round that never came is given back")
  func unseen() throws {
    let (a, b) = try pair()
    try fixture.queue.setRepeat(.all, for: fixture.id)
    let turn = EntryTurn(entry: a, turn: 1)
    try fixture.offer(a)
    try fixture.record(started(turn, at: 10), EntryEffect(state: .playing))
    try fixture.record(ended(turn, at: 20, .unknown), EntryEffect(state: .interrupted, round: 1))
    try fixture.offer(a, turn: 2, round: 1)
    try fixture.queue.setRepeat(.off, for: fixture.id)
    try fixture.queue.release([EntryTurn(entry: a, turn: 2)])
    #expect(try fixture.states() == [.interrupted, .pending])
    try fixture.play(b)
    #expect(try due() == [])
  }

  @Test(
    "entries that wait in a later round than their list are due, and those that have played there are not")
  func left() throws {
    let (a, b) = try pair()
    try fixture.play(a)
    try fixture.play(b)
    // As a version before this one could leave it.
    try fixture.outside().write {
      try $0.execute(
        sql: """
          UPDATE queue SET round = 3;
          UPDATE queue_entry SET round = 4;
          UPDATE queue_entry SET state = 'pending' WHERE id = \(b.rawValue);
          """)
    }
    #expect(try due() == [b])
    #expect(try fixture.queue.devicesWithWork() == [fixture.id])
    #expect(try fixture.states() == [.finished, .pending])
  }

  @Test("what the clock passed over is due when it is set back, though a waiting round has begun since")
  func clockSetBack() throws {
    var drafts = ["a", "early", "b"].map(draft)
    drafts[1].notAfter = moment(10)
    let ids = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0)).map(\.id)
    func due(_ seconds: Double) throws -> [UpcomingEntry] {
      try fixture.queue.advance(fixture.id, limit: 3, besides: nil, at: moment(seconds)).list.places
    }
    #expect(try due(3600).map(\.entry) == [ids[0], ids[2]])
    try fixture.play(ids[0])
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE queue_entry SET round = 1 WHERE id = \(ids[2].rawValue)")
    }
    var list = try fixture.queue.remembered(for: fixture.id, limit: 9).main
    for (seconds, expected) in [(3600.0, [ids[2]]), (5, [ids[1], ids[2]])] {
      let stored = try due(seconds)
      #expect(stored.map(\.entry) == expected)
      let remembered = list.upcoming(limit: 3, besides: nil, at: moment(seconds))
      #expect(remembered == stored)
    }
    #expect(try fixture.queue.settings(for: fixture.id).round == 1)
  }

  @Test("a list that was stopped stays so for whoever opens the file next, until somebody starts it")
  func stopped() throws {
    try fixture.queue.stop(fixture.id, at: moment(5))
    try fixture.queue.stop(fixture.id, at: moment(9))
    let reopened = QueueStore(try CastqStore.Database(path: fixture.path))
    #expect(try reopened.stoppedDevices() == [fixture.id])
    #expect(try reopened.stoppedAt(fixture.id) == moment(5))
    try reopened.start(fixture.id)
    #expect(try fixture.queue.stoppedDevices() == [])
  }

  private func pair() throws -> (EntryID, EntryID) {
    let entries = try fixture.enqueue(["a", "b"])
    return (entries[0], entries[1])
  }
}
