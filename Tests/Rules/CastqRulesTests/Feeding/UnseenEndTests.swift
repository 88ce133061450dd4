import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// A list that ends while the network is away leaves the same application with nothing loaded (protocol 21.27).
@Suite struct UnseenEndTests {
  private func bench(lengths: [Double?]) -> FeederBench {
    let bench = FeederBench(
      lengths.enumerated().map { index, length in
        var draft = video("v\(index + 1)")
        draft.media.streamDuration = length.map { MediaTime(seconds: $0) }
        return draft
      })
    bench.begin()
    bench.run(seconds: 2)
    return bench
  }

  private func loseAndFind(
    _ bench: FeederBench, after seconds: Double, isSame: Bool = true, hasAnswered: Bool = true
  ) {
    bench.send(.lost("out of sight"))
    bench.receiver.close()
    bench.run(seconds: seconds)
    bench.send(.begin(nil, isSameApplication: isSame, .media, hasAnswered: hasAnswered))
    bench.run(seconds: 300)
  }

  @Test("what had time to end is not shown again, and history says that nobody saw it")
  func ended() throws {
    let bench = bench(lengths: [nil])
    loseAndFind(bench, after: 30)
    #expect(bench.outcomes == ["e1.1 unknown"])
    let play = try #require(bench.plays.first)
    #expect(play.evidence == .unobserved && abs(play.played - 2) < 0.01)
    #expect(bench.rows.rows[0].state == .interrupted)
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.loads == 1)
  }

  @Test("what follows is shown again from the first item on that had no time to end, or no length")
  func rest() {
    let known = bench(lengths: [nil, 30, 30, 30])
    loseAndFind(known, after: 65)
    #expect(known.outcomes == ["e1.1 unknown", "e2.1 unknown", "e3.2 finished", "e4.2 finished"])
    let unknown = bench(lengths: [nil, nil, 30])
    loseAndFind(unknown, after: 500)
    #expect(unknown.outcomes == ["e1.1 unknown", "e2.2 finished", "e3.2 finished"])
  }

  @Test("not even the first one can have ended, or another application runs: it goes on where it was")
  func cut() {
    for (seconds, isSame, hasAnswered) in [(20.0, true, true), (60, false, true), (60, true, false)] {
      let bench = bench(lengths: [nil, 30])
      loseAndFind(bench, after: seconds, isSame: isSame, hasAnswered: hasAnswered)
      #expect(bench.outcomes == ["e1.1 interrupted", "e1.2 finished", "e2.2 finished"])
    }
  }
}
