import CastProtocol
import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

@Suite("Editing a list")
struct QueueEditingTests {
  /// How entries leave a list whose rows stay.
  enum RemovalWay: CaseIterable { case one, all, list }

  @Test("new entries go where they are told")
  func placements() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    try fixture.enqueue(["first"], .next)
    #expect(try fixture.titles() == ["first", "a", "b", "c"])
    try fixture.offer(ids[1])
    try fixture.record(started(EntryTurn(entry: ids[1], turn: 1), at: 1), EntryEffect(state: .playing))
    let new = try fixture.queue.enqueue(
      [draft("n1"), draft("n2")], for: fixture.id, placement: .next, at: moment(0))
    #expect(new.map(\.position) == [4, 5])
    #expect(try fixture.titles() == ["first", "a", "b", "n1", "n2", "c"])
    try fixture.enqueue(["at2"], .at(2))
    try fixture.enqueue(["front"], .at(-5))
    try fixture.enqueue(["back"], .at(.max))
    #expect(
      try fixture.titles() == ["front", "first", "at2", "a", "b", "n1", "n2", "c", "back"])
    #expect(try fixture.queue.entries(for: fixture.id).map(\.position) == Array(1...9))
    #expect(try fixture.enqueue(["only"], .replacing).count == 1)
    #expect(try fixture.titles() == ["only"])
    #expect(try fixture.state(ids[1]) == .cancelled)
  }

  @Test("removed entries come back under their numbers, where they were among those that are left")
  func restoring() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    try fixture.play(ids[0])
    try fixture.queue.remove([ids[0], ids[2]], from: fixture.id)
    // Others act meanwhile: what stood before it has moved, and more was added.
    try fixture.queue.move(ids[1], toPosition: 2, on: fixture.id)
    try fixture.enqueue(["e"])
    #expect(try fixture.titles() == ["d", "b", "e"])
    let back = try fixture.queue.restore([ids[0], ids[2]], to: fixture.id, asIn: ids)
    #expect(back == [ids[0], ids[2]])
    #expect(try fixture.titles() == ["a", "d", "b", "c", "e"])
    #expect(
      try fixture.queue.entries(for: fixture.id).map(\.id).filter(ids.contains) == [
        ids[0], ids[3], ids[1], ids[2],
      ])
    #expect(
      try fixture.state(ids[0]) == .finished && fixture.state(ids[2]) == .pending, "what was played stays so")
    #expect(try fixture.queue.restore(Set(ids), to: fixture.id, asIn: ids).isEmpty, "they are there")
    #expect(try fixture.queue.entries(for: fixture.id).map(\.position) == Array(1...5))
  }

  @Test(
    "an entry that comes back while it is still on the screen plays; one whose play has ended is due again")
  func restoringWhatPlays() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    let turn = EntryTurn(entry: ids[0], turn: 1)
    try fixture.offer(ids[0])
    try fixture.record(started(turn, at: 2), EntryEffect(state: .playing))
    for end in [nil, PlayOutcome.interrupted] {
      try fixture.queue.removeAll(from: fixture.id)
      if let end {
        try fixture.record(ended(turn, at: 5, end), EntryEffect(state: .pending))
      }
      #expect(try fixture.queue.restore(Set(ids), to: fixture.id, asIn: ids) == ids)
      #expect(try fixture.state(ids[0]) == (end == nil ? .playing : .pending))
      #expect(try fixture.state(ids[1]) == .pending)
    }
  }

  @Test("a list that was emptied comes back as a whole; one that was cleared has left no rows")
  func restoringAll() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    let before = try fixture.queue.order(of: fixture.id)
    #expect(try fixture.queue.removeAll(from: fixture.id) == before && before.rows.map(\.entry) == ids)
    #expect(try fixture.titles().isEmpty)
    #expect(try fixture.queue.restore(Set(ids), to: fixture.id, asIn: ids) == ids)
    #expect(try fixture.titles() == ["a", "b", "c"])
    try fixture.queue.clear(for: fixture.id)
    #expect(try fixture.queue.restore(Set(ids), to: fixture.id, asIn: ids).isEmpty)
  }

  @Test(
    "of what is removed for months the newest 25,000 rows stay, and what is on the screen",
    arguments: RemovalWay.allCases)
  func removedForMonths(_ way: RemovalWay) throws {
    let fixture = try StoreFixture()
    let shown = try #require(try fixture.enqueue(["on the screen"]).first)
    try fixture.offer(shown)
    try fixture.record(started(EntryTurn(entry: shown, turn: 1), at: 2), EntryEffect(state: .playing))
    // Removed in months.
    try fixture.outside().write { db in
      try db.execute(
        sql: """
          INSERT INTO media_item (id, content_id, stream_type)
            WITH RECURSIVE n (id) AS (SELECT 1001 UNION ALL SELECT id + 1 FROM n WHERE id < 26000)
            SELECT id, 'old', 'BUFFERED' FROM n;
          INSERT INTO queue_entry (id, queue_id, device_id, media_item_id, position, created_at, state)
            SELECT id, \(fixture.id.rawValue), \(fixture.id.rawValue), id, id, 0, 'cancelled' FROM media_item WHERE id > 1000
          """)
    }
    let rows = { (table: String) in
      try fixture.outside().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
    }
    #expect(try rows("queue_entry") == 25_001)
    let new = try fixture.enqueue(["a", "b"])
    switch way {
    case .one: try fixture.queue.remove([new[0]], from: fixture.id)
    case .all: try fixture.queue.removeAll(from: fixture.id)
    case .list: try fixture.queue.revise(to: Playlist(drafts: [draft("b")]), for: fixture.id, at: moment(9))
    }
    let listed = way == .all ? 0 : 1
    #expect(try rows("queue_entry") == 25_001 + listed && rows("media_item") == 25_001 + listed)
    #expect(try fixture.state(new[0]) == .cancelled)
    #expect(try fixture.state(shown) == (way == .one ? .playing : .cancelled))
    #expect(try fixture.queue.restore([new[0]], to: fixture.id, asIn: new) == [new[0]])
  }

  @Test("with nothing playing, next is behind what has been played")
  func nextAfterPlayed() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    try fixture.play(ids[0])
    try fixture.enqueue(["n"], .next)
    #expect(try fixture.titles() == ["a", "n", "b", "c"])
  }

  @Test("a list keeps its order through any edits", arguments: [1, 2, 3] as [UInt64])
  func model(seed: UInt64) throws {
    let fixture = try StoreFixture()
    var random = SeededGenerator(seed: seed)
    var model: [EntryID] = []
    for step in 0..<120 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let count = Int.random(in: 1...3, using: &random)
        let place = Int.random(in: -1...(model.count + 2), using: &random)
        let new = try fixture.enqueue((0..<count).map { "\(step).\($0)" }, .at(place))
        model.insert(contentsOf: new, at: min(max(place - 1, 0), model.count))
      case 2: model += try fixture.enqueue(["\(step)"], .end)
      case 3, 4:
        guard let entry = model.randomElement(using: &random) else { continue }
        let place = Int.random(in: -1...(model.count + 2), using: &random)
        try fixture.queue.move(entry, toPosition: place, on: fixture.id)
        model.removeAll { $0 == entry }
        model.insert(entry, at: min(max(place - 1, 0), model.count))
      default:
        let gone = Array(model.shuffled(using: &random).prefix(2))
        try fixture.queue.remove(gone, from: fixture.id)
        model.removeAll(where: gone.contains)
      }
      try #require(try fixture.queue.entries(for: fixture.id).map(\.id) == model, "step \(step)")
    }
    #expect(model.count > 10)
  }

  @Test("an edit of an entry that is not in this list changes nothing and says so")
  func unknownEntry() throws {
    let fixture = try StoreFixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    let ids = try fixture.enqueue(["a", "b"])
    #expect(throws: StoreError.unknownEntry("99")) {
      try fixture.queue.remove([ids[0], EntryID(99)], from: fixture.id)
    }
    #expect(throws: StoreError.unknownEntry("1")) {
      try fixture.queue.move(ids[0], toPosition: 1, on: hall.id)
    }
    #expect(try fixture.titles() == ["a", "b"])
    try fixture.queue.remove([ids[0]], from: fixture.id)
    #expect(throws: StoreError.unknownEntry("1")) { try fixture.queue.remove([ids[0]], from: fixture.id) }
    #expect(try fixture.queue.counts(for: fixture.id) == [.pending: 1])
  }

  @Test("an entry's number is never given twice")
  func numbers() throws {
    let fixture = try StoreFixture()
    let old = try fixture.enqueue(["a", "b"])
    try fixture.queue.clear(for: fixture.id)
    #expect(try fixture.titles() == [])
    let new = try fixture.enqueue(["c"])
    #expect(Set(old).isDisjoint(with: new))
  }

  @Test("ten thousand entries are kept in one go and come back in order")
  func many() throws {
    let fixture = try StoreFixture()
    let titles = (0..<10_000).map { "t\($0)" }
    let ids = try fixture.enqueue(titles)
    try fixture.queue.move(ids[9_999], toPosition: 1, on: fixture.id)
    #expect(try fixture.titles() == [titles[9_999]] + titles.dropLast())
  }
}

struct QueueRevisionTests {
  @Test(
    "an edited playlist keeps what it still names, in its state, and plays the rest in its order",
    arguments: [
      (["a", "b", "c"], ["a", "b", "c", "d"]), (["a", "b", "c"], ["c"]),
      (["a", "b"], ["x", "a", "y", "b", "z"]),
      (["a", "a", "b"], ["a", "b", "a"]), (["a", "b"], []), ([], ["a"]), (["a", "b", "c"], ["c", "b", "a"]),
    ])
  func revision(before: [String], after: [String]) throws {
    let fixture = try StoreFixture()
    let old = Dictionary(
      zip(before, try fixture.enqueue(before)).map { ($0, [$1]) }, uniquingKeysWith: { $0 + $1 })
    let playlist = Playlist(drafts: after.map(draft))
    let changed = try fixture.queue.revise(to: playlist, for: fixture.id, at: moment(9))
    #expect(changed == (before != after))
    let entries = try fixture.queue.entries(for: fixture.id)
    #expect(entries.map(\.draft.media.contentID) == after)
    #expect(entries.map(\.position) == Array(1...max(after.count, 1)).prefix(after.count).map { $0 })
    // Of what stands in both, as much as keeps its order is the same row as before.
    let kept = entries.filter { old[$0.draft.media.contentID]?.contains($0.id) == true }
    #expect(kept.count >= (before.isEmpty || after.isEmpty ? 0 : 1))
    #expect(try fixture.queue.revise(to: playlist, for: fixture.id, at: moment(9)) == false)
  }

  @Test("entries of another origin keep their places, each behind the one it has stood behind")
  func strangers() throws {
    let fixture = try StoreFixture()
    func own(_ title: String) -> EntryDraft {
      var draft = draft(title)
      draft.source = SourceLocation(file: "list.m3u", line: 1)
      return draft
    }
    let drafts = [draft("1"), own("a"), draft("2"), own("b"), draft("3"), own("c"), draft("4")]
    _ = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0))
    func revise(_ titles: [String]) throws -> Bool {
      try fixture.queue.revise(
        to: Playlist(drafts: titles.map(own)), for: fixture.id, at: moment(9)
      ) { $0?.file == "list.m3u" }
    }
    #expect(try revise(["a", "b", "c"]) == false)
    #expect(try revise(["x", "a", "c"]))
    #expect(try fixture.titles() == ["1", "x", "a", "2", "3", "c", "4"])
    #expect(try revise([]))
    #expect(try fixture.titles() == ["1", "2", "3", "4"])
  }
}
