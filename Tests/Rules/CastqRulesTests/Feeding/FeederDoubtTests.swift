import CastProtocol
import CastqFeeding
import Testing

@Suite("A receiver that says what cannot be so, or nothing")
struct FeederDoubtTests {
  private func questions(_ bench: FeederBench) -> Int { bench.actions.count { $0 == .requestStatus } }

  @Test("an empty status in the middle of an item is asked about, and nothing has happened when it plays on")
  func spurious() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 12.5)
    let before = questions(bench)
    bench.send(.mediaStatus(nil))
    #expect(questions(bench) == before + 1)
    bench.run(seconds: 100)
    #expect(bench.loads == 1)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(bench.plays.allSatisfy { abs($0.played - 30) < 0.01 && $0.evidence == .reported })
  }

  @Test("what is confirmed to be gone is loaded anew at once, and was cut when it was said first")
  func confirmed() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 12.5)
    _ = bench.receiver.stop(.cancelled, at: bench.now)
    bench.send(.mediaStatus(nil))
    #expect(bench.loads == 2)
    #expect(bench.outcomes == ["e1.1 interrupted"])
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 interrupted", "e1.2 finished", "e2.2 finished"])
  }

  @Test("without an answer it is believed after a while, and no more counts than until it was said")
  func unanswered() throws {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 12.5)
    bench.isMute = true
    bench.send(.mediaStatus(nil))
    #expect(bench.outcomes.isEmpty)
    bench.run(seconds: 4.9)
    #expect(bench.outcomes.isEmpty)
    bench.run(seconds: 0.2)
    #expect(bench.outcomes == ["e1.1 interrupted"])
    #expect(bench.plays.first.map { abs($0.played - 12.5) < 0.01 } == true)
    #expect(bench.loads == 2)
  }

  @Test("a receiver that stops answering gets another session; one that never answered is left alone")
  func mute() {
    for hasAnswered in [true, false] {
      let bench = FeederBench([picture("p"), video("v")]) { $0.imageDuration = 600 }
      bench.isMute = !hasAnswered
      bench.begin()
      bench.run(seconds: 15)
      bench.isMute = true
      bench.run(seconds: 35)
      let reconnections = bench.actions.count { if case .reconnect = $0 { true } else { false } }
      #expect((reconnections > 0) == hasAnswered)
    }
  }

  @Test("old statuses that come again change nothing")
  func repeated() throws {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 3)
    let first = bench.receiver.report(at: bench.now)
    bench.run(seconds: 12.5)
    bench.send(.mediaStatus(first))
    bench.run(seconds: 20)
    bench.send(.mediaStatus(first))
    bench.run(seconds: 100)
    #expect(bench.loads == 1)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(bench.plays.allSatisfy { abs($0.played - 30) < 0.01 && $0.evidence == .reported })
  }

  @Test("a picture that somebody went back to has its time once more, and then the list goes on")
  func overstaying() {
    let bench = FeederBench([picture("a"), picture("b"), picture("c")])
    bench.begin()
    bench.run(seconds: 15)
    for event in bench.receiver.jump(to: MediaQueueItemID(1), at: bench.now) { bench.send(event) }
    bench.run(seconds: 100)
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.outcomes.last == "e3.1 finished")
  }
}
