import CastProtocol
import CastTestKit
import Testing
@testable import CastqFeeding
@testable import CastqPlaylists

/// What a receiver refuses is not sent again at once.
@Suite struct RefusalTests {
  @Test(
    "a receiver that refuses every insertion is left alone for longer and longer, and the list goes on by loads",
    arguments: [.refused, .invalidState, .noMediaSession, .loadFailed, .sessionEnded] as [EditFailure.Kind])
  func insertions(kind: EditFailure.Kind) {
    let bench = FeederBench(count: 30)
    bench.receiver.insertRefusal = kind
    bench.begin()
    var requests: [Int] = []
    for _ in 0..<16 {
      let before = bench.actions.count
      bench.run(seconds: 60)
      requests.append(
        bench.actions.dropFirst(before).count { action in
          switch action {
          case .insert, .remove, .load, .fetchItemIDs: true
          default: false
          }
        })
    }
    bench.run(seconds: 600)
    #expect(requests.allSatisfy { $0 <= 14 }, "\(requests)")
    #expect(bench.mostSteps < 100)
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.outcomes.count { $0.hasSuffix("finished") } == 30)
  }

  @Test("a session that is about to end is not asked again at once, and its end is no failure of the list")
  func parting() {
    let bench = FeederBench(count: 3)
    bench.receiver.isParting = true
    bench.begin()
    bench.run(seconds: 10)
    #expect((2...11).contains(bench.loads), "\(bench.loads)")
    bench.receiver.isParting = false
    bench.run(seconds: 600)
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.outcomes.count { $0.hasSuffix("finished") } == 3)
  }

  @Test("a list that was dead is not given up because its session hangs up while it is loaded again")
  func hungUp() {
    var draft = video("dead")
    draft.onError = .retry(9)
    let bench = FeederBench([draft])
    bench.receiver.dead = ["dead"]
    bench.begin()
    bench.run(seconds: 1)
    #expect(bench.machine.isDead)
    bench.receiver.isParting = true
    let loads = bench.loads
    for _ in 0..<120 where bench.loads == loads { bench.run(seconds: 1) }
    #expect(bench.loads > loads && bench.end == nil)
    #expect(!bench.machine.isDead)
  }

  @Test(
    "an entry that is refused while others are taken is passed over after its attempts",
    arguments: [1, 2, 25, 30])
  func entry(number: Int) {
    let bench = FeederBench(count: 30)
    bench.receiver.refused = ["v\(number)"]
    bench.begin()
    bench.run(seconds: 3600)
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.rows.rows[number - 1].state == .failed)
    #expect(bench.outcomes.count { $0.hasSuffix("finished") } == 29)
    #expect(bench.plays.first { $0.outcome == .failed }?.reason?.note?.contains("INVALID_PARAMS") == true)
    let sent = bench.actions.count { if case .insert = $0 { true } else { false } }
    #expect(sent < 40, "\(sent)")
  }
}
