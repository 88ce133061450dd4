import CastProtocol
import CastTLS
import CastqFeeding
import CastqFiles
import CastqPlaylists
import CastqSchedule
import Foundation
import GRDB
import Glibc
import Testing
@testable import CastqStore

/// What a process could not write until its end: written by the next one, once.
@Suite("Writes that wait for the next start")
struct PendingStoreTests {
  private struct Killed: Error {}

  /// What a feeder writes of these entries, and a decision: written twice, it would be two rows.
  private func writes(_ entries: [EntryID]) -> [FeederWrite] {
    let decision = ScheduleDecision(
      at: moment(1), kind: .base, onAir: nil, planned: nil, reason: "nothing is planned", beneath: [])
    return [.start, .decide(decision)]
      + entries.enumerated().flatMap { index, entry -> [FeederWrite] in
        let (turn, at) = (EntryTurn(entry: entry, turn: 1), Double(index * 10))
        let play = ProgressedPlay(at: moment(at + 2), position: 2, played: 2, duration: 30)
        return [
          .offer([OfferedTurn(turn: turn, round: 0)], at: moment(at)), .markQueued([turn]),
          .record([RecordedFact(fact: started(turn, at: at), effect: EntryEffect(state: .playing))]),
          .record([RecordedFact(fact: .progressed(turn, play), effect: nil)]),
          .record([
            RecordedFact(fact: ended(turn, at: at + 5), effect: EntryEffect(state: .finished, round: 1))
          ]),
        ]
      }
  }

  /// A process of its own on the file of the fixture; it is killed when the body throws or returns.
  @discardableResult
  private func process<Value>(
    _ fixture: StoreFixture, _ body: (CastqStore.Database) throws -> Value
  ) throws -> Value {
    try body(try CastqStore.Database(path: fixture.path))
  }

  private func file(_ fixture: StoreFixture) -> String { "\(fixture.path).pending" }

  private func plays(_ fixture: StoreFixture) throws -> [String] {
    var filter = HistoryStore.Filter()
    filter.device = fixture.id
    return try fixture.history.plays(matching: filter).map { "\($0.title) \($0.outcome?.rawValue ?? "open")" }
  }

  private func decisions(_ fixture: StoreFixture) throws -> Int? {
    try fixture.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM decision") }
  }

  /// Whether each play is sealed, and each seal is over the one before.
  private func isSealed(_ fixture: StoreFixture) throws -> Bool {
    var last = (chain: Int64(0), hash: PlayWords.firstHash)
    var isWhole = true
    try ProofStore(fixture.database).read(since: nil, until: nil) { part in
      guard case .play(let words, let hash, _) = part else { return true }
      isWhole =
        isWhole && words.chain == last.chain + 1 && words.previous == last.hash
        && words.hash({ try? SHA256.text(of: $0.utf8) }) == hash
      last = (words.chain, hash)
      return true
    }
    let count = try plays(fixture).count
    return isWhole && last.chain == Int64(count)
  }

  /// Checks that everything is there once, and nothing waits any more.
  private func expectOnce(_ fixture: StoreFixture, _ titles: [String]) throws {
    #expect(try plays(fixture) == titles.map { "\($0) finished" })
    #expect(try decisions(fixture) == 1)
    #expect(try isSealed(fixture))
    #expect(try fixture.queue.look(into: fixture.id, limit: 1, besides: nil).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: file(fixture)))
  }

  @Test(
    "whoever is killed between two steps of writing what waits, the next one writes it, and only once",
    arguments: [nil] + CastqStore.Database.PendingStep.allCases)
  func killed(step: CastqStore.Database.PendingStep?) throws {
    let fixture = try StoreFixture()
    let entries = try fixture.enqueue(["a", "b", "c"])
    try process(fixture) { database in
      let news = try database.openPending(for: nil)
      #expect(news.isEmpty)
      #expect(database.keepPending(writes(entries), of: fixture.id, because: nil))
      // It does not end by itself: what it kept is in the file nevertheless.
    }
    #expect(try plays(fixture).isEmpty)
    if let step {
      try process(fixture) { database in
        _ = try database.openPending(for: nil) { if $0 == step { throw Killed() } }
        let isDone = step == .committed || step == .emptied
        let count = try plays(fixture).count
        #expect(count == (isDone ? 3 : 0), "\(step)")
      }
    }
    try process(fixture) { database in
      let news = try database.openPending(for: nil)
      let isDone = step == .committed || step == .emptied
      #expect(news == (isDone ? [] : [.takenIn(writes: 17, dropped: 0)]))
      #expect(!database.hasPending)
      #expect(database.closePending() == nil)
    }
    try expectOnce(fixture, ["a", "b", "c"])
  }

  @Test("a process that was killed while it wrote the file loses what it had not written, and says so")
  func torn() throws {
    let fixture = try StoreFixture()
    let entries = try fixture.enqueue(["a", "b", "c"])
    let batch = PendingBatch(
      id: "00112233445566778899aabbccddeeff", queues: [:],
      writes: writes(entries).map { DeviceWrite(device: fixture.id, write: $0) })
    let bytes = PendingContents([]).bytes(adding: batch)
    for cut in stride(from: 40, to: bytes.count, by: 211) {
      let fresh = try StoreFixture()
      _ = try fresh.enqueue(["a", "b", "c"])
      try OwnFile.replace(file(fresh), with: Array(bytes[..<cut]) + [UInt8](repeating: 0, count: 9000))
      try process(fresh) { database in
        let news = try database.openPending(for: nil)
        #expect(news.first == .torn(path: file(fresh)), "\(cut) \(news)")
        #expect(database.keepPending([.moveList(to: entries[0])], of: fresh.id, because: nil))
      }
      let isOpen = try plays(fresh).contains { $0.hasSuffix("open") }
      let isWhole = try isSealed(fresh)
      #expect(isWhole || isOpen)
      let news = try process(fresh) { try $0.openPending(for: nil) }
      #expect(news == [.takenIn(writes: 1, dropped: 0)], "the next batch stands behind it")
    }
  }

  @Test("of a damaged file the part in front of the damage is written, and the whole is kept aside")
  func damaged() throws {
    let fixture = try StoreFixture()
    let entries = try fixture.enqueue(["a", "b", "c"])
    try process(fixture) { database in
      _ = try database.openPending(for: nil)
      #expect(database.keepPending(writes(entries), of: fixture.id, because: nil))
    }
    var bytes = try #require(try OwnFile.bytes(of: file(fixture), limit: 1 << 20))
    let end = PendingContents(bytes).end
    bytes[end * 2 / 3] ^= 1
    try OwnFile.replace(file(fixture), with: bytes)
    let copy = "\(file(fixture)).damaged-1"
    try process(fixture) { database in
      let news = try database.openPending(for: nil)
      #expect(
        news.first == .damaged(path: file(fixture), words: "a line of it was changed", copy: copy), "\(news)")
      #expect("\(news)".contains("made up for"))
      #expect(database.closePending() == nil)
    }
    #expect(try OwnFile.bytes(of: copy, limit: 1 << 20) == bytes)
    #expect(try plays(fixture).first == "a finished")
    #expect(try decisions(fixture) == 1)
    #expect(!FileManager.default.fileExists(atPath: file(fixture)))
    #expect(try process(fixture) { try $0.openPending(for: nil) } == [])
  }

  @Test("random bytes in the place of the file end no process, and change nothing")
  func hostile() throws {
    let fixture = try StoreFixture()
    _ = try fixture.enqueue(["a"])
    for length in [1, 15, 16, 17, 400, 70_000] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 1...255) }
      try OwnFile.replace(file(fixture), with: (length > 16 ? Array("castq-pending 1\n".utf8) : []) + bytes)
      let news = try process(fixture) { try $0.openPending(for: nil) }
      #expect(news.count == 1 && news.allSatisfy(\.isProblem), "\(length): \(news)")
      #expect(try plays(fixture).isEmpty)
    }
  }

  @Test("what waits of another database, or of a device that is gone, changes nothing and is counted")
  func foreign() throws {
    let fixture = try StoreFixture()
    let entries = try fixture.enqueue(["a"])
    let mine = writes(entries).map { DeviceWrite(device: fixture.id, write: $0) }
    let gone = writes(entries).map { DeviceWrite(device: DeviceID(99), write: $0) }
    func put(_ batch: PendingBatch) throws {
      try OwnFile.replace(file(fixture), with: PendingContents([]).bytes(adding: batch))
    }
    try put(
      PendingBatch(id: "0011223344556677", queues: [fixture.id: "the queue of another file"], writes: mine))
    #expect(try process(fixture) { try $0.openPending(for: nil) } == [.takenIn(writes: 7, dropped: 7)])
    try put(PendingBatch(id: "1111223344556677", queues: [:], writes: gone))
    #expect(try process(fixture) { try $0.openPending(for: nil) } == [.takenIn(writes: 7, dropped: 7)])
    #expect(try plays(fixture).isEmpty)
    let name = try fixture.queue.settings(for: fixture.id).queue
    try put(PendingBatch(id: "2211223344556677", queues: [fixture.id: name], writes: mine))
    #expect(try process(fixture) { try $0.openPending(for: nil) } == [.takenIn(writes: 7, dropped: 0)])
    #expect(try plays(fixture) == ["a finished"])
  }

  @Test(
    "the daemon makes up for what a feeder without it has left, and leaves that of a feeder that lives alone")
  func others() throws {
    let fixture = try StoreFixture()
    let entries = try fixture.enqueue(["a"])
    let feeder = try CastqStore.Database(path: fixture.path)
    _ = try feeder.openPending(for: fixture.id)
    #expect(feeder.keepPending(writes(entries), of: fixture.id, because: nil))
    let path = "\(fixture.path).pending-\(fixture.id.rawValue)"
    #expect(try process(fixture) { try $0.openPending(for: nil) } == [], "its feeder lives")
    #expect(feeder.closePending() == .takenIn(writes: 7, dropped: 0))
    #expect(!FileManager.default.fileExists(atPath: path))
    try process(fixture) { database in
      _ = try database.openPending(for: fixture.id)
      _ = database.keepPending([.stop(at: moment(9))], of: fixture.id, because: nil)
    }
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try process(fixture) { try $0.openPending(for: nil) } == [.takenIn(writes: 1, dropped: 0)])
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try fixture.queue.stoppedAt(fixture.id) == moment(9))
  }

  @Test("room is kept free for each device from the beginning, and given back at the end")
  func room() throws {
    let fixture = try StoreFixture()
    for name in ["Hall", "Bar"] {
      let device = try fixture.devices.add(name: name, endpoint: .init(host: name), at: moment(0))
      try fixture.database.write { db in
        try db.execute(sql: "UPDATE device SET is_picked = 1 WHERE id <= ?", arguments: [device.id.rawValue])
      }
    }
    try process(fixture) { database in
      let news = try database.openPending(for: nil)
      #expect(news.isEmpty)
      var status = stat()
      #expect(stat(file(fixture), &status) == 0)
      #expect(Int(status.st_size) == 3 * 64 << 10 && Int(status.st_blocks) * 512 >= 3 * 64 << 10)
      #expect(status.st_mode & 0o777 == 0o600)
      #expect(database.closePending() == nil)
    }
    #expect(!FileManager.default.fileExists(atPath: file(fixture)))
  }
}
