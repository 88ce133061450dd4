import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Foundation
import GRDB
import Testing
@testable import CastqStore

/// A database that stops working under a feeder, and works again.
protocol Outage {
  func begin(_ fixture: StoreFixture) throws
  func end(_ fixture: StoreFixture) throws
}

/// No page may be added, and those that are there are full.
struct FullDisk: Outage {
  func begin(_ fixture: StoreFixture) throws {
    let other = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    let id = try fixture.queue.enqueue([draft("filler")], for: other.id, placement: .end, at: moment(0))[0].id
    try fixture.database.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
    #expect(throws: StoreError.full(path: fixture.path)) {
      for turn in 1...10_000 {
        let turn = EntryTurn(entry: id, turn: turn)
        try fixture.history.record([RecordedFact(fact: started(turn, at: 1), effect: nil)], device: other)
      }
    }
  }

  func end(_ fixture: StoreFixture) throws {
    try fixture.database.write { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
  }
}

/// Another process holds the file for itself.
private final class HeldFile: Outage {
  private var holder: OutsideProcess?

  func begin(_ fixture: StoreFixture) throws {
    let program = """
      import signal, sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("BEGIN EXCLUSIVE")
      print("held", flush=True)
      signal.alarm(60)
      signal.pause()
      """
    let holder = try OutsideProcess(program, [fixture.path])
    #expect(holder.line() == "held")
    self.holder = holder
  }

  func end(_ fixture: StoreFixture) { holder?.kill() }
}

/// A feeder as far as rows see it: one entry after the other, each played to its end.
struct Player {
  var rows: FeederRows<StoredRows>
  private(set) var shown: [String] = []
  private(set) var news: [StoreError] = []
  private(set) var now = Tick.zero

  init(_ fixture: StoreFixture) {
    rows = FeederRows<StoredRows>(device: fixture.device, database: fixture.database)
  }

  mutating func playNext() throws {
    guard let next = try rows.upcoming(limit: 3, besides: nil, at: now, wall: moment(1)).places.first else {
      return
    }
    let turn = EntryTurn(entry: next.entry, turn: next.turn + 1)
    shown.append(next.draft.media.contentID)
    try rows.write(.offer([OfferedTurn(turn: turn, round: next.round)], at: moment(0)), at: now)
    try rows.write(.markQueued([turn]), at: now)
    let at = Double(shown.count * 10)
    let start = RecordedFact(fact: started(turn, at: at), effect: EntryEffect(state: .playing))
    try rows.write(.record([start]), at: now)
    let besides = UpcomingPlace(entry: next.entry, round: next.round)
    let ahead = try rows.upcoming(limit: 2, besides: besides, at: now, wall: moment(1)).places
    #expect(ahead.allSatisfy { $0.entry != next.entry || $0.round > next.round })
    let end = RecordedFact(
      fact: ended(turn, at: at + 5), effect: EntryEffect(state: .finished, round: next.round + 1))
    try rows.write(.record([end]), at: now)
    if let error = rows.takeNews() { news.append(error) }
    now = now + .seconds(10)
  }

  /// Tries to catch up as often as a feeder would.
  mutating func catchUp() -> StoreCatchUp? {
    for _ in 0..<50 {
      guard let next = rows.nextWork else { return nil }
      now = max(now, next)
      if let done = try? rows.work(at: now) { return done }
    }
    return nil
  }
}

@Suite("Feeding without a database")
struct FeederRowsTests {
  func loop(_ titles: [String] = ["a", "b", "c"], _ mode: QueueRepeat = .all) throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.queue.replace(
      with: Playlist(repeatMode: mode, drafts: titles.map(draft), fallback: [draft("spare")]),
      for: fixture.id, seed: 1, at: moment(0))
    return fixture
  }

  func plays(_ fixture: StoreFixture) throws -> [String] {
    var filter = HistoryStore.Filter()
    // Each player has a clock of its own.
    (filter.device, filter.order) = (fixture.id, .written)
    return try fixture.history.plays(matching: filter).map { "\($0.title) \($0.outcome?.rawValue ?? "open")" }
  }

  /// Plays through an outage and checks that nothing of it can be seen afterwards.
  private func survive(_ outage: some Outage) throws -> Player {
    let fixture = try loop()
    var player = Player(fixture)
    for _ in 0..<2 { try player.playNext() }
    try outage.begin(fixture)
    for _ in 0..<8 { try player.playNext() }
    let spare = try player.rows.upcomingFallback(limit: 2, besides: nil, at: player.now)
    #expect(spare.count == 2)
    #expect(player.news.count == 1, "an outage is told once")
    let early = player.rows.catchUp(at: player.now)
    #expect(early == nil)
    #expect(try plays(fixture).count < 10)
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    let done = try #require(caughtUp)
    #expect(done.isWhole)
    #expect(done.written > 20)
    #expect(player.rows.nextWork == nil)
    try player.playNext()
    #expect(player.news.count == 1)
    #expect(player.shown.joined() == "abcabcabcab")
    #expect(try plays(fixture) == player.shown.map { "\($0) finished" })
    let settings = try fixture.queue.settings(for: fixture.id)
    #expect(settings.round == 3)
    #expect(try fixture.queue.look(into: fixture.id, limit: 2, besides: nil).map(\.round) == [3, 4])
    return player
  }

  @Test("a disk that is full for a while stops nothing, and history is complete in the end")
  func full() throws {
    let player = try survive(FullDisk())
    #expect(player.news.allSatisfy { if case .full = $0 { true } else { false } })
  }

  @Test("nor does a process that holds the file; only the first write waits for it")
  func held() throws {
    let began = ContinuousClock.now
    let player = try survive(HeldFile())
    #expect(player.news.allSatisfy { if case .busy = $0 { true } else { false } })
    #expect(ContinuousClock.now - began < .seconds(20))
  }

  @Test("a damaged file is played from memory and never written again; what is missing is said")
  func corrupt() throws {
    let fixture = try loop()
    var player = Player(fixture)
    for _ in 0..<2 { try player.playNext() }
    // Another program's write makes this one look at the file again.
    try fixture.outside().writeWithoutTransaction { db in
      try db.execute(sql: "UPDATE device SET alias = 'x'; PRAGMA wal_checkpoint(TRUNCATE)")
    }
    player.rows.forget()
    let file = try FileHandle(forUpdating: URL(filePath: fixture.path))
    let size = try file.seekToEnd()
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0xAA, count: Int(size) - 4096))
    try file.close()
    let damaged = try Data(contentsOf: URL(filePath: fixture.path))
    for _ in 0..<7 { try player.playNext() }
    #expect(player.shown.joined() == "abcabcabc")
    #expect(player.news.count == 1)
    #expect(player.news.allSatisfy { if case .corrupt = $0 { true } else { false } }, "\(player.news)")
    #expect("\(player.news)".contains("restore a backup"))
    #expect(player.rows.nextWork == nil)
    let never = player.catchUp()
    #expect(never == nil)
    let finished = player.rows.finish(at: player.now)
    let end = try #require(finished)
    #expect(!end.isWhole)
    #expect(end.missing >= 7 * 4)
    #expect("\(end)".contains("\(end.missing) writes are missing"))
    #expect(try Data(contentsOf: URL(filePath: fixture.path)) == damaged)
  }

  @Test("a list without repetition plays each entry once, and is not called over when nobody can see its end")
  func once() throws {
    let outage = FullDisk()
    let fixture = try loop(["a", "b", "c", "d"], .off)
    var player = Player(fixture)
    try player.playNext()
    try outage.begin(fixture)
    for _ in 0..<6 { try player.playNext() }
    #expect(player.shown.joined() == "abcd")
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    #expect(caughtUp?.isWhole == true)
    #expect(try plays(fixture).count == 4)

    let long = try loop((0..<(FeederRows<StoredRows>.memory + 5)).map { "t\($0)" }, .off)
    var reader = Player(long)
    _ = try reader.rows.upcoming(limit: 3, besides: nil, at: .zero, wall: moment(1)).places
    try outage.begin(long)
    #expect(throws: StoreError.full(path: long.path)) {
      for _ in 0..<(FeederRows<StoredRows>.memory + 5) {
        let before = reader.shown.count
        try reader.playNext()
        try #require(reader.shown.count > before, "a list that goes on was called over")
      }
    }
    #expect(reader.shown.count == FeederRows<StoredRows>.memory)
    #expect(Set(reader.shown).count == reader.shown.count)
  }

  @Test(
    "on a full disk another list is chosen from its first entry, and given back; afterwards the rows say so, too"
  )
  func chosen() throws {
    let outage = FullDisk()
    let fixture = try loop()
    try ScheduleStore(fixture.database).addProgramme(
      "menus", source: "/menus.m3u", isShuffled: false, filler: nil, seed: 1, at: moment(0))
    try fixture.queue.take(
      Playlist(drafts: ["x", "y"].map(draft)), of: "menus", for: [fixture.id], at: moment(0))
    var player = Player(fixture)
    func choose(_ programme: String?, _ resume: ResumeMode?) throws -> QueueID {
      try player.rows.play(
        ListChoice(programme: programme, resume: resume), at: player.now, wall: moment(1)
      ).get()
    }
    try player.playNext()
    let menus = try choose("menus", nil)
    for _ in 0..<3 { try player.playNext() }
    #expect(try choose(nil, .second) == QueueID(fixture.id))
    try player.playNext()
    try outage.begin(fixture)
    try player.playNext()
    #expect(player.shown.joined() == "axyxbc")
    // It begins, with what it played before; and once more, with what it played since.
    #expect(try choose("menus", nil) == menus)
    try player.playNext()
    #expect(try choose("menus", nil) == menus)
    for _ in 0..<3 { try player.playNext() }
    #expect(try choose(nil, .second) == QueueID(fixture.id))
    for _ in 0..<2 { try player.playNext() }
    #expect(player.shown.dropFirst(6).joined() == "xxyxab", "\(player.shown)")
    #expect(player.news.count == 1)
    let gone = try player.rows.play(
      ListChoice(programme: "none", resume: nil), at: player.now, wall: moment(1))
    #expect(throws: Failure.self) { try gone.get() }
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    #expect(caughtUp?.isWhole == true)
    #expect(try plays(fixture) == player.shown.map { "\($0) finished" })
    try player.playNext()
    #expect(player.shown.last == "c")
    #expect(try choose("menus", .item) == menus)
    try player.playNext()
    #expect(player.shown.last == "y", "it goes on behind what it played on the full disk")
  }

  @Test("what others write meanwhile holds from the moment on at which the database works again")
  func others() throws {
    let outage = FullDisk()
    let fixture = try loop()
    var player = Player(fixture)
    try player.playNext()
    try outage.begin(fixture)
    for _ in 0..<3 { try player.playNext() }
    let ids = try fixture.queue.entries(for: fixture.id).map(\.id)
    let outside = try CastqStore.Database(path: fixture.path)
    try QueueStore(outside).remove([ids[2]], from: fixture.id)
    _ = try QueueStore(outside).enqueue([draft("n")], for: fixture.id, placement: .end, at: moment(0))
    player.rows.forget()
    for _ in 0..<2 { try player.playNext() }
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    #expect(caughtUp?.isWhole == true)
    for _ in 0..<5 { try player.playNext() }
    #expect(player.shown.prefix(6).joined() == "abcabc")
    #expect(!player.shown.dropFirst(6).contains("c"))
    #expect(player.shown.contains("n"))
    #expect(try plays(fixture).count == player.shown.count)
  }

  @Test("a list that was started during an outage is not stopped any more when that is over")
  func startedMeanwhile() throws {
    let outage = FullDisk()
    let fixture = try loop()
    var player = Player(fixture)
    try fixture.queue.stop(fixture.id, at: moment(0))
    try outage.begin(fixture)
    for _ in 0..<3 { try player.playNext() }
    try player.rows.write(.start, at: player.now)
    #expect(try fixture.queue.stoppedAt(fixture.id) != nil)
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    #expect(caughtUp?.isWhole == true)
    #expect(try fixture.queue.stoppedAt(fixture.id) == nil)
  }

  @Test("beyond the bound the oldest facts go, and the loss is said")
  func bounded() throws {
    let outage = FullDisk()
    let fixture = try loop()
    var player = Player(fixture)
    player.rows = FeederRows<StoredRows>(device: fixture.device, database: fixture.database, limit: 10)
    try player.playNext()
    try outage.begin(fixture)
    for _ in 0..<20 { try player.playNext() }
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    let done = try #require(caughtUp)
    #expect(!done.isWhole)
    #expect(done.lostFacts > 10)
    #expect("\(done)".contains("\(done.lostFacts) facts of history could not be kept"))
    try player.playNext()
    #expect(player.shown.joined() == String(repeating: "abc", count: 8).prefix(22))
    let told = try plays(fixture)
    #expect(told.count < player.shown.count)
    #expect(!told.contains { $0.hasSuffix("open") }, "what nobody saw end does not stay open")
    #expect(told.suffix(2).allSatisfy { $0.hasSuffix("finished") })
    let lost = try fixture.history.plays(matching: .init()).filter { $0.outcome == .interrupted }
    #expect(lost.allSatisfy { $0.evidence == .unobserved && $0.reason?.note?.contains("database") == true })
  }

  @Test(
    "an end that could not be kept hides no later play, and a play whose start could not be kept has its seconds"
  )
  func lostEnd() throws {
    let outage = FullDisk()
    let fixture = try loop(["a", "b", "c", "d", "e"], .off)
    let ids = try fixture.queue.entries(for: fixture.id).map(\.id)
    var rows = FeederRows<StoredRows>(device: fixture.device, database: fixture.database, limit: 5)
    func turn(_ index: Int) -> EntryTurn { EntryTurn(entry: ids[index], turn: 1) }
    func start(_ index: Int) throws {
      try rows.write(.offer([OfferedTurn(turn: turn(index), round: 0)], at: moment(0)), at: .zero)
      let fact = started(turn(index), at: Double(index * 10))
      try rows.write(
        .record([RecordedFact(fact: fact, effect: EntryEffect(state: .playing))]), at: .zero)
    }
    func end(_ index: Int) throws {
      let at = Double(index * 10)
      let play = EndedPlay(
        at: moment(at + 5), startedAt: moment(at), position: 5, played: 5, duration: 30, outcome: .finished,
        evidence: .reported)
      let effect = EntryEffect(state: .finished, round: 1)
      try rows.write(.record([RecordedFact(fact: .ended(turn(index), play), effect: effect)]), at: .zero)
    }
    try start(0)
    try outage.begin(fixture)
    try end(0)
    // Of the plays meanwhile the bound leaves the last, and of the one before it the end.
    for index in 1...3 {
      try start(index)
      try end(index)
    }
    try outage.end(fixture)
    let caughtUp = rows.catchUp(at: Tick(.seconds(600)))
    #expect(try #require(caughtUp).lostFacts > 0)
    try start(4)
    try end(4)
    var filter = HistoryStore.Filter()
    filter.device = fixture.id
    let told = try fixture.history.plays(matching: filter).map {
      let start = $0.startedAt.map { "\($0 - moment(0))" } ?? "never"
      return "\($0.title) \(start) \($0.playedSeconds) \($0.outcome?.rawValue ?? "open")"
    }
    #expect(
      told == [
        "a 0.0 0.0 interrupted", "c 20.0 5.0 finished", "d 30.0 5.0 finished", "e 40.0 5.0 finished",
      ])
  }

  @Test("a device that was removed meanwhile does not hold up the end of an outage")
  func removed() throws {
    let outage = FullDisk()
    let fixture = try loop()
    var player = Player(fixture)
    try player.playNext()
    try outage.begin(fixture)
    for _ in 0..<3 { try player.playNext() }
    try DeviceStore(CastqStore.Database(path: fixture.path)).remove(fixture.id, at: moment(0))
    try outage.end(fixture)
    let caughtUp = player.catchUp()
    #expect(caughtUp != nil)
    #expect(throws: StoreError.self) { try player.playNext() }
  }

  @Test("a moment that no calendar knows stops neither the list nor its history", arguments: [true, false])
  func beyondCalendar(isNotBefore: Bool) throws {
    let fixture = try loop()
    var player = Player(fixture)
    try fixture.outside().write {
      try $0.execute(
        sql: """
          UPDATE queue_entry SET not_after = 9223372036854775807\(isNotBefore ? ", not_before = 9223372036854775806" : "")
            WHERE id = 2
          """)
    }
    for _ in 0..<4 { try player.playNext() }
    #expect(player.news == [])
    #expect(player.shown.joined() == "acac")
    #expect(try plays(fixture) == player.shown.map { "\($0) finished" })
  }

  @Test("a row that cannot be read is an outage for as long as it is there, and not for ever")
  func mended() throws {
    let fixture = try loop()
    var player = Player(fixture)
    try player.playNext()
    let outside = try fixture.outside()
    let round = try fixture.queue.settings(for: fixture.id).round
    try outside.write { try $0.execute(sql: "UPDATE queue SET round = 9223372036854775807") }
    for _ in 0..<2 { try player.playNext() }
    #expect(player.news.count == 1)
    #expect(player.rows.nextWork != nil)
    let early = player.rows.catchUp(at: player.now)
    #expect(early == nil)
    try outside.write { try $0.execute(sql: "UPDATE queue SET round = ?", arguments: [round]) }
    let done = player.catchUp()
    #expect(done?.isWhole == true)
    try player.playNext()
    #expect(player.shown.joined() == "abca")
    #expect(try plays(fixture) == player.shown.map { "\($0) finished" })
  }

  @Test("errors of what was asked are no outage")
  func words() {
    #expect(StoreError(DatabaseError(resultCode: .SQLITE_READONLY), path: "p").isOutage)
    #expect(
      StoreError(DatabaseError(resultCode: .SQLITE_IOERR), path: "p")
        == .disk(path: "p", words: "disk I/O error"))
    #expect(StoreError(DatabaseError(resultCode: .SQLITE_CANTOPEN), path: "p").isOutage)
    #expect(!StoreError(DatabaseError(resultCode: .SQLITE_CONSTRAINT), path: "p").isOutage)
    #expect(!StoreError.unknownEntry("1").isOutage)
  }
}
