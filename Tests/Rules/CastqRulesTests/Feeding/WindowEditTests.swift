import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing

@Suite("Steps towards the wanted window")
struct WindowEditTests {
  private static func place(_ entry: Int) -> UpcomingEntry {
    UpcomingEntry(entry: EntryID(Int64(entry)), turn: 0, round: 0, attempts: 0, draft: video("v\(entry)"))
  }

  /// Items for entries; their numbers are 100 and up.
  private static func items(_ entries: [Int]) -> [FeedWindow.Item] {
    entries.enumerated().map { offset, entry in
      var item = FeedWindow.Item(
        turn: EntryTurn(entry: EntryID(Int64(entry)), turn: offset + 1), place: place(entry), attempts: 0)
      item.itemID = MediaQueueItemID(100 + offset)
      return item
    }
  }

  /// Words for a step, as `-e3` or `+e3 before 101`.
  private static func words(_ step: WindowEdit?) -> String {
    switch step {
    case .remove(let turns): "-" + turns.map { "\($0.entry)" }.joined(separator: " ")
    case .insert(let places, let before):
      "+" + places.map { "\($0.entry)" }.joined(separator: " ") + (before.map { " before \($0)" } ?? "")
    case nil: ""
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var ahead: [Int]
    var wanted: [Int]
    var isComplete = true
    var step: String
    var testDescription: String { "\(ahead) to \(wanted): \(step)" }
  }

  @Test(
    "one step at a time: out with what is not wanted, then in with what is missing",
    arguments: [
      Case(ahead: [], wanted: [], step: ""),
      Case(ahead: [1, 2], wanted: [1, 2], step: ""),
      Case(ahead: [], wanted: [1, 2], step: "+e1 e2"),
      Case(ahead: [1], wanted: [1, 2, 3], step: "+e2 e3"),
      Case(ahead: [2], wanted: [1, 2], step: "+e1 before 100"),
      Case(ahead: [1, 3], wanted: [1, 2, 3], step: "+e2 before 101"),
      Case(ahead: [1, 4], wanted: [1, 2, 3, 4], step: "+e2 e3 before 101"),
      Case(ahead: [2, 4], wanted: [1, 2, 3, 4], step: "+e1 before 100"),
      Case(ahead: [1, 2, 3], wanted: [1, 3], step: "-e2"),
      Case(ahead: [1, 2, 3], wanted: [], step: "-e1 e2 e3"),
      Case(ahead: [1, 2, 3], wanted: [1, 2], step: "-e3"),
      Case(ahead: [1, 2, 3], wanted: [1, 2], isComplete: false, step: ""),
      Case(ahead: [2, 1], wanted: [1, 2], step: "-e2"),
      Case(ahead: [1, 2, 3], wanted: [3, 1, 2], step: "-e1 e2"),
      Case(ahead: [9, 1], wanted: [1, 2], step: "-e9"),
      Case(ahead: [1, 1], wanted: [1, 1, 1], step: "+e1"),
      Case(ahead: [1, 2, 1], wanted: [1, 2, 1, 2], isComplete: false, step: "+e2"),
    ])
  func steps(_ table: Case) {
    let step = WindowEdit.next(
      ahead: Self.items(table.ahead), wanted: table.wanted.map(Self.place), isComplete: table.isComplete)
    #expect(Self.words(step) == table.step)
  }

  @Test("an item of the next round is no second attempt in this one")
  func rounds() {
    let ahead = Self.items([4, 5, 1, 2, 3, 4])
    let rounds = [0, 0, 1, 1, 1, 1]
    let held = zip(ahead, rounds).map { item, round in
      var item = item
      item.place.round = round
      return item
    }
    let wanted = zip([3, 4, 5, 1, 2, 3], [0] + rounds).map { entry, round in
      var place = Self.place(entry)
      place.round = round
      return place
    }
    let step = WindowEdit.next(ahead: held, wanted: wanted, isComplete: false)
    #expect(Self.words(step) == "+e3 before 100")
  }

  @Test("steps end, and lead to what is wanted", arguments: [1, 2, 3, 4] as [UInt64])
  func converges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let kinds = Int.random(in: 1...8, using: &random)
      func list() -> [Int] {
        (0..<Int.random(in: 0...10, using: &random)).map { _ in Int.random(in: 1...kinds, using: &random) }
      }
      let start = list()
      let wanted = list()
      let isComplete = Bool.random(using: &random)
      var ahead = Self.items(start)
      var number = 1000
      var steps = 0
      while let step = WindowEdit.next(ahead: ahead, wanted: wanted.map(Self.place), isComplete: isComplete) {
        steps += 1
        try #require(steps <= 40, "\(start) to \(wanted)")
        switch step {
        case .remove(let turns):
          try #require(!turns.isEmpty)
          ahead.removeAll { turns.contains($0.turn) }
        case .insert(let places, let before):
          try #require(!places.isEmpty)
          let new = places.map { place in
            number += 1
            var item = FeedWindow.Item(
              turn: EntryTurn(entry: place.entry, turn: number), place: place, attempts: 0)
            item.itemID = MediaQueueItemID(number)
            return item
          }
          let index = before.flatMap { id in ahead.firstIndex { $0.itemID == id } } ?? ahead.endIndex
          ahead.insert(contentsOf: new, at: index)
        }
      }
      let reached = ahead.map { Int($0.turn.entry.rawValue) }
      if isComplete {
        #expect(reached == wanted, "from \(start)")
      } else {
        #expect(Array(reached.prefix(wanted.count)) == wanted, "from \(start)")
      }
    }
  }

  /// Places and items whose links are these.
  private static func linked(_ links: [EntryLink]) -> [UpcomingEntry] {
    links.enumerated().map { offset, link in
      var place = place(offset + 1)
      place.link = link
      return place
    }
  }

  @Test(
    "an item whose link was replaced goes after one with the new link was put in front; an expired one goes at once",
    arguments: [
      ([.found(LinkNumber(1)), .direct], [.found(LinkNumber(1)), .direct], ""),
      ([.found(LinkNumber(1)), .direct], [.found(LinkNumber(2)), .direct], "+e1 before 100"),
      ([.direct, .direct], [.found(LinkNumber(2)), .direct], "+e1 before 100"),
      ([.found(LinkNumber(1)), .direct], [.expired, .direct], "-e1"),
      ([.found(LinkNumber(1)), .direct], [.awaited, .direct], ""),
      ([.found(LinkNumber(1)), .direct], [.paused, .direct], "-e1"),
      ([.direct, .found(LinkNumber(1))], [.direct, .found(LinkNumber(2))], "+e2 before 101"),
      ([.direct], [.direct, .awaited, .direct], "+e3"), ([], [.awaited, .direct], "+e2"),
      ([], [.awaited], ""),
    ] as [([EntryLink], [EntryLink], String)])
  func links(_ held: [EntryLink], _ wanted: [EntryLink], _ step: String) {
    let items = Self.linked(held).enumerated().map { offset, place in
      var item = FeedWindow.Item(turn: EntryTurn(entry: place.entry, turn: 1), place: place, attempts: 0)
      item.itemID = MediaQueueItemID(100 + offset)
      return item
    }
    let edit = WindowEdit.next(ahead: items, wanted: Self.linked(wanted), isComplete: false)
    #expect(Self.words(edit) == step)
  }

  @Test("with the new link in front, the item with the old one goes, and nothing else")
  func replaced() {
    let place = Self.linked([.found(LinkNumber(2))])[0]
    let items = [(2, 101), (1, 100)].map { link, id in
      var place = place
      place.link = .found(LinkNumber(link))
      var item = FeedWindow.Item(turn: EntryTurn(entry: place.entry, turn: link), place: place, attempts: 0)
      item.itemID = MediaQueueItemID(id)
      return item
    }
    let step = WindowEdit.next(ahead: items, wanted: [place], isComplete: false)
    #expect(step == .remove([EntryTurn(entry: place.entry, turn: 1)]))
  }
}
