import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

@Suite("The file of writes that wait for the next start")
struct PendingContentsTests {
  private static let turn = EntryTurn(entry: EntryID(7), turn: 3)
  private static let at = WallTime(milliseconds: 1_790_000_000_123)
  private static let occurrence = Occurrence(
    rule: RuleID(4), original: LocalTime(seconds: 1_790_000_000), start: at, end: at.adding(seconds: 60),
    replacement: "other")
  private static let onAir = ScheduleDecision.OnAir(
    occurrence: occurrence, programme: "menus \"1\"\n", revision: 2)
  private static let standing = ScheduleDecision.Standing(
    onAir: onAir,
    beneath: [
      .init(occurrence: nil, resume: .second), .init(occurrence: occurrence, resume: nil),
      .init(
        occurrence: Occurrence(rule: RuleID(5), original: LocalTime(seconds: 0), start: at, end: nil),
        resume: .item),
    ],
    passedOver: [.init(key: occurrence.key, revision: 3, reason: "its list has not been read yet")])

  /// One of each kind at least, with everything that it can hold, and with nothing.
  static let writes: [FeederWrite] = [
    .start, .stop(at: at), .offer([OfferedTurn(turn: turn, round: 5)], at: at), .markQueued([turn, turn]),
    .release([turn]), .recover(keeping: []), .recover(keeping: [turn]), .moveList(to: EntryID(9)),
    .describe(EntryID(7), PageDescription(title: "Träume \u{1F3B5}", picture: "http://x/y", duration: 12.5)),
    .describe(EntryID(7), PageDescription(title: nil, picture: nil, duration: nil)),
    .choose(.base, QueueID(-3), at: at),
    .choose(
      ListChoice(programme: "menus", resume: .restart, isOnce: true, isForStarts: true), QueueID(2), at: at),
    .record([
      RecordedFact(
        fact: .started(turn, StartedPlay(at: at, position: 0.1, duration: 30, gapBefore: 0.25)),
        effect: EntryEffect(state: .playing)),
      RecordedFact(
        fact: .started(turn, StartedPlay(at: at, position: 0, duration: nil, gapBefore: nil)), effect: nil),
      RecordedFact(
        fact: .progressed(
          turn, ProgressedPlay(at: at, position: MediaTime(seconds: 1.0 / 3), played: 2.0 / 3, duration: 1e-9)
        ), effect: nil),
      RecordedFact(
        fact: .ended(
          turn,
          EndedPlay(
            at: at, startedAt: at, position: 29.97, played: 29.9, duration: 30, outcome: .interrupted,
            evidence: .inferred,
            reason: PlayReason(
              idleReason: "ERROR", errorType: "LOAD_FAILED", errorReason: "INVALID_PARAMS", detailedCode: 104,
              note: "why\u{0}not"), cause: .otherBox, causedBy: "breakfast", rate: 1.5, unobserved: 2)),
        effect: EntryEffect(state: .pending, round: 4, countsAttempt: true)),
      RecordedFact(
        fact: .ended(
          turn,
          EndedPlay(
            at: at, position: nil, played: 0, duration: nil, outcome: .finished, evidence: .reported)),
        effect: EntryEffect(state: .finished, round: nil)),
      RecordedFact(
        fact: .adEnded(
          turn, AdPlay(breakID: "seek-1", clipID: "", startedAt: at, played: 3, isSkipped: true)),
        effect: nil),
    ]),
    .decide(
      ScheduleDecision(
        at: at, kind: .rule, onAir: onAir, planned: at, reason: "its window begins",
        beneath: standing.beneath,
        passedOver: standing.passedOver)),
    .decide(ScheduleDecision(at: at, kind: .dark, onAir: nil, planned: nil, reason: "", beneath: [])),
    .amend(standing), .amend(.init()),
    .keepCredits([
      RuleID(1): ShareCredit(owed: -5, playsInHour: 2, hour: 497_000, lastEnd: at),
      RuleID(2): ShareCredit(owed: 0),
    ]),
    .seen(DeviceEndpoint(host: "fe80::1%eth0", port: 65_535), at: at),
    .beginOutage(since: at, cause: "no route to \"lobby\"\n"),
    .endOutage(at: at, hasAnswered: false),
  ]

  /// Another kind does not compile without being named here.
  private static func kind(_ write: FeederWrite) -> Int {
    switch write {
    case .start: 0
    case .stop: 1
    case .offer: 2
    case .markQueued: 3
    case .release: 4
    case .record: 5
    case .describe: 6
    case .moveList: 7
    case .recover: 8
    case .choose: 9
    case .decide: 10
    case .amend: 11
    case .keepCredits: 12
    case .seen: 13
    case .beginOutage: 14
    case .endOutage: 15
    }
  }

  private static func batch(_ id: String = "00112233445566778899aabbccddeeff") -> PendingBatch {
    PendingBatch(
      id: id, queues: [DeviceID(1): "0123456789abcdef", DeviceID(2): "\"\n"],
      writes: writes.enumerated().map { DeviceWrite(device: DeviceID(Int64($0 % 2 + 1)), write: $1) })
  }

  private static let room = [UInt8](repeating: 0, count: 4096)

  @Test("every kind of write comes back as it was")
  func roundTrip() {
    #expect(Set(Self.writes.map(Self.kind)) == Set(0...15))
    let bytes = PendingContents([]).bytes(adding: Self.batch())
    for room in [[], Self.room] {
      let contents = PendingContents(bytes + room)
      #expect(contents.batches == [Self.batch()])
      #expect(contents.damage == nil && !contents.isTorn && contents.end == bytes.count)
    }
  }

  @Test("nothing but room is nothing")
  func empty() {
    for bytes in [[], Self.room] {
      let contents = PendingContents(bytes)
      #expect(contents.isEmpty && contents.end == 0)
    }
  }

  @Test("of a file whose writer was killed all whole lines are read, and the next batch stands behind them")
  func torn() throws {
    let whole = Self.batch()
    let bytes = PendingContents([]).bytes(adding: whole)
    let next = Self.batch("ffeeddccbbaa99887766554433221100")
    for length in 1..<bytes.count {
      let contents = PendingContents(Array(bytes[..<length]) + Self.room)
      #expect(contents.damage == nil, "\(length)")
      #expect(contents.isTorn || length == 16, "\(length)")
      let read = contents.batches.first?.writes ?? []
      #expect(read == Array(whole.writes.prefix(read.count)))
      guard length.isMultiple(of: 97) else { continue }
      let more = Array(bytes[..<contents.end]) + contents.bytes(adding: next)
      let both = PendingContents(more + Self.room)
      #expect(both.batches.last == next && both.damage == nil && !both.isTorn)
      #expect(both.batches.dropLast().first?.writes ?? [] == read)
    }
  }

  @Test("what was changed in a file is found, and what stands before it is read")
  func damaged() {
    let whole = Self.batch()
    let bytes = PendingContents([]).bytes(adding: whole)
    for index in stride(from: 0, to: bytes.count, by: 3) {
      var changed = bytes
      changed[index] ^= 1 << (index % 8)
      let contents = PendingContents(changed)
      #expect(contents.damage != nil || contents.isTorn, "\(index)")
      let read = contents.batches.first?.writes ?? []
      #expect(read == Array(whole.writes.prefix(read.count)), "\(index)")
    }
  }

  @Test("a line that is missing, comes twice or stands in another place is found")
  func moved() {
    let bytes = PendingContents([]).bytes(adding: Self.batch())
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    func read(_ lines: [ArraySlice<UInt8>]) -> PendingContents {
      PendingContents(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    }
    var fewer = lines
    fewer.remove(at: 4)
    #expect(read(fewer).damage != nil && read(fewer).batches.first?.writes.count == 2)
    var twice = lines
    twice.insert(lines[4], at: 5)
    #expect(read(twice).damage != nil && read(twice).batches.first?.writes.count == 3)
    lines.swapAt(4, 5)
    #expect(read(lines).damage != nil)
  }

  @Test(
    "a batch that was written by hand is damaged where a number is none that a row has, and nothing traps")
  func hostile() {
    let turn = "[1,1]"
    for line in [
      "{}", "[]", "1", #"{"do":"start"}"#, #"{"device":"1","do":"start"}"#, #"{"device":1,"do":"explode"}"#,
      #"{"device":1e300,"do":"start"}"#, #"{"device":1,"do":"stop"}"#, #"{"device":1,"do":"stop","at":1.5}"#,
      #"{"device":1,"do":"queued","turns":[[1,9223372036854775807]]}"#,
      #"{"device":1,"do":"queued","turns":[[1,-1]]}"#, #"{"device":1,"do":"queued","turns":[[1]]}"#,
      #"{"device":1,"do":"queued","turns":{}}"#, #"{"device":1,"do":"move","entry":1e99}"#,
      #"{"device":1,"do":"offer","at":1,"turns":[[\#(turn),9223372036854775807]]}"#,
      #"{"device":1,"do":"record","facts":[{"turn":\#(turn)}]}"#,
      #"{"device":1,"do":"record","facts":[{"turn":\#(turn),"fact":{"is":"started","at":1,"position":"0"}}]}"#,
      #"{"device":1,"do":"record","facts":[{"turn":\#(turn),"fact":{"is":"ended","at":1,"played":1,"outcome":"x","evidence":"reported"}}]}"#,
      #"{"device":1,"do":"credits","credits":[{"rule":1,"owed":-9223372036854775808,"plays":0,"hour":0}]}"#,
      #"{"device":1,"do":"decide","decision":{"at":1,"kind":"x","reason":"","standing":{"beneath":[],"passed_over":[]}}}"#,
      #"{"end":5}"#,
    ] {
      let contents = PendingContents(Self.file([#"{"batch":"00112233445566778899","queues":{}}"#, line]))
      #expect(contents.damage != nil, "\(line)")
      #expect(contents.batches.first?.writes.isEmpty == true, "\(line)")
    }
    let far = #"{"device":1,"do":"stop","at":9223372036854775807}"#
    let clamped = PendingContents(Self.file([#"{"batch":"00112233445566778899","queues":{}}"#, far]))
    #expect(clamped.batches.first?.writes.map(\.write) == [.stop(at: .latest)])
    for first in [
      #"{"batch":"","queues":{}}"#, #"{"batch":"'; DROP TABLE play","queues":{}}"#,
      #"{"batch":"0011223344556677"}"#,
      #"{"batch":"0011223344556677","queues":{"x":"y"}}"#,
    ] {
      #expect(PendingContents(Self.file([first])).damage != nil, "\(first)")
    }
    for text in [
      "castq-pending 2\n", "\u{0}castq-pending 1\n", "castq-pending 1\n\n", "castq-pending 1\n\u{0}\u{0}x",
    ] {
      let contents = PendingContents(Array(text.utf8))
      #expect(contents.damage != nil && contents.batches.isEmpty, "\(text)")
    }
  }

  /// A file with right sums.
  private static func file(_ lines: [String]) -> [UInt8] {
    var text = "castq-pending 1\n"
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ part: String) { for byte in part.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    add(text)
    for line in lines {
      add(line)
      let digits = String(sum, radix: 16)
      text += String(repeating: "0", count: 16 - digits.count) + digits + " \(line)\n"
    }
    return Array(text.utf8)
  }
}
