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
  }

  private func held(_ epoch: Int) -> Event { .answered(isHeld: true, epoch: epoch, box: "a") }
  private func theirs(_ epoch: Int) -> Event { .answered(isHeld: false, epoch: epoch, box: "b") }

  @Test("the box with the lease remembers its epoch, and then runs the command with it, once")
  func granted() {
    let bench = Bench()
    #expect(bench.handle(held(1)) == [.remember(1), .start(epoch: 1)])
    #expect(bench.own == 1)
    #expect(bench.handle(held(1)).isEmpty)
  }

  @Test("a box without the lease waits, however long")
  func denied() {
    let bench = Bench()
    for _ in 0..<100 { #expect(bench.handle(theirs(1), after: 2).isEmpty) }
    #expect(bench.handle(.unanswered("cut"), after: 1000).isEmpty)
    #expect(bench.handle(held(2)) == [.remember(2), .start(epoch: 2)])
  }

  @Test("a box that loses its centre feeds on, and yields when another has come meanwhile")
  func cut() {
    let bench = Bench()
    _ = bench.handle(held(1))
    #expect(bench.handle(.unanswered("cut"), after: 1000).isEmpty)
    // Its own connection of before, which the centre has not ended yet.
    #expect(bench.handle(.answered(isHeld: false, epoch: 1, box: "a")).isEmpty)
    #expect(bench.handle(theirs(2)) == [.end])
    #expect(bench.handle(theirs(2)).isEmpty)
    #expect(bench.handle(.ended(143)).isEmpty)
    #expect(bench.handle(theirs(2)).isEmpty)
  }

  @Test("a lease that another box had in between is a new epoch: the command starts again with it")
  func between() {
    let bench = Bench()
    _ = bench.handle(held(1))
    #expect(bench.handle(held(3)) == [.remember(3), .end])
    #expect(bench.handle(.ended(0)).isEmpty)
    #expect(bench.handle(held(3)) == [.remember(3), .start(epoch: 3)])
  }

  @Test("without a centre, the box that had the last lease feeds after a while, and no other")
  func withoutCentre() {
    let bench = Bench(own: 5)
    #expect(bench.handle(.unanswered("cut"), after: 2).isEmpty)
    #expect(bench.handle(.unanswered("cut"), after: 18) == [.remember(5), .start(epoch: 5)])
    let fresh = Bench()
    #expect(fresh.handle(.unanswered("cut"), after: 1000).isEmpty)
    let second = Bench(own: 5)
    #expect(second.handle(theirs(6)).isEmpty)
    #expect(second.handle(.unanswered("cut"), after: 1000).isEmpty)
  }

  @Test("a command that ends by itself frees the lease for others; a wrong configuration ends the program")
  func failed() {
    let bench = Bench()
    _ = bench.handle(held(1))
    #expect(bench.handle(.ended(75)) == [.release])
    #expect(bench.handle(held(1)) == [.remember(1), .start(epoch: 1)])
    #expect(bench.handle(.ended(78)) == [.release, .finish(exit: 78)])
  }

  @Test("a stop ends the command first")
  func stop() {
    let bench = Bench()
    #expect(bench.handle(.stop) == [.finish(exit: nil)])
    let other = Bench()
    _ = other.handle(held(1))
    #expect(other.handle(.stop) == [.end])
    #expect(other.handle(.stop).isEmpty)
    #expect(other.handle(theirs(2)).isEmpty)
    #expect(other.handle(.ended(143)) == [.finish(exit: nil)])
  }

  @Test("each state of things is reported once")
  func reports() {
    var machine = StandbyMachine(site: "berlin", own: 0, at: .zero)
    #expect(machine.handle(.unanswered("x"), at: .zero).count == 1)
    #expect(machine.handle(.unanswered("x"), at: .zero).isEmpty)
    #expect(
      machine.handle(theirs(1), at: .zero) == [.report("box b feeds berlin since epoch 1; this one waits")])
    #expect(machine.handle(theirs(1), at: .zero).isEmpty)
  }
}
