import CastProtocol
import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

@Suite("The order of a list, for those who follow it")
struct ListOrderTests {
  /// Orders of six entries that one move leads to from another, each as it was read.
  private func walk(_ fixture: StoreFixture, seed: UInt64, moves: Int, _ look: () throws -> Void) throws {
    var random = SeededGenerator(seed: seed)
    let ids = try fixture.enqueue(["a", "b", "c", "d", "e", "f"])
    try look()
    for _ in 0..<moves {
      let entry = try #require(ids.randomElement(using: &random))
      try fixture.queue.move(entry, toPosition: Int.random(in: 1...6, using: &random), on: fixture.id)
      try look()
    }
  }

  @Test("the mark of a list is another one for each of its orders, whatever was moved past what")
  func marks() throws {
    let fixture = try StoreFixture()
    var marks: [Int64: Int64] = [:]
    var versions: [Int64: Int64] = [:]
    try walk(fixture, seed: 4, moves: 400) {
      let version = try fixture.queue.order(of: fixture.id).version
      let mark = try #require(try fixture.queue.fingerprints()[fixture.id])
      #expect(marks.updateValue(mark, forKey: version) ?? mark == mark)
      #expect(versions.updateValue(version, forKey: mark) ?? version == version)
    }
    #expect(marks.count > 250, "the walk has led to many orders")
  }

  @Test("a state, a removed entry, a repetition and a stop change the mark of their list, and of no other")
  func changes() throws {
    let fixture = try StoreFixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: .init(host: "192.0.2.2"), at: moment(0))
    let ids = try fixture.enqueue(["a", "b", "c"])
    var seen: Set<Int64> = []
    let other = try fixture.queue.fingerprints()[hall.id]
    func expectNews() throws {
      let marks = try fixture.queue.fingerprints()
      #expect(seen.insert(try #require(marks[fixture.id])).inserted)
      #expect(marks[hall.id] == other)
    }
    try expectNews()
    try fixture.offer(ids[0])
    try expectNews()
    try fixture.queue.remove([ids[1]], from: fixture.id)
    try expectNews()
    try fixture.queue.setRepeat(.all, for: fixture.id)
    try expectNews()
    try fixture.queue.setShuffle(true, seed: 5, for: fixture.id)
    try expectNews()
    try fixture.queue.stop(fixture.id, at: moment(3))
    try expectNews()
  }

  @Test("the order is the one of the file, whoever has written since it was read last", arguments: 0..<6)
  func present(seed: UInt64) throws {
    let fixture = try StoreFixture()
    let outside = try fixture.outside()
    let other = QueueStore(try CastqStore.Database(path: fixture.path))
    var random = SeededGenerator(seed: seed)
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    for _ in 0..<60 {
      let entry = try #require(ids.randomElement(using: &random))
      let position = Int.random(in: 1...4, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try fixture.queue.move(entry, toPosition: position, on: fixture.id)
      case 1: try other.move(entry, toPosition: position, on: fixture.id)
      case 2:
        let state: EntryState = Bool.random(using: &random) ? .skipped : .finished
        try outside.write {
          try $0.execute(
            sql: "UPDATE queue_entry SET state = ?, turn = 1, offered_at = 1 WHERE id = ?",
            arguments: [state.rawValue, entry.rawValue])
        }
      case 3:
        // What is undone has not been written.
        try fixture.database.read { db in
          try db.execute(
            sql: "UPDATE queue_entry SET state = 'failed', turn = 1, offered_at = 1 WHERE id = ?",
            arguments: [entry.rawValue])
        }
      default: break
      }
      let rows = try outside.read { db in
        try Row.fetchAll(
          db, sql: "SELECT id, state FROM queue_entry WHERE state <> 'cancelled' ORDER BY position"
        ).map { "\($0["id"] as Int64) \($0["state"] as String)" }
      }
      for queue in [fixture.queue, other] {
        #expect(
          try queue.order(of: fixture.id).rows.map { "\($0.entry.rawValue) \($0.state.rawValue)" } == rows)
      }
    }
  }

  @Test("rows are those of the version that comes with them, while others move them")
  func parts() async throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue((0..<12).map { "e\($0)" })
    let (id, path) = (fixture.id, fixture.path)
    let writer = Task.detached {
      let queue = QueueStore(try CastqStore.Database(path: path))
      var random = SeededGenerator(seed: 1)
      while !Task.isCancelled {
        try queue.move(ids[Int.random(in: 0..<12, using: &random)], toPosition: 1, on: id)
      }
    }
    for _ in 0..<400 {
      let part = try fixture.queue.part(of: id, from: 3, count: 5)
      #expect(part.entries?.map(\.id) == part.order.rows[3..<8].map(\.entry))
      #expect(part.entries?.map(\.position) == Array(4...8))
    }
    writer.cancel()
    try await writer.value
    let part = try fixture.queue.part(of: id, from: 0, count: 5)
    #expect(try fixture.queue.part(of: id, from: 0, count: 5, since: part.order.version).entries == nil)
  }
}
