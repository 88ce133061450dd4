import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// What a person asks for while the list plays, and what history says of it.
@Suite("Control of the feeder")
struct FeederControlTests {
  private func jumps(_ bench: FeederBench) -> Int {
    bench.actions.count { if case .jump = $0 { true } else { false } }
  }

  @Test(
    "an entry further on is jumped to where the receiver holds it; what lies between is passed over unplayed")
  func forward() {
    let bench = FeederBench(count: 5)
    bench.begin()
    bench.run(seconds: 12)
    bench.send(.restart(from: EntryID(4)))
    #expect(jumps(bench) == 1)
    #expect(bench.loads == 1)
    bench.run(seconds: 200)
    #expect(bench.outcomes == ["e1.1 skipped", "e4.1 finished", "e5.1 finished"])
    #expect(bench.plays[0].evidence == .reported)
    #expect(abs(bench.plays[0].played - 12) < 0.01)
    #expect(bench.rows.rows.map(\.state) == [.skipped, .skipped, .skipped, .finished, .finished])
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("an entry before is loaded anew and gets a turn of its own; the list goes on behind it")
  func backward() {
    let bench = FeederBench(count: 4)
    bench.begin()
    bench.run(seconds: 70)
    #expect(bench.machine.currentEntry == EntryID(3))
    bench.send(.restart(from: EntryID(2)))
    #expect(bench.machine.currentEntry == EntryID(2))
    bench.run(seconds: 300)
    #expect(
      bench.outcomes == [
        "e1.1 finished", "e2.1 finished", "e3.1 skipped", "e2.2 finished", "e3.2 finished", "e4.2 finished",
      ])
    #expect(bench.plays.allSatisfy { $0.evidence == .reported })
    #expect(bench.loads == 2)
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("what plays begins anew as a play of its own")
  func again() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 5)
    bench.send(.restart(from: EntryID(1)))
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 skipped", "e1.2 finished", "e2.2 finished"])
  }

  @Test("an entry beyond the window is loaded with what follows it")
  func beyond() {
    let bench = FeederBench(count: 60)
    bench.begin()
    bench.run(seconds: 5)
    bench.send(.restart(from: EntryID(50)))
    #expect(bench.loads == 2)
    bench.run(seconds: 1000)
    #expect(bench.outcomes == ["e1.1 skipped"] + (50...60).map { "e\($0).1 finished" })
    #expect(bench.rows.rows[1...48].allSatisfy { $0.state == .skipped })
  }

  @Test("in a list that repeats, an entry of a later round is not mistaken for this round's")
  func repeating() {
    let bench = FeederBench(count: 3)
    bench.rows.repeatMode = .all
    bench.begin()
    bench.run(seconds: 65)
    #expect(bench.machine.currentEntry == EntryID(3))
    bench.send(.restart(from: EntryID(2)))
    bench.run(seconds: 30 * 4 + 1)
    #expect(bench.outcomes.prefix(3).map { $0.prefix(2) } == ["e1", "e2", "e3"])
    #expect(bench.outcomes.dropFirst(3).map { String($0.prefix(2)) } == ["e2", "e3", "e1", "e2"])
  }

  @Test("another list takes the place of the one that plays", arguments: [0.0, 5])
  func replaced(seconds: Double) {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: seconds)
    bench.rows.rows = [VirtualRows.Row(id: EntryID(7), draft: video("v7"))]
    bench.send(.restart(from: nil))
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 interrupted", "e7.1 finished"])
    #expect(bench.plays[0].evidence == .reported)
    #expect(bench.plays[0].cause == .replaced)
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("another list begins at the position that was asked for, and only its first entry")
  func replacedAt() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 5)
    bench.rows.rows = [7, 8].map { VirtualRows.Row(id: EntryID($0), draft: video("v\($0)")) }
    bench.send(.restart(from: nil, resume: ResumePoint(entry: EntryID(7), position: 4)))
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 interrupted", "e7.1 finished", "e8.1 finished"])
    #expect(bench.plays.map(\.played) == [5, 26, 30])
  }

  @Test("a list that waits because nothing could be loaded starts over at once")
  func pausing() {
    let bench = FeederBench(count: 2) { $0.attempts = 9 }
    bench.receiver.dead = ["v1", "v2"]
    bench.begin()
    #expect(bench.timers[.pause] != nil)
    bench.receiver.dead = ["v1"]
    bench.send(.restart(from: EntryID(2)))
    #expect(bench.timers[.pause] == nil)
    #expect(bench.machine.currentEntry == EntryID(2))
    bench.run(seconds: 40)
    #expect(bench.outcomes.last == "e2.\(bench.rows.rows[1].turn) finished")
    #expect(bench.end == .drained(failed: 0))
  }

  @Test("a stop waits for the receiver's word, and the entry waits again")
  func halt() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 7)
    bench.send(.halt)
    #expect(bench.outcomes == ["e1.1 cancelled"])
    #expect(bench.plays[0].evidence == .reported)
    #expect(bench.rows.rows.map(\.state) == [.pending, .pending])
    #expect(bench.end == .halted)
    #expect(bench.timers.isEmpty)
  }

  @Test("a stop while nothing is on the screen ends at once", arguments: [false, true])
  func haltEarly(hasSession: Bool) {
    let bench = FeederBench(count: 2) { $0.attempts = 9 }
    bench.receiver.dead = ["v1", "v2"]
    if hasSession { bench.begin() }
    bench.send(.halt)
    #expect(bench.end == .halted)
  }

  /// A machine whose load is on its way, without a word from the receiver yet.
  private func loading() -> (machine: FeederMachine, places: [UpcomingEntry]) {
    var machine = FeederMachine(queue: "q")
    let places = (1...3).map {
      UpcomingEntry(entry: EntryID($0), turn: 0, round: 0, attempts: 0, draft: video("v\($0)"))
    }
    _ = machine.handle(.begin(nil), at: .zero, wall: WallTime(milliseconds: 0))
    _ = machine.handle(.upcoming(places), at: .zero, wall: WallTime(milliseconds: 0))
    return (machine, places)
  }

  private let cancelled = EditOutcome.failed(
    EditFailure(kind: .cancelled, reason: PlayReason(errorType: "LOAD_CANCELLED")))

  @Test("a load that hangs can be passed over, and the list goes on behind it")
  func skipLoading() {
    var (machine, places) = loading()
    let asked = machine.handle(.skip, at: .zero, wall: WallTime(milliseconds: 0))
    #expect(!asked.contains(.stopMedia), "a stop does not get through")
    let recorded = asked.flatMap { if case .record(let facts) = $0 { facts } else { [RecordedFact]() } }
    #expect(recorded.map(\.effect?.state) == [.skipped])
    #expect(asked.contains { if case .readUpcoming = $0 { true } else { false } })
    let loads = machine.handle(
      .upcoming(Array(places.dropFirst())), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(loads.contains { if case .load(_, _, interrupts: true) = $0 { true } else { false } })
    #expect(machine.currentEntry == EntryID(2))
  }

  @Test("a load that has just begun is stopped by a request, one that hangs by the end of its application")
  func haltLoading() {
    var (machine, _) = loading()
    #expect(machine.handle(.halt, at: .zero, wall: WallTime(milliseconds: 0)).contains(.stopMedia))
    let after = machine.handle(.edited(cancelled), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(after.contains(.ended(.halted)))
    (machine, _) = loading()
    let hanging = machine.handle(.halt, at: Tick(.seconds(3)), wall: WallTime(milliseconds: 3000))
    #expect(hanging.contains(.stopApplication) && hanging.last == .ended(.halted))
  }

  @Test("a load that hangs gives way to another entry at once")
  func restartLoading() {
    var (machine, places) = loading()
    let after = machine.handle(.restart(from: EntryID(3)), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(after.contains(.moveList(to: EntryID(3))) && !after.contains(.stopMedia))
    let loads = machine.handle(.upcoming([places[2]]), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(loads.contains { if case .load(_, _, interrupts: true) = $0 { true } else { false } })
  }

  @Test("a command the receiver refused means nothing later")
  func refused() {
    let bench = FeederBench(count: 3)
    bench.begin()
    bench.run(seconds: 5)
    _ = bench.machine.handle(.restart(from: EntryID(1)), at: bench.now, wall: bench.wall)
    bench.send(.refused)
    _ = bench.receiver.stop(.cancelled, at: bench.now).map { bench.send($0) }
    #expect(bench.outcomes == ["e1.1 cancelled"])
    #expect(bench.end == .stoppedElsewhere)
  }

  @Test("a wish outlives the session it was made in")
  func lost() {
    let bench = FeederBench(count: 4)
    bench.begin()
    bench.run(seconds: 5)
    _ = bench.machine.handle(.restart(from: EntryID(3)), at: bench.now, wall: bench.wall)
    bench.send(.lost("gone"))
    bench.send(.restart(from: EntryID(4)))
    bench.begin()
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 interrupted", "e4.2 finished"])
  }

  @Test(
    "whatever is asked in whatever order, no turn ends twice and the feeder comes to rest", arguments: 1...20)
  func storms(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let bench = FeederBench(count: Int.random(in: 1...30, using: &random))
    for number in 1...30 where Int.random(in: 0..<5, using: &random) == 0 {
      bench.receiver.dead.insert("v\(number)")
    }
    bench.begin()
    for _ in 0..<40 {
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bench.send(.skip)
      case 1:
        bench.send(.lost("gone"))
        bench.begin()
      case 2: bench.send(.restart(from: nil))
      case 3, 4: bench.send(.restart(from: EntryID(Int64.random(in: 1...30, using: &random))))
      default: bench.run(seconds: Double.random(in: 0...45, using: &random))
      }
    }
    bench.run(seconds: 20_000)
    #expect(bench.end != nil)
    #expect(bench.mostSteps < 300)
    let turns = bench.facts.compactMap { if case .ended(let turn, _) = $0 { turn } else { nil } }
    #expect(Set(turns).count == turns.count)
    let starts = bench.facts.compactMap { if case .started(let turn, _) = $0 { turn } else { nil } }
    #expect(Set(starts).isSubset(of: turns), "every play that began has an end")
  }
}
