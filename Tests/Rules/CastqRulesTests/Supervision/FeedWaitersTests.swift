import CastProtocol
import Testing
@testable import CastqFeeding
@testable import CastqPlaylists
@testable import CastqText

/// Who waits for the end of a list, and what they are told.
@Suite struct FeedWaitersTests {
  private let ticket = TicketID(1)

  /// Those who wait for the end of a new list, after its runner was told of the list.
  private var waiting: FeedWaiters {
    var waiters = FeedWaiters(isOneRun: false)
    waiters.add(ticket, first: nil, isConnected: true, isCurrent: false)
    return waiters
  }

  @Test("a list that a rule keeps from the screen is over when its device is stopped")
  func stopped() {
    var waiters = waiting
    waiters.accepted(ticket)
    #expect(waiters.ended(.halted).map(\.answer) == [.plain(.done(["halted": true]))])
  }

  @Test("the end of the list before says nothing of the new one")
  func listBefore() {
    var waiters = waiting
    #expect(waiters.ended(.halted).isEmpty && waiters.ended(.drained(failed: 0)).isEmpty)
  }

  @Test("what the next runner feeds is the new list")
  func nextRunner() {
    var waiters = waiting
    waiters.accepted(ticket)
    #expect(waiters.ended(.takenOver("another app")).isEmpty)
    #expect(waiters.ended(.drained(failed: 0)).map(\.answer) == [.plain(.done)])
  }

  @Test(
    "the end of the queue answers who waits for it, although rules are still fed, and counts its failures alone"
  )
  func drainedBesideRules() {
    let failure = { (entry: Int64) -> RunnerReport in
      .ended(
        EntryTurn(entry: EntryID(entry), turn: 1), title: "film \(entry)",
        EndedPlay(
          at: WallTime(milliseconds: 0), position: nil, played: 0, duration: nil, outcome: .failed,
          evidence: .reported),
        .failed)
    }
    var waiters = waiting
    waiters.accepted(ticket)
    #expect(waiters.observe(failure(1), isOfQueue: false, at: .zero).isEmpty)
    #expect(waiters.drained().map(\.answer) == [.plain(.done)], "what failed was a rule's")
    waiters = waiting
    waiters.accepted(ticket)
    #expect(waiters.observe(failure(2), at: .zero).isEmpty)
    guard case .failures(let entries)? = waiters.drained().first?.answer else {
      Issue.record("nobody was told")
      return
    }
    #expect(entries.failure(nil).message.hasPrefix("1 entry could not be played: film 2"))
  }
}
