import CastProtocol
import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

@Suite("The play order")
struct UpcomingTests {
  private func upcoming(
    _ fixture: StoreFixture, _ limit: Int, besides: (EntryID, Int)? = nil
  ) throws -> [String] {
    try fixture.queue.advance(
      fixture.id, limit: limit, besides: besides.map { UpcomingPlace(entry: $0.0, round: $0.1) }
    ).list.places.map { "\($0.draft.media.contentID)\($0.round)" }
  }

  @Test("without repetition each entry comes once")
  func off() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    #expect(try upcoming(fixture, 2) == ["a0", "b0"])
    #expect(try upcoming(fixture, 9) == ["a0", "b0", "c0", "d0"])
    try fixture.play(ids[0])
    #expect(try upcoming(fixture, 9, besides: (ids[1], 0)) == ["c0", "d0"])
    try fixture.queue.remove([ids[2]], from: fixture.id)
    #expect(try upcoming(fixture, 9, besides: (ids[1], 0)) == ["d0"])
    for id in [ids[1], ids[3]] { try fixture.play(id) }
    #expect(try upcoming(fixture, 9) == [])
    try fixture.enqueue(["e"])
    #expect(try upcoming(fixture, 9) == ["e0"])
  }

  @Test("repeating all goes on into the next rounds, also when the window is longer than the list")
  func all() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.queue.setRepeat(.all, for: fixture.id)
    #expect(try upcoming(fixture, 5) == ["a0", "b0", "a1", "b1", "a2"])
    #expect(try upcoming(fixture, 3, besides: (ids[0], 0)) == ["b0", "a1", "b1"])
    try fixture.play(ids[0])
    #expect(try upcoming(fixture, 3, besides: (ids[1], 0)) == ["a1", "b1", "a2"])
    try fixture.play(ids[1])
    #expect(try upcoming(fixture, 3) == ["a1", "b1", "a2"])
    #expect(try fixture.queue.settings(for: fixture.id).round == 1)
    #expect(try fixture.states() == [.pending, .pending])
    #expect(try upcoming(fixture, 3, besides: (ids[0], 1)) == ["b1", "a2", "b2"])
    try fixture.queue.clear(for: fixture.id)
    #expect(try upcoming(fixture, 3) == [])
    #expect(try upcoming(fixture, 3, besides: (ids[0], 1)) == [])
    let alone = try fixture.enqueue(["s"])
    #expect(try upcoming(fixture, 3, besides: (alone[0], 1)) == ["s2", "s3", "s4"])
  }

  @Test("an entry that failed in a round is tried anew in the next")
  func attempts() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a"])
    try fixture.queue.setRepeat(.all, for: fixture.id)
    try fixture.offer(ids[0])
    let failed = EntryEffect(state: .failed, round: 1, countsAttempt: true)
    try fixture.record(ended(EntryTurn(entry: ids[0], turn: 1), at: 1, .failed), failed)
    #expect(try fixture.queue.entry(ids[0])?.attempts == 1)
    let next = try fixture.queue.advance(fixture.id, limit: 1, besides: nil).list.places
    #expect(next.map(\.attempts) == [0])
    #expect(next.map(\.round) == [1])
    #expect(try fixture.state(ids[0]) == .pending)
  }

  @Test("repeating one plays the one on the screen again, or the first that is due")
  func one() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.queue.setRepeat(.one, for: fixture.id)
    #expect(try upcoming(fixture, 3) == ["a0", "a0", "a0"])
    #expect(try upcoming(fixture, 3, besides: (ids[1], 4)) == ["b4", "b4", "b4"])
    try fixture.queue.remove([ids[1]], from: fixture.id)
    #expect(try upcoming(fixture, 2, besides: (ids[1], 4)) == ["a0", "a0"])
    try fixture.queue.clear(for: fixture.id)
    #expect(try upcoming(fixture, 2) == [])
  }

  @Test("after repeating one, repeating all plays every entry again, not only the others")
  func oneThenAll() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.queue.setRepeat(.one, for: fixture.id)
    var shown: UpcomingPlace?
    for turn in 1...5 {
      let next = try #require(
        try fixture.queue.advance(fixture.id, limit: 1, besides: shown).list.places.first)
      #expect(next.entry == ids[0])
      try fixture.play(next.entry, turn: turn, round: next.round)
      shown = UpcomingPlace(entry: next.entry, round: next.round)
    }
    try fixture.queue.setRepeat(.all, for: fixture.id)
    #expect(try upcoming(fixture, 5).map { $0.prefix(1) }.contains("a"))
  }

  @Test(
    "a shuffled list holds everything once a round, in an order that stays and differs from round to round")
  func shuffled() throws {
    let fixture = try StoreFixture()
    let titles = (0..<20).map { "t\($0)-" }
    let ids = try fixture.enqueue(titles)
    try fixture.queue.setRepeat(.all, for: fixture.id)
    try fixture.queue.setShuffle(true, seed: 0xFEED_BEEF_0000_0007, for: fixture.id)
    let rounds = try upcoming(fixture, 60)
    #expect(try upcoming(fixture, 60) == rounds)
    let orders = (0..<3).map { round in rounds[(round * 20)..<(round * 20 + 20)].map { $0.dropLast() } }
    for order in orders { #expect(order.map(String.init).sorted() == titles.sorted()) }
    #expect(Set(orders).count == 3)
    let expected = ids.sorted {
      ShuffleOrder.key(seed: 0xFEED_BEEF_0000_0007, round: 0, entry: $0).asSigned
        < ShuffleOrder.key(seed: 0xFEED_BEEF_0000_0007, round: 0, entry: $1).asSigned
    }
    #expect(
      try fixture.queue.advance(fixture.id, limit: 20, besides: nil).list.places.map(\.entry) == expected)
    let first = try #require(expected.first)
    #expect(try upcoming(fixture, 59, besides: (first, 0)) == Array(rounds.dropFirst()))
    try fixture.queue.setShuffle(false, seed: 1, for: fixture.id)
    #expect(try upcoming(fixture, 20) == titles.map { "\($0)0" })
  }

  @Test("an entry is due while its time window is open, late ones follow, and what is over is passed over")
  func windows() throws {
    for mode in [QueueRepeat.off, .all] {
      let fixture = try StoreFixture()
      var drafts = ["a", "early", "late"].map(draft)
      drafts[1].notAfter = moment(10)
      drafts[2].notBefore = moment(5)
      let ids = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0)).map(\.id)
      try fixture.queue.setRepeat(mode, for: fixture.id)
      func due(_ seconds: Double) throws -> [EntryID] {
        try fixture.queue.advance(fixture.id, limit: 3, besides: nil, at: moment(seconds)).list.places.map(
          \.entry)
      }
      #expect(try Array(due(0).prefix(2)) == [ids[0], ids[1]])
      #expect(try !due(4.9).contains(ids[2]))
      #expect(try due(5) == ids)
      #expect(try fixture.queue.nextChange(for: fixture.id, after: moment(0)) == moment(5))
      #expect(try fixture.queue.nextChange(for: fixture.id, after: moment(5)) == moment(10))
      #expect(try !due(10).contains(ids[1]))
      #expect(try fixture.states()[1] == .skipped)
      #expect(try fixture.queue.nextChange(for: fixture.id, after: moment(10)) == nil)
      // Without the moment, windows mean nothing.
      #expect(
        try fixture.queue.advance(fixture.id, limit: 1, besides: nil).list.places.first?.entry == ids[0])
    }
  }

  @Test(
    "what a clock that was ahead has passed over is due when it is set back; what a person passed over is not",
    arguments: [QueueRepeat.off, .all])
  func clockSetBack(mode: QueueRepeat) throws {
    let fixture = try StoreFixture()
    var drafts = ["a", "early", "late"].map(draft)
    drafts[1].notAfter = moment(10)
    let ids = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0)).map(\.id)
    try fixture.queue.setRepeat(mode, for: fixture.id)
    func due(_ seconds: Double) throws -> [EntryID] {
      try fixture.queue.advance(fixture.id, limit: 3, besides: nil, at: moment(seconds)).list.places.map(
        \.entry)
    }
    #expect(try !due(3600).contains(ids[1]))
    #expect(try fixture.states() == [.pending, .skipped, .pending])
    #expect(try due(5) == ids)
    _ = try due(3600)
    try fixture.queue.moveList(to: ids[2], on: fixture.id)
    #expect(try due(5).first == ids[2])
  }

  @Test("an entry whose time is over does not hold back the round of an entry that plays ahead of it")
  func expiredInLoop() throws {
    let fixture = try StoreFixture()
    var drafts = ["a", "early"].map(draft)
    drafts[1].notAfter = moment(10)
    let ids = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0)).map(\.id)
    try fixture.queue.setRepeat(.all, for: fixture.id)
    try fixture.queue.advance(fixture.id, limit: 2, besides: nil, at: moment(20))
    try fixture.play(ids[0])
    let turn = EntryTurn(entry: ids[0], turn: 2)
    try fixture.offer(ids[0], turn: 2, round: 1)
    try fixture.record(started(turn, at: 30), EntryEffect(state: .playing))
    #expect(try fixture.queue.settings(for: fixture.id).round == 1)
  }

  @Test("an entry whose window opens late does not hold back the rounds of the others")
  func lateInLoop() throws {
    let fixture = try StoreFixture()
    var drafts = ["a", "late"].map(draft)
    drafts[1].notBefore = moment(100)
    let ids = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0)).map(\.id)
    try fixture.queue.setRepeat(.all, for: fixture.id)
    for round in 0..<3 { try fixture.play(ids[0], turn: round + 1, round: round) }
    try fixture.queue.advance(fixture.id, limit: 1, besides: nil, at: moment(50))
    #expect(try fixture.queue.settings(for: fixture.id).round == 3)
    let next = try fixture.queue.advance(fixture.id, limit: 2, besides: nil, at: moment(100)).list.places
    #expect(Set(next.map(\.entry)) == Set(ids))
  }

  @Test("the lists of two devices are apart")
  func devices() throws {
    let fixture = try StoreFixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: .init(host: "h"), at: moment(0))
    try fixture.enqueue(["a"])
    #expect(try fixture.queue.advance(hall.id, limit: 5, besides: nil).list.places == [])
    #expect(
      try fixture.queue.settings(for: hall.id).queue != fixture.queue.settings(for: fixture.id).queue)
    #expect(throws: StoreError.self) {
      try fixture.queue.advance(DeviceID(99), limit: 5, besides: nil).list.places
    }
  }

  @Test(
    "a look finds what a feeder reads, and writes nothing, in every state a list can be left in",
    arguments: 0..<60)
  func looking(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue((0..<Int.random(in: 1...6, using: &random)).map { "e\($0)" })
    let states: [EntryState] = [.pending, .pending, .finished, .failed, .skipped, .interrupted, .cancelled]
    // Open, not yet open, over, and without a window, at ten seconds.
    let windows: [(Int64?, Int64?)] = [
      (nil, nil), (nil, nil), (5_000, 90_000), (50_000, 90_000), (nil, 8_000), (nil, 90_000),
    ]
    try fixture.outside().write { db in
      for id in ids {
        let state = states.randomElement(using: &random) ?? .pending
        let window = windows.randomElement(using: &random) ?? (nil, nil)
        try db.execute(
          sql: """
            UPDATE queue_entry SET state = ?, round = ?, turn = 1, offered_at = 1, not_before = ?, not_after = ? WHERE id = ?
            """,
          arguments: [
            state.rawValue, Int.random(in: 0...2, using: &random), window.0, window.1, id.rawValue,
          ])
      }
    }
    try fixture.queue.setRepeat([.off, .all, .one].randomElement(using: &random) ?? .off, for: fixture.id)
    if Bool.random(using: &random) { try fixture.queue.setShuffle(true, seed: seed &+ 7, for: fixture.id) }
    let current = Bool.random(using: &random) ? ids.first.map { UpcomingPlace(entry: $0, round: 0) } : nil
    let before = try fixture.dump()
    let limit = Int.random(in: 1...5, using: &random)
    let looked = try fixture.queue.look(into: fixture.id, limit: limit, besides: current, at: moment(10))
    let reader = QueueStore(try CastqStore.Database.checking(path: fixture.path))
    #expect(try reader.look(into: fixture.id, limit: limit, besides: current, at: moment(10)) == looked)
    #expect(try fixture.dump() == before)
    let fed = try fixture.queue.advance(fixture.id, limit: limit, besides: current, at: moment(10))
    #expect(fed.list.places == looked)
    #expect(
      try fixture.queue.look(into: fixture.id, limit: limit, besides: current, at: moment(10)) == looked)
  }

  @Test("a read that writes changes nothing")
  func readingOnly() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    let before = try fixture.dump()
    try fixture.database.read { db in try db.execute(sql: "UPDATE queue_entry SET state = 'skipped'") }
    #expect(try fixture.dump() == before)
  }
}

extension UInt64 {
  /// As SQLite sees it, whose whole numbers have a sign.
  fileprivate var asSigned: Int64 { Int64(bitPattern: self) }
}
