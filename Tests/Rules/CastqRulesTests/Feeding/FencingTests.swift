import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Testing

@Suite("Two boxes for one device")
struct FencingTests {
  /// A box, and what it has been fed with when it comes.
  private func box(_ epoch: Int?, rows: VirtualRows? = nil, receiver: FeederBench? = nil) -> FeederBench {
    let bench = FeederBench(count: 4) { $0.epoch = epoch }
    if let rows { bench.rows = rows }
    if let receiver {
      bench.receiver = receiver.receiver
      bench.now = receiver.now
    }
    return bench
  }

  private func epochs(_ bench: FeederBench) -> Set<Int?> {
    Set(bench.receiver.items.map { EntryTag(customData: $0.customData)?.epoch })
  }

  @Test("every item carries the epoch of its box, and none outside a pair", arguments: [3, nil] as [Int?])
  func tagged(epoch: Int?) {
    let bench = box(epoch)
    bench.begin()
    #expect(epochs(bench) == [epoch])
  }

  @Test(
    "the next box loads over what it finds, at the entry and the position that are on the screen",
    arguments: [8.0, 38, 95])
  func takesOver(seconds: Double) throws {
    let first = box(3)
    // The copy of the rows is as old as can be: nothing had begun.
    let copy = first.rows
    first.begin()
    first.run(seconds: seconds)
    let second = box(4, rows: copy, receiver: first)
    second.begin()
    #expect(epochs(second) == [4])
    #expect(second.loads == 1)
    let status = try #require(second.receiver.report(at: second.now))
    let number = Int(seconds) / 30 + 1
    #expect(status.mediaInformation?.contentID == "v\(number)")
    #expect(status.streamPosition?.seconds == seconds.truncatingRemainder(dividingBy: 30))
    // Nothing that was on the screen before comes again.
    second.run(seconds: 1000)
    #expect(second.outcomes == (number...4).map { "e\($0).1 finished" })
    #expect(second.end == .drained(failed: 0))
  }

  @Test(
    "what is about to end when the next box comes is let to its end, and not displayed twice",
    arguments: [false, true])
  func letsEnd(isReconnected: Bool) throws {
    let first = box(3)
    let copy = first.rows
    first.begin()
    first.run(seconds: 28)
    let second = box(4, rows: copy, receiver: first)
    second.begin()
    #expect(second.loads == 0)
    if isReconnected {
      second.send(.lost("the connection"))
      second.begin()
      #expect(second.loads == 0)
    }
    // The first box's queue goes on by itself; the second one comes with the next entry.
    second.run(seconds: 2.5)
    #expect(second.loads == 1)
    #expect(epochs(second) == [4])
    second.run(seconds: 1000)
    #expect(second.outcomes == ["e2.1 finished", "e3.1 finished", "e4.1 finished"])
    #expect(second.end == .drained(failed: 0))
  }

  @Test("what the box before displays is loaded over when its end does not come")
  func relievesInTime() throws {
    let first = box(3)
    let copy = first.rows
    first.begin()
    first.run(seconds: 28)
    let patient = box(4, rows: copy, receiver: first)
    patient.begin()
    patient.send(.timerFired(.entryEnd))
    #expect(patient.loads == 1)
    #expect(patient.receiver.report(at: patient.now)?.streamPosition == 28)
  }

  @Test("a person who asks for another entry does not wait for the end of what the box before displays")
  func relievesForPeople() throws {
    let first = box(3)
    let copy = first.rows
    first.begin()
    first.run(seconds: 28)
    let second = box(4, rows: copy, receiver: first)
    second.begin()
    second.send(.restart(from: EntryID(3)))
    #expect(second.loads == 1)
    #expect(second.receiver.report(at: second.now)?.mediaInformation?.contentID == "v3")
    #expect(second.timers[.entryEnd] == nil)
  }

  @Test("a box that sees a newer epoch yields at once, and leaves the screen alone")
  func yields() {
    let first = box(3)
    first.begin()
    first.run(seconds: 8)
    let second = box(4, rows: first.rows, receiver: first)
    second.begin()
    let before = first.actions.count
    first.send(.mediaStatus(second.receiver.report(at: second.now)))
    #expect(first.end == .superseded(epoch: 4))
    #expect(first.outcomes == ["e1.1 interrupted"])
    #expect(first.timers.isEmpty)
    for action in first.actions[before...] {
      switch action {
      case .load, .insert, .remove, .jump, .next, .stopMedia, .stopApplication:
        Issue.record("it did \(action)")
      default: break
      }
    }
  }

  @Test("a box that finds a newer epoch at its beginning yields before it loads anything")
  func staleAtBeginning() {
    let second = box(4)
    second.begin()
    let first = box(3, rows: second.rows, receiver: second)
    first.begin()
    #expect(first.end == .superseded(epoch: 4))
    #expect(first.loads == 0)
  }

  /// Another box loads the first entry over what is on the screen; the epoch is what stands in its tag, as JSON.
  private func load(epoch: String, over box: FeederBench) throws {
    let tag = try JSONValue(parsing: #"{"castq":{"q":"q","e":1,"t":1,"n":\#(epoch)}}"#)
    let item = MediaQueueItem(
      mediaInformation: .init(contentID: "v1", contentType: "video/mp4"), customData: tag)
    for event in box.receiver.load([item], startTime: nil, at: box.now) {
      if case .mediaStatus = event { box.send(event) }
    }
  }

  @Test(
    "a load of a box with an older epoch, or with what is none, is loaded over again, at the position where it was",
    arguments: ["3", "0", "-1", "3.5", "-1e300", "1e300", "9007199254740993", #""5""#, "[5]", "null"])
  func reclaims(epoch: String) throws {
    let box = box(4)
    box.begin()
    box.run(seconds: 12)
    try load(epoch: epoch, over: box)
    #expect(box.end == nil)
    #expect(epochs(box) == [4])
    let status = try #require(box.receiver.report(at: box.now))
    #expect(status.mediaInformation?.contentID == "v1" && status.streamPosition == 12)
  }

  @Test("the largest epoch that a tag can have is one")
  func largest() throws {
    let box = box(4)
    box.begin()
    box.run(seconds: 12)
    try load(epoch: "\(EntryTag.latestEpoch)", over: box)
    #expect(box.end == .superseded(epoch: EntryTag.latestEpoch))
  }

  @Test("the same box adopts what it has left on the screen")
  func sameEpoch() {
    let before = box(4)
    before.begin()
    before.run(seconds: 8)
    let after = box(4, rows: before.rows, receiver: before)
    after.begin()
    #expect(after.loads == 0)
    #expect(after.actions.contains { if case .adopted = $0 { true } else { false } })
  }

  @Test("a box outside of a pair neither yields nor loads over what another has sent")
  func unpaired() {
    let before = box(9)
    before.begin()
    before.run(seconds: 8)
    let after = box(nil, rows: before.rows, receiver: before)
    after.begin()
    #expect(after.end == nil)
    #expect(after.loads == 0)
  }
}
