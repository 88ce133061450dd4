import CastqLink
import Testing

@Suite("What waits of a broker")
struct BrokerBacklogTests {
  private typealias Backlog = BrokerBacklog<String, Int>

  private func drain(_ backlog: inout Backlog) -> [String] {
    var all: [String] = []
    while let item = backlog.next() {
      switch item {
      case .change(let word): all.append(word)
      case .message(let number): all.append("\(number)")
      }
    }
    return all
  }

  @Test("a change of the connection is never dropped, however many messages wait")
  func full() {
    var backlog = Backlog()
    let added = (0...Backlog.most).map { backlog.add($0, size: 1) }
    #expect(added.firstIndex(of: false) == Backlog.most)
    backlog.note("up")
    let all = drain(&backlog)
    #expect(all.count == Backlog.most + 1 && all.first == "0" && all.last == "up")
    let isEmpty = backlog.isEmpty
    let isAdded = backlog.add(1, size: 1)
    #expect(isEmpty && isAdded, "there is room again")
  }

  @Test("of changes that nobody has read the newest is left, behind what came before it")
  func newest() {
    var backlog = Backlog()
    for round in 1...100_000 {
      backlog.note("up \(round)")
      backlog.note("down \(round)")
      if round % 50_000 == 0 { backlog.add(round, size: 1) }
    }
    backlog.note("up")
    let all = drain(&backlog)
    #expect(all == ["50000", "100000", "up"])
    backlog.note("down")
    let rest = drain(&backlog)
    #expect(rest == ["down"] && backlog.isEmpty)
  }

  @Test("messages have a bound in bytes, too, and what was read makes room")
  func bytes() {
    var backlog = Backlog()
    for (number, size) in [(1, Backlog.mostBytes - 1), (2, 2), (3, 1), (4, 1)] {
      backlog.add(number, size: size)
    }
    _ = backlog.next()
    backlog.add(5, size: Backlog.mostBytes - 1)
    let all = drain(&backlog)
    #expect(all == ["3", "5"])
  }

  @Test("reading and writing in turn keeps the order")
  func turns() {
    var backlog = Backlog()
    var read: [String] = []
    for number in 0..<20_000 {
      backlog.add(2 * number, size: 10)
      if number % 1000 == 0 { backlog.note("up") }
      backlog.add(2 * number + 1, size: 10)
      for _ in 1...2 {
        switch backlog.next() {
        case .message(let number)?: read.append("\(number)")
        case .change?, nil: break
        }
      }
    }
    read += drain(&backlog)
    #expect(read == (0..<40_000).map { "\($0)" })
  }
}
