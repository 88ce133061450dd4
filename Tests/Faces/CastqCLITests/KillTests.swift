import Foundation
import Testing

/// The daemon dies without warning, again and again, while its receiver plays on: what the receiver itself says that it has played
/// is what history has to say.
@Suite("A daemon that is killed again and again", .timeLimit(.minutes(60)))
struct KillTests {
  /// The ordinary run makes a few; `CASTQ_KILLS=500` takes a quarter of an hour.
  private static let kills = ProcessInfo.processInfo.environment["CASTQ_KILLS"].flatMap { Int($0) } ?? 6
  /// Repeats a run, as far as two processes can: `CASTQ_KILL_SEED`, which a run prints.
  private static let seed =
    ProcessInfo.processInfo.environment["CASTQ_KILL_SEED"].flatMap { UInt64($0) }
    ?? UInt64(Date().timeIntervalSince1970)

  @Test("no entry is lost, none is shown twice, and history agrees with what the receiver has played")
  func endurance() async throws {
    try await Stage.with { stage in
      let server = try await WebServer(stage, files: [:])
      try FileManager.default.createDirectory(
        atPath: "\(stage.folder)/www", withIntermediateDirectories: true)
      let receiver = try await Receiver(stage, speed: 10)
      try stage.add(device: "lobby", at: receiver.address)
      var addresses: [String] = []
      for (number, seconds) in [8.0, 6, 9, 7, 10].enumerated() {
        try stage.tone("www/\(number).wav", seconds: seconds)
        addresses.append("\(server.address)/\(number).wav")
      }
      expectSilence(try await stage.castq(["enqueue"] + addresses))
      expectSilence(try await stage.castq("repeat", "all"))
      let entries = try await stage.queue()["entries"]?.elements.compactMap { $0["entry"]?.int } ?? []
      #expect(entries.count == addresses.count)

      var random = Congruence(state: Self.seed)
      for _ in 0..<Self.kills {
        let daemon = try stage.start(["daemon"])
        // Whatever it is doing when the receiver has said something.
        let moment = receiver.log.lines.count + Int(random.next(below: 24))
        #expect(await receiver.log.index(from: moment) { _ in true } != nil)
        daemon.signal(SIGKILL)
        _ = await daemon.ended()
      }
      let last = try stage.start(["daemon"])
      // Two more items to their ends, so that what was found is taken up, and settled.
      for _ in 1...3 {
        let seen = receiver.log.lines.count
        #expect(await receiver.log.index(from: seen) { $0.contains(#""idleReason":"FINISHED""#) } != nil)
      }
      last.signal(SIGTERM)
      #expect(await last.ended().exit == 0)

      let screen = Screen(receiver.log.lines)
      let record = try await Record(stage)
      let found = complaints(screen, record, entries, until: Screen(receiver.log.lines))
      let figures =
        "seed \(Self.seed): \(Self.kills) kills, \(screen.finished.count) items played to their end, "
        + "\(screen.loads) loads, history \(record.figures)"
      print(figures)
      #expect(found.isEmpty, "\(figures)\n\(found.joined(separator: "\n"))")
    }
  }

  /// - Parameters:
  ///   - screen: what was played when the last daemon had ended; it plays on.
  ///   - late: what was played by the time at which the record was read, so that nothing of the record is missing in it.
  private func complaints(
    _ screen: Screen, _ record: Record, _ entries: [Int], until late: Screen
  ) -> [String] {
    var all = record.complaints
    if record.entries != entries { all.append("the queue was \(entries), and is \(record.entries)") }
    if Set(screen.finished).count != screen.finished.count { all.append("a turn was played twice") }
    let played = Set(late.finished)
    // While the daemon ended, an item or two may have gone on to their ends that nobody heard of.
    let known = screen.finished.lastIndex { record.plays[$0] != nil } ?? 0
    for (index, turn) in screen.finished.enumerated() {
      guard let play = record.plays[turn] else {
        if index > known, index >= screen.finished.count - 2 { continue }
        all.append("\(turn) was played to its end, and history knows nothing of it")
        continue
      }
      // The one that ended as the daemon did is still to be settled by the next one.
      let isOpen = play.outcome == nil && index == known
      if play.outcome != "finished", play.evidence != "unobserved", !isOpen {
        all.append("\(turn) was played to its end, and history says \(play)")
      }
    }
    for (turn, play) in record.plays where play.outcome == "finished" && !played.contains(turn) {
      all.append("history says that \(turn) has finished (\(play.evidence ?? "")), the receiver does not")
    }
    // Round after round, none left out and none twice.
    for (before, next) in zip(screen.finished, screen.finished.dropFirst()) {
      guard let place = entries.firstIndex(of: before.entry) else { continue }
      let expected = entries[(place + 1) % entries.count]
      if next.entry != expected { all.append("after \(before) came \(next)") }
    }
    return all
  }
}

private struct Turn: Hashable, CustomStringConvertible {
  var entry: Int
  var turn: Int
  var description: String { "e\(entry).\(turn)" }
}

/// What the receiver has played, by its own log: also what it said while nobody listened.
private struct Screen {
  /// In their order.
  private(set) var finished: [Turn] = []
  private(set) var loads = 0

  private struct Item: Hashable {
    var session: Int
    var id: Int
  }

  init(_ lines: [String]) {
    var turns: [Item: Turn] = [:]
    var over: Set<Item> = []
    for line in lines {
      if line.contains(#""dir":"in""#), line.contains(#""type":"QUEUE_LOAD""#) { loads += 1 }
      guard line.contains(#""dir":"out""#), line.contains("MEDIA_STATUS"), let document = try? Document(line)
      else { continue }
      for status in document["data"]?["status"]?.elements ?? [] {
        guard let session = status["mediaSessionId"]?.int else { continue }
        for item in status["items"]?.elements ?? [] {
          let tag = item["customData"]?["castq"]
          guard let id = item["itemId"]?.int, let entry = tag?["e"]?.int, let turn = tag?["t"]?.int else {
            continue
          }
          turns[Item(session: session, id: id)] = Turn(entry: entry, turn: turn)
        }
        guard status["idleReason"]?.string == "FINISHED", let id = status["currentItemId"]?.int else {
          continue
        }
        let item = Item(session: session, id: id)
        if over.insert(item).inserted, let turn = turns[item] { finished.append(turn) }
      }
    }
  }
}

/// What the database says, read by SQL.
private struct Record {
  struct Play: CustomStringConvertible {
    var outcome: String?
    var evidence: String?
    var description: String { "\(outcome ?? "nothing") (\(evidence ?? "open"))" }
  }

  private(set) var plays: [Turn: Play] = [:]
  private(set) var entries: [Int] = []
  private(set) var complaints: [String] = []
  private var counts: [String: Int] = [:]

  private static let script = """
    import json, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    one = lambda sql: db.execute(sql).fetchone()[0]
    print(json.dumps({
      "integrity": one("PRAGMA integrity_check"),
      "foreign": len(db.execute("PRAGMA foreign_key_check").fetchall()),
      "twice": one("SELECT count(*) - count(DISTINCT entry_id || '.' || turn) FROM play"),
      "backward": one("SELECT count(*) FROM play WHERE ended_at < started_at"),
      "tooLong": one("SELECT count(*) FROM play WHERE played_s > duration_s + 0.5"),
      "open": one("SELECT count(*) FROM play WHERE outcome IS NULL"),
      "entries": [row[0] for row in db.execute(
        "SELECT id FROM queue_entry WHERE state <> 'cancelled' ORDER BY position")],
      "plays": db.execute("SELECT entry_id, turn, outcome, evidence FROM play ORDER BY id").fetchall()}))
    """

  init(_ stage: Stage) async throws {
    let program = try RunningProgram(
      "python3", ["-c", Self.script, stage.database], environment: ProcessInfo.processInfo.environment,
      folder: stage.folder)
    let ending = await program.ended()
    let found = try #require(try? Document(ending.stdout), "\(ending.stderr)")
    entries = found["entries"]?.elements.compactMap(\.int) ?? []
    for row in found["plays"]?.elements ?? [] {
      let columns = row.elements
      guard columns.count == 4, let entry = columns[0].int, let turn = columns[1].int else { continue }
      let play = Play(outcome: columns[2].string, evidence: columns[3].string)
      plays[Turn(entry: entry, turn: turn)] = play
      counts["\(play)", default: 0] += 1
    }
    if found["integrity"]?.string != "ok" { complaints.append("\(found["integrity"] ?? .null)") }
    for (name, most) in [("foreign", 0), ("twice", 0), ("backward", 0), ("tooLong", 0), ("open", 1)]
    where found[name]?.int.map({ $0 > most }) ?? true {
      complaints.append("\(name): \(found[name] ?? .null)")
    }
  }

  var figures: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}
