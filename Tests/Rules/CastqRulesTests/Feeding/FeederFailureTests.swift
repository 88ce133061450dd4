import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// What cannot be played costs seconds, never the loop.
@Suite struct FeederFailureTests {
  private func bench(_ policy: String?, dead: String) -> FeederBench {
    var draft = video(dead)
    draft.onError = policy.flatMap(EntryErrorPolicy.init)
    let bench = FeederBench([video("v1"), draft, video("v3")])
    bench.receiver.dead = [dead]
    bench.begin()
    bench.run(seconds: 600)
    return bench
  }

  @Test("what the receiver holds is loaded again, and has not failed, when this machine has another address")
  func moved() {
    for isTold in [true, false] {
      let bench = FeederBench([video("v1"), video("v2"), video("v3")])
      bench.begin()
      bench.run(seconds: 10)
      // Nobody answers where the receiver looks for it; where it is sent next, somebody does.
      bench.receiver.deadOnce = ["v2"]
      if isTold { bench.send(.mediaMoved) }
      bench.run(seconds: 600)
      #expect(bench.end == .drained(failed: 0))
      #expect(bench.outcomes.contains { $0.hasPrefix("e2.") && $0.hasSuffix("failed") } != isTold)
    }
  }

  @Test("a list that repeats and of which nothing is seen is loaded at a growing pace, until something is")
  func unseen() {
    let bench = FeederBench([video("v1")])
    bench.rows.repeatMode = .all
    bench.receiver.endsAtOnce = true
    bench.begin()
    bench.run(seconds: 60)
    #expect((3...10).contains(bench.loads), "\(bench.loads)")
    bench.receiver.endsAtOnce = false
    bench.run(seconds: 300)
    #expect(bench.plays.last?.played == FakeReceiver.length)
  }

  @Test(
    "an entry says how often it may fail",
    arguments: [("skip", 1), ("retry 1", 2), ("retry 4", 5), (nil, 2)] as [(String?, Int)])
  func attempts(policy: String?, plays: Int) {
    let bench = bench(policy, dead: "dead")
    #expect(bench.outcomes.count { $0.hasPrefix("e2.") && $0.hasSuffix("failed") } == plays)
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.rows.rows[2].state == .finished)
  }

  @Test(
    "what cannot be sent at all fails once, whatever its rule says",
    arguments: ["skip", "retry 3", "retry 100", nil],
    [false, true])
  func unsendable(policy: String?, isOfDevice: Bool) {
    var draft = video("gone")
    let rule = policy.flatMap(EntryErrorPolicy.init)
    if !isOfDevice { draft.onError = rule }
    let bench = FeederBench([draft, video("v2")]) { if isOfDevice { $0.onError = rule } }
    bench.missing = ["gone"]
    bench.begin()
    bench.run(seconds: 600)
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.outcomes == ["e1.1 failed", "e2.1 finished"])
    #expect(bench.rows.rows[0].attempts == 1)
  }

  @Test("what the receiver refuses for good fails once, and ends a list that is to be stopped by it")
  func unsendableStops() {
    var draft = video("gone")
    draft.onError = .stop
    let bench = FeederBench([video("v1"), draft, video("v3")])
    bench.missing = ["gone"]
    bench.begin()
    bench.run(seconds: 100)
    guard case .entryFailed? = bench.end else {
      Issue.record("ended as \(String(describing: bench.end))")
      return
    }
    #expect(bench.outcomes.count { $0.hasSuffix("failed") } == 1)
  }

  @Test("a file that is gone of what stands in for the list is no failure of the list's")
  func standInGone() {
    var draft = video("dead")
    draft.onError = .retry(6)
    let bench = FeederBench([draft])
    bench.receiver.dead = ["dead"]
    bench.rows.fallback = [video("logo"), video("gone")]
    bench.missing = ["gone"]
    bench.begin()
    bench.run(seconds: 2000)
    #expect(bench.outcomes.contains { $0.hasPrefix("e1001.") && $0.hasSuffix("failed") })
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.mostSteps < 100)
  }

  @Test("where an entry says nothing, what is said of the device holds", arguments: [nil, "skip"])
  func ofDevice(policy: String?) {
    var draft = video("dead")
    draft.onError = policy.flatMap(EntryErrorPolicy.init)
    for (rule, plays) in [(EntryErrorPolicy.retry(3), 4), (.stop, 1)] {
      let bench = FeederBench([video("v1"), draft, video("v3")]) { $0.onError = rule }
      bench.receiver.dead = ["dead"]
      bench.begin()
      bench.run(seconds: 600)
      let failed = bench.outcomes.count { $0.hasPrefix("e2.") && $0.hasSuffix("failed") }
      #expect(failed == (policy == nil ? plays : 1))
      #expect((bench.rows.rows[2].state == .finished) == (policy != nil || rule != .stop))
    }
  }

  @Test("a list stops at an entry that it must not go on without, and what follows waits")
  func stops() {
    let bench = bench("stop", dead: "dead")
    guard case .entryFailed(let reason)? = bench.end else {
      Issue.record("ended as \(String(describing: bench.end))")
      return
    }
    #expect(reason.detailedCode == 104)
    #expect(bench.rows.rows.map(\.state) == [.finished, .failed, .pending])
    #expect(bench.receiver.items.isEmpty)
  }

  @Test(
    "an item that buffers for ever once it has begun, or plays without moving, is dead after half a minute",
    arguments: [true, false])
  func stalls(isFrozen: Bool) {
    let bench = FeederBench([video("v1"), video("bad"), video("v3")]) { $0.attempts = 1 }
    if isFrozen { bench.receiver.frozen = ["bad"] }
    bench.begin()
    bench.run(seconds: 33)
    if !isFrozen { bench.receiver.stuck = ["bad"] }
    bench.send(.mediaStatus(bench.receiver.report(at: bench.now)))
    bench.run(seconds: 600)
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 failed", "e3.1 finished"])
    let failed = bench.plays.first { $0.outcome == .failed }
    #expect(failed?.evidence == .inferred && failed?.reason?.note?.contains("stood still") == true)
    let times = bench.plays.map(\.at.milliseconds)
    #expect((30_000...45_000).contains(times[1] - times[0]))
  }

  @Test("an item that buffers from the first has the time of a load, and has failed for good after it")
  func neverShown() {
    let bench = FeederBench([video("v1"), video("bad"), video("v3")])
    bench.receiver.stuck = ["bad"]
    bench.begin()
    bench.run(seconds: 600)
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 failed", "e3.2 finished"])
    let times = bench.plays.map(\.at.milliseconds)
    #expect((45_000...46_000).contains(times[1] - times[0]), "\(times)")
    #expect(bench.plays[1].reason?.note?.contains("displayed nothing") == true)
  }

  @Test("the last item of all stands still: the list goes on, and nobody is said to have stopped it")
  func lastStalls() {
    let bench = FeederBench([video("bad")]) { $0.attempts = 1 }
    bench.receiver.stuck = ["bad"]
    bench.begin()
    bench.run(seconds: 120)
    #expect(bench.end == .drained(failed: 1), "\(bench.outcomes) \(bench.actions)")
  }

  @Test(
    "while nothing of a list can be shown, what stands in for it is, and the list is tried again behind it")
  func fallsBack() {
    let bench = FeederBench([video("dead1"), video("dead2")])
    bench.rows.repeatMode = .all
    bench.rows.fallback = [video("logo"), video("notice")]
    bench.receiver.dead = ["dead1", "dead2"]
    bench.begin()
    bench.run(seconds: 300)
    #expect(bench.outcomes.count { $0.hasPrefix("e1000.") && $0.hasSuffix("finished") } > 3)
    #expect(bench.outcomes.count { $0.hasPrefix("e1001.") && $0.hasSuffix("finished") } > 1)
    let triedBefore = bench.outcomes.count { $0.hasPrefix("e1.") }
    #expect(triedBefore > 2 && triedBefore < 60, "\(bench.outcomes)")
    bench.receiver.dead = []
    let moment = bench.facts.count
    bench.run(seconds: 300)
    let later = bench.facts.dropFirst(moment).compactMap { fact in
      if case .ended(let turn, _) = fact { turn.entry.rawValue } else { nil }
    }
    #expect(later.suffix(4).allSatisfy { $0 < 1000 }, "\(later)")
    #expect(later.prefix(4).contains(1), "\(later)")
  }

  /// The first item of each load.
  private func loaded(_ bench: FeederBench) -> [String] {
    bench.actions.compactMap { action in
      guard case .load(let items, _, _) = action else { return nil }
      return items.first?.mediaInformation?.contentID
    }
  }

  @Test("what stands in for the list and cannot be shown either waits as long as the list")
  func standInFails() {
    let bench = FeederBench([video("dead")])
    bench.rows.repeatMode = .all
    bench.rows.fallback = [video("lost")]
    bench.receiver.dead = ["dead", "lost"]
    bench.begin()
    bench.run(seconds: 300)
    let loads = loaded(bench)
    #expect(loads.count { $0 == "lost" } > 3 && loads.count < 40, "\(loads)")
    #expect(!zip(loads, loads.dropFirst()).contains { $0 == "lost" && $1 == "lost" }, "\(loads)")
    bench.receiver.dead = ["dead"]
    bench.run(seconds: 200)
    #expect(bench.outcomes.contains { $0.hasPrefix("e1000.") && $0.hasSuffix("finished") })
    bench.receiver.dead = []
    bench.run(seconds: 300)
    #expect(bench.plays.last?.outcome == .finished)
    #expect(bench.outcomes.contains { $0.hasPrefix("e1.") && $0.hasSuffix("finished") })
  }

  @Test("an entry that a person wants is loaded, and not what stands in for the list meanwhile")
  func restartsFromStandIn() {
    let bench = FeederBench([video("dead1"), video("dead2")])
    bench.rows.repeatMode = .all
    bench.rows.fallback = [video("logo")]
    bench.receiver.dead = ["dead1", "dead2"]
    bench.begin()
    bench.run(seconds: 0.5)
    #expect(loaded(bench).last == "logo")
    bench.receiver.dead = []
    bench.send(.restart(from: EntryID(2)))
    #expect(loaded(bench).last == "dead2")
    bench.run(seconds: 20)
    #expect(bench.machine.currentEntry == EntryID(2))
  }

  @Test("a picture that stays for an hour is shown anew every eight minutes, and is one play")
  func picturesStay() {
    var picture = picture("poster")
    picture.playbackDuration = 3600
    let bench = FeederBench([picture, video("v2")])
    bench.begin()
    bench.run(seconds: 3599)
    let jumps = bench.actions.count { if case .jump = $0 { true } else { false } }
    #expect(jumps == 7)
    bench.run(seconds: 120)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(bench.plays.first.map { abs($0.played - 3600) < 2 } == true)
  }

  @Test("a slow receiver is asked for the picture after the next one earlier, so that it is there in time")
  func lead() {
    let bench = FeederBench((1...20).map { picture("p\($0)") })
    bench.begin()
    bench.latency = .milliseconds(800)
    bench.run(seconds: 150)
    let shown = bench.starts.map(\.milliseconds)
    let times = zip(shown, shown.dropFirst()).map { $1 - $0 }
    #expect(times.first.map { (10_700...10_900).contains($0) } == true, "\(times)")
    #expect(times.last.map { (9_950...10_150).contains($0) } == true, "\(times)")
  }
}
