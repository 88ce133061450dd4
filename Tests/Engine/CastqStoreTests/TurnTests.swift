import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing
@testable import CastqStore

@Suite("Offerings")
struct TurnTests {
  @Test("an entry goes from pending to offered to queued and back, and only its latest turn moves it")
  func road() throws {
    let fixture = try StoreFixture()
    let entry = try fixture.enqueue(["a"])[0]
    let first = EntryTurn(entry: entry, turn: 1)
    let second = EntryTurn(entry: entry, turn: 2)
    try fixture.offer(entry)
    #expect(try fixture.state(entry) == .offered)
    try fixture.queue.markQueued([first])
    #expect(try fixture.state(entry) == .queued)
    try fixture.queue.release([first])
    #expect(try fixture.state(entry) == .pending)
    try fixture.queue.markQueued([first])  // the answer to a message that was given up
    #expect(try fixture.state(entry) == .pending)
    try fixture.offer(entry, turn: 2)
    try fixture.queue.markQueued([first])
    try fixture.queue.release([first])
    #expect(try fixture.state(entry) == .offered)
    try fixture.queue.markQueued([second])
    #expect(try fixture.state(entry) == .queued)
    #expect(try fixture.queue.entry(entry)?.turn == 2)
    try fixture.offer(entry, turn: 1)
    #expect(try fixture.queue.entry(entry)?.turn == 2, "turns never go back")
  }

  @Test("what plays stays playing while its next turn waits, and is queued when it ends")
  func loop() throws {
    let fixture = try StoreFixture()
    let entry = try fixture.enqueue(["a"])[0]
    try fixture.offer(entry)
    try fixture.record(started(EntryTurn(entry: entry, turn: 1), at: 1), EntryEffect(state: .playing))
    try fixture.offer(entry, turn: 2, round: 1)
    try fixture.queue.markQueued([EntryTurn(entry: entry, turn: 2)])
    #expect(try fixture.state(entry) == .playing)
    let end = ended(EntryTurn(entry: entry, turn: 1), at: 5)
    try fixture.record(end, EntryEffect(state: .finished, round: 1))
    #expect(try fixture.state(entry) == .queued)
  }

  @Test("a removed entry is never moved again")
  func removed() throws {
    let fixture = try StoreFixture()
    let entry = try fixture.enqueue(["a"])[0]
    try fixture.offer(entry)
    try fixture.queue.remove([entry], from: fixture.id)
    let turn = EntryTurn(entry: entry, turn: 1)
    try fixture.queue.markQueued([turn])
    try fixture.queue.release([turn])
    try fixture.offer(entry, turn: 2)
    try fixture.record(started(turn, at: 1), EntryEffect(state: .playing))
    try fixture.record(ended(turn, at: 2), EntryEffect(state: .finished, round: 1))
    #expect(try fixture.state(entry) == .cancelled)
    #expect(try fixture.history.plays(matching: .init()).map(\.outcome) == [.finished])
  }

  @Test("attempts count in their own round, and rounds of what a receiver holds follow its order")
  func rounds() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.queue.setRepeat(.all, for: fixture.id)
    let turns = (1...3).map { EntryTurn(entry: ids[0], turn: $0) }
    for turn in turns.prefix(2) { try fixture.offer(turn.entry, turn: turn.turn) }
    try fixture.record(
      ended(turns[0], at: 2, .failed), EntryEffect(state: .pending, countsAttempt: true))
    let places = try fixture.queue.look(into: fixture.id, limit: 4, besides: nil)
    #expect(places.map(\.entry) == [ids[0], ids[1], ids[0], ids[1]])
    #expect(places.map(\.attempts) == [1, 0, 0, 0])
    // The second attempt was put in front of what was ahead for the next round.
    try fixture.offer(ids[0], turn: 3)
    let held = try fixture.queue.held([turns[2], turns[1]], on: fixture.id)
    #expect(held.map { [$0.turn.turn, $0.place.round] } == [[3, 0], [2, 1]])
  }

  @Test("a feeder that died leaves nothing on the screen: entries wait again, open plays end unobserved")
  func recover() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    try fixture.play(ids[0])
    for id in ids[1...] { try fixture.offer(id) }
    let open = EntryTurn(entry: ids[1], turn: 1)
    try fixture.record(started(open, at: 20), EntryEffect(state: .playing))
    let progress = ProgressedPlay(at: moment(29), position: 9, played: 9, duration: 30)
    try fixture.record(.progressed(open, progress), nil)
    try fixture.queue.markQueued([EntryTurn(entry: ids[2], turn: 1)])
    #expect(try fixture.states() == [.finished, .playing, .queued, .offered])
    let kept = try fixture.queue.held([open, EntryTurn(entry: ids[2], turn: 1)], on: fixture.id)
    #expect(kept.map(\.turn.entry) == [ids[1], ids[2]])
    #expect(kept.map { $0.play?.position } == [9, nil])
    let all = ids.map { EntryTurn(entry: $0, turn: 1) } + [EntryTurn(entry: ids[1], turn: 2)]
    #expect(
      try fixture.queue.held(all, on: fixture.id).map(\.turn.entry) == Array(ids[1...]),
      "what is over is held by nobody, and what was never offered is none of ours")
    #expect(try fixture.queue.recover(fixture.id, keeping: kept.map(\.turn)) == nil)
    #expect(try fixture.states() == [.finished, .playing, .queued, .pending])
    #expect(try fixture.queue.recover(fixture.id) == ResumePoint(entry: ids[1], position: 9))
    #expect(try fixture.states() == [.finished, .pending, .pending, .pending])
    let plays = try fixture.history.plays(matching: .init())
    #expect(plays.map(\.outcome) == [.finished, .interrupted])
    #expect(plays.map(\.evidence) == [.reported, .unobserved])
    #expect(plays.last?.playedSeconds == 9)
    #expect(plays.last?.endedAt == moment(29))  // the last moment anything was heard of it
    #expect(plays.last?.reason?.note != nil)
    #expect(
      try fixture.queue.recover(fixture.id) == ResumePoint(entry: ids[1], position: 9),
      "a cut is known until the entry plays again")
    // The word that comes too late does not open or change the closed row.
    try fixture.record(ended(open, at: 120), EntryEffect(state: .finished, round: 1))
    #expect(try fixture.history.plays(matching: .init()) == plays)
  }

  @Test(
    "where an entry was cut is known to the next feeder, whoever cut it; what was passed over begins anew",
    arguments: [
      (.interrupted, true), (.cancelled, true), (.skipped, false), (.failed, false), (.unknown, false),
    ]
      as [(PlayOutcome, Bool)])
  func cut(outcome: PlayOutcome, isResumed: Bool) throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.offer(ids[0])
    let turn = EntryTurn(entry: ids[0], turn: 1)
    try fixture.record(started(turn, at: 20), EntryEffect(state: .playing))
    let end = EndedPlay(
      at: moment(29), position: 9, played: 9, duration: 30, outcome: outcome, evidence: .reported)
    try fixture.record(.ended(turn, end), EntryEffect(state: .pending))
    let point = try fixture.queue.recover(fixture.id)
    #expect(point == (isResumed ? ResumePoint(entry: ids[0], position: 9) : nil))
    try fixture.offer(ids[0], turn: 2)
    #expect(try fixture.queue.recover(fixture.id) == nil, "it has been sent again since")
  }

  @Test("where an entry was cut is known as well when its turn of the next round had been sent along")
  func cutInLoop() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.queue.setRepeat(.all, for: fixture.id)
    let turn = EntryTurn(entry: ids[0], turn: 1)
    try fixture.offer(ids[0])
    try fixture.record(started(turn, at: 20), EntryEffect(state: .playing))
    try fixture.offer(ids[0], turn: 2, round: 1)
    try fixture.record(ended(turn, at: 29, .interrupted), EntryEffect(state: .pending))
    try fixture.queue.release([EntryTurn(entry: ids[0], turn: 2)])
    #expect(try fixture.queue.recover(fixture.id) == ResumePoint(entry: ids[0], position: 5))
  }
}
