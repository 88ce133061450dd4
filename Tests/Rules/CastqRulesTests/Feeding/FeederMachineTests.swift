import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

@Suite("The feeder")
struct FeederMachineTests {
  @Test("a list plays from its first entry to its last, each once", arguments: [1, 2, 21, 600])
  func wholeList(count: Int) {
    let bench = FeederBench(count: count)
    bench.begin()
    bench.run(seconds: Double(count) * 31 + 10)
    #expect(bench.outcomes == (1...count).map { "e\($0).1 finished" })
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.loads == 1)
    #expect(bench.plays.allSatisfy { abs($0.played - 30) < 0.01 && $0.evidence == .reported })
    #expect(bench.receiver.mostHeld <= 20 + 10 + 2, "the window is bounded")
    #expect(bench.rows.rows.allSatisfy { $0.state == .finished })
    #expect(bench.timers.isEmpty)
  }

  @Test("an entry that fails is tried again, then given up; the others play")
  func failing() {
    let bench = FeederBench(count: 4)
    bench.receiver.dead = ["v2"]
    bench.begin()
    bench.run(seconds: 1000)
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.outcomes.filter { $0.hasPrefix("e2") } == ["e2.1 failed", "e2.2 failed"])
    #expect(
      bench.outcomes.filter { $0.hasSuffix("finished") } == [
        "e1.1 finished", "e3.1 finished", "e4.1 finished",
      ])
    #expect(bench.rows.rows.map(\.state) == [.finished, .failed, .finished, .finished])
    #expect(bench.rows.rows[1].attempts == 2)
  }

  @Test("the first entry may fail at once", arguments: [["v1"], ["v1", "v2"], ["v3"]])
  func firstFails(dead: [String]) {
    let bench = FeederBench(count: 3)
    bench.receiver.dead = Set(dead)
    bench.begin()
    bench.run(seconds: 1000)
    #expect(bench.end == .drained(failed: dead.count))
    #expect(bench.outcomes.count { $0.hasSuffix("finished") } == 3 - dead.count)
  }

  @Test("a list in which everything is dead ends, pausing instead of storming the receiver")
  func allDead() {
    let bench = FeederBench(count: 6) { $0.attempts = 5 }
    bench.receiver.dead = Set((1...6).map { "v\($0)" })
    bench.begin()
    #expect(bench.loads <= 2)
    #expect(bench.timers[.pause] != nil)
    #expect(bench.mostSteps < 60)
    bench.run(seconds: 3600)
    #expect(bench.end == .drained(failed: 6))
    #expect(bench.rows.rows.allSatisfy { $0.state == .failed })
    #expect(bench.mostSteps < 60)
  }

  @Test(
    "a repeating list in which files are gone plays the others, and gives each up once a round",
    arguments: [(["v2"], 4), (["v1", "v2"], 3), (["v1", "v2", "v3", "v4"], 5), ([], 1)])
  func missingFiles(missing: [String], count: Int) {
    let bench = FeederBench(count: count)
    bench.rows.repeatMode = .all
    bench.missing = Set(missing)
    bench.begin()
    bench.run(seconds: 30 * 20 - 1)
    #expect(bench.mostSteps < 60)
    let finished = bench.outcomes.filter { $0.hasSuffix("finished") }
    #expect((18...19).contains(finished.count))
    let rounds = 20 / (count - missing.count) + 2
    #expect(bench.outcomes.count - finished.count <= missing.count * rounds)
    #expect(missing.isEmpty || bench.outcomes.count > finished.count)
  }

  @Test("a repeating list in which every file is gone waits longer and longer")
  func allMissing() {
    let bench = FeederBench(count: 20)
    bench.rows.repeatMode = .all
    bench.missing = Set((1...20).map { "v\($0)" })
    bench.begin()
    bench.run(seconds: 3600)
    #expect(bench.mostSteps < 60)
    #expect(bench.outcomes.count < 20 * 80)
    #expect(bench.loads == 0)
  }

  @Test("an entry too large for a message is given up with words, and the others play")
  func oversized() {
    var large = video("large")
    large.customData = .object(["x": .string(String(repeating: "x", count: 70_000))])
    let bench = FeederBench([video("v1"), large, video("v3")])
    bench.begin()
    bench.run(seconds: 200)
    #expect(bench.outcomes == ["e2.1 failed", "e1.1 finished", "e3.1 finished"])
    #expect(bench.plays[0].reason?.note?.contains("shorten its metadata") == true)
    #expect(bench.rows.rows[1].state == .failed)
    #expect(bench.end == .drained(failed: 1))
  }

  @Test("a receiver that refuses large messages gets smaller ones")
  func refused() {
    let bench = FeederBench(count: 30)
    bench.receiver.mostItems = 6
    bench.begin()
    bench.run(seconds: 1000)
    #expect(Array(bench.receiver.blocks.prefix(3)) == [20, 10, 5])
    #expect(bench.receiver.blocks.dropFirst(2).allSatisfy { $0 <= 5 })
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.outcomes.count == 30)
  }

  @Test("a receiver that refuses everything is not asked for ever")
  func refusesAll() {
    let bench = FeederBench(count: 3)
    bench.receiver.mostItems = 0
    bench.begin()
    bench.run(seconds: 3600)
    #expect(bench.end == .refused(PlayReason(errorReason: "INVALID_PARAMS")))
    #expect(bench.rows.rows.allSatisfy { $0.state == .pending })
    #expect(bench.receiver.blocks.count < 12)
  }

  @Test("no message is larger than the budget")
  func budget() {
    let bench = FeederBench(
      (1...20).map { number in
        var draft = video("v\(number)")
        draft.customData = .object(["x": .string(String(repeating: "x", count: 5000))])
        return draft
      })
    bench.begin()
    bench.run(seconds: 1000)
    #expect(bench.receiver.blocks.allSatisfy { $0 <= 4 })
    #expect(bench.outcomes == (1...20).map { "e\($0).1 finished" })
    #expect(bench.loads == 1)
  }

  @Test("when somebody else plays something, castq lets go and says so")
  func takeover() {
    let bench = FeederBench(count: 3)
    bench.begin()
    bench.run(seconds: 8)
    let events = bench.receiver.takeOver(at: bench.now)
    for event in events { bench.send(event) }
    #expect(bench.end == .takenOver("theirs"))
    #expect(bench.outcomes == ["e1.1 interrupted"])
    #expect(bench.plays[0].played == 8)
    #expect(bench.rows.rows.map(\.state) == [.pending, .pending, .pending])
    #expect(bench.timers.isEmpty)
  }

  @Test("what another sender shows when castq begins is not castq's")
  func foreignBefore() {
    let bench = FeederBench(count: 2)
    _ = bench.receiver.takeOver(at: bench.now)
    bench.begin()
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("stop pressed elsewhere ends the feeder; entries wait")
  func stoppedElsewhere() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 5)
    for event in bench.receiver.stop(.cancelled, at: bench.now) { bench.send(event) }
    #expect(bench.end == .stoppedElsewhere)
    #expect(bench.outcomes == ["e1.1 cancelled"])
    #expect(bench.rows.rows.map(\.state) == [.pending, .pending])
  }

  @Test("castq's own stop cuts what plays and ends the media")
  func stop() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 5)
    bench.send(.stop("told to"))
    #expect(bench.end == .stopped)
    #expect(bench.actions.contains(.stopMedia))
    #expect(bench.outcomes == ["e1.1 interrupted"])
    #expect(bench.plays[0].reason?.note == "told to")
    #expect(bench.timers.isEmpty)
    let before = bench.actions
    bench.send(.rowsChanged, .skip, .begin(nil), .timerFired(.pause), .stop("again"))
    #expect(bench.actions == before, "after the end nothing is done")
  }

  @Test(
    "what castq ends without asking has played until the receiver was certainly there",
    arguments: [FeederMachine.Event.stop("told to"), .leave])
  func unconfirmed(event: FeederMachine.Event) {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 18)
    let seen = Tick(.seconds(16))
    let actions = bench.machine.handle(event, at: bench.now, wall: bench.wall, seenUntil: seen)
    let facts = actions.flatMap { action -> [PlaybackFact] in
      if case .record(let recorded) = action { recorded.map(\.fact) } else { [] }
    }
    #expect(facts.map { $0.at - WallTime(milliseconds: 1_000_000) } == [16])
    let played = facts.compactMap { fact -> Double? in
      switch fact {
      case .ended(_, let play): play.played
      case .progressed(_, let play): play.played
      case .started, .adEnded: nil
      }
    }
    #expect(played.allSatisfy { abs($0 - 16) < 0.01 } && played.count == 1, "\(played)")
  }

  @Test("a receiver that has stopped answering has played until it was heard last when castq stops")
  func unanswered() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 18)
    bench.isMute = true
    bench.run(seconds: 8)
    bench.send(.stop("told to"))
    #expect(abs(bench.plays[0].played - 15) < 0.01, "\(bench.plays[0])")
  }

  @Test("a session that comes back goes on where it was cut")
  func lost() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 12)
    bench.send(.lost("out of sight"))
    #expect(bench.end == nil)
    _ = bench.receiver.stop(.cancelled, at: bench.now)
    bench.run(seconds: 5)
    bench.begin()
    let starts = bench.actions.compactMap { action -> MediaTime?? in
      if case .load(_, let start, _) = action { .some(start) } else { nil }
    }
    #expect(starts == [nil, 12])
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 interrupted", "e1.2 finished", "e2.2 finished"])
    #expect(abs(bench.plays.map(\.played).reduce(0, +) - 60) < 0.01)
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("rows that changed while they were read are read again")
  func stale() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.rows.append(video("v3"))
    bench.send(.rowsChanged)
    bench.rows.remove(EntryID(2))
    bench.send(.rowsChanged)
    bench.run(seconds: 200)
    #expect(bench.outcomes == ["e1.1 finished", "e3.1 finished"])
  }

  @Test("an answer about rows from before a change of the screen is not acted upon")
  func overtaken() {
    var machine = FeederMachine(queue: "q")
    _ = machine.handle(.begin(nil), at: .zero, wall: WallTime(milliseconds: 0))
    // An answer to a reading that nobody is waiting for changes nothing.
    let place = UpcomingEntry(entry: EntryID(1), turn: 0, round: 0, attempts: 0, draft: video("v1"))
    let loads = machine.handle(.upcoming([place]), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(loads.contains { if case .load = $0 { true } else { false } })
    #expect(machine.handle(.upcoming([place, place]), at: .zero, wall: WallTime(milliseconds: 0)) == [])
  }

  @Test("a new order reaches the receiver without touching what plays")
  func reordered() {
    let bench = FeederBench(count: 5)
    bench.begin()
    bench.run(seconds: 5)
    bench.rows.rows.swapAt(1, 4)
    bench.rows.rows.remove(at: 2)
    bench.send(.rowsChanged)
    bench.run(seconds: 300)
    #expect(bench.outcomes.map { $0.prefix(2) } == ["e1", "e5", "e4", "e2"])
    #expect(bench.plays.allSatisfy { $0.outcome == .finished && $0.played == 30 })
    #expect(bench.loads == 1)
  }

  @Test("an entry plays no longer than it was given, and counts as played")
  func limited() {
    var short = video("v1")
    short.playbackDuration = 7
    var last = video("v2")
    last.playbackDuration = 4
    let bench = FeederBench([short, last])
    bench.begin()
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(bench.plays.map(\.played) == [7, 4])
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("an ad is no end, no pause and no failure of the entry, and its time is not the entry's")
  func ads() {
    var limited = video("v1")
    limited.playbackDuration = 7
    let bench = FeederBench([limited, video("v2")])
    bench.begin()
    #expect(bench.timers[.entryEnd] != nil)
    var status = bench.receiver.report(at: bench.now)
    status?.adBreakStatus = AdBreakStatus(json: [
      "breakId": "b", "breakClipId": "c", "currentBreakClipTime": 0,
    ])
    status?.playbackRate = 0
    bench.send(.mediaStatus(status))
    #expect(bench.timers[.entryEnd] == nil)
    #expect(bench.timers[.status] != nil, "where the ad is, is asked as well")
    for code in [901, 902] {
      bench.send(.itemError(MediaQueueItemID(1), PlayReason(errorType: "ERROR", detailedCode: code)))
    }
    #expect(bench.outcomes == [])
    #expect(bench.machine.current == EntryTurn(entry: EntryID(1), turn: 1))
    #expect(!bench.actions.contains(.next) && !bench.actions.contains(.setPlaybackRate(1)))
    bench.send(.mediaStatus(bench.receiver.report(at: bench.now)))
    #expect(bench.timers[.entryEnd] != nil)
  }

  @Test("pictures change by the clock")
  func pictures() {
    var long = picture("p2")
    long.playbackDuration = 90
    let bench = FeederBench([picture("p1"), long, video("v3")])
    bench.begin()
    bench.run(seconds: 500)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished", "e3.1 finished"])
    #expect(bench.plays.map(\.played) == [10, 90, 30])
  }

  @Test("skipping goes on to the next entry, and from the last to the end")
  func skip() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 3)
    bench.send(.skip)
    bench.run(seconds: 4)
    bench.send(.skip)
    #expect(bench.outcomes == ["e1.1 skipped", "e2.1 skipped"])
    #expect(bench.rows.rows.map(\.state) == [.skipped, .skipped])
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("entries added while the last one plays are played without a new load")
  func added() {
    let bench = FeederBench(count: 1)
    bench.begin()
    bench.run(seconds: 20)
    bench.rows.append(video("v2"))
    bench.send(.rowsChanged)
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(bench.loads == 1)
  }

  @Test(
    "whatever happens in whatever order, no turn ends twice and the feeder comes to rest", arguments: 1...40)
  func storms(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let bench = FeederBench(count: Int.random(in: 1...30, using: &random))
    bench.receiver.mostItems = Int.random(in: 1...25, using: &random)
    for number in 1...30 where Int.random(in: 0..<5, using: &random) == 0 {
      bench.receiver.dead.insert("v\(number)")
    }
    bench.begin()
    for _ in 0..<40 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bench.send(.skip)
      case 1:
        bench.send(.lost("gone"))
        bench.begin()
      case 2:
        bench.rows.rows.shuffle(using: &random)
        bench.send(.rowsChanged)
      case 3:
        bench.send(.queueChange(.update(bench.receiver.items.compactMap(\.itemID).shuffled(using: &random))))
      case 4: bench.send(.mediaStatus(bench.receiver.report(at: bench.now)))
      case 5: bench.send(.itemError(MediaQueueItemID(Int.random(in: 1...99, using: &random)), PlayReason()))
      default: bench.run(seconds: Double.random(in: 0...45, using: &random))
      }
    }
    bench.run(seconds: 20_000)
    #expect(bench.end != nil)
    #expect(bench.mostSteps < 300)
    let turns = bench.facts.compactMap { if case .ended(let turn, _) = $0 { turn } else { nil } }
    #expect(Set(turns).count == turns.count)
    let starts = bench.facts.compactMap { if case .started(let turn, _) = $0 { turn } else { nil } }
    #expect(Set(starts).count == starts.count)
    #expect(Set(starts).isSubset(of: turns), "every play that began has an end")
  }
}
