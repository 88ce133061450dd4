import CastProtocol
import CastqFeeding
import Foundation
import GRDB
import Testing
@testable import CastqStore

@Suite("The schema")
struct SchemaTests {
  /// Every table, index and trigger with its text, blanks and comments evened out.
  static func objects(_ queue: DatabaseQueue) throws -> [String] {
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
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "schema.sql")
    let text = try String(contentsOf: file, encoding: .utf8)
    let alone = try DatabaseQueue()
    try alone.write { try $0.execute(sql: text) }
    let expected = try Self.objects(alone)
    #expect(expected.count > 20)
    #expect(try Self.objects(fixture.outside()) == expected)
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

  @Test(
    "a file of schema 1 that has not one of the latest tables gets it, and is what a new one is",
    arguments: ["pending_batch", "proved_place"])
  func latestTables(table: String) throws {
    let folder = try StoreFixture.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "q.db").path
    _ = try CastqStore.Database(path: path)
    let file = try DatabaseQueue(path: path)
    let new = try Self.objects(file)
    try file.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE \(table)") }
    #expect(try Self.objects(file) != new)
    try file.close()
    _ = try CastqStore.Database(path: path)
    #expect(try Self.objects(DatabaseQueue(path: path)) == new)
  }

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
      "UPDATE play SET cause = 'fate' WHERE id = 1",
      "UPDATE play SET caused_by = 'gong' WHERE id = 1",
      "UPDATE play SET cause = 'rule', caused_by = '' WHERE id = 1",
      "UPDATE play SET rate = 0 WHERE id = 1",
      "UPDATE play SET unobserved_s = -1 WHERE id = 1",
      "UPDATE play SET attempt = 0 WHERE id = 1",
      "UPDATE play SET nonce = 'ab' WHERE id = 1",
      "UPDATE play SET proof_format = 2 WHERE id = 1",
      "INSERT INTO list_problem (device_id, source, message, since) VALUES (99, 'f', 'm', 1)",
      "INSERT INTO list_problem (device_id, source, message, since) VALUES (1, '', 'm', 1)",
      "INSERT INTO list_problem (device_id, source, line, message, since) VALUES (1, 'f', 0, 'm', 1)",
      "INSERT INTO pending_batch (id) VALUES ('')",
      "INSERT INTO proved_place VALUES (99, 'h', 8009)",
      "INSERT INTO proved_place VALUES (1, '', 8009)",
      "INSERT INTO proved_place VALUES (1, 'h', 0)",
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
