import CastProtocol
import CastqCore
import CastqDaemon
import Testing

/// Who waits for the end of a list, and what they are told.
@Suite struct FeedWaitersTests {
  /// The reply to a client that waits for the end of a new list, after its runner was told of the list.
  private func reply(_ happens: (inout FeedWaiters, ControlTicket) -> Void) async -> ControlReply {
    await withCheckedContinuation { continuation in
      let ticket = ControlTicket(continuation)
      var waiters = FeedWaiters(isOneRun: false)
      waiters.add(ticket, first: nil, isConnected: true, isCurrent: false)
      happens(&waiters, ticket)
    }
  }

  @Test("a list that a rule keeps from the screen is over when its device is stopped")
  func stopped() async {
    let told = await reply { waiters, ticket in
      waiters.accepted(ticket)
      waiters.ended(.halted)
    }
    #expect(told == .done(["halted": true]))
  }

  @Test("the end of the list before says nothing of the new one")
  func listBefore() async {
    let told = await reply { waiters, _ in
      waiters.ended(.halted)
      waiters.ended(.drained(failed: 0))
    }
    #expect(told != .done(["halted": true]) && told != .done, "its runner was still being told")
  }

  @Test("what the next runner feeds is the new list")
  func nextRunner() async {
    let told = await reply { waiters, ticket in
      waiters.accepted(ticket)
      waiters.ended(.takenOver("another app"))
      waiters.ended(.drained(failed: 0))
    }
    #expect(told == .done)
  }

  @Test(
    "the end of the queue answers who waits for it, although rules are still fed, and counts its failures alone"
  )
  func drainedBesideRules() async {
    let failure = { (entry: Int64) -> RunnerReport in
      .ended(
        EntryTurn(entry: EntryID(entry), turn: 1), title: "film \(entry)",
        EndedPlay(
          at: WallTime(milliseconds: 0), position: nil, played: 0, duration: nil, outcome: .failed,
          evidence: .reported),
        .failed)
    }
    let told = await reply { waiters, ticket in
      waiters.accepted(ticket)
      waiters.observe(failure(1), isOfQueue: false, at: .zero)
      waiters.drained()
    }
    #expect(told == .done, "what failed was a rule's")
    let complaint = await reply { waiters, ticket in
      waiters.accepted(ticket)
      waiters.observe(failure(2), at: .zero)
      waiters.drained()
    }
    guard case .failed(let words) = complaint else {
      Issue.record("\(complaint)")
      return
    }
    #expect(words.message.hasPrefix("1 entry could not be played: film 2"))
  }
}
