import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

@testable import CastqStore

/// What a feeder is told by a store, in words that do not depend on the numbers of its rows.
private struct Told: Hashable {
  struct Place: Hashable {
    var title: String
    var turn: Int
    var round: Int
    var attempts: Int

    init(_ place: UpcomingEntry) {
      (title, turn) = (place.draft.media.contentID, place.turn)
      (round, attempts) = (place.round, place.attempts)
    }
  }

  struct Held: Hashable {
    var place: Place
    var turn: Int
    var play: UnfinishedPlay?
  }

  struct Cut: Hashable {
    var title: String?
    var position: Double?
  }

  var places: [Place] = []
  var until: WallTime?
  var fallback: [Place] = []
  var held: Set<Held> = []
  var cut: Cut?
}

/// One store in a walk, with the entries that the walk calls by their titles.
private struct Side<Store: FeederStore> {
  var store: Store
  var ids: [String: EntryID] = [:]

  func turn(_ turn: Walk.Turn) -> EntryTurn {
    EntryTurn(entry: ids[turn.title] ?? EntryID(0), turn: turn.number)
  }

  private func cut(_ point: ResumePoint?) -> Told.Cut? {
    point.map { point in
      Told.Cut(title: ids.first { $0.value == point.entry }?.key, position: point.position.seconds)
    }
  }

  mutating func recover(_ kept: [Walk.Turn]) throws -> Told.Cut? {
    cut(try store.recover(keeping: kept.map(turn)))
  }

  mutating func told(_ walk: Walk, limit: Int) throws -> Told {
    let besides = walk.playing.map { UpcomingPlace(entry: turn($0).entry, round: $0.round) }
    let next = try store.upcoming(
      of: store.base, limit: limit, besides: besides, at: moment(walk.now), isLooping: walk.isLooping,
      remembering: nil)
    let filler = try store.upcomingFallback(
      of: store.base, limit: limit, besides: nil, isLooping: walk.isLooping, remembering: nil)
    let held = try store.held(walk.ahead.map(turn), isLooping: walk.isLooping).map {
      Told.Held(place: Told.Place($0.place), turn: $0.turn.turn, play: $0.play)
    }
    return Told(
      places: next.list.places.map(Told.Place.init), until: next.list.until,
      fallback: filler.places.map(Told.Place.init), held: Set(held), cut: cut(try store.cut(of: store.base)))
  }

  mutating func perform(_ write: (Self) -> FeederWrite) throws { try store.perform(write(self)) }
}

/// A feeder that does what it likes with a list, told to a database and to memory.
private struct Walk {
  struct Turn: Hashable {
    var title: String
    var number: Int
    var round: Int
  }

  let fixture: StoreFixture
  var database: Side<StoredRows>
  var memory: Side<VirtualRows>
  var random: SeededGenerator
  var now = 0.0
  var isLooping = false
  /// What the receiver holds beside what plays.
  var ahead: [Turn] = []
  var playing: Turn?
  private var added = 0

  init(seed: Int, mode: QueueRepeat, isShuffled: Bool) throws {
    fixture = try StoreFixture()
    random = SeededGenerator(seed: UInt64(seed))
    database = Side(store: StoredRows(device: fixture.device, database: fixture.database))
    memory = Side(store: VirtualRows())
    let drafts = (0...(seed % 7)).map { number in
      var draft = draft("t\(number)")
      guard seed % 2 == 1, Bool.random(using: &random) else { return draft }
      let opens = Double.random(in: -20...60, using: &random)
      draft.notBefore = moment(opens)
      draft.notAfter = moment(opens + Double.random(in: 1...40, using: &random))
      return draft
    }
    // A shuffled order follows from the numbers of entries, so that both have to give the same ones.
    let fallback = isShuffled ? [] : [draft("f0"), draft("f1")]
    try fixture.queue.replace(
      with: Playlist(repeatMode: mode, isShuffled: isShuffled, drafts: drafts, fallback: fallback),
      for: fixture.id, seed: UInt64(seed), at: moment(0))
    memory.store.settings = try fixture.queue.remembered(for: fixture.id, limit: 100).main.settings
    memory.store.append(drafts)
    memory.store.fallback = fallback
    isLooping = seed % 3 == 0
    try learn()
  }

  /// Learns the numbers that both have given.
  private mutating func learn() throws {
    let lists = try fixture.queue.remembered(for: fixture.id, limit: 1000)
    for row in lists.main.rows + lists.fallback.rows { database.ids[row.draft.media.contentID] = row.id }
    let doubles = try memory.store.copies(of: .first, limit: 1000, isLooping: false)
    for row in doubles.main.rows + doubles.fallback.rows { memory.ids[row.draft.media.contentID] = row.id }
  }

  /// Both do the same.
  private mutating func write(_ turn: Turn, _ write: (EntryTurn) -> FeederWrite) throws {
    try database.perform { write($0.turn(turn)) }
    try memory.perform { write($0.turn(turn)) }
  }

  private mutating func agree(_ limit: Int) throws -> Told {
    let told = try database.told(self, limit: limit)
    let double = try memory.told(self, limit: limit)
    try #require(double == told, "\(told)\nand in memory \(double)")
    return told
  }

  /// A person edits the list.
  private mutating func edit() throws {
    let titles = try fixture.titles()
    let title = titles.randomElement(using: &random)
    switch (Int.random(in: 0..<4, using: &random), title) {
    case (0, let title?) where titles.count > 2 && title != playing?.title:
      try fixture.queue.remove(
        [database.turn(Turn(title: title, number: 0, round: 0)).entry], from: fixture.id)
      memory.store.remove(memory.turn(Turn(title: title, number: 0, round: 0)).entry)
      ahead.removeAll { $0.title == title }
    case (1, let title?):
      let place = Int.random(in: 0..<titles.count, using: &random)
      let turn = Turn(title: title, number: 0, round: 0)
      try fixture.queue.move(database.turn(turn).entry, toPosition: place + 1, on: fixture.id)
      memory.store.move(memory.turn(turn).entry, to: place)
    case (2, _):
      let mode = QueueRepeat.allCases.randomElement(using: &random) ?? .off
      try fixture.queue.setRepeat(mode, for: fixture.id)
      memory.store.repeatMode = mode
    default:
      added += 1
      _ = try fixture.queue.enqueue(
        [draft("new\(added)")], for: fixture.id, placement: .end, at: moment(now))
      memory.store.append(draft("new\(added)"))
    }
    try learn()
  }

  private mutating func offer(_ place: Told.Place, number: Int) throws -> Turn {
    let turn = Turn(title: place.title, number: number, round: place.round)
    let at = moment(now)
    try write(turn) { .offer([OfferedTurn(turn: $0, round: place.round)], at: at) }
    return turn
  }

  /// Offers the next place and lets something become of it.
  mutating func step() throws {
    now += Double.random(in: 0...3, using: &random)
    if Int.random(in: 0..<8, using: &random) == 0 { try edit() }
    let told = try agree(Int.random(in: 1...6, using: &random))
    guard let next = told.places.first ?? told.fallback.first else { return }
    if Int.random(in: 0..<4, using: &random) == 0 {
      for turn in ahead { try write(turn) { .release([$0]) } }
      ahead = []
    }
    let turn = try offer(next, number: next.turn + 1)
    if let later = told.places.dropFirst().randomElement(using: &random), later.title != next.title {
      ahead.append(try offer(later, number: later.turn + 1))
    }
    if Bool.random(using: &random) { try write(turn) { .markQueued([$0]) } }
    _ = try agree(3)
    let at = now
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return try write(turn) { .release([$0]) }
    case 1: return try write(turn) { .moveList(to: $0.entry) }
    case 2:
      let kept = Bool.random(using: &random) ? ahead : []
      let cut = try database.recover(kept)
      #expect(try memory.recover(kept) == cut)
      return ahead = kept
    default: break
    }
    try write(turn) {
      .record([RecordedFact(fact: started($0, at: at), effect: EntryEffect(state: .playing))])
    }
    playing = turn
    _ = try agree(4)
    now += 5
    let end = now
    let (outcome, effect): (PlayOutcome, EntryEffect) =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: (.failed, EntryEffect(state: .failed, round: next.round + 1, countsAttempt: true))
      case 1: (.failed, EntryEffect(state: .pending, countsAttempt: true))
      case 2: (.skipped, EntryEffect(state: .skipped, round: next.round + 1))
      case 3: (.unknown, EntryEffect(state: .interrupted, round: next.round + 1))
      default: (.finished, EntryEffect(state: .finished, round: next.round + 1))
      }
    try write(turn) { .record([RecordedFact(fact: ended($0, at: end, outcome), effect: effect)]) }
    playing = nil
  }
}

@Suite("The rows of a device keep the same rules in the database and in virtual time")
struct FeederStoreTests {
  @Test(
    "whatever a feeder and a person do, both stores answer the same",
    arguments: QueueRepeat.allCases, [false, true])
  func agree(mode: QueueRepeat, isShuffled: Bool) throws {
    for seed in 0..<8 {
      var walk = try Walk(seed: seed, mode: mode, isShuffled: isShuffled)
      for _ in 0..<40 { try walk.step() }
    }
  }
}
