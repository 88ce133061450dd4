import CastProtocol
import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

@Suite("The fallback list")
struct FallbackTests {
  /// A list of `a` and `b`, and what is shown in its place.
  private func fixture(_ fallback: [String] = ["x", "y"]) throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.queue.replace(
      with: Playlist(drafts: ["a", "b"].map(draft), fallback: fallback.map(draft)), for: fixture.id, seed: 1,
      at: moment(0))
    return fixture
  }

  private func upcoming(
    _ fixture: StoreFixture, _ limit: Int, besides: (EntryID, Int)? = nil
  ) throws -> [UpcomingEntry] {
    try fixture.queue.advanceFallback(
      fixture.id, limit: limit, besides: besides.map { UpcomingPlace(entry: $0.0, round: $0.1) }
    ).places
  }

  private func shown(_ places: [UpcomingEntry]) -> [String] {
    places.map { "\($0.draft.media.contentID)\($0.round)" }
  }

  @Test("it starts over at its end, whatever the queue does at its own")
  func rounds() throws {
    let fixture = try fixture()
    #expect(try shown(upcoming(fixture, 5)) == ["x0", "y0", "x1", "y1", "x2"])
    let ids = try upcoming(fixture, 2).map(\.entry)
    #expect(try shown(upcoming(fixture, 3, besides: (ids[0], 0))) == ["y0", "x1", "y1"])
    try fixture.play(ids[0])
    #expect(try shown(upcoming(fixture, 2, besides: (ids[1], 0))) == ["x1", "y1"])
    try fixture.play(ids[1])
    #expect(try shown(upcoming(fixture, 3)) == ["x1", "y1", "x2"])
    #expect(try fixture.state(ids[0]) == .pending)
    #expect(try fixture.queue.settings(for: fixture.id).round == 0)
    try fixture.play(ids[0], turn: 2, round: 1)
    #expect(try fixture.state(ids[0]) == .finished)
    #expect(try shown(upcoming(fixture, 3)) == ["y1", "x2", "y2"])
    #expect(try fixture.state(ids[0]) == .finished, "its round is not over yet")
    #expect(
      try fixture.history.plays(matching: .init()).map(\.title) == ["x", "y", "x"],
      "what was on the screen is told")
  }

  @Test("an entry that failed is tried anew in the next round")
  func attempts() throws {
    let fixture = try fixture(["x"])
    let id = try upcoming(fixture, 1)[0].entry
    try fixture.offer(id)
    try fixture.record(
      ended(EntryTurn(entry: id, turn: 1), at: 1, .failed),
      EntryEffect(state: .pending, countsAttempt: true))
    #expect(try upcoming(fixture, 1).map(\.attempts) == [1])
    try fixture.offer(id, turn: 2)
    try fixture.record(
      ended(EntryTurn(entry: id, turn: 2), at: 1, .failed),
      EntryEffect(state: .failed, round: 1, countsAttempt: true))
    let next = try upcoming(fixture, 1)
    #expect(next.map(\.attempts) == [0])
    #expect(next.map(\.round) == [1])
  }

  @Test("no view or count of the queue, and no edit of it, knows of its entries", arguments: [false, true])
  func apart(isShuffled: Bool) throws {
    let fixture = try fixture()
    try fixture.queue.setShuffle(isShuffled, seed: 3, for: fixture.id)
    let ids = try upcoming(fixture, 2).map(\.entry)
    #expect(try shown(upcoming(fixture, 2)) == ["x0", "y0"], "it is never shuffled")
    #expect(try Set(fixture.titles()) == ["a", "b"])
    #expect(try fixture.queue.counts(for: fixture.id) == [.pending: 2])
    for mode in QueueRepeat.allCases {
      try fixture.queue.setRepeat(mode, for: fixture.id)
      let places = try fixture.queue.look(into: fixture.id, limit: 5, besides: nil)
      #expect(places.allSatisfy { !ids.contains($0.entry) })
    }
    #expect(try !fixture.queue.contains(ids[0], on: fixture.id))
    #expect(throws: StoreError.unknownEntry("\(ids[0].rawValue)")) {
      try fixture.queue.remove([ids[0]], from: fixture.id)
    }
    #expect(throws: StoreError.unknownEntry("\(ids[0].rawValue)")) {
      try fixture.queue.move(ids[0], toPosition: 1, on: fixture.id)
    }
    #expect(try fixture.queue.entry(before: ids[1], on: fixture.id) == nil)
    let before = try fixture.dump()
    try fixture.queue.moveList(to: ids[1], on: fixture.id)
    #expect(try fixture.dump() == before)
    let first = try #require(try fixture.queue.entries(for: fixture.id).first)
    try fixture.queue.moveList(to: first.id, on: fixture.id)
    try fixture.queue.move(first.id, toPosition: 2, on: fixture.id)
    try fixture.enqueue(["n"], .next)
    try fixture.enqueue(["one", "two"], .at(2))
    #expect(try shown(upcoming(fixture, 3)) == ["x0", "y0", "x1"])
    #expect(try fixture.queue.entries(for: fixture.id).map(\.position) == [1, 2, 3, 4, 5])
  }

  @Test("an entry of the queue on the screen, in whatever round, changes nothing in it")
  func foreignRound() throws {
    let fixture = try fixture(["x"])
    let main = try #require(try fixture.queue.entries(for: fixture.id).first)
    #expect(try shown(upcoming(fixture, 2, besides: (main.id, 7))) == ["x0", "x1"])
    #expect(try shown(upcoming(self.fixture([]), 2, besides: (main.id, .max))) == [])
  }

  @Test("it comes with the list that names it, stays with one that is added, and goes with the list")
  func life() throws {
    let fixture = try fixture()
    func words() throws -> [String] { try fixture.queue.fallback(for: fixture.id).map(\.media.contentID) }
    try fixture.queue.enqueue(
      Playlist(drafts: [draft("c")]), for: fixture.id, placement: .end, seed: 1, at: moment(0))
    #expect(try words() == ["x", "y"])
    try fixture.queue.enqueue(
      Playlist(repeatMode: .all, isShuffled: true, drafts: [draft("d")], fallback: [draft("z")]),
      for: fixture.id, placement: .end, seed: 1, at: moment(0))
    #expect(try words() == ["z"])
    let settings = try fixture.queue.settings(for: fixture.id)
    #expect(settings.repeatMode == .all)
    #expect(settings.isShuffled)
    try fixture.queue.clear(for: fixture.id)
    #expect(try words() == [])
    #expect(try fixture.outside().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM media_item") } == 0)
    try fixture.queue.replace(
      with: Playlist(drafts: [draft("a")], fallback: [draft("z")]), for: fixture.id, seed: 1, at: moment(0))
    try fixture.queue.replace(with: Playlist(drafts: [draft("a")]), for: fixture.id, seed: 1, at: moment(0))
    #expect(try words() == [])
  }

  @Test("one that is on the screen stays in history's reach when its list goes")
  func onScreen() throws {
    let fixture = try fixture()
    let turn = EntryTurn(entry: try upcoming(fixture, 1)[0].entry, turn: 1)
    try fixture.offer(turn.entry)
    try fixture.record(started(turn, at: 1), EntryEffect(state: .playing))
    try fixture.queue.replace(
      with: Playlist(drafts: [], fallback: [draft("z")]), for: fixture.id, seed: 1, at: moment(2))
    #expect(try fixture.state(turn.entry) == .cancelled)
    #expect(try shown(upcoming(fixture, 2, besides: (turn.entry, 500))) == ["z0", "z1"])
    try fixture.record(ended(turn, at: 5), nil)
    #expect(try fixture.history.plays(matching: .init()).map(\.outcome) == [.finished])
  }

  @Test("an edited list brings its fallback list along, with what stays in it")
  func revised() throws {
    let fixture = try fixture()
    let ids = try upcoming(fixture, 2).map(\.entry)
    func revise(_ fallback: [String]?) throws -> Bool {
      try fixture.queue.revise(
        to: Playlist(drafts: ["a", "b"].map(draft), fallback: fallback?.map(draft)), for: fixture.id,
        at: moment(9))
    }
    #expect(try revise(["x", "y"]) == false)
    try fixture.play(ids[0])
    try fixture.play(ids[1])
    #expect(try revise(["n", "y"]))
    #expect(try shown(upcoming(fixture, 2)) == ["n1", "y1"])
    #expect(try upcoming(fixture, 2)[1].entry == ids[1])
    #expect(try revise(nil))
    #expect(try upcoming(fixture, 2).isEmpty)
    #expect(try fixture.titles() == ["a", "b"])
  }

  @Test("it moves to another device with its list")
  func moves() throws {
    let fixture = try fixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    try fixture.queue.replace(
      with: Playlist(drafts: [], fallback: [draft("old")]), for: hall.id, seed: 1, at: moment(0))
    try fixture.queue.move(from: fixture.id, to: hall.id)
    #expect(try fixture.queue.fallback(for: hall.id).map(\.media.contentID) == ["x", "y"])
    #expect(try fixture.queue.fallback(for: fixture.id) == [])
  }

  @Test("after a feeder that did not end well, it waits again")
  func recovered() throws {
    let fixture = try fixture()
    let turn = EntryTurn(entry: try upcoming(fixture, 1)[0].entry, turn: 1)
    try fixture.offer(turn.entry)
    try fixture.record(started(turn, at: 1), EntryEffect(state: .playing))
    try fixture.queue.recover(fixture.id)
    #expect(try fixture.state(turn.entry) == .pending)
    #expect(try fixture.history.plays(matching: .init()).map(\.evidence) == [.unobserved])
  }
}
