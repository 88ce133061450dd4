import CastProtocol
import CastTLS
import CastqFeeding
import CastqPlaylists
import CastqText
import Foundation
import GRDB
import Testing
@testable import CastqStore

@Suite("Proof of play in rows")
struct PlaySealTests {
  /// What is stored of the seals, by the number of the play.
  private func seals(_ fixture: StoreFixture) throws -> [Row] {
    try fixture.outside().read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, chain, hash, device_key, is_clock_synchronised FROM play ORDER BY id")
    }
  }

  private func parts(_ fixture: StoreFixture) throws -> [ProofStore.Part] {
    var parts: [ProofStore.Part] = []
    try ProofStore(fixture.database).read(since: nil, until: nil) {
      parts.append($0)
      return true
    }
    return parts
  }

  /// Whether each hash is over the words and the hash before.
  private func isWhole(_ parts: [ProofStore.Part]) throws -> Bool {
    var last = (chain: Int64(0), hash: PlayWords.firstHash)
    for case .play(let words, let hash, _) in parts {
      guard words.chain == last.chain + 1, words.previous == last.hash,
        words.hash({ try? SHA256.text(of: $0.utf8) }) == hash, words.format == 2
      else { return false }
      last = (words.chain, hash)
    }
    return true
  }

  @Test("every end seals its play, in the order of the ends, and what follows changes no word")
  func ends() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    let turns = ids.map { EntryTurn(entry: $0, turn: 1) }
    for id in ids { try fixture.offer(id) }
    try fixture.record(started(turns[0], at: 1), nil)
    #expect(try seals(fixture).map { $0["chain"] as Int64? } == [nil], "what plays has not ended")
    // One that never started ends first, then one that did, one that nobody saw end, and one whose end was lost.
    try fixture.record(ended(turns[1], at: 2, .failed), nil)
    try fixture.record(ended(turns[0], at: 3), nil)
    try fixture.record(started(turns[2], at: 4), nil)
    try fixture.queue.recover(fixture.id)
    try fixture.record(started(turns[3], at: 5), nil)
    try fixture.queue.closeLostPlays(of: fixture.id)
    #expect(try seals(fixture).map { $0["chain"] as Int64? } == [2, 1, 3, 4])
    let before = try parts(fixture)
    #expect(try isWhole(before) && before.count == 5)
    // What castq itself adds to rows that have ended is outside of the words.
    try fixture.history.annotate(turns[1], "it is no media")
    try fixture.record(
      .adEnded(
        turns[0], AdPlay(breakID: "b", clipID: "c", startedAt: moment(2), played: 1, isSkipped: false)),
      nil)
    try fixture.record(ended(turns[0], at: 9), nil)
    try fixture.queue.recover(fixture.id)
    #expect(try parts(fixture) == before)
    try fixture.devices.remove(fixture.id, at: moment(0))
    #expect(try isWhole(parts(fixture)))
    #expect(
      try parts(fixture).dropFirst() == before.dropFirst(), "a device that is removed takes no proof along")
  }

  @Test("a word that is changed in the file no longer fits its hash")
  func altered() throws {
    let fixture = try StoreFixture()
    let id = try #require(try fixture.enqueue(["a"]).first)
    try fixture.play(id)
    for change in [
      "title = 'b'", "device_name = 'x'", "ended_at = ended_at + 1", "played_s = 4.999", "outcome = 'failed'",
      "kind = 'rule'", "rule_name = 'x'", "device_key = 'k'", "is_clock_synchronised = 1", "url = 'u'",
      "started_at = started_at - 1", "gap_before_s = 0", "evidence = 'inferred'", "occurrence = ''",
      "cause = 'guest'", "rate = 2", "unobserved_s = 4", "attempt = 2",
    ] {
      try fixture.outside().write { try $0.execute(sql: "UPDATE play SET \(change)") }
      #expect(try !isWhole(parts(fixture)), "\(change)")
      try fixture.outside().write { db in
        try db.execute(
          sql: """
            UPDATE play SET title = 'a', device_name = 'Lobby', ended_at = \(moment(15).milliseconds), played_s = 5,
              outcome = 'finished', kind = 'base', rule_name = NULL, device_key = NULL, is_clock_synchronised = NULL, url = 'a',
              started_at = \(moment(10).milliseconds), gap_before_s = NULL, evidence = 'reported', occurrence = NULL, cause = NULL,
              rate = NULL, unobserved_s = NULL, attempt = 1
            """)
      }
      #expect(try isWhole(parts(fixture)), "\(change)")
    }
  }

  @Test(
    "a row whose place in the chain is none is named, ends nothing and takes no other play along",
    arguments: [.max, .max - 1, 1 << 53 + 1, 0, -1, .min] as [Int64])
  func placeOutside(place: Int64) throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    for (number, id) in ids.enumerated() { try fixture.play(id, at: Double(number) * 10) }
    let whole = try parts(fixture)
    try fixture.outside().write {
      try $0.execute(
        sql: "PRAGMA ignore_check_constraints = ON; UPDATE play SET chain = ? WHERE id = 3",
        arguments: [place])
    }
    #expect(try parts(fixture).dropFirst() == whole.dropFirst().dropLast())
    #expect(
      fixture.database.takeDamage() == [
        .corrupt(path: fixture.path, words: "table play, row 3, column chain has an invalid value")
      ])
    // Nothing else has a place either.
    try fixture.outside().write { try $0.execute(sql: "DELETE FROM play WHERE id < 3") }
    guard case .extent(let extent)? = try parts(fixture).first else {
      Issue.record("there is no extent")
      return
    }
    #expect(extent.previousChain == 0 && extent.previousHash == PlayWords.firstHash)
  }

  @Test("the seal says how the device had proved itself, and whether the clock was synchronised")
  func witnesses() throws {
    let fixture = try StoreFixture()
    for clock in [true, false, nil] {
      let path = fixture.folder.appending(path: "clock-\(clock.map { "\($0)" } ?? "nil").db").path
      let database = try CastqStore.Database(path: path, clock: { clock })
      let device = try DeviceStore(database).add(
        name: "Lobby", endpoint: DeviceEndpoint(host: "192.0.2.1"), at: moment(0))
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "UPDATE device SET pinned_key = 'abcd', pinned_at = 1")
      }
      let entry = try #require(
        try QueueStore(database).enqueue([draft("a")], for: device.id, placement: .end, at: moment(0)).first)
      let turn = EntryTurn(entry: entry.id, turn: 1)
      try HistoryStore(database).record(
        [
          RecordedFact(fact: started(turn, at: 1), effect: nil),
          RecordedFact(fact: ended(turn, at: 2), effect: nil),
        ], device: device)
      let row = try DatabaseQueue(path: path).read { try Row.fetchOne($0, sql: "SELECT * FROM play") }
      #expect(row?["device_key"] as String? == "abcd")
      #expect(row?["is_clock_synchronised"] as Bool? == clock)
    }
  }

  /// Makes an entry one of a programme, whose list it leaves the base for.
  private static func move(_ entry: EntryID, to programme: String, _ fixture: StoreFixture) throws {
    try fixture.outside().write { db in
      try db.execute(
        sql: "INSERT INTO programme (name, source, created_at) VALUES (?1, '/srv/' || ?1, 0)",
        arguments: [programme])
      try db.execute(
        sql: """
          INSERT INTO queue (id, device_id, programme_id, identity)
          SELECT -id, 1, id, 'identity of ' || id || '......' FROM programme WHERE name = ?
          """, arguments: [programme])
      try db.execute(
        sql: "UPDATE queue_entry SET queue_id = (SELECT -id FROM programme WHERE name = ?) WHERE id = ?",
        arguments: [programme, entry.rawValue])
    }
  }

  private static func decide(_ values: String, _ fixture: StoreFixture) throws {
    try fixture.outside().write { db in
      try db.execute(sql: "UPDATE decision SET until = 5 WHERE until IS NULL")
      try db.execute(
        sql: """
          INSERT INTO decision (device_id, device_name, at, kind, rule_id, rule_name, revision, programme, occurrence, planned_at,
            reason) VALUES \(values)
          """)
    }
  }

  @Test("a play names what its device shows by its last decision, in the words of that day")
  func schedule() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    for id in ids { try fixture.offer(id) }
    try Self.move(ids[1], to: "menus", fixture)
    try fixture.record(started(EntryTurn(entry: ids[0], turn: 1), at: 1), nil)
    try Self.decide(
      "(1, 'Lobby', 1, 'rule', 7, 'lunch', 3, 'menus', '2026-11-23T11:30', 1700000000000, 'won')", fixture)
    try fixture.record(ended(EntryTurn(entry: ids[1], turn: 1), at: 2, .failed), nil)
    try Self.decide("(1, 'Lobby', 2, 'dark', NULL, NULL, NULL, NULL, NULL, NULL, 'nothing')", fixture)
    try fixture.record(started(EntryTurn(entry: ids[2], turn: 1), at: 3), nil)
    try fixture.outside().write { db in
      try db.execute(
        sql: "PRAGMA ignore_check_constraints = ON; UPDATE decision SET kind = 'odd' WHERE until IS NULL")
    }
    try fixture.record(started(EntryTurn(entry: ids[3], turn: 1), at: 4), nil)
    let plays = try fixture.history.plays(matching: .init())
    #expect(plays.map(\.schedule?.kind) == [.base, .rule, .base, nil])
    #expect(
      plays[1].schedule
        == PlaySchedule(
          kind: .rule, rule: 7, name: "lunch", revision: 3, occurrence: "2026-11-23T11:30",
          plannedAt: moment(0), decision: 1))
  }

  @Test(
    "what a receiver begins of the old list, before it has heard of the new one, is shown by what showed the old list"
  )
  func oldList() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d", "e"])
    for id in ids { try fixture.offer(id) }
    try Self.move(ids[2], to: "Menus", fixture)
    try Self.move(ids[3], to: "calls", fixture)
    try Self.move(ids[4], to: "never decided", fixture)
    func play(_ index: Int) throws {
      try fixture.record(started(EntryTurn(entry: ids[index], turn: 1), at: 6), nil)
    }
    try Self.decide(
      "(1, 'Lobby', 1, 'rule', 7, 'lunch', 3, 'menus', '2026-11-23T11:30', NULL, 'won')", fixture)
    try play(0)  // the base, which no decision was for
    try Self.decide("(1, 'Lobby', 2, 'base', NULL, NULL, NULL, NULL, NULL, NULL, 'over')", fixture)
    try Self.decide(
      "(1, 'Lobby', 3, 'announcement', 8, 'call', 1, 'calls', '2026-11-23T12:00', NULL, 'won')", fixture)
    for index in 1...4 { try play(index) }
    let plays = try fixture.history.plays(matching: .init())
    #expect(plays.map(\.schedule?.kind) == [.base, .base, .rule, .announcement, .announcement])
    #expect(plays.map(\.schedule?.decision) == [nil, 2, 1, 3, 3])
  }
}
