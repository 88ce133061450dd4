import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Foundation
import GRDB
import Glibc
import Testing
@testable import CastqStore

/// A database file in a folder of its own, and what a test does to it. The folder goes with the fixture.
final class StoreFixture {
  let folder: URL
  let database: CastqStore.Database
  let device: KnownDevice
  let queue: QueueStore
  let history: HistoryStore
  let devices: DeviceStore

  init() throws {
    folder = try Self.folder()
    database = try CastqStore.Database(path: folder.appending(path: "q.db").path)
    queue = QueueStore(database)
    history = HistoryStore(database)
    devices = DeviceStore(database)
    device = try devices.add(name: "Lobby", endpoint: DeviceEndpoint(host: "192.0.2.1"), at: moment(0))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { database.path }
  var id: DeviceID { device.id }

  /// A new, empty folder, in memory where the system has such a place: each write waits for the disk, which is not what is tested.
  static func folder() throws -> URL {
    let memory = "/dev/shm"
    let isUsable = access(memory, R_OK | W_OK | X_OK) == 0 && isFolder(memory)
    let place = isUsable ? URL(filePath: memory) : FileManager.default.temporaryDirectory
    let folder = place.appending(path: "castq-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A link to a folder is none.
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Another connection to the same file, as any other program has one; foreign keys are on.
  func outside() throws -> DatabaseQueue { try DatabaseQueue(path: path) }

  @discardableResult
  func enqueue(
    _ titles: [String], _ placement: QueueStore.Placement = .end
  ) throws -> [EntryID] {
    try queue.enqueue(titles.map(draft), for: id, placement: placement, at: moment(0)).map(\.id)
  }

  /// The list, by address.
  func titles() throws -> [String] { try queue.entries(for: id).map(\.draft.media.contentID) }

  func states() throws -> [EntryState] { try queue.entries(for: id).map(\.state) }

  func state(_ entry: EntryID) throws -> EntryState? { try queue.entry(entry)?.state }

  func offer(_ entry: EntryID, turn: Int = 1, round: Int = 0) throws {
    let offered = OfferedTurn(turn: EntryTurn(entry: entry, turn: turn), round: round)
    try queue.offer([offered], for: id, at: moment(1))
  }

  func record(_ fact: PlaybackFact, _ effect: EntryEffect?) throws {
    try history.record([RecordedFact(fact: fact, effect: effect)], device: device)
  }

  /// Offers, starts and ends one play.
  func play(_ entry: EntryID, turn: Int = 1, round: Int = 0, at seconds: Double = 10) throws {
    let turn = EntryTurn(entry: entry, turn: turn)
    try offer(entry, turn: turn.turn, round: round)
    try record(started(turn, at: seconds), EntryEffect(state: .playing))
    try record(ended(turn, at: seconds + 5), EntryEffect(state: .finished, round: round + 1))
  }

  /// Everything in the tables whose rows tell what happened, for comparing before and after.
  func dump() throws -> [String] {
    try outside().read { db in
      try ["queue_entry", "play", "ad_break_play", "queue"].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
      }
    }
  }
}

/// A calendar moment, in seconds since some day.
func moment(_ seconds: Double) -> WallTime {
  WallTime(milliseconds: 1_700_000_000_000).adding(seconds: seconds)
}

func draft(_ title: String) -> EntryDraft {
  EntryDraft(media: MediaInformation(contentID: title, contentType: "video/mp4"))
}

func started(_ turn: EntryTurn, at seconds: Double) -> PlaybackFact {
  .started(turn, StartedPlay(at: moment(seconds), position: 0, duration: 30, gapBefore: nil))
}

func ended(
  _ turn: EntryTurn, at seconds: Double, _ outcome: PlayOutcome = .finished, reason: PlayReason? = nil
) -> PlaybackFact {
  .ended(
    turn,
    EndedPlay(
      at: moment(seconds), position: 5, played: 5, duration: 30, outcome: outcome, evidence: .reported,
      reason: reason))
}

/// A Python program beside this process: another program as SQLite and the kernel see it.
final class OutsideProcess {
  private let process = Process()
  private let output = Pipe()

  init(_ program: String, _ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    process.standardOutput = output
    try process.run()
  }

  /// Waits for the next line it prints; empty when it has ended.
  func line() -> String {
    var bytes: [UInt8] = []
    while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Ends it without a chance to clean up.
  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Waits for its end; its exit code.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
