import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing
@testable import CastqStore

@Suite("A list in memory")
struct QueueSnapshotTests {
  /// A random walk of a feeder through a list, told to the database and to memory.
  private struct Walk {
    let fixture: StoreFixture
    var list: QueueSnapshot
    var random: SeededGenerator
    let isFallback: Bool
    /// Seconds; time windows open and close meanwhile.
    var now = 0.0
    private var steps = 0
    /// What the receiver holds beside what plays.
    private var ahead: [EntryTurn] = []
    private var clock: WallTime? { isFallback ? nil : moment(now) }

    init(_ fixture: StoreFixture, isFallback: Bool, seed: Int) throws {
      self.fixture = fixture
      self.isFallback = isFallback
      random = SeededGenerator(seed: UInt64(seed))
      list = try Self.remembered(fixture, isFallback)
      #expect(list.isWhole)
    }

    private static func remembered(_ fixture: StoreFixture, _ isFallback: Bool) throws -> QueueSnapshot {
      let lists = try fixture.queue.remembered(for: fixture.id, limit: 100)
      return isFallback ? lists.fallback : lists.main
    }

    /// Somebody switches repeating off, wherever the list is.
    mutating func stopRepeating() throws {
      try fixture.queue.setRepeat(.off, for: fixture.id)
      list = try Self.remembered(fixture, isFallback)
    }

    /// Another process edits the list, which is read again.
    mutating func edit() throws {
      let outside = try QueueStore(Database(path: fixture.path))
      let entries = try outside.entries(for: fixture.id).map(\.id)
      switch (Int.random(in: 0..<4, using: &random), entries.randomElement(using: &random)) {
      case (0, let entry?) where entries.count > 2: try outside.remove([entry], from: fixture.id)
      case (1, let entry?):
        try outside.move(entry, toPosition: Int.random(in: 1...entries.count, using: &random), on: fixture.id)
      case (2, _):
        try outside.setShuffle(.random(using: &random), seed: random.next(), for: fixture.id)
      default:
        _ = try outside.enqueue(
          [draft("new")], for: fixture.id, placement: Bool.random(using: &random) ? .next : .end,
          at: moment(0))
      }
      list = try Self.remembered(fixture, isFallback)
    }

    mutating func write(_ write: FeederWrite) throws {
      try fixture.queue.perform(write, on: fixture.device)
      list.apply(write)
    }

    func stored(_ limit: Int, _ besides: UpcomingPlace?) throws -> [UpcomingEntry] {
      let (queue, id) = (fixture.queue, fixture.id)
      if isFallback { return try queue.advanceFallback(id, limit: limit, besides: besides).places }
      let before = try queue.look(into: id, limit: limit, besides: besides, at: moment(now))
      let list = try queue.advance(id, limit: limit, besides: besides, at: moment(now)).list
      let after = try queue.look(into: id, limit: limit, besides: besides, at: moment(now))
      #expect(before == list.places && after == list.places, "a look says what the feeder reads")
      return list.places
    }

    /// Offers the next place and lets something become of it.
    mutating func step(besides: inout UpcomingPlace?) throws {
      if !isFallback {
        now += Double.random(in: 0...3, using: &random)
        steps += 1
        // Somebody sets the clock back.
        if steps.isMultiple(of: 9) { now = max(now - 6, 0) }
        if Int.random(in: 0..<8, using: &random) == 0 { try edit() }
      }
      let limit = Int.random(in: 1...7, using: &random)
      let stored = try stored(limit, besides)
      let remembered = list.upcoming(limit: limit, besides: besides, at: clock)
      #expect(remembered == stored)
      if !isFallback {
        #expect(
          try list.change(after: moment(now)) == fixture.queue.nextChange(for: fixture.id, after: moment(now))
        )
      }
      guard let next = stored.first else { return }
      if Int.random(in: 0..<3, using: &random) == 0 {
        try write(.release(ahead))
        ahead = []
      }
      let turn = EntryTurn(entry: next.entry, turn: next.turn + 1)
      try write(.offer([OfferedTurn(turn: turn, round: next.round)], at: moment(1)))
      // Its own turn of the next round may be sent along.
      if let later = stored.dropFirst().randomElement(using: &random) {
        let turn = EntryTurn(entry: later.entry, turn: later.turn + (later.entry == next.entry ? 2 : 1))
        try write(.offer([OfferedTurn(turn: turn, round: later.round)], at: moment(1)))
        ahead.append(turn)
      }
      if Bool.random(using: &random) { try write(.markQueued([turn])) }
      let effect: EntryEffect
      var outcome = PlayOutcome.finished
      switch Int.random(in: 0..<10, using: &random) {
      case 0: return try write(.release([turn]))
      case 1:
        (effect, outcome) = (EntryEffect(state: .failed, round: next.round + 1, countsAttempt: true), .failed)
      case 2: (effect, outcome) = (EntryEffect(state: .pending, countsAttempt: true), .failed)
      case 3: (effect, outcome) = (EntryEffect(state: .skipped, round: next.round + 1), .skipped)
      case 5: (effect, outcome) = (EntryEffect(state: .interrupted, round: next.round + 1), .unknown)
      case 6: return try write(.recover(keeping: Bool.random(using: &random) ? ahead : []))
      case 4 where !isFallback:
        let entries = try fixture.queue.entries(for: fixture.id)
        return try write(.moveList(to: entries.randomElement(using: &random)?.id ?? next.entry))
      default: effect = EntryEffect(state: .finished, round: next.round + 1)
      }
      try write(
        .record([RecordedFact(fact: started(turn, at: 1), effect: EntryEffect(state: .playing))]))
      besides = UpcomingPlace(entry: next.entry, round: next.round)
      if Bool.random(using: &random) {
        let during = try self.stored(limit, besides)
        let rest = list.upcoming(limit: limit, besides: besides, at: clock)
        #expect(rest == during)
      }
      try write(.record([RecordedFact(fact: ended(turn, at: 2, outcome), effect: effect)]))
    }
  }

  @Test(
    "it gives the same places as the database, whatever becomes of its entries",
    arguments: QueueRepeat.allCases, [false, true])
  func sameAsDatabase(mode: QueueRepeat, isShuffled: Bool) throws {
    for seed in 0..<6 {
      let fixture = try StoreFixture()
      var random = SeededGenerator(seed: UInt64(seed) + 77)
      let drafts = (0...(seed * 2)).map { number in
        var draft = draft("t\(number)")
        guard seed % 2 == 1, Bool.random(using: &random) else { return draft }
        let opens = Double.random(in: -20...60, using: &random)
        draft.notBefore = moment(opens)
        draft.notAfter = moment(opens + Double.random(in: 1...40, using: &random))
        return draft
      }
      try fixture.queue.replace(
        with: Playlist(
          repeatMode: mode, isShuffled: isShuffled, drafts: drafts, fallback: drafts),
        for: fixture.id, seed: UInt64(seed), at: moment(0))
      for isFallback in [false, true] {
        var walk = try Walk(fixture, isFallback: isFallback, seed: seed)
        var besides: UpcomingPlace?
        for _ in 0..<40 { try walk.step(besides: &besides) }
        try walk.stopRepeating()
        for _ in 0..<20 { try walk.step(besides: &besides) }
      }
    }
  }

  @Test("of a long list what is due is remembered first, and its end is not taken for the list's")
  func long() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue((0..<10).map { "t\($0)" })
    for id in ids.prefix(4) { try fixture.play(id) }
    var list = try fixture.queue.remembered(for: fixture.id, limit: 3).main
    #expect(!list.isWhole)
    do {
      let next = list.upcoming(limit: 9, besides: nil)
      #expect(next?.map(\.entry) == Array(ids[4...6]))
    }
    for id in ids[4...6] {
      let fact = RecordedFact(
        fact: ended(EntryTurn(entry: id, turn: 1), at: 1), effect: EntryEffect(state: .finished, round: 1))
      list.apply(.record([fact]))
    }
    do {
      let next = list.upcoming(limit: 9, besides: nil)
      #expect(next == nil)
    }
    try fixture.queue.setRepeat(.all, for: fixture.id)
    list = try fixture.queue.remembered(for: fixture.id, limit: 3).main
    do {
      let next = list.upcoming(limit: 4, besides: nil)
      #expect(next?.map(\.entry) == Array(ids[4...6]) + [ids[4]])
    }
  }

  @Test(
    "entries whose time is over keep none that is due out of the copy of a long list",
    arguments: [QueueRepeat.off, .all])
  func over(mode: QueueRepeat) throws {
    let fixture = try StoreFixture()
    var drafts = (0..<5).map { draft("over\($0)") }
    for index in drafts.indices { drafts[index].notAfter = moment(10) }
    drafts.append(draft("open"))
    let ids = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0)).map(\.id)
    try fixture.queue.setRepeat(mode, for: fixture.id)
    func copy() throws -> QueueSnapshot {
      let read = try fixture.queue.advance(
        fixture.id, limit: 1, besides: nil, at: moment(20), remembering: 3)
      return try #require(read.copies).main
    }
    // The second copy comes from a reader that does not know the time.
    for var list in [try copy(), try fixture.queue.remembered(for: fixture.id, limit: 3).main] {
      let next = list.upcoming(limit: 1, besides: nil, at: moment(20))
      #expect(next?.map(\.entry) == [ids[5]])
    }
    try fixture.play(ids[5])
    var list = try copy()
    let next = list.upcoming(limit: 1, besides: nil, at: moment(20))
    let expected: [EntryID]? = mode == .all ? [ids[5]] : nil
    #expect(next?.map(\.entry) == expected)
  }
}
