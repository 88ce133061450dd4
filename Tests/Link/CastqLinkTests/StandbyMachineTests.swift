import CastProtocol
import Testing

@testable import CastqLink

@Suite("Which box of a site feeds")
struct StandbyMachineTests {
  private typealias Event = StandbyMachine.Event
  private typealias Action = StandbyMachine.Action

  private final class Bench {
    private var machine: StandbyMachine
    var now = Tick.zero

    init(own: Int = 0) { machine = StandbyMachine(site: "berlin", own: own, at: .zero) }

    var own: Int { machine.own }

    /// What it does, without what it reports.
    func handle(_ event: StandbyMachine.Event, after seconds: Int = 0) -> [StandbyMachine.Action] {
      now = now + .seconds(seconds)
      return machine.handle(event, at: now).filter { if case .report = $0 { false } else { true } }
    }

    /// An answer that took some seconds, and says that this box has the lease.
    func held(_ epoch: Int, after seconds: Int = 0, took delay: Int = 0) -> [StandbyMachine.Action] {
      let asked = now + .seconds(seconds)
      return handle(.answered(isHeld: true, epoch: epoch, box: "a", asked: asked), after: seconds + delay)
    }

    func theirs(_ epoch: Int, box: String = "b", after seconds: Int = 0) -> [StandbyMachine.Action] {
      handle(.answered(isHeld: false, epoch: epoch, box: box, asked: now + .seconds(seconds)), after: seconds)
    }
  }

  private func begins(_ epoch: Int, until seconds: Int) -> [Action] {
    [.remember(epoch), .permit(until: .zero + .seconds(seconds)), .start(epoch: epoch)]
  }

  @Test("the box with the lease remembers its epoch, and then runs the command with it, once")
  func granted() {
    let bench = Bench()
    #expect(bench.held(1) == begins(1, until: 6))
    #expect(bench.own == 1)
    #expect(bench.held(1, after: 2) == [.permit(until: .zero + .seconds(8))])
  }

  @Test("a box without the lease waits, however long")
  func denied() {
    let bench = Bench()
    for _ in 0..<100 { #expect(bench.theirs(1, after: 2).isEmpty) }
    #expect(bench.handle(.unanswered("cut"), after: 1000).isEmpty)
  }

  @Test(
    "a box that takes over begins when the time of the box before is over, and not when it lost the lease again"
  )
  func taking() {
    let bench = Bench()
    #expect(bench.theirs(1).isEmpty)
    #expect(bench.held(2, after: 2).isEmpty)
    #expect(bench.held(2, after: 2).isEmpty)
    #expect(bench.held(2, after: 4).isEmpty)
    #expect(bench.held(2, after: 1) == begins(2, until: 15))
    let other = Bench()
    #expect(other.held(2).isEmpty)
    #expect(other.handle(.unanswered("cut"), after: 5).isEmpty)
    #expect(other.held(3, after: 5).isEmpty)
    #expect(other.theirs(4, after: 2).isEmpty)
    #expect(other.held(5, after: 2).isEmpty)
    #expect(other.held(6, after: 5).isEmpty, "another one had it in between")
    #expect(other.held(6, after: 6).isEmpty)
    #expect(other.held(6, after: 1) == begins(6, until: 32))
  }

  @Test("a box that is not heard by its centre stops before the next one may begin")
  func fenced() {
    // The worst case: the centre lets go at the moment after it has answered, and the next box asks at once.
    let (first, second) = (Bench(), Bench())
    #expect(first.held(1) == begins(1, until: 6))
    #expect(second.held(2).isEmpty)
    #expect(first.handle(.unanswered("cut"), after: 5).isEmpty)
    #expect(first.handle(.expired).isEmpty, "its time is not over")
    #expect(second.held(2, after: 5).isEmpty)
    #expect(first.handle(.expired, after: 1) == [.revoke])
    #expect(first.handle(.expired).isEmpty)
    #expect(second.held(2, after: 1).isEmpty, "what was under way may still arrive")
    #expect(second.held(2, after: 1) == begins(2, until: 13))
    #expect(first.handle(.ended(75)).isEmpty)
    #expect(first.theirs(2, after: 1).isEmpty)
  }

  @Test("what a box was permitted counts from its question: an answer that comes too late permits nothing")
  func lateAnswers() {
    let bench = Bench()
    #expect(bench.held(1, took: 6).isEmpty)
    #expect(bench.held(1, took: 5) == begins(1, until: 12))
    #expect(bench.held(1, took: 7).isEmpty)
    #expect(bench.handle(.expired) == [.revoke])
  }

  @Test("a box that has lost its centre yields when another has come meanwhile")
  func cut() {
    let bench = Bench()
    _ = bench.held(1)
    #expect(bench.handle(.unanswered("cut"), after: 4).isEmpty)
    // Its own connection of before, which the centre has not ended yet.
    #expect(bench.theirs(1, box: "a").isEmpty)
    #expect(bench.theirs(2) == [.revoke])
    #expect(bench.theirs(2).isEmpty)
    #expect(bench.handle(.ended(143)).isEmpty)
    #expect(bench.theirs(2).isEmpty)
  }

  @Test("a lease that another box had in between is a new epoch: the command starts again with it, later")
  func between() {
    let bench = Bench()
    _ = bench.held(1)
    #expect(bench.held(3) == [.revoke])
    #expect(bench.own == 3, "the centre is asked with it, or it would give another one")
    #expect(bench.handle(.ended(0)).isEmpty)
    #expect(bench.held(3, after: 1).isEmpty)
    #expect(bench.held(3, after: 7) == begins(3, until: 14))
  }

  @Test(
    "without a centre, the box that had the last lease feeds after a while as long as it lives, and no other")
  func withoutCentre() {
    let bench = Bench(own: 5)
    #expect(bench.handle(.unanswered("cut"), after: 2).isEmpty)
    let alone: [Action] = [.remember(5), .permit(until: nil), .start(epoch: 5)]
    #expect(bench.handle(.unanswered("cut"), after: 18) == alone)
    #expect(bench.handle(.expired, after: 1000).isEmpty)
    #expect(bench.held(5) == [.permit(until: .zero + .seconds(1026))], "the centre is back")
    let fresh = Bench()
    #expect(fresh.handle(.unanswered("cut"), after: 1000).isEmpty)
    let second = Bench(own: 5)
    #expect(second.theirs(6).isEmpty)
    #expect(second.handle(.unanswered("cut"), after: 1000).isEmpty)
  }

  @Test(
    "an epoch of the centre that is none starts and stops nothing, and a box feeds when it is one again",
    arguments: [0, -1, 1 << 53, .max])
  func noEpoch(epoch: Int) {
    let bench = Bench()
    for _ in 0..<3 { #expect(bench.held(epoch, after: 2).isEmpty) }
    #expect(bench.own == 0)
    #expect(bench.held(1, after: 2) == begins(1, until: 14))
    #expect(bench.held(epoch, after: 2).isEmpty, "a box that feeds has its time")
    #expect(bench.handle(.expired, after: 4) == [.revoke])
  }

  @Test(
    "a centre that went back is asked until its epoch is what the screens have seen; a box that feeds goes on"
  )
  func restored() {
    let bench = Bench(own: 7)
    #expect(bench.held(3, after: 1).isEmpty && bench.own == 7, "the centre is asked with the newest one")
    #expect(bench.held(5, after: 2).isEmpty && bench.own == 7)
    #expect(bench.held(7, after: 2) == begins(7, until: 11))
    #expect(bench.held(4, after: 2) == [.permit(until: .zero + .seconds(13))])
    #expect(bench.own == 7)
  }

  @Test("a box without a centre that saw the next one on a screen does not look again at once")
  func looksAgain() {
    let bench = Bench(own: 5)
    let alone: [Action] = [.remember(5), .permit(until: nil), .start(epoch: 5)]
    #expect(bench.handle(.unanswered("cut"), after: 20) == alone)
    #expect(bench.handle(.ended(75), after: 1) == [.release])
    for _ in 0..<9 { #expect(bench.handle(.unanswered("cut"), after: 2).isEmpty) }
    #expect(bench.handle(.unanswered("cut"), after: 2) == alone)
  }

  @Test("a command that ends by itself frees the lease for others; a wrong configuration ends the program")
  func failed() {
    let bench = Bench()
    _ = bench.held(1)
    #expect(bench.handle(.ended(75)) == [.release])
    #expect(bench.held(1) == begins(1, until: 6))
    #expect(bench.handle(.ended(78)) == [.release, .finish(exit: 78)])
  }

  @Test("a stop ends the command first")
  func stop() {
    let bench = Bench()
    #expect(bench.handle(.stop) == [.finish(exit: nil)])
    let taking = Bench()
    _ = taking.held(2)
    #expect(taking.handle(.stop) == [.finish(exit: nil)])
    let other = Bench()
    _ = other.held(1)
    #expect(other.handle(.stop) == [.end])
    #expect(other.handle(.stop).isEmpty)
    #expect(other.theirs(2).isEmpty)
    #expect(other.handle(.ended(143)) == [.finish(exit: nil)])
  }

  @Test("each state of things is reported once")
  func reports() {
    var machine = StandbyMachine(site: "berlin", own: 0, at: .zero)
    let theirs = Event.answered(isHeld: false, epoch: 1, box: "b", asked: .zero)
    // A centre that refuses answers, too.
    #expect(machine.handle(.unanswered("x"), at: .zero) == [.report("x")])
    #expect(machine.handle(.unanswered("x"), at: .zero).isEmpty)
    #expect(
      machine.handle(theirs, at: .zero) == [.report("box b feeds berlin since epoch 1; this one waits")])
    #expect(machine.handle(theirs, at: .zero).isEmpty)
  }
}
