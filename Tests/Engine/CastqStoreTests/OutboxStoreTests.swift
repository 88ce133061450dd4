import CastProtocol
import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

@Suite("The outbox")
struct OutboxStoreTests {
  private func titles(_ fixture: StoreFixture) throws -> [String] {
    try OutboxStore(fixture.database).read(limit: 100).plays.map(\.words.title)
  }

  private func numbers(_ fixture: StoreFixture) throws -> [Int64] {
    try OutboxStore(fixture.database).read(limit: 100).plays.map(\.seq)
  }

  /// `moment` is in November 2023.
  private static let month: Int64 = 202_311_000_000_000

  @Test("without a link no play is put into the outbox")
  func unlinked() throws {
    let fixture = try StoreFixture()
    try fixture.play(fixture.enqueue(["a"])[0])
    #expect(try titles(fixture) == [])
    #expect(try OutboxStore(fixture.database).link() == nil)
    let count = try fixture.outside().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM outbox") }
    #expect(count == 0)
  }

  @Test("each play is there once, in the order of the ends, however it ended, the past first")
  func ends() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["old", "b", "c", "d", "e", "f"])
    try fixture.play(ids[0])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(20))
    try outbox.open(site: "paris", at: moment(21))
    #expect(try outbox.link()?.site == "berlin", "a link stays what it is")
    let turns = ids.map { EntryTurn(entry: $0, turn: 1) }
    for id in ids.dropFirst() { try fixture.offer(id) }
    try fixture.record(started(turns[1], at: 30), nil)
    #expect(try titles(fixture) == ["old"], "what plays has not ended")
    // One that never started, one that did, twice reported; two that nobody saw end, closed by one statement.
    try fixture.record(ended(turns[2], at: 31, .failed), nil)
    try fixture.record(ended(turns[1], at: 32), nil)
    try fixture.record(ended(turns[1], at: 33), nil)
    try fixture.record(started(turns[3], at: 34), nil)
    try fixture.record(started(turns[4], at: 35), nil)
    try fixture.queue.closeLostPlays(of: fixture.id)
    #expect(try titles(fixture) == ["old", "c", "b", "d", "e"])
    #expect(try numbers(fixture) == (1...5).map { Self.month + $0 })
    let plays = try outbox.read(limit: 2).plays
    #expect(plays.count == 2 && plays[0].words.outcome == "finished" && plays[1].words.outcome == "failed")
    #expect(plays.allSatisfy { $0.hash?.utf8.count == 64 }, "the seal of the transaction goes with it")
    #expect(try outbox.link()?.waiting == 5)
  }

  @Test("what the centre has is removed, and its number is never given again")
  func cursor() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    for id in ids.prefix(2) { try fixture.play(id) }
    try outbox.remove([Self.month + 1])
    #expect(try titles(fixture) == ["b"])
    #expect(try outbox.link()?.cursor == Self.month + 1)
    try outbox.remove([Self.month + 2])
    #expect(try titles(fixture) == [])
    try fixture.play(ids[2])
    #expect(try numbers(fixture) == [Self.month + 3])
    try outbox.setAside([Self.month + 3], "no")
    let link = try outbox.link()
    #expect(link?.waiting == 0 && link?.refused == 1)
    #expect(try titles(fixture) == [])
  }

  @Test("a number begins with its month, and a clock that was set back does not set numbers back")
  func months() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    try fixture.play(ids[0], at: 0)
    // 40 days later, and two hours before that.
    try fixture.play(ids[1], at: 40 * 86400)
    try fixture.play(ids[2], at: 40 * 86400 - 7200)
    let numbers: [Int64] = [Self.month + 1, 202_312_000_000_001, 202_312_000_000_002]
    #expect(try self.numbers(fixture) == numbers)
    // The same of a past that is linked later, and again behind it.
    let past = OutboxStore(try CastqStore.Database(path: fixture.path))
    try fixture.outside().write {
      try $0.execute(
        sql: "DELETE FROM link; DELETE FROM outbox; DELETE FROM sqlite_sequence WHERE name = 'outbox'")
    }
    try past.open(site: "berlin", at: moment(0))
    #expect(try self.numbers(fixture) == numbers)
    try past.close(isForgetting: true)
    try past.open(site: "berlin", at: moment(0))
    #expect(try self.numbers(fixture) == (3...5).map { 202_312_000_000_000 + $0 })
  }

  @Test("an older copy of the database gives plays numbers behind those that the centre has, in their order")
  func renumbering() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    for id in ids.prefix(3) { try fixture.play(id) }
    // The centre has another play under the second number, and none under the third.
    try outbox.renumber(from: Self.month + 2, above: Self.month + 70)
    #expect(try titles(fixture) == ["a", "b", "c"])
    try fixture.play(ids[3])
    #expect(try titles(fixture) == ["a", "b", "c", "d"])
    #expect(try numbers(fixture) == [1, 71, 72, 73].map { Self.month + $0 })
  }

  @Test("a play whose row is damaged or gone is named, and set aside it holds nothing up")
  func damage() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    for id in ids { try fixture.play(id) }
    try fixture.outside().write {
      try $0.execute(
        sql: """
          DELETE FROM play WHERE title = 'a'; PRAGMA ignore_check_constraints = ON;
          UPDATE play SET played_s = 1e300 WHERE title = 'b';
          """)
    }
    let batch = try outbox.read(limit: 100)
    #expect(batch.plays.map(\.words.title) == ["c"])
    #expect(batch.damaged == [1, 2].map { Self.month + $0 })
    #expect(try outbox.link()?.refused == 0, "a read has written")
    try outbox.setAside(batch.damaged, "its row is damaged")
    #expect(try outbox.link()?.refused == 2)
    let refused = try outbox.refused()
    #expect(refused.map(\.problem) == ["its row is damaged", "its row is damaged"])
    #expect(refused.map(\.seq) == batch.damaged && refused.map(\.title) == [nil, "b"])
    #expect(try outbox.read(limit: 1).plays.map(\.words.title) == ["c"])
  }

  @Test(
    "what was set aside goes again under its own number, and is not removed with the batch that was on its way"
  )
  func resending() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    for id in ids.prefix(3) { try fixture.play(id) }
    #expect(try outbox.resend() == 0)
    try outbox.setAside([Self.month + 1, Self.month + 2], "a rule forbids it")
    let refused = try outbox.refused()
    #expect(refused.map(\.title) == ["a", "b"] && refused.map(\.device) == ["Lobby", "Lobby"])
    #expect(refused.allSatisfy { $0.problem == "a rule forbids it" && $0.endedAt != nil })
    let batch = try outbox.read(limit: 100).plays.map(\.seq)
    #expect(batch == [Self.month + 3])
    try fixture.play(ids[3])
    #expect(try outbox.resend() == 2 && outbox.link()?.refused == 0 && outbox.refused().isEmpty)
    try outbox.remove(batch)
    #expect(try titles(fixture) == ["a", "b", "d"])
    #expect(try numbers(fixture) == [1, 2, 4].map { Self.month + $0 })
    try outbox.remove([1, 2, 4].map { Self.month + $0 })
    #expect(try outbox.resend() == 0 && outbox.link()?.cursor == Self.month + 4)
    #expect(try numbers(fixture) == [])
  }

  @Test(
    "a month that has not come is left again: plays get lower numbers in their order, and so do those that follow"
  )
  func renumberingBack() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    try fixture.play(ids[0])
    for id in ids[1...2] { try fixture.play(id, at: 75 * 365 * 86400) }
    let first = try #require(try numbers(fixture).dropFirst().first)
    #expect(first > 209_800_000_000_000)
    try outbox.renumberBack(from: first, above: Self.month)
    #expect(try titles(fixture) == ["a", "b", "c"])
    try fixture.play(ids[3], at: 10)
    #expect(try numbers(fixture) == (1...4).map { Self.month + $0 })
    #expect(try titles(fixture) == ["a", "b", "c", "d"])
  }

  @Test(
    "a new link sends what the one before has not: what waited, under its number, what played then, and what came since"
  )
  func relinking() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["sent", "waits", "plays", "open", "since"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    for id in ids.prefix(2) { try fixture.play(id) }
    try outbox.remove([Self.month + 1])
    let turns = ids.map { EntryTurn(entry: $0, turn: 1) }
    for id in ids[2...3] {
      try fixture.offer(id)
      try fixture.record(started(EntryTurn(entry: id, turn: 1), at: 30), nil)
    }
    try outbox.close()
    // A second one changes nothing: what came between the two is not sent.
    try fixture.record(ended(turns[2], at: 40), nil)
    try fixture.play(ids[4])
    try outbox.close()
    try outbox.open(site: "munich", at: moment(50))
    #expect(try Set(titles(fixture)) == ["waits", "plays", "since"])
    #expect(try numbers(fixture).first == Self.month + 2)
    try fixture.record(ended(turns[3], at: 60), nil)
    #expect(try Set(titles(fixture)) == ["waits", "plays", "since", "open"])
    #expect(try outbox.link()?.cursor == 0)
  }

  @Test("after a link that is forgotten everything is sent again, under numbers that the centre has not seen")
  func closing() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    let outbox = OutboxStore(fixture.database)
    try outbox.open(site: "berlin", at: moment(0))
    try fixture.play(ids[0])
    try outbox.close()
    try outbox.close(isForgetting: true)
    try fixture.play(ids[1])
    #expect(try titles(fixture) == [])
    try outbox.open(site: "berlin", at: moment(0))
    #expect(try numbers(fixture) == [Self.month + 2, Self.month + 3])
  }
}
