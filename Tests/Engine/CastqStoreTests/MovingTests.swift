import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing
@testable import CastqStore

@Suite("Moving about in the list")
struct MovingTests {
  @Test(
    "going on passes over what lies between; going back makes due what follows", arguments: [false, true])
  func move(isShuffled: Bool) throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a", "b", "c", "d"])
    try fixture.queue.setShuffle(isShuffled, seed: 7, for: fixture.id)
    func due() throws -> [EntryID] {
      try fixture.queue.look(into: fixture.id, limit: 9, besides: nil).map(\.entry)
    }
    let order = try due()
    try fixture.play(order[0])
    try fixture.queue.moveList(to: order[2], on: fixture.id)
    #expect(try due() == [order[2], order[3]])
    #expect(try fixture.state(order[0]) == .finished)
    #expect(try fixture.state(order[1]) == .skipped)
    try fixture.queue.moveList(to: order[0], on: fixture.id)
    #expect(try due() == order)
    #expect(try fixture.states() == [.pending, .pending, .pending, .pending])
  }

  @Test("what plays, what was removed and other lists are left alone")
  func bounds() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    let other = try fixture.devices.add(name: "Other", endpoint: .init(host: "192.0.2.2"), at: moment(0))
    let foreign = try fixture.queue.enqueue([draft("x")], for: other.id, placement: .end, at: moment(0))[0].id
    try fixture.offer(ids[0])
    try fixture.record(started(EntryTurn(entry: ids[0], turn: 1), at: 1), EntryEffect(state: .playing))
    try fixture.queue.remove([ids[1]], from: fixture.id)
    try fixture.queue.moveList(to: ids[2], on: fixture.id)
    #expect(try fixture.states() == [.playing, .pending])
    let before = try fixture.dump()
    for stranger in [foreign, ids[1], EntryID(99)] {
      try fixture.queue.moveList(to: stranger, on: fixture.id)
      #expect(try !fixture.queue.contains(stranger, on: fixture.id))
    }
    #expect(try fixture.dump() == before)
    #expect(try fixture.queue.contains(ids[2], on: fixture.id))
  }

  @Test("the entry before is the one that plays before; a list that repeats has one before its first")
  func before() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    #expect(try fixture.queue.entry(before: ids[0], on: fixture.id) == nil)
    #expect(try fixture.queue.entry(before: ids[2], on: fixture.id) == ids[1])
    try fixture.offer(ids[1])
    try fixture.record(
      ended(EntryTurn(entry: ids[1], turn: 1), at: 2), EntryEffect(state: .failed, countsAttempt: true))
    #expect(try fixture.queue.entry(before: ids[2], on: fixture.id) == ids[0], "one that failed is left out")
    try fixture.queue.setRepeat(.all, for: fixture.id)
    #expect(try fixture.queue.entry(before: ids[0], on: fixture.id) == ids[2])
    try fixture.queue.remove([ids[2], ids[1]], from: fixture.id)
    #expect(try fixture.queue.entry(before: ids[0], on: fixture.id) == nil)
  }
}

@Suite("Moving a list to another device")
struct ListTransferTests {
  @Test("a list moves as a whole, with its numbers, order and states; history stays where it was made")
  func moves() throws {
    let fixture = try StoreFixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    let old = try fixture.queue.enqueue([draft("old")], for: hall.id, placement: .end, at: moment(0))
    let ids = try fixture.enqueue(["a", "b", "c"])
    try fixture.queue.setRepeat(.all, for: fixture.id)
    try fixture.play(ids[0])
    #expect(throws: StoreError.queueInUse(waiting: 1)) {
      try fixture.queue.move(from: fixture.id, to: hall.id)
    }
    #expect(try fixture.titles() == ["a", "b", "c"], "nothing moves in part")
    try fixture.queue.clear(for: hall.id)
    let before = try fixture.queue.entries(for: fixture.id)
    try fixture.queue.move(from: fixture.id, to: hall.id)
    #expect(try fixture.queue.entries(for: hall.id) == before)
    #expect(try fixture.queue.settings(for: hall.id).repeatMode == .all)
    #expect(try fixture.titles() == [])
    #expect(!before.contains { $0.id == old[0].id })
    #expect(try fixture.history.plays(matching: .init()).map(\.device) == ["Lobby"])
    #expect(throws: StoreError.self) { try fixture.queue.move(from: hall.id, to: hall.id) }
  }
}
