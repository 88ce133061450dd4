import CastProtocol
import CastqCore
import Foundation
import GRDB
import Testing

@testable import CastqStore

@Suite("The schema")
struct SchemaTests {
  /// Every table, index and trigger with its text, blanks and comments evened out.
  private func objects(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
        .map { row in
          let text: String = row["sql"] ?? ""
          let lines = text.split(separator: "\n").map {
            $0.prefix(upTo: $0.firstRange(of: "--")?.lowerBound ?? $0.endIndex)
          }
          return ["type", "name", "tbl_name"].map { "\(row[$0] ?? "")" }.joined(separator: " ") + ": "
            + lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            // A column that was added stands right before the bracket that closes the table.
            .replacing(" ,", with: ",").replacing(" )", with: ")")
        }
    }
  }

  @Test("a database made by the program is exactly schema.sql")
  func sameAsFile() throws {
    let fixture = try StoreFixture()
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "schema.sql")
    let text = try String(contentsOf: file, encoding: .utf8)
    let alone = try DatabaseQueue()
    try alone.write { try $0.execute(sql: text) }
    let expected = try objects(alone)
    #expect(expected.count > 20)
    #expect(try objects(fixture.outside()) == expected)
  }

  @Test(
    "a file of every older version becomes exactly what a new one is, and keeps its entries",
    arguments: 1...14)
  func upgrade(version: Int) throws {
    let fixture = try StoreFixture()
    let path = try old(
      version, in: fixture.folder,
      """
      INSERT INTO device (id, name, host, port, created_at) VALUES (1, 'Lobby', '192.0.2.1', 8009, 1);
      INSERT INTO device (id, name, host, port, uuid, last_seen_at, created_at)
        VALUES (2, '[2001:db8::1]:8009', '2001:db8::1', 8009, 'ABCDEF01-2345-6789-ABCD-EF0123456789', 7, 1);
      INSERT INTO queue (\(version < 8 ? "" : "id, ")device_id, identity) VALUES (\(version < 8 ? "" : "1, ")1, '0123456789abcdef');
      INSERT INTO media_item (id, content_id, stream_type) VALUES (1, 'http://h/a.mp4', 'BUFFERED');
      INSERT INTO queue_entry (\(version < 8 ? "" : "queue_id, ")device_id, media_item_id, position, created_at)
        VALUES (\(version < 8 ? "" : "1, ")1, 1, 1, 1);
      """ + (version < 3 ? "" : Self.ledger))
    let database = try CastqStore.Database(path: path)
    let entries = try QueueStore(database).entries(for: DeviceID(1))
    #expect(entries.map(\.draft.media.contentID) == ["http://h/a.mp4"])
    let upcoming = try QueueStore(database).upcoming(for: DeviceID(1), limit: 9, besides: nil)
    #expect(upcoming.map(\.entry) == entries.map(\.id))
    let fallback = try QueueStore(database).upcomingFallback(
      for: DeviceID(1), limit: 9, besides: nil, looping: false, remembering: nil)
    #expect(fallback.places == [])
    let devices = try DeviceStore(database).all()
    #expect(devices.map(\.staticEndpoint) == devices.map(\.endpoint))
    #expect(devices.map(\.isNamed) == [false, true], "an address is no name that somebody gave")
    #expect(devices.map(\.isPicked) == [true, true])
    #expect(devices.map(\.seenBy) == [.connect, nil])
    #expect(devices.map(\.uuid) == ["abcdef0123456789abcdef0123456789", nil])
    #expect(devices.map(\.trust) == [.pin, .pin])
    #expect(try objects(DatabaseQueue(path: path)) == objects(fixture.outside()))
    #expect(
      try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        == CastqStore.Database.version)
  }

  @Test("what first entries carried of their lists becomes the queue's with an upgrade", arguments: [7, 13])
  func listWords(version: Int) throws {
    let fixture = try StoreFixture()
    let (id, queue) = version < 8 ? ("", "") : ("id, ", "1, ")
    let entry = version < 8 ? "" : "queue_id, "
    let path = try old(
      version, in: fixture.folder,
      """
      INSERT INTO device (id, name, host, port, created_at) VALUES (1, 'Lobby', '192.0.2.1', 8009, 1);
      INSERT INTO queue (\(id)device_id, identity) VALUES (\(queue)1, '0123456789abcdef');
      INSERT INTO media_item (id, content_id, stream_type) VALUES
        (1, 'http://h/a.mp4', 'BUFFERED'), (2, 'http://h/b.mp4', 'BUFFERED'), (3, 'http://h/c.mp4', 'BUFFERED');
      INSERT INTO queue_entry (\(entry)device_id, media_item_id, position, created_at, state, foreign_fields) VALUES
        (\(queue)1, 2, 2, 1, 'pending', '{"attributes":[],"lines":[],"list":[["refresh","60"],["url-tvg","B"]]}'),
        (\(queue)1, 1, 1, 1, 'pending', '{"attributes":[["tvg-id","a"]],"lines":[],"list":[["url-tvg","A"]],'
          || '"notes":[{"kind":"link","list":true,"name":"r","value":"v"},{"kind":"meta","list":false,"name":"m","value":"v"}]}'),
        (\(queue)1, 3, 3, 1, 'cancelled', '{"attributes":[],"lines":[],"list":[["gone","1"]]}');
      """)
    let store = QueueStore(try CastqStore.Database(path: path))
    let fields = try store.foreignFields(of: DeviceID(1))
    #expect(fields.list.map { "\($0.name)=\($0.value)" } == ["url-tvg=A", "refresh=60"])
    #expect(fields.notes == [ForeignNote(.link, name: "r", value: "v", isOfList: true)])
    #expect(fields.attributes.isEmpty && fields.lines.isEmpty)
  }

  /// Runs a command of a shell; true for exit status 0.
  private func shell(_ command: String) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test(
    "an upgrade leaves a copy of the file as it was, and an older program names the command that puts it back"
  )
  func copy() throws {
    let folder = try StoreFixture.folder().appending(path: "it's here")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let path = try old(7, in: folder, Self.entries(["a"]))
    let copy = "\(path).schema-7"
    try Data("an older copy".utf8).write(to: URL(filePath: copy))
    _ = try QueueStore(CastqStore.Database(path: path)).enqueue(
      [draft("b")], for: DeviceID(1), placement: .end, at: moment(0))
    let before = try DatabaseQueue(path: copy).read { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA user_version"),
        try Int.fetchOne(db, sql: "SELECT count(*) FROM queue_entry")
      )
    }
    #expect(before.0 == 7 && before.1 == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(access("\(copy).new", F_OK) != 0)

    let newer = try DatabaseQueue(path: path)
    try newer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
    try newer.close()
    let error = #expect(throws: StoreError.self) { try CastqStore.Database(path: path) }
    let message = try #require(error).description
    #expect(message.contains("has schema 99") && message.contains("install a newer castq, or"))
    let command = try #require(message.components(separatedBy: ": ").last)
    #expect(try shell(command), "\(command)")
    #expect(try QueueStore(CastqStore.Database(path: path)).entries(for: DeviceID(1)).count == 1)
  }

  @Test(
    "rules with their shares, decisions and history are the same after an upgrade; what they named is known from then on",
    arguments: 8...10)
  func oldRules(version: Int) throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    var lunch = ScheduleRule(
      id: RuleID(1), name: "lunch", programme: "menus", target: .group("g"), form: .daypart("part", .all))
    func document(_ revision: Int, cause: String? = nil) -> String {
      lunch.revision = revision
      guard case .object(var members) = lunch.document(devices: ["1": "Lobby"]) else { return "{}" }
      members["cause"] = cause.map { .string($0) }
      return JSONValue.object(members).text
    }
    let path = try old(
      version, in: folder,
      """
      INSERT INTO device (id, name, host, port, created_at, is_picked) VALUES (1, 'Lobby', '192.0.2.1', 8009, 1, 1);
      INSERT INTO queue (id, device_id, identity) VALUES (1, 1, '0123456789abcdef');
      INSERT INTO programme (id, name, source, created_at) VALUES (1, 'menus', '/m', 1);
      INSERT INTO device_group (id, name) VALUES (1, 'g');
      INSERT INTO group_member (group_id, device_id) VALUES (1, 1);
      INSERT INTO daypart (id, name, start_local, end_local) VALUES (1, 'part', '08:00', '09:00');
      INSERT INTO rule (id, name, revision, programme_id, group_id, kind, form, expression, daypart_id)
        VALUES (1, 'lunch', 2, 1, 1, 'window', 'daypart', 'part', 1);
      INSERT INTO rule (id, name, programme_id, device_id, kind, form, expression, share_s_per_hour)
        VALUES (2, 'ad', 1, 1, 'share', 'always', '', 180);
      INSERT INTO rule_history (rule_id, revision, at, before, after) VALUES
        (1, 1, \(moment(1).milliseconds), NULL, '\(document(1))'),
        (1, 2, \(moment(5).milliseconds), '\(document(1))', '\(document(2, cause: "day part part"))');
      INSERT INTO credit (rule_id, device_id, owed_ms, plays_in_hour, hour) VALUES (2, 1, -700, 3, 9);
      INSERT INTO decision (device_id, device_name, at, kind, rule_id, rule_name, revision, programme, occurrence, starts_at,
        reason) VALUES (1, 'Lobby', \(moment(6).milliseconds), 'rule', 1, 'lunch', 2, 'menus', '2023-11-14T08:00', 1, 'r');
      INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, kind, rule_id, rule_name)
        VALUES (1, 1, 1, 'Lobby', 't', 'u', 1, 'rule', 1, 'lunch');
      """)
    let database = try CastqStore.Database(path: path)
    let store = ScheduleStore(database)
    let rules = try store.schedule(siteZone: .utc, zones: { _ in nil }).book.rules
    #expect(rules.map(\.name) == ["ad", "lunch"] && rules.map(\.revision) == [1, 2])
    #expect(try store.credits(of: DeviceID(1))[RuleID(2)]?.owed == -700)
    #expect(try store.decision(of: DeviceID(1), at: moment(7))?.rule == "lunch")
    #expect(try store.play(1)?.rule == "lunch")
    #expect(try store.revisions(of: "lunch").map(\.cause) == [nil, "day part part"])
    // What the day part was before, no version had written.
    func known(_ at: WallTime) throws -> [Int] {
      try store.past(since: at, present: rules).rules(at: at).filter { $0.name == "lunch" }.map(\.revision)
    }
    #expect(try known(moment(2)) == [] && known(moment(6)) == [2])
    let later = WallTime(milliseconds: 4_102_444_800_000)
    try store.addDaypart(
      Daypart(name: "part", part: try DayPart("10:00-11:00")), replaces: true, at: later)
    #expect(try known(moment(6)) == [2])
    let past = try store.past(since: moment(6), present: rules)
    let now = try store.schedule(siteZone: .utc, zones: { _ in nil }).book
    #expect(past.named.book(now, at: moment(6)).dayparts["part"]?.part.text == "08:00-09:00")
    #expect(now.dayparts["part"]?.part.text == "10:00-11:00")
    #expect(database.takeDamage() == [])
  }

  @Test("a new file and one of this schema are not copied, and without a copy none is offered")
  func noCopy() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "new.db").path
    for _ in 0..<2 { _ = try CastqStore.Database(path: path) }
    let newer = try DatabaseQueue(path: path)
    try newer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
    try newer.close()
    let error = #expect(throws: StoreError.self) { try CastqStore.Database(path: path) }
    #expect(error?.description.hasSuffix("install a newer castq") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("schema") } == [])
  }

  @Test("the number of an entry is never given again, also not after the upgrade")
  func oldNumbers() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try old(7, in: folder, Self.entries(["a", "b"]) + "DELETE FROM queue_entry WHERE id = 2;")
    let queue = try QueueStore(CastqStore.Database(path: path))
    let added = try queue.enqueue([draft("c")], for: DeviceID(1), placement: .end, at: moment(0))
    #expect(added.map(\.id) == [EntryID(3)])
  }

  @Test("an old entry came from the network when its list did, and then no file is served for it")
  func oldOrigins() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let sources = ["http://h/l.yaml", "HTTPS://h/l.yaml", "l.yaml", "-", "https.m3u", nil]
    let path = try old(4, in: folder, Self.entries(sources))
    let queue = try QueueStore(CastqStore.Database(path: path))
    #expect(
      try queue.entries(for: DeviceID(1)).map(\.draft.origin) == [
        .network, .network, .local, .local, .local, .local,
      ])
  }

  @Test(
    "a pinned device that an announcement had made a group is none any more, and who was silent is asked again"
  )
  func oldTrust() throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try old(
      4, in: folder,
      """
      INSERT INTO device (id, name, host, port, created_at, is_group, capabilities, can_prove, pinned_key, pinned_at)
        VALUES (1, 'Lobby', '192.0.2.1', 8009, 1, 1, 37, 1, 'aa', 1), (2, 'Hall', '192.0.2.2', 8009, 1, 1, 37, 0, NULL, NULL);
      """)
    let devices = try DeviceStore(CastqStore.Database(path: path))
    let pinned = try #require(try devices.device(DeviceID(1)))
    #expect(!pinned.isGroup && pinned.castDevice.type == .tv && pinned.canProve == true)
    let unpinned = try #require(try devices.device(DeviceID(2)))
    #expect(unpinned.isGroup && unpinned.castDevice.type == .speakerGroup && unpinned.canProve == nil)
  }

  /// A file as an older version has left it. Later versions only added to version 8, and their files have what they added.
  private func old(_ version: Int, in folder: URL, _ rows: String) throws -> String {
    let path = folder.appending(path: "old.db").path
    let schemas = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schemas")
    let sql = try (min(version, 8)...version).map {
      try String(contentsOf: schemas.appending(path: "version-\($0).sql"), encoding: .utf8)
    }.joined(separator: "\n")
    let file = try DatabaseQueue(path: path)
    try file.write { try $0.execute(sql: sql + rows + "PRAGMA user_version = \(version);") }
    try file.close()
    return path
  }

  /// A device with entries from these lists.
  private static func entries(_ sources: [String?]) -> String {
    "INSERT INTO device (id, name, host, port, created_at) VALUES (1, 'Lobby', '192.0.2.1', 8009, 1);"
      + "INSERT INTO queue (device_id, identity) VALUES (1, '0123456789abcdef');"
      + sources.enumerated().map { number, source in
        """
        INSERT INTO media_item (id, content_id, stream_type) VALUES (\(number + 1), 'http://h/\(number).mp4', 'BUFFERED');
        INSERT INTO queue_entry (device_id, media_item_id, position, created_at, source_file)
          VALUES (1, \(number + 1), \(number + 1), 1, \(source.map { "'\($0)'" } ?? "NULL"));
        """
      }.joined()
  }

  /// What a program of version 3 has in the columns that step 3 fills.
  private static let ledger = """
    UPDATE device SET static_host = host, static_port = port, is_picked = 1, is_named = id = 1,
      seen_by = CASE id WHEN 2 THEN 'connect' END,
      uuid = CASE id WHEN 2 THEN 'abcdef0123456789abcdef0123456789' END;
    """

  @Test("every table checks the types of its columns")
  func strict() throws {
    let loose = try StoreFixture().outside().read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict
            AND name NOT LIKE 'sqlite%'
          """)
    }
    #expect(loose == [])
  }

  /// One legal list: entry 1 plays, 2 waits, 3 was removed; play 1 is over, play 2 is on its way.
  private static let legal = """
    UPDATE queue_entry SET turn = 1, offered_at = 5, state = 'playing' WHERE id = 1;
    UPDATE queue_entry SET state = 'cancelled' WHERE id = 3;
    INSERT INTO play (id, entry_id, turn, device_id, device_name, title, url, started_at, ended_at, outcome, evidence)
      VALUES (1, 2, 1, 1, 'Lobby', 't', 'u', 1, 2, 'finished', 'reported');
    INSERT INTO play (id, entry_id, turn, device_id, device_name, title, url, started_at)
      VALUES (2, 1, 1, 1, 'Lobby', 't', 'u', 1);
    UPDATE device SET is_default = 1 WHERE id = 1;
    INSERT INTO device (id, name, host, port, created_at) VALUES (2, 'Hall', 'h', 8009, 1);
    INSERT INTO queue (id, device_id, identity) VALUES (2, 2, '0123456789abcdef');
    """

  private static let play = "INSERT INTO play (entry_id, turn, device_name, title, url"

  @Test(
    "rows that make no sense are refused, whoever writes them",
    arguments: [
      "UPDATE queue_entry SET state = 'paused' WHERE id = 2",
      "UPDATE queue_entry SET state = 'Pending' WHERE id = 2",
      "UPDATE queue_entry SET state = 'offered' WHERE id = 2",
      "UPDATE queue_entry SET state = 'finished', turn = 1 WHERE id = 2",
      "UPDATE queue_entry SET state = 'playing', turn = 1, offered_at = 5 WHERE id = 2",
      "UPDATE queue_entry SET position = 1 WHERE id = 2",
      "UPDATE queue_entry SET state = 'pending', position = 2 WHERE id = 3",
      "UPDATE queue_entry SET turn = -1 WHERE id = 2",
      "UPDATE queue_entry SET round = -1 WHERE id = 2",
      "UPDATE queue_entry SET attempts = -1 WHERE id = 2",
      "UPDATE queue_entry SET autoplay = 2 WHERE id = 2",
      "UPDATE queue_entry SET start_time_s = -0.1 WHERE id = 2",
      "UPDATE queue_entry SET start_time_s = 'soon' WHERE id = 2",
      "UPDATE queue_entry SET playback_duration_s = 0 WHERE id = 2",
      "UPDATE queue_entry SET preload_time_s = -1 WHERE id = 2",
      "UPDATE queue_entry SET playback_rate = 2.5 WHERE id = 2",
      "UPDATE queue_entry SET active_track_ids = '{}' WHERE id = 2",
      "UPDATE queue_entry SET active_track_ids = '[1' WHERE id = 2",
      "UPDATE queue_entry SET source_line = 3 WHERE id = 2",
      "UPDATE queue_entry SET source_file = 'f', source_line = 0 WHERE id = 2",
      "UPDATE queue_entry SET not_before = 5, not_after = 4 WHERE id = 2",
      "UPDATE queue_entry SET on_error = 'ignore' WHERE id = 2",
      "UPDATE queue_entry SET on_error = 'retry 0' WHERE id = 2",
      "UPDATE queue_entry SET role = 'spare' WHERE id = 2",
      "UPDATE queue_entry SET role = NULL WHERE id = 2",
      "UPDATE queue_entry SET origin = 'here' WHERE id = 2",
      "UPDATE queue_entry SET foreign_fields = '[]' WHERE id = 2",
      "UPDATE queue_entry SET origin = NULL WHERE id = 2",
      "UPDATE queue_entry SET role = 'fallback', turn = 1, offered_at = 5, state = 'playing' WHERE id = 2",
      "UPDATE queue_entry SET media_item_id = 1 WHERE id = 2",
      "UPDATE queue_entry SET media_item_id = 99 WHERE id = 2",
      "UPDATE queue_entry SET device_id = 99 WHERE id = 2",
      "UPDATE queue_entry SET queue_id = 99 WHERE id = 2",
      "INSERT INTO queue (id, device_id, identity) VALUES (-9, 1, '0123456789abcde99')",
      "DELETE FROM media_item WHERE id = 1",
      "UPDATE device SET is_default = 1 WHERE id = 2",
      "UPDATE device SET is_default = 2 WHERE id = 2",
      "UPDATE device SET name = 'LOBBY' WHERE id = 2",
      "UPDATE device SET name = '' WHERE id = 2",
      "UPDATE device SET port = 0 WHERE id = 2",
      "UPDATE device SET port = 65536 WHERE id = 2",
      "UPDATE device SET origin = 'heard' WHERE id = 2",
      "UPDATE device SET host = NULL WHERE id = 2",
      "UPDATE device SET static_host = '' WHERE id = 2",
      "UPDATE device SET static_port = 8009 WHERE id = 2",
      "UPDATE device SET static_host = 'h' WHERE id = 2",
      "UPDATE device SET static_host = 'h', static_port = 0 WHERE id = 2",
      "UPDATE device SET seen_by = 'static' WHERE id = 2",
      "UPDATE device SET trust = 'some' WHERE id = 2",
      "UPDATE device SET trust = 'roots' WHERE id = 2",
      "UPDATE device SET trust_roots = 'f' WHERE id = 2",
      "UPDATE device SET pinned_at = 1 WHERE id = 2",
      "UPDATE device SET can_prove = 2 WHERE id = 2",
      "UPDATE device SET is_picked = 2 WHERE id = 2",
      "UPDATE queue SET repeat_mode = 'some' WHERE device_id = 1",
      "UPDATE queue SET is_shuffled = 2 WHERE device_id = 1",
      "UPDATE queue SET round = -1 WHERE device_id = 1",
      "UPDATE queue SET identity = 'short' WHERE device_id = 1",
      "UPDATE queue SET identity = '0123456789abcdef' WHERE device_id = 1",
      "UPDATE media_item SET custom_data = '' WHERE id = 1",
      "UPDATE media_item SET text_track_style = '[]' WHERE id = 1",
      "UPDATE media_item SET unknown_members = '1' WHERE id = 1",
      "UPDATE media_item SET duration_s = -1 WHERE id = 1",
      "INSERT INTO media_metadata (media_item_id, kind) VALUES (1, -1)",
      "INSERT INTO media_metadata (media_item_id, kind, members) VALUES (1, 0, '[]')",
      "INSERT INTO media_image (media_item_id, ordinal, url) VALUES (99, 0, 'u')",
      "INSERT INTO media_image (media_item_id, ordinal, url, width) VALUES (1, 0, 'u', 'wide')",
      "INSERT INTO media_track (media_item_id, ordinal, track_id, kind, roles) VALUES (1, 0, 1, 'TEXT', '{}')",
      "INSERT INTO media_track (media_item_id, ordinal, track_id, kind) VALUES (1, 0, 1, 'A'), (1, 1, 1, 'B')",
      "UPDATE play SET outcome = NULL WHERE id = 1",
      "UPDATE play SET evidence = NULL WHERE id = 1",
      "UPDATE play SET ended_at = NULL WHERE id = 1",
      "UPDATE play SET ended_at = 9 WHERE id = 2",
      "UPDATE play SET outcome = 'won' WHERE id = 1",
      "UPDATE play SET evidence = 'guessed' WHERE id = 1",
      "UPDATE play SET started_at = NULL WHERE id = 2",
      "UPDATE play SET started_at = NULL, played_s = 1 WHERE id = 1",
      "UPDATE play SET played_s = -1 WHERE id = 2",
      "UPDATE play SET gap_before_s = -1 WHERE id = 2",
      "UPDATE play SET device_id = 99 WHERE id = 2",
      "\(play), started_at) VALUES (7, 0, 'd', 't', 'u', 1)",
      "\(play), started_at) VALUES (1, 1, 'd', 't', 'u', 1)",
      "\(play)) VALUES (7, 1, 'd', 't', 'u')",
      "INSERT INTO media_probe VALUES ('a.mp4', 1, 1, 1, '{}', NULL)",
      "INSERT INTO media_probe VALUES ('/a.mp4', -1, 1, 1, '{}', NULL)",
      "INSERT INTO media_probe VALUES ('/a.mp4', 1, 1, 1, NULL, NULL)",
      "INSERT INTO media_probe VALUES ('/a.mp4', 1, 1, 1, '{}', 'no media')",
      "INSERT INTO media_probe VALUES ('/a.mp4', 1, 1, 1, '[]', NULL)",
      "INSERT INTO link VALUES (2, 'berlin', 1, 0)",
      "INSERT INTO link VALUES (1, '', 1, 0)",
      "INSERT INTO link VALUES (1, 'berlin', 1, -1)",
      "INSERT INTO outbox (seq, kind, body) VALUES (1, 'letter', '{}')",
      "INSERT INTO outbox (seq, kind, body) VALUES (1, 'play', '1')",
      "INSERT INTO ad_break_play VALUES (99, 'b', 'c', 1, 1, 0)",
      "INSERT INTO ad_break_play VALUES (1, 'b', 'c', 1, -1, 0)",
    ])
  func refused(statement: String) throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a", "b", "c"])
    let outside = try fixture.outside()
    try outside.write { try $0.execute(sql: Self.legal) }
    let error = #expect(throws: DatabaseError.self) {
      try outside.write { try $0.execute(sql: statement) }
    }
    #expect(error?.resultCode == .SQLITE_CONSTRAINT, "\(error?.description ?? "")")
  }

  @Test("media goes with its entry; plays outlive entry and device")
  func cascades() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.play(ids[0])
    try fixture.devices.remove(fixture.id, at: moment(0))
    func count(_ rows: String) throws -> Int? {
      try fixture.outside().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(rows)") }
    }
    #expect(try count("queue_entry") == 0)
    #expect(try count("media_item") == 0)
    #expect(try count("play WHERE device_id IS NULL") == 1)
    #expect(try fixture.history.plays(matching: .init()).map(\.title) == ["a"])
    #expect(try fixture.history.plays(matching: .init()).first?.device == "Lobby")
  }
}
