import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

/// A media address that never answers keeps a receiver loading for ever, and everything but a LOAD waiting (protocol 21.26).
@Suite struct NeverAnsweringTests {
  private static let limit = 45.0

  @Test(
    "an entry that displays nothing within its limit has failed, and the next one is on the screen at once",
    arguments: [["v1"], ["v2"], ["v3"], ["v1", "v2"], ["v2", "v3"]])
  func passedOver(bad: [String]) {
    let bench = FeederBench(count: 4)
    bench.receiver.unanswering = Set(bad)
    bench.begin()
    bench.run(seconds: 600)
    #expect(bench.end == .drained(failed: bad.count))
    let good = ["v1", "v2", "v3", "v4"].filter { !bad.contains($0) }
    #expect(bench.outcomes.count { $0.hasSuffix("finished") } == good.count)
    #expect(bench.outcomes.count { $0.hasSuffix("failed") } == bad.count)
    for row in bench.rows.rows where bad.contains(row.draft.media.contentID) {
      #expect(row.state == .failed && row.attempts == 1)
    }
    let dark = Double(bad.count) * (Self.limit + 2)
    #expect(bench.lastEnd > 0 && bench.lastEnd <= Double(good.count) * 30 + dark)
    #expect(bench.receiver.unanswered == 0, "nothing but questions is asked while it loads")
  }

  @Test("an entry that asks for another attempt gets it behind the next one")
  func retried() {
    var draft = video("v2")
    draft.onError = EntryErrorPolicy("retry 1")
    let bench = FeederBench([video("v1"), draft, video("v3"), video("v4")])
    bench.receiver.unanswering = ["v2"]
    bench.begin()
    bench.run(seconds: 600)
    #expect(
      bench.outcomes == [
        "e1.1 finished", "e2.1 failed", "e3.2 finished", "e2.2 failed", "e4.3 finished",
      ])
    #expect(bench.end == .drained(failed: 1))
  }

  @Test("nothing else is left: the run ends, and its application with it", arguments: [1, 2])
  func alone(count: Int) {
    let bench = FeederBench(count: count)
    bench.receiver.unanswering = ["v\(count)"]
    bench.begin()
    bench.run(seconds: 100)
    #expect(bench.end == .drained(failed: 1))
    #expect(bench.actions.contains(.stopApplication))
    #expect(!bench.receiver.isLoading)
  }

  @Test("a list whose addresses never answer is tried on, and is neither a storm nor given up")
  func allUnanswering() {
    let bench = FeederBench(count: 3)
    bench.rows.repeatMode = .all
    bench.receiver.unanswering = ["v1", "v2", "v3"]
    bench.begin()
    bench.run(seconds: 3600)
    #expect(bench.end == nil)
    #expect((3600 / 110...3600 / 45).contains(Double(bench.loads)), "\(bench.loads)")
    bench.receiver.unanswering = []
    bench.run(seconds: 200)
    #expect(bench.outcomes.last?.hasSuffix("finished") == true)
  }

  @Test("a slow address is waited for as long as the limit says, and its play is not restarted")
  func slow() {
    let bench = FeederBench(count: 2)
    bench.receiver.unanswering = ["v1"]
    bench.begin()
    bench.run(seconds: 44)
    bench.receiver.unanswering = []
    bench.send(.mediaStatus(bench.receiver.report(at: bench.now)), .edited(.done))
    bench.run(seconds: 100)
    #expect(bench.loads == 1)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
  }

  @Test("whoever does not say what it shows may be busy with a load, and is sent one that gets through")
  func busyAtStart() {
    let bench = FeederBench(count: 2)
    bench.receiver.unanswering = ["stuck"]
    let item = MediaQueueItem(mediaInformation: .init(contentID: "stuck", contentType: "video/mp4"))
    _ = bench.receiver.load([item], startTime: nil, at: .zero)
    bench.send(.begin(nil, hasAnswered: false))
    bench.run(seconds: 70)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
  }

  @Test("passing over what never answers, and another list, get through", arguments: [true, false])
  func commands(skips: Bool) {
    let bench = FeederBench(count: 3)
    bench.receiver.unanswering = ["v2"]
    bench.begin()
    bench.run(seconds: 33)
    bench.send(skips ? .skip : .restart(from: EntryID(3)))
    #expect(bench.machine.current?.entry == EntryID(3))
    bench.run(seconds: 60)
    #expect(bench.rows.rows[1].state == .skipped)
    #expect(bench.end == .drained(failed: 0))
  }

  @Test(
    "another list or another entry is not kept waiting by a load, however young it is", arguments: [1, nil])
  func youngLoad(entry: Int64?) {
    let bench = FeederBench(count: 3)
    bench.receiver.unanswering = ["v2"]
    bench.begin()
    bench.run(seconds: 31)
    bench.send(.restart(from: entry.map(EntryID.init)))
    #expect(bench.receiver.unanswered == 0)
    #expect(bench.loads == 2)
    if entry != nil { #expect(bench.machine.current?.entry == EntryID(1)) }
  }

  @Test(
    "a stop or another list that came just before such a load is done when it is refused",
    arguments: [true, false])
  func overtaken(halts: Bool) {
    let bench = FeederBench(count: 3)
    bench.receiver.unanswering = ["v2"]
    bench.begin()
    bench.run(seconds: 29)
    // The request arrives when the next item has begun to load.
    _ = bench.machine.handle(halts ? .halt : .restart(from: EntryID(1)), at: bench.now, wall: bench.wall)
    bench.run(seconds: 10)
    #expect(bench.machine.currentEntry == EntryID(2))
    bench.send(.refused)
    if halts {
      #expect(bench.end == .halted && !bench.receiver.isLoading)
    } else {
      #expect(bench.machine.current?.entry == EntryID(1))
    }
  }

  @Test("a stop is written as what it is, and closes the application only where nothing else gets through")
  func stopped() {
    let bench = FeederBench(count: 2)
    bench.receiver.stuck = ["v1"]
    bench.begin()
    bench.run(seconds: 20)
    bench.send(.halt)
    #expect(bench.end == .halted)
    #expect(bench.actions.contains(.stopMedia) && !bench.actions.contains(.stopApplication))
    #expect(bench.receiver.items.isEmpty)

    let hanging = FeederBench(count: 2)
    hanging.receiver.unanswering = ["v2"]
    hanging.begin()
    hanging.run(seconds: 40)
    hanging.send(.halt)
    #expect(hanging.end == .halted && hanging.actions.contains(.stopApplication))
    #expect(!hanging.plays.contains { $0.reason?.note == "the receiver no longer shows it" })
  }

  @Test("somebody else's load is not ended by a list that has nothing to show", arguments: [true, false])
  func foreign(isKnown: Bool) {
    let bench = FeederBench([])
    bench.receiver.unanswering = ["theirs"]
    let item = MediaQueueItem(mediaInformation: .init(contentID: "theirs", contentType: "video/mp4"))
    _ = bench.receiver.load([item], startTime: nil, at: .zero)
    bench.send(.begin(isKnown ? bench.receiver.report(at: .zero) : nil, hasAnswered: isKnown))
    #expect(bench.end == .drained(failed: 0))
    #expect(!bench.actions.contains(.stopApplication) && bench.receiver.isLoading)
  }
}
