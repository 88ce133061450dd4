import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

@Suite("Writes that wait")
struct PendingWritesTests {
  private func turn(_ number: Int) -> EntryTurn { EntryTurn(entry: EntryID(Int64(number)), turn: 1) }

  private func progress(_ number: Int, _ played: Double) -> FeederWrite {
    let play = ProgressedPlay(
      at: WallTime(milliseconds: 0), position: MediaTime(seconds: played), played: played, duration: nil)
    return .record([RecordedFact(fact: .progressed(turn(number), play), effect: nil)])
  }

  private func started(_ number: Int) -> FeederWrite {
    let play = StartedPlay(at: WallTime(milliseconds: 0), position: 0, duration: nil, gapBefore: nil)
    return .record(
      [RecordedFact(fact: .started(turn(number), play), effect: EntryEffect(state: .playing))])
  }

  private func drain(_ pending: inout PendingWrites) -> [FeederWrite] {
    var writes: [FeederWrite] = []
    while let write = pending.first {
      writes.append(write)
      pending.removeFirst()
    }
    #expect(pending.isEmpty)
    return writes
  }

  @Test("they come back in their order; of progress only the last word is kept, at its place")
  func order() {
    var pending = PendingWrites()
    let expected = [
      .offer([OfferedTurn(turn: turn(1), round: 0)], at: WallTime(milliseconds: 1)),
      .markQueued([turn(1)]), started(1), progress(1, 20), .release([turn(2)]), progress(2, 7),
      FeederWrite.moveList(to: EntryID(1)),
    ]
    for write in expected.prefix(3) { pending.append(write) }
    pending.append(progress(1, 10))
    pending.append(.release([turn(2)]))
    pending.append(progress(2, 7))
    pending.append(progress(1, 20))
    pending.append(.moveList(to: EntryID(1)))
    #expect(pending.count == 7)
    #expect(pending.factCount == 3)
    #expect(drain(&pending) == expected)
    pending.append(progress(1, 30))
    #expect(drain(&pending) == [progress(1, 30)], "one that was written is not overwritten")
    #expect(pending.lostFacts == 0)
  }

  @Test("beyond the bound progress goes first, then the oldest, and the loss is counted")
  func bound() {
    var pending = PendingWrites(limit: 4)
    for write in [started(1), progress(1, 10), started(2), progress(2, 10)] { pending.append(write) }
    pending.append(started(3))
    #expect(pending.count == 4)
    #expect(pending.lostFacts == 1)
    pending.append(started(4))
    pending.append(.markQueued([turn(9)]))
    #expect(pending.lostFacts == 3)
    #expect(drain(&pending) == [started(2), started(3), started(4), .markQueued([turn(9)])])
  }

  @Test("a month of clips in an outage needs no more room than the bound, and keeps the newest")
  func endless() {
    var pending = PendingWrites(limit: 1000)
    for number in 1...50_000 {
      pending.append(started(number))
      for second in 1...3 { pending.append(progress(number, Double(second))) }
      if number % 3 == 0 { pending.removeFirst() }
      #expect(pending.count <= 1000)
    }
    let last = drain(&pending).last
    #expect(last == progress(50_000, 3))
  }
}
