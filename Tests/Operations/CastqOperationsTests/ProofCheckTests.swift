import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import Testing

@Suite("Proof of play, written and checked")
struct ProofCheckTests {
  private let site: OperationsSite

  init() throws { site = try OperationsSite() }

  private static let beginning = WallTime(milliseconds: 1_800_000_000_000)

  /// Has the lobby play files of its own, a minute each.
  private func play(_ count: Int) async throws {
    let list = (1...count).map { "#EXTINF:60,Tone \($0)\ntone-\($0).mp4\n" }
    for number in 1...count { try site.file("tone-\(number).mp4", "film") }
    let entries = try await site.enqueue(
      site.read(site.file("list.m3u", "#EXTM3U\n" + list.joined()))
    ).added
    let queue = try await site.queue()
    for (index, entry) in entries.enumerated() {
      let turn = EntryTurn(entry: entry.id, turn: 1)
      let start = Self.beginning.adding(seconds: 60 * Double(index))
      try queue.workspace.queue.offer(
        [OfferedTurn(turn: turn, round: 0)], for: queue.device.id, at: start)
      let ended = EndedPlay(
        at: start.adding(seconds: 60), position: 60, played: 60, duration: 60, outcome: .finished,
        evidence: .reported)
      try queue.workspace.history.record(
        [
          RecordedFact(
            fact: .started(turn, StartedPlay(at: start, position: 0, duration: 60, gapBefore: nil)),
            effect: EntryEffect(state: .playing)),
          RecordedFact(fact: .ended(turn, ended), effect: EntryEffect(state: .finished, round: 1)),
        ], device: queue.device)
    }
  }

  /// The lines of a proof.
  private func proof(
    since: WallTime? = nil, until: WallTime? = nil, change: (inout ProofStore.Selection) -> Void = { _ in }
  ) throws -> (lines: [String], summary: ProofWriter.Summary) {
    let workspace = try Workspace(site.call, isReader: true)
    let key = try SiteKey(database: site.call.databasePath)
    var writer = ProofWriter(key: key, site: "here", since: since, until: until)
    change(&writer.selection)
    let path = "\(site.folder)/proof.jsonl"
    let summary = try writer.write(ProofStore(workspace.database), to: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return (text.split(separator: "\n").map(String.init), summary)
  }

  private func check(_ lines: [String]) throws -> ProofCheck {
    try check(lines.map { $0 + "\n" }.joined())
  }

  private func check(_ text: String) throws -> ProofCheck {
    try ProofCheck(of: site.file("altered.jsonl", text), trusting: nil, site.call)
  }

  private func document(_ line: String) throws -> JSONValue { try JSONValue(parsing: Array(line.utf8)) }

  @Test("a proof is true, and what was done to it is named")
  func alterations() async throws {
    try await play(5)
    let whole = try proof().lines
    #expect(whole.count == 7)
    let header = try document(whole[0])
    #expect(header["type"]?.string == "header" && header["format"]?.string == "castq-proof-2")
    #expect(header["devices"]?.array?.map { $0["name"]?.string } == ["lobby"])
    let play = try document(whole[1])
    #expect(play["title"]?.string == "Tone 1" && play["kind"]?.string == "base")
    let good = try check(whole)
    let lines = good.rendering.lines(isQuiet: false)
    #expect(good.failure == nil && lines.first?.hasPrefix("true: 5 plays") == true)
    // What a play says of the clock is a warning; the machine of a test may have any.
    let isWarned = lines.contains {
      $0.hasPrefix("warning: the clock of the computer ") && $0.hasSuffix("for 5 plays: lines 2-6")
    }
    #expect(isWarned == (play["clock_synchronised"]?.bool != true))
    #expect(good.rendering.lines(isQuiet: true).count == 1)

    let changed = { (line: String) in line.replacing("Tone", with: "Film") }
    let alterations: [(String, [String], String)] = [
      (
        "changed", whole.enumerated().map { $0.offset == 3 ? changed($0.element) : $0.element },
        "line 4: play 3"
      ),
      ("removed", whole.enumerated().filter { $0.offset != 3 }.map(\.element), "before play 4"),
      ("put_in", Array(whole[...3] + [changed(whole[3])] + whole[4...]), "line 5: play 3"),
      (
        "swapped", Array(whole[...2] + [whole[4], whole[3]] + whole[5...]),
        "play 4 \"Tone 4\" on lobby and play 3"
      ),
      ("end", whole.dropLast(), "the end is missing"),
      ("header", [whole[0].replacing("\"site\":\"", with: "\"site\":\"x")] + whole[1...], "header"),
      ("signature", whole.dropLast() + [whole[6].replacing("\"plays\":5", with: "\"plays\":6")], "signature"),
    ]
    for (kind, lines, words) in alterations {
      let altered = try check(lines)
      #expect(altered.failure?.exit == .badData, "\(kind)")
      #expect(altered.failure?.message.contains("altered") == true, "\(kind)")
      #expect(altered.rendering.lines(isQuiet: false).first?.contains(words) == true, "\(kind)")
      let document = altered.rendering.document
      #expect(document["verdict"]?.string == "altered")
      #expect(document["findings"]?.array?.map { $0["kind"]?.string } == [kind], "\(kind)")
      #expect(altered.rendering.documents.last?["verdict"]?.string == "altered")
    }
  }

  @Test(
    "a proof has the plays of its period, and those of removed devices; the database cannot be changed unseen"
  )
  func periods() async throws {
    try await play(3)
    let whole = try proof().lines
    let all = try proof(since: Self.beginning, until: Self.beginning.adding(seconds: 3600)).lines
    #expect(all.dropFirst().dropLast() == whole.dropFirst().dropLast())
    let none = try proof(until: Self.beginning).lines
    #expect(none.count == 2)
    #expect(try check(none).failure == nil)
    let part = try proof(
      since: Self.beginning.adding(seconds: 120), until: Self.beginning.adding(seconds: 180)
    ).lines
    #expect(part.dropFirst().dropLast() == [whole[2]])
    #expect(try check(part).failure == nil)
    // Who removes a device, or what was played, removes no proof.
    let workspace = try Workspace(site.call)
    try workspace.queue.clear(for: await workspace.known("lobby").id)
    try workspace.removeDevice("lobby")
    #expect(try proof().lines.dropFirst().dropLast() == whole.dropFirst().dropLast())
    try await site.python(
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(\"UPDATE play SET title = 'Film' WHERE id = 2\"); d.commit()"
    )
    let (altered, summary) = try proof()
    #expect(summary.failure?.exit == .badData && summary.failure?.message.contains("play 2") == true)
    let verdict = try check(altered)
    #expect(verdict.failure?.exit == .badData)
    #expect(verdict.rendering.lines(isQuiet: false).first?.hasPrefix("line 3: play 2") == true)
  }

  @Test("a client's proof has the hashes of what is not shown, and a change of any line is found")
  func client() async throws {
    try await play(3)
    let lines = try proof {
      $0.devices = [DeviceID(1)]
      $0.media = NamePattern("Tone 2")
    }.lines
    let rows = try lines.dropFirst().dropLast().map(document)
    #expect(rows.map { $0["type"]?.string } == ["hidden", "play", "hidden"])
    #expect(rows[1]["title"]?.string == "Tone 2")
    #expect(!lines.contains { $0.contains("file://") || $0.contains(site.folder) }, "no paths")
    #expect(try check(lines).failure == nil)
    for index in 1...3 {
      var altered = lines
      altered[index] = altered[index].replacing(#/"hash":"([0-9a-f])/#) {
        "\"hash\":\"\($0.1 == "0" ? "1" : "0")"
      }
      #expect(altered != lines)
      #expect(try check(altered).failure?.exit == .badData, "line \(index + 1)")
      altered.remove(at: index)
      #expect(try check(altered).failure?.exit == .badData, "without a line")
    }
    #expect(try proof { $0.rule = "nothing" }.summary.shown == 0)
  }

  @Test("a file that is no proof is refused, whatever it holds")
  func hostile() async throws {
    let deep = String(repeating: "[", count: 100_000)
    for text in [
      "", "\n", "hello\n", "{}\n", deep + "\n", "{\"type\":\"end\"}", "\u{0}\u{1B}[2J\n",
      String(repeating: "x", count: 3 << 20), String(repeating: "{\"type\":\"play\"}\n", count: 5000),
      "{\"type\":\"play\",\"chain\":9223372036854775807,\"title\":\"\u{1B}]0;x\u{7}\u{202E}\"}\n",
    ] {
      let check = try check(text)
      #expect(check.failure?.exit == .badData, "\(text.prefix(40))")
      let lines = check.rendering.lines(isQuiet: false)
      #expect(lines.count <= 1001)
      #expect(lines.allSatisfy { $0 == TerminalText.sanitized($0) }, "\(text.prefix(40))")
    }
    await expectFailure(.inputMissing, saying: "gone.jsonl") {
      _ = try ProofCheck(of: "\(site.folder)/gone.jsonl", trusting: nil, site.call)
    }
  }
}
