import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Foundation
import GRDB
import Glibc
import Testing
@testable import CastqStore

/// A database with something in every table and every column, made into files that no castq has written.
private struct DamagedFiles {
  let folder: URL
  /// Without the checks of the schema, so that each column can be given each value.
  let loose: URL
  /// As castq leaves it.
  let whole: URL

  static let secret = "s3cret"

  init() throws {
    let fixture = try StoreFixture()
    folder = try StoreFixture.folder()
    // All tests share it, and it may lie in memory.
    atexit {
      if let files = try? DamageTests.files.get() { try? FileManager.default.removeItem(at: files.folder) }
    }
    loose = folder.appending(path: "loose.db")
    whole = folder.appending(path: "whole.db")
    try Self.fill(fixture)
    try fixture.database.outsideTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [whole.path])
      try db.execute(sql: "VACUUM INTO ?", arguments: [loose.path])
    }
    let outside = try DatabaseQueue(path: loose.path)
    try outside.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(replace(replace(replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'),
            ') STRICT', ')'), 'TEXT NOT NULL', 'TEXT'), 'INTEGER NOT NULL', 'INTEGER'), 'REAL NOT NULL', 'REAL')
            WHERE type = 'table' AND name NOT LIKE 'sqlite%';
          PRAGMA writable_schema = RESET;
          """)
    }
    try outside.close()
  }

  private static func fill(_ fixture: StoreFixture) throws {
    let hall = try fixture.devices.add(
      name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.2"), at: moment(0))
    try fixture.devices.setAlias("h", of: hall.id)
    _ = try fixture.devices.pin(secret, of: hall.id, at: moment(1))
    try fixture.devices.seen(hall.id, at: moment(2))
    let drafts = (0..<3).map { EntryRoundTripTests.full($0 == 0 ? .movie : .tvShow) }
    for id in [fixture.id, hall.id] {
      let playlist = Playlist(name: "list", drafts: drafts, fallback: [drafts[0]])
      let entries = try fixture.queue.replace(with: playlist, for: id, seed: 7, at: moment(0))
      let device = id == hall.id ? hall : fixture.device
      for (number, entry) in entries.prefix(2).enumerated() {
        let turn = EntryTurn(entry: entry.id, turn: 1)
        try fixture.queue.offer([OfferedTurn(turn: turn, round: 0)], for: id, at: moment(3))
        var facts = [RecordedFact(fact: started(turn, at: 4), effect: EntryEffect(state: .playing))]
        if number == 0 {
          facts.append(
            RecordedFact(
              fact: ended(turn, at: 9, .failed, reason: PlayReason(idleReason: "ERROR", note: secret)),
              effect: EntryEffect(state: .failed, round: 1)))
        }
        facts.append(
          RecordedFact(
            fact: .adEnded(
              turn, AdPlay(breakID: "b", clipID: "c", startedAt: moment(5), played: 1, isSkipped: true)),
            effect: nil))
        try fixture.history.record(facts, device: device)
      }
    }
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE queue_entry SET credentials = ?", arguments: [secret])
      try $0.execute(sql: schedule)
    }
    try fillSchedule(fixture)
  }

  /// A row in every table of the schedule.
  private static func fillSchedule(_ fixture: StoreFixture) throws {
    let store = ScheduleStore(fixture.database)
    try store.addGroup("g", members: [fixture.id], replaces: false, at: moment(0))
    try store.addDay(LocalDate(number: 20_000), label: "Eve", to: "c", at: moment(0))
    let exceptions: [Daypart.Exception] = [.init(.weekdays(.all), .day), .init(.calendar("c"), nil)]
    try store.addDaypart(Daypart(name: "part", part: .day, exceptions: exceptions), at: moment(0))
    for name in ["p", "f"] {
      try store.addProgramme(
        name, source: "/\(name)", isShuffled: true, filler: name == "f" ? "p" : nil, seed: 1, at: moment(0))
    }
    try store.add(RuleStoreTests.full("a"), playing: .named("p"), at: moment(0))
    try store.add(RuleStoreTests.share, playing: .source("/s"), at: moment(0))
    let original = LocalTime(LocalDate(number: 20_000))
    try store.setException(.skip, at: original, rule: "a", playing: nil, at: moment(0))
    let other = original.adding(seconds: 86_400)
    try store.setException(.replace("f"), at: other, rule: "a", playing: .named("f"), at: moment(0))
    let onAir = ScheduleDecision.OnAir(
      occurrence: Occurrence(rule: RuleID(1), original: original, start: moment(1), end: moment(2)),
      programme: "p", revision: 1)
    try store.record(
      ScheduleDecision(
        at: moment(1), kind: .rule, onAir: onAir, planned: moment(1), reason: "x",
        beneath: [.init(occurrence: onAir.occurrence, resume: .item)]), device: fixture.device)
    try store.keep([RuleID(2): ShareCredit(owed: 1, lastEnd: moment(1))], device: fixture.id)
    try fixture.outside().write {
      try $0.execute(
        sql: """
          INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (1, 'x', 1, 2, 'x');
          INSERT INTO media_probe (path, size, modified_at, probed_at, problem) VALUES ('/x', 1, 1, 1, 'x');
          """)
    }
  }

  /// Everything that reads and edits the schedule.
  private static func useSchedule(
    _ database: CastqStore.Database, _ look: (() throws(StoreError) -> Any) -> Void
  ) {
    let store = ScheduleStore(database)
    guard let rule = try? RuleStoreTests.full("a") else { return }
    look { () throws(StoreError) in try store.schedule(siteZone: .utc, zones: { _ in nil }) }
    look { () throws(StoreError) in try store.groups() }
    look { () throws(StoreError) in try store.members(of: "g") }
    look { () throws(StoreError) in try store.lastDecision(of: DeviceID(1)) as Any }
    look { () throws(StoreError) in try store.decision(1) as Any }
    look { () throws(StoreError) in try store.decision(of: DeviceID(1), at: moment(9)) as Any }
    look { () throws(StoreError) in try store.credits(of: DeviceID(1)) }
    look { () throws(StoreError) in try store.setEnabled(false, rule: "a", at: moment(3)) }
    look { () throws(StoreError) in
      try store.add(rule, playing: .source("/n"), replaces: true, at: moment(3))
    }
    look { () throws(StoreError) in
      try store.addDaypart(Daypart(name: "part", part: .day), replaces: true, at: moment(0))
    }
    look { () throws(StoreError) in try store.removeRule("a", at: moment(4)) }
    look { () throws(StoreError) in try store.removeProgramme("p") }
    look { () throws(StoreError) in try store.removeCalendar("c", at: moment(3)) }
  }

  /// Everything that reads for reports, proofs and a centre.
  private static func useReports(
    _ database: CastqStore.Database, _ look: (() throws(StoreError) -> Any) -> Void
  ) {
    let (reports, outbox) = (ReportStore(database), OutboxStore(database))
    let period = WallTime(milliseconds: .min)..<WallTime.latest
    look { () throws(StoreError) in try ProofStore(database).read(since: nil, until: nil) { _ in true } }
    look { () throws(StoreError) in
      try ProofStore(database).read(since: moment(0), until: moment(99)) { _ in true }
    }
    look { () throws(StoreError) in try reports.readPlays(in: period, of: nil) { _ in } }
    look { () throws(StoreError) in try reports.outages(in: period, of: nil) }
    look { () throws(StoreError) in try reports.decisions(in: period, of: nil, now: moment(9)) }
    look { () throws(StoreError) in try reports.beginning() as Any }
    look { () throws(StoreError) in try outbox.link() as Any }
    look { () throws(StoreError) in try outbox.open(site: "hall", at: moment(9)) }
    look { () throws(StoreError) in try outbox.read(limit: 9) }
    look { () throws(StoreError) in try outbox.refused() }
  }

  /// One row in each table of programmes and rules, each column filled where it may be.
  private static let schedule = """
    INSERT INTO media_probe VALUES ('/srv/a.mp4', 1, 1, 1, '{}', NULL);
    INSERT INTO programme VALUES (1, 'filler', '/srv/f.m3u', 'ab', 0, 0, NULL, 1, NULL, 1),
      (2, 'menus', '/srv/m.m3u', 'ab', 1, 7, 1, 1, 'it is gone', 1);
    INSERT INTO queue (id, device_id, programme_id, identity) VALUES (-1, 1, 2, '0123456789abcdef0');
    INSERT INTO device_group VALUES (1, 'shops');
    INSERT INTO group_member VALUES (1, 1);
    INSERT INTO calendar VALUES (1, 'holidays', '/srv/h.ics', 'e', 1, 'Eve');
    INSERT INTO calendar_day VALUES (1, '2026-12-24', 'Christmas Eve');
    INSERT INTO daypart VALUES (1, 'breakfast', '08:00', '10:30');
    INSERT INTO daypart_exception VALUES (1, 0, 'sat-sun', NULL, '09:00', '11:00'), (1, 1, NULL, 1, NULL, NULL);
    INSERT INTO rule VALUES (1, 'morning', 1, 2, 1, NULL, 0, 'window', 'daypart', 'breakfast', 1, NULL, 'Europe/Berlin',
      '2026-01-01', '2026-12-31', 1, 1, 'wait', 90, 'finish', 'item', NULL, NULL, NULL, 'within', 900, 0.5, 1, 'n', 1),
      (2, 'spot', 1, 2, NULL, 1, 0, 'share', 'always', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'next', NULL, 'cut',
      'second', 180, 4, 300, 'skip', NULL, NULL, 1, NULL, 1);
    INSERT INTO rule_exception VALUES (1, '2026-12-24T08:00:00', 'move', '2026-12-24T09:00:00', NULL);
    INSERT INTO rule_history VALUES (1, 1, 1, NULL, '{}');
    INSERT INTO zone_history VALUES (1, NULL, 1, NULL, 'Europe/Berlin'), (2, 1, 1, NULL, 'Europe/Berlin');
    INSERT INTO credit VALUES (2, 1, 5, 1, 1, 1);
    INSERT INTO decision VALUES (1, 1, 'Lobby', 1, 2, 'rule', 1, 'morning', 1, 'menus', '2026-11-23T08:00:00', 1, 2, 0, 1,
      'daypart breakfast', '[]', '[]');
    INSERT INTO outage VALUES (1, 1, 'Lobby', 1, 2, 'no answer');
    UPDATE device SET zone = 'Europe/Berlin';
    UPDATE play SET kind = 'rule', rule_id = 1, rule_name = 'morning', rule_revision = 1, occurrence = '2026-11-23T08:00:00',
      planned_at = 1, decision_id = 1, chain = id, hash = printf('%064d', id), device_key = 'ab', is_clock_synchronised = 1
      WHERE ended_at IS NOT NULL;
    """

  /// Everything that reads, then everything that edits; what was refused.
  static func use(_ path: String) -> [StoreError] {
    let database: CastqStore.Database
    do { database = try CastqStore.Database(path: path) } catch { return [error] }
    let (queue, history, devices) = (QueueStore(database), HistoryStore(database), DeviceStore(database))
    var errors: [StoreError] = []
    func look(_ body: () throws(StoreError) -> some Any) {
      do throws(StoreError) { _ = try body() } catch { errors.append(error) }
    }
    look { () throws(StoreError) in try devices.all().map(\.castDevice) }
    look { () throws(StoreError) in try devices.device(matching: "hall") }
    let heard = ["192.0.2.2", "192.0.2.9"].map {
      Device(endpoint: DeviceEndpoint(host: $0), friendlyName: "Hall", uniqueID: nil)
    }
    look { () throws(StoreError) in try devices.found(heard, adding: true, at: moment(9)) }
    look { () throws(StoreError) in try devices.heard(heard, at: moment(99)).rows }
    look { () throws(StoreError) in try history.plays(matching: .init()) }
    look { () throws(StoreError) in try queue.devicesWithWork() }
    for id in [DeviceID(1), DeviceID(2)] {
      look { () throws(StoreError) in try devices.device(id) }
      look { () throws(StoreError) in
        try devices.proved(name: "Hall", model: "m", capabilities: nil, of: id, at: moment(9))
      }
      look { () throws(StoreError) in try devices.setSilent(id, at: moment(9)) }
      look { () throws(StoreError) in try history.lengths(of: id) }
      look { () throws(StoreError) in try queue.settings(for: id) }
      look { () throws(StoreError) in try queue.entries(for: id).map(\.title) }
      look { () throws(StoreError) in try queue.fallback(for: id) }
      look { () throws(StoreError) in try queue.counts(for: id) }
      look { () throws(StoreError) in try queue.playing(on: id) }
      look { () throws(StoreError) in try history.gaps(of: id).preloadTime(usually: 20) }
      look { () throws(StoreError) in
        var list = try queue.remembered(for: id, limit: 9).main
        return list.upcoming(limit: 9, besides: nil, at: moment(9))
      }
      look { () throws(StoreError) in
        var list = try queue.remembered(for: id, limit: 9).fallback
        return list.upcoming(limit: 9, besides: nil)
      }
      look { () throws(StoreError) in try queue.nextChange(for: id, after: moment(9)) }
      for mode in QueueRepeat.allCases {
        look { () throws(StoreError) in try queue.setRepeat(mode, for: id) }
        look { () throws(StoreError) in try queue.look(into: id, limit: 5, besides: nil, at: moment(9)) }
        look { () throws(StoreError) in try queue.advance(id, limit: 5, besides: nil, at: moment(9)).list }
      }
      look { () throws(StoreError) in try queue.advanceFallback(id, limit: 5, besides: nil).places }
      look { () throws(StoreError) in
        try queue.held((1...8).map { EntryTurn(entry: EntryID($0), turn: 1) }, on: id)
      }
      look { () throws(StoreError) in try queue.entry(before: EntryID(2), on: id) }
      look { () throws(StoreError) in try queue.moveList(to: EntryID(2), on: id) }
      look { () throws(StoreError) in try queue.recover(id) }
      look { () throws(StoreError) in try queue.move(EntryID(2), toPosition: 1, on: id) }
      for placement in [QueueStore.Placement.next, .at(1), .end] {
        look { () throws(StoreError) in
          try queue.enqueue([draft("x")], for: id, placement: placement, at: moment(9))
        }
      }
      look { () throws(StoreError) in
        try queue.revise(to: Playlist(drafts: [draft("y")]), for: id, at: moment(9))
      }
    }
    for number in 1...8 { look { () throws(StoreError) in try queue.entry(EntryID(Int64(number))) } }
    useSchedule(database) { body in look { () throws(StoreError) in try body() } }
    useReports(database) { body in look { () throws(StoreError) in try body() } }
    return errors + database.takeDamage()
  }

  /// Every column of every table.
  func columns() throws -> [(table: String, column: String)] {
    try DatabaseQueue(path: whole.path).read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
      )
      .flatMap { table in try db.columns(in: table).map { (table, $0.name) } }
    }
  }
}

@Suite("Damaged databases")
struct DamageTests {
  fileprivate static let files = Result { try DamagedFiles() }

  private static let values = [
    "NULL", "'word'", "'{x}'", "x'00ff'", "-9223372036854775808", "9223372036854775807", "-1", "1e308",
    "9e999",
  ]

  /// Each column is given one of the values, and each value to some columns of every table; in full every one to every one.
  private static let share = ProcessInfo.processInfo.environment["CASTQ_STORMS"] == nil ? 9 : 1

  @Test(
    "a column that holds what it never may ends nothing and shows nothing secret", arguments: values.indices)
  func columns(number: Int) throws {
    let files = try Self.files.get()
    let value = Self.values[number]
    var (tried, damaged, refused) = (0, 0, 0)
    for (place, (table, column)) in try files.columns().enumerated()
    where (place + number) % Self.share == 0 {
      let copy = files.folder.appending(path: "\(UUID().uuidString).db")
      try FileManager.default.copyItem(at: files.loose, to: copy)
      defer { for end in ["", "-wal", "-shm"] { unlink(copy.path + end) } }
      let outside = try DatabaseQueue(path: copy.path)
      tried += 1
      try outside.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        // The number of a row takes nothing but numbers.
        do {
          try db.execute(sql: "UPDATE OR IGNORE \(table) SET \(column) = \(value)")
          damaged += db.changesCount > 0 ? 1 : 0
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISMATCH {}
      }
      try outside.close()
      let errors = DamagedFiles.use(copy.path)
      refused += errors.isEmpty ? 0 : 1
      for error in errors {
        #expect(!"\(error)".contains(DamagedFiles.secret), "\(error)")
      }
    }
    // Columns that are never NULL refuse it; how many of the tried ones are depends on the share.
    #expect(damaged * 10 > tried * 7, "only \(damaged) of \(tried) columns were damaged")
    #expect(refused > 0, "nobody noticed")
  }

  @Test(
    "a file with bytes that were never written opens, is refused or is read, and ends nothing",
    arguments: 0..<10)
  func pages(seed: UInt64) throws {
    let files = try Self.files.get()
    var generator = SeededGenerator(seed: seed)
    let whole = try Data(contentsOf: files.whole)
    for _ in 0..<30 / Self.share {
      var damaged = whole
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        damaged.removeLast(Int.random(in: 1..<damaged.count, using: &generator))
      case 1:
        let page = Int.random(in: 0..<damaged.count / 4096, using: &generator) * 4096
        damaged.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
      default:
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
          damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
      }
      let copy = files.folder.appending(path: "\(UUID().uuidString).db")
      defer { for end in ["", "-wal", "-shm"] { unlink(copy.path + end) } }
      try damaged.write(to: copy)
      for error in DamagedFiles.use(copy.path) {
        #expect(!"\(error)".contains(DamagedFiles.secret), "\(error)")
      }
    }
  }

  @Test("one damaged entry hides no other, is named without its contents, and the list goes on behind it")
  func entry() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    try fixture.outside().write {
      try $0.execute(sql: "UPDATE media_item SET custom_data = 's3cret' WHERE content_id = 'b'")
    }
    let entries = try fixture.queue.entries(for: fixture.id)
    #expect(entries.map(\.id) == [ids[0], ids[2]])
    #expect(entries.map(\.position) == [1, 3])
    let damage = fixture.database.takeDamage()
    #expect(
      damage == [
        .corrupt(
          path: fixture.path, words: "table media_item, row 2, column media_custom_data has an invalid value")
      ])
    #expect(fixture.database.takeDamage() == [])
    let looked = try fixture.queue.look(into: fixture.id, limit: 2, besides: nil, at: moment(0))
    #expect(looked.map(\.entry) == [ids[0], ids[2]])
    #expect(try fixture.queue.counts(for: fixture.id) == [.pending: 3])
    #expect(try fixture.queue.advance(fixture.id, limit: 2, besides: nil).list.places == looked)
    let states = try fixture.outside().read {
      try String.fetchAll($0, sql: "SELECT state FROM queue_entry ORDER BY id")
    }
    #expect(states == ["pending", "failed", "pending"])
    #expect(throws: StoreError.self) { try fixture.queue.entry(ids[1]) }
  }

  @Test("one damaged play or device hides no other; a damaged rule of trust never means none")
  func playAndDevice() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    for (number, id) in ids.enumerated() { try fixture.play(id, at: Double(number) * 10) }
    let hall = try fixture.devices.add(
      name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.2"), at: moment(0))
    try fixture.outside().write {
      try $0.execute(
        sql: """
          UPDATE play SET started_at = 9223372036854775807 WHERE id = 1;
          UPDATE device SET last_seen_at = -9223372036854775808 WHERE name = 'Hall';
          """)
    }
    #expect(try fixture.history.plays(matching: .init()).map(\.title) == ["b"])
    #expect(try fixture.devices.all().map(\.name) == ["Lobby"])
    #expect(try fixture.devices.device(matching: "lobby").id == fixture.id)
    #expect(throws: StoreError.self) { try fixture.devices.device(hall.id) }
    do {
      _ = try fixture.devices.device(matching: "Hall")
      Issue.record("found")
    } catch { #expect("\(error)".contains("table device, row 2, column last_seen_at"), "\(error)") }
  }

  @Test("after an unclean end a damaged file is not written to any more; after a clean one nobody looks")
  func uncleanEnd() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    let lock = try DatabaseLock(.feeder(fixture.id), of: fixture.database)
    lock.release()
    let other = try CastqStore.Database(path: fixture.path)
    // Nothing that reads a queue looks at this index.
    let root = try fixture.outside().read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'play_time'")
    }
    try fixture.outside().writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    let file = open(fixture.path, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let garbage = [UInt8](repeating: 0xFF, count: 4096)
    #expect(pwrite(file, garbage, 4096, off_t(try #require(root) - 1) * 4096) == 4096)
    try DatabaseLock(.feeder(fixture.id), of: other).release()
    try QueueStore(other).setRepeat(.all, for: fixture.id)

    try "4242\n".write(toFile: "\(fixture.path).feeder-1.lock", atomically: false, encoding: .utf8)
    let again = try CastqStore.Database(path: fixture.path)
    let held = try DatabaseLock(.feeder(fixture.id), of: again)
    #expect(throws: StoreError.self) { try QueueStore(again).setRepeat(.off, for: fixture.id) }
    #expect(try QueueStore(again).entries(for: fixture.id).count == 1)
    #expect(try !again.check().isEmpty)
    // The next one looks again.
    held.release()
    let next = try CastqStore.Database(path: fixture.path)
    let last = try DatabaseLock(.feeder(fixture.id), of: next)
    #expect(throws: StoreError.self) { try QueueStore(next).setRepeat(.off, for: fixture.id) }
    last.release()
  }

  @Test("a whole file is found whole, also after an unclean end, and a copy of it is its owner's alone")
  func whole() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    try "4242\n".write(toFile: "\(fixture.path).daemon.lock", atomically: false, encoding: .utf8)
    let lock = try DatabaseLock(.daemon, of: fixture.database)
    try fixture.queue.setRepeat(.all, for: fixture.id)
    #expect(try fixture.database.check() == [])
    lock.release()
    let copy = fixture.folder.appending(path: "copy.db").path
    try fixture.database.backUp(to: copy)
    var status = stat()
    #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try QueueStore(CastqStore.Database(path: copy)).entries(for: fixture.id).count == 1)
    #expect(throws: StoreError.self) { try fixture.database.backUp(to: copy) }
  }
}
