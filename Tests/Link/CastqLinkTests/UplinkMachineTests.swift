import CastProtocol
import Testing

@testable import CastqLink

@Suite("Plays on their way to the centre")
struct UplinkMachineTests {
  /// A machine that can be asked within an expectation.
  private final class Bench {
    private var machine = UplinkMachine()

    func handle(_ event: UplinkMachine.Event, after time: Duration = .zero) -> [UplinkMachine.Action] {
      machine.handle(event, random: 0.5, at: .zero + time)
    }
  }

  private func connected() -> Bench {
    let machine = Bench()
    #expect(machine.handle(.woke) == [.connect])
    #expect(machine.handle(.connected) == [.send(1000)])
    return machine
  }

  @Test("what the centre has committed is removed, and then the next batch is sent")
  func cursor() {
    let machine = connected()
    #expect(machine.handle(.committed([3, 5, 7])) == [.remove([3, 5, 7]), .send(1000)])
    #expect(machine.handle(.idle) == [.wait(.seconds(1))])
    #expect(machine.handle(.woke) == [.send(1000)])
  }

  @Test("an outage is reported once, calls become rarer, and nothing is removed")
  func outage() {
    let machine = connected()
    var waits: [Duration] = []
    var reports = 0
    for _ in 0..<10 {
      for action in machine.handle(.failed("gone")) {
        switch action {
        case .wait(let wait): waits.append(wait)
        case .report: reports += 1
        case .remove, .send, .setAside, .renumber, .renumberBack, .connect: Issue.record("\(action)")
        case .disconnect: break
        }
      }
      #expect(machine.handle(.woke) == [.connect])
    }
    #expect(reports == 1)
    #expect(waits == waits.sorted() && waits.first == .seconds(1) && waits.last == .seconds(60))
    #expect(machine.handle(.connected) == [.send(1000)], "a connection alone is no answer")
    #expect(
      machine.handle(.committed([1])) == [.report("the centre answers again"), .remove([1]), .send(1000)])
    #expect(machine.handle(.idle) == [.wait(.seconds(1))])
  }

  private func reports(_ actions: [UplinkMachine.Action]) -> [String] {
    actions.compactMap { if case .report(let words) = $0 { words } else { nil } }
  }

  private func waits(_ actions: [UplinkMachine.Action]) -> [Duration] {
    actions.compactMap { if case .wait(let wait) = $0 { wait } else { nil } }
  }

  @Test("a centre that lets in and refuses is reported once, in its words, and asked more and more rarely")
  func denial() {
    let machine = connected()
    var lines: [String] = []
    var pauses: [Duration] = []
    for _ in 0..<10 {
      let actions = machine.handle(.denied("refuses: permission denied"))
      #expect(actions.first == .disconnect)
      lines += reports(actions)
      pauses += waits(actions)
      #expect(machine.handle(.woke) == [.connect])
      #expect(machine.handle(.connected) == [.send(1000)])
    }
    #expect(lines == ["the centre refuses: permission denied; plays wait in the outbox"])
    #expect(pauses == pauses.sorted() && pauses.first == .seconds(1) && pauses.last == .seconds(60))
    #expect(reports(machine.handle(.denied("refuses: read-only"))).count == 1, "another reason is news")
    #expect(machine.handle(.woke) == [.connect])
    #expect(machine.handle(.connected) == [.send(1000)])
    #expect(machine.handle(.idle) == [.report("the centre answers again"), .wait(.seconds(1))])
    #expect(reports(machine.handle(.denied("refuses: read-only"))).count == 1, "it is news again")
  }

  @Test("a full disk at the site is reported once and tried more and more rarely, though the centre commits")
  func held() {
    let machine = connected()
    var lines: [String] = []
    var pauses: [Duration] = []
    for _ in 0..<10 {
      #expect(machine.handle(.committed([1])) == [.remove([1]), .send(1000)])
      let actions = machine.handle(.held("the disk is full"))
      lines += reports(actions)
      pauses += waits(actions)
      #expect(machine.handle(.woke) == [.send(1000)])
    }
    #expect(lines == ["the disk is full"])
    #expect(pauses == pauses.sorted() && pauses.first == .seconds(1) && pauses.last == .seconds(60))
    #expect(reports(machine.handle(.held("the disk is broken"))) == ["the disk is broken"])
    #expect(machine.handle(.idle) == [.wait(.seconds(1))])
    #expect(waits(machine.handle(.held("the disk is broken"))) == [.seconds(1)])
  }

  @Test("two sites of one name are reported at the first clash, and then once an hour")
  func clashes() {
    let machine = connected()
    let times = (0..<200).filter { minute in
      !reports(machine.handle(.clashed(first: 3, count: 2, highest: 9), after: .seconds(60 * minute))).isEmpty
    }
    #expect(times == [0, 60, 120, 180])
  }

  @Test("months that have not come are left, sent again, and reported once an hour")
  func ahead() {
    let machine = connected()
    let actions = machine.handle(.ahead(first: 9, above: 3))
    #expect(actions.suffix(2) == [.renumberBack(from: 9, above: 3), .send(UplinkMachine.batch)])
    #expect(reports(actions).count == 1)
    #expect(reports(machine.handle(.ahead(first: 9, above: 3), after: .seconds(3000))).isEmpty)
    #expect(reports(machine.handle(.ahead(first: 9, above: 3), after: .seconds(4000))).count == 1)
  }

  @Test("one play that the centre refuses holds up no other", arguments: [1, 2, 500, 999, 1000])
  func refusal(position: Int64) {
    let machine = connected()
    var rows = Array(Int64(1)...1000)
    var sent: [Int64] = []
    var aside: [Int64] = []
    var limit = 1000
    var rounds = 0
    while !rows.isEmpty, rounds < 100 {
      rounds += 1
      let batch = rows.prefix(limit)
      let event: UplinkMachine.Event =
        batch.contains(position)
        ? .refused(first: batch[0], count: batch.count, "bad") : .committed(Array(batch))
      for action in machine.handle(event) {
        switch action {
        case .send(let count): limit = count
        case .remove(let numbers):
          sent += numbers
          rows.removeAll { numbers.contains($0) }
        case .setAside(let seq, let words):
          #expect(words == "bad", "the reason is not kept with it")
          aside.append(seq)
          rows.removeAll { $0 == seq }
        default: break
        }
      }
    }
    #expect(aside == [position])
    #expect(sent == (1...1000).filter { $0 != position })
  }

  @Test(
    "from the first number on that the centre has for another play, plays get new numbers, and nothing is removed"
  )
  func clash() {
    let machine = connected()
    let actions = machine.handle(.clashed(first: 3, count: 2, highest: 9))
    #expect(actions.dropFirst() == [.renumber(from: 3, above: 9), .send(1000)])
  }
}
