import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// A ledger on a clock of its own; item n is entry n, turn 1.
private struct LedgerBench {
  var ledger = PlaybackLedger()
  var facts: [PlaybackFact] = []
  /// By how much the clock on the wall has been set since the beginning, in seconds.
  var clockOffset = 0.0
  /// When the receiver was heard last before the next status; nil is then.
  var heard: Double?

  /// Tells a status at a moment, twice: the second time must tell nothing.
  mutating func tell(
    _ state: MediaPlayerState, _ position: Double? = nil, at seconds: Double, item: Int? = 1,
    duration: Double? = 30, reason: MediaPlayerIdleReason? = nil, loading: Int? = nil,
    type: String = "video/mp4",
    inAd: Bool = false, rate: Double = 1
  ) {
    var status = MediaStatus(mediaSessionID: MediaSessionID(1))
    status.playerState = state
    status.idleReason = reason
    status.currentItemID = item.map { MediaQueueItemID($0) }
    status.loadingItemID = loading.map { MediaQueueItemID($0) }
    status.streamPosition = position.map { MediaTime(seconds: $0) }
    status.playbackRate = rate
    status.mediaInformation = MediaInformation(contentID: "v", contentType: type)
    status.mediaInformation?.streamDuration = duration.map { MediaTime(seconds: $0) }
    if inAd { status.adBreakStatus = AdBreakStatus(json: ["breakId": "b"]) }
    observe(status, at: seconds)
  }

  mutating func observe(_ status: MediaStatus?, at seconds: Double) {
    facts += observed(status, at: seconds)
    let again = observed(status, at: seconds)
    #expect(again == [], "told again at \(seconds)")
  }

  private mutating func observed(_ status: MediaStatus?, at seconds: Double) -> [PlaybackFact] {
    let turn = { (id: MediaQueueItemID) in id.rawValue < 100 ? entry(id.rawValue) : nil }
    return ledger.observe(
      status, turn: turn, seenUntil: heard.map(tick), at: tick(seconds), wall: wall(seconds + clockOffset))
  }

  var starts: [StartedPlay] {
    facts.compactMap { if case .started(_, let play) = $0 { play } else { nil } }
  }
  var ends: [EndedPlay] { facts.compactMap { if case .ended(_, let play) = $0 { play } else { nil } } }
  var endedTurns: [EntryTurn] { facts.compactMap { if case .ended(let turn, _) = $0 { turn } else { nil } } }
  var progress: [ProgressedPlay] {
    facts.compactMap { if case .progressed(_, let play) = $0 { play } else { nil } }
  }
}

private func entry(_ number: Int) -> EntryTurn { EntryTurn(entry: EntryID(Int64(number)), turn: 1) }
private func tick(_ seconds: Double) -> Tick { Tick(.milliseconds(Int64(seconds * 1000))) }
private func wall(_ seconds: Double) -> WallTime { WallTime(milliseconds: 0).adding(seconds: seconds) }

@Suite("What counts as played")
struct PlaybackLedgerTests {
  @Test("a play begins with the first frame, not with loading")
  func start() throws {
    var bench = LedgerBench()
    bench.tell(.buffering, 0, at: 1)
    #expect(bench.facts == [])
    #expect(bench.ledger.current == entry(1))
    #expect(bench.ledger.shown(at: tick(2)) == nil)
    bench.tell(.playing, 0, at: 3)
    #expect(bench.starts == [StartedPlay(at: wall(3), position: 0, duration: 30, gapBefore: nil)])
    #expect(bench.ledger.shown(at: tick(5)) == 2)
  }

  @Test("pauses, stalls and seeks are taken out of what was played")
  func pauseAndSeek() throws {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    bench.tell(.paused, 5, at: 5)
    bench.tell(.playing, 5, at: 25)
    bench.tell(.playing, 20, at: 28)  // forward: 3 played
    bench.tell(.buffering, 22, at: 30)  // 2 played
    bench.tell(.playing, 22, at: 40)
    bench.tell(.playing, 2, at: 44)  // back: 4 played
    bench.tell(.idle, 30, at: 72, reason: .finished)  // 28 played
    let end = try #require(bench.ends.first)
    #expect(abs(end.played - 42) < 0.01)
    #expect(end.position == 30)
    #expect(end.outcome == .finished)
    #expect(end.evidence == .reported)
  }

  @Test("at twice the speed, media seconds are counted")
  func rate() throws {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0, rate: 2)
    #expect(bench.ledger.shown(at: tick(10)) == 20)
    bench.tell(.idle, at: 10, reason: .cancelled, rate: 2)
    #expect(bench.ends.first?.played == 20)
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    var name: String
    var reason: MediaPlayerIdleReason
    var loading: Int?
    var intent: PlaybackLedger.Intent?
    var outcome: PlayOutcome
    var testDescription: String { name }
  }

  @Test(
    "who ended a play decides what became of it",
    arguments: [
      Ending(name: "to its end", reason: .finished, loading: 2, outcome: .finished),
      Ending(name: "a jump inside our queue", reason: .interrupted, loading: 2, outcome: .skipped),
      Ending(name: "a stranger's load", reason: .interrupted, loading: 500, outcome: .interrupted),
      Ending(name: "a load of nobody knows what", reason: .interrupted, outcome: .interrupted),
      Ending(name: "stop", reason: .cancelled, outcome: .cancelled),
      Ending(name: "error", reason: .error, outcome: .failed),
      Ending(name: "a new word", reason: .unknown("BORED"), outcome: .unknown),
      Ending(name: "our skip", reason: .interrupted, loading: 2, intent: .skip, outcome: .skipped),
      Ending(name: "our skip of the last", reason: .cancelled, intent: .skip, outcome: .skipped),
      Ending(
        name: "its time is over", reason: .interrupted, loading: 2, intent: .endReached, outcome: .finished),
      Ending(
        name: "the last one's time is over", reason: .cancelled, intent: .endReached, outcome: .finished),
    ])
  func endings(ending: Ending) throws {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    if let intent = ending.intent { bench.ledger.intend(intent) }
    let moment = ending.reason == .finished ? 30.0 : 8
    bench.tell(.idle, moment, at: moment, reason: ending.reason, loading: ending.loading)
    let end = try #require(bench.ends.first)
    #expect(bench.ends.count == 1)
    #expect(end.outcome == ending.outcome)
    #expect(end.evidence == .reported)
    #expect(end.played == (ending.reason == .finished ? 30 : 8))
    #expect(end.reason?.idleReason == (ending.reason == .finished ? nil : ending.reason.word))
    #expect((end.cause == .timeLimit) == (ending.intent == .endReached))
    #expect((end.cause == .skipped) == (ending.outcome == .skipped))
    #expect((end.reasonWords == nil) == [.finished, .skipped].contains(ending.outcome))
    #expect(bench.ledger.current == nil)
  }

  @Test(
    "an end nobody told is inferred: near the end it was reached, else it was cut",
    arguments: [(29.0, true), (28.6, true), (28.0, false), (3, false)], [false, true])
  func missingEnd(moment: (at: Double, isFinished: Bool), isGone: Bool) throws {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    if isGone {
      bench.observe(nil, at: moment.at)
    } else {
      bench.tell(.playing, 0, at: moment.at, item: 2)
    }
    let end = try #require(bench.ends.first)
    #expect(end.outcome == (moment.isFinished ? .finished : .interrupted))
    #expect(end.evidence == .inferred)
    #expect(end.reason?.note != nil)
    #expect(abs(end.played - (moment.isFinished ? 30 : moment.at)) < 0.01)
    #expect(bench.endedTurns == [entry(1)])
  }

  @Test("without a known length an untold end is never called finished")
  func noLength() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0, duration: nil)
    bench.observe(nil, at: 1000)
    #expect(bench.ends.map(\.outcome) == [.interrupted])
  }

  @Test("the pause between two plays is measured; a long one is no gap")
  func gaps() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    bench.tell(.idle, 30, at: 30, reason: .finished, loading: 2)
    bench.tell(.buffering, 0, at: 30.5, item: 2)
    bench.tell(.playing, 0, at: 32.5, item: 2)
    bench.tell(.idle, 30, at: 62.5, item: 2, reason: .finished)
    bench.tell(.playing, 0, at: 130, item: 3)
    #expect(bench.starts.map(\.gapBefore) == [nil, 2.5, nil])
  }

  @Test("a time without a connection is no gap: after a play that it cut, and between two plays")
  func lossIsNoGap() {
    var cut = LedgerBench()
    cut.tell(.playing, 0, at: 0)
    cut.facts += cut.ledger.lost(
      PlayEnding(.deviceLost, "reset"), evidence: .inferred, at: tick(10), wall: wall(10))
    cut.tell(.playing, 10, at: 40, item: 2)
    #expect(cut.starts.map(\.gapBefore) == [nil, nil])
    var between = LedgerBench()
    between.tell(.playing, 0, at: 0)
    between.tell(.idle, 30, at: 30, reason: .finished)
    between.ledger.markUnobserved()
    between.tell(.playing, 0, at: 50, item: 2)
    #expect(between.starts.map(\.gapBefore) == [nil, nil])
  }

  @Test("a picture is paused all the time and shown all the time")
  func pictures() {
    var bench = LedgerBench()
    bench.tell(.paused, 0, at: 0, duration: nil, type: "image/png")
    #expect(bench.starts.count == 1)
    bench.tell(.paused, 0, at: 4, duration: nil, type: "image/png")
    #expect(bench.ledger.shown(at: tick(9)) == 9)
    bench.ledger.intend(.endReached)
    bench.tell(.idle, 0, at: 10, reason: .cancelled, type: "image/png")
    #expect(bench.ends.map(\.played) == [10])
    #expect(bench.ends.map(\.outcome) == [.finished])
    var film = LedgerBench()
    film.tell(.paused, 0, at: 0)
    #expect(film.starts.isEmpty, "a paused film has shown nothing")
  }

  @Test("a picture that was asked to go and then is not there was shown until it was asked, and no longer")
  func goneUnsaid() {
    var bench = LedgerBench()
    bench.tell(.paused, 0, at: 0, duration: nil, type: "image/png")
    bench.ledger.intend(.endReached, at: tick(6))
    bench.observe(nil, at: 15)
    #expect(bench.ends.map(\.played) == [6])
    #expect(bench.ends.map(\.outcome) == [.finished])
    #expect(bench.ends.map(\.evidence) == [.inferred])
  }

  struct Kept: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var type = "video/mp4"
    /// When the receiver was heard last; it says at 12 that the play was interrupted.
    var heard: Double
    /// When the next one was asked for; nil for never.
    var asked: Double?
    var outcome: PlayOutcome
    var played: Double
  }

  @Test(
    "of what the network has kept back nothing counts that is not known to have been shown",
    arguments: [
      Kept(testDescription: "a picture", type: "image/png", heard: 5, outcome: .skipped, played: 5),
      Kept(
        testDescription: "a picture's time was over", type: "image/png", heard: 5, asked: 6,
        outcome: .finished,
        played: 5),
      Kept(
        testDescription: "nobody heard it for long", type: "image/png", heard: 5, asked: 9, outcome: .unknown,
        played: 5),
      Kept(testDescription: "a film", heard: 5, outcome: .skipped, played: 5),
      Kept(testDescription: "no silence", heard: 11.5, outcome: .skipped, played: 12),
    ])
  func keptBack(kept: Kept) throws {
    var bench = LedgerBench()
    bench.tell(kept.type == "image/png" ? .paused : .playing, 0, at: 0, duration: nil, type: kept.type)
    if let asked = kept.asked { bench.ledger.intend(.endReached, at: tick(asked)) }
    bench.heard = kept.heard
    bench.tell(.idle, at: 12, duration: nil, reason: .interrupted, loading: 2, type: kept.type)
    let end = try #require(bench.ends.first)
    #expect(end.outcome == kept.outcome)
    #expect(abs(end.played - kept.played) < 0.01)
    #expect(end.evidence == (kept.outcome == .unknown ? .unobserved : .reported))
  }

  @Test("the time an ad takes is not the programme's")
  func ads() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    bench.tell(.playing, 10, at: 10, inAd: true, rate: 0)
    bench.tell(.playing, 10, at: 20, inAd: true, rate: 0)
    bench.tell(.playing, 10, at: 25)
    bench.tell(.idle, at: 30, reason: .cancelled)
    #expect(bench.ends.map(\.played) == [15])
  }

  @Test("progress is told early, every ten seconds, and when the length becomes known")
  func progress() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0, duration: nil)
    bench.tell(.playing, 3, at: 3, duration: nil)
    bench.tell(.playing, 5, at: 5, duration: 40)
    bench.tell(.playing, 9, at: 9, duration: 40)
    bench.tell(.playing, 15, at: 15, duration: 40)
    #expect(bench.progress.map(\.played) == [3, 5, 15])
    #expect(bench.progress.map(\.duration) == [nil, 40, 40])
  }

  @Test("what never showed a frame has played nothing and has no position")
  func neverStarted() throws {
    var bench = LedgerBench()
    bench.tell(.buffering, 0, at: 0)
    bench.facts += bench.ledger.failed(
      entry(1), reason: PlayReason(detailedCode: 104), at: tick(1), wall: wall(1))
    #expect(bench.ledger.failed(entry(1), reason: PlayReason(), at: tick(1), wall: wall(1)) == [])
    bench.facts += bench.ledger.unplayable(entry(2), note: "gone", at: tick(2), wall: wall(2))
    #expect(bench.ends.map(\.played) == [0, 0])
    #expect(bench.ends.map(\.position) == [nil, nil])
    #expect(bench.ends.map(\.evidence) == [.reported, .inferred])
    #expect(bench.starts.isEmpty)
  }

  @Test("what ended is not opened again by a late word")
  func late() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    bench.tell(.idle, 30, at: 30, reason: .finished)
    bench.tell(.playing, 29, at: 31)
    #expect(bench.ledger.current == nil)
    #expect(bench.starts.count == 1)
    bench.facts += bench.ledger.lost(
      PlayEnding(.deviceLost, "x"), evidence: .inferred, at: tick(40), wall: wall(40))
    #expect(bench.ends.count == 1)
  }

  @Test("being cut off keeps what was shown until then")
  func lost() {
    var bench = LedgerBench()
    bench.tell(.playing, 4, at: 0)
    bench.facts += bench.ledger.lost(
      PlayEnding(.deviceLost, "out of sight"), evidence: .inferred, at: tick(6), wall: wall(6))
    #expect(bench.ends.map(\.played) == [6])
    #expect(bench.ends.map(\.position) == [10])
    #expect(bench.ends.map(\.outcome) == [.interrupted])
  }

  @Test("positions and rates out of this world do no harm")
  func hostile() {
    var bench = LedgerBench()
    for position in [1e308, -5, 0, Double.greatestFiniteMagnitude] {
      bench.tell(.playing, position, at: 1, duration: 1e308, rate: 1e308)
    }
    bench.observe(nil, at: 1e9)
    #expect(bench.ends.allSatisfy { $0.played >= 0 && $0.played.isFinite })
  }
}

@Suite("A clock that is set while something plays")
struct ClockJumpTests {
  @Test(
    "a row's times agree with what was shown, the next row has the new time, and gaps are real",
    arguments: [3600.0, -3600, -4000])
  func jump(by offset: Double) throws {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 5000)
    bench.clockOffset = offset
    bench.tell(.playing, 12, at: 5012)
    bench.tell(.idle, at: 5030, reason: .finished)
    bench.tell(.playing, 0, at: 5030.25, item: 2)
    bench.tell(.playing, 15, at: 5045.25, item: 2)
    bench.tell(.idle, at: 5060.25, item: 2, reason: .finished)
    #expect(bench.progress.map(\.at) == [wall(5012), wall(5045.25 + offset)])
    #expect(bench.ends.map(\.at) == [wall(5030), wall(5060.25 + offset)])
    #expect(bench.ends.map(\.played) == [30, 30])
    #expect(bench.ends.map(\.outcome) == [.finished, .finished])
    #expect(bench.ends.map(\.position) == [30, 30])
    #expect(bench.starts.map(\.at) == [wall(5000), wall(5030.25 + offset)])
    #expect(bench.starts.map(\.gapBefore) == [nil, 0.25])
    let way = offset > 0 ? "forward" : "back"
    #expect(
      bench.ends.map { $0.reason?.note } == [
        "the clock was set \(way) by \(Int(abs(offset))) s during the play", nil,
      ])
  }

  @Test("a jump between two plays neither makes nor hides a gap")
  func between() {
    for offset in [3600.0, -3600] {
      var bench = LedgerBench()
      bench.tell(.playing, 0, at: 5000)
      bench.tell(.idle, at: 5030, reason: .finished)
      bench.clockOffset = offset
      bench.tell(.playing, 0, at: 5032, item: 2)
      #expect(bench.starts.map(\.gapBefore) == [nil, 2])
    }
  }

  @Test("a clock that is corrected by a second is taken at its word")
  func drift() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    bench.clockOffset = 1.5
    bench.tell(.idle, at: 30, reason: .finished)
    #expect(bench.ends.map(\.at) == [wall(31.5)])
    #expect(bench.ends.map(\.reason) == [nil])
  }

  @Test("no play ends before it began, however little the clock goes back")
  func setBackALittle() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    bench.clockOffset = -1.5
    bench.tell(.idle, at: 1, reason: .interrupted)
    #expect(bench.ends.map(\.at) == [wall(0)])
  }

  @Test("a play that is cut says both why and that the clock was set")
  func cut() {
    var bench = LedgerBench()
    bench.tell(.playing, 0, at: 0)
    bench.facts += bench.ledger.lost(
      PlayEnding(.deviceLost, "it went away"), evidence: .inferred, at: tick(10), wall: wall(7210))
    #expect(
      bench.ends.map(\.reasonWords) == [
        "the device was lost: it went away; the clock was set forward by 7200 s during the play"
      ])
    #expect(bench.ends.map(\.at) == [wall(10)])
  }
}
