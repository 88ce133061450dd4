import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing
@testable import CastqStore

@Suite("What stands in for a programme")
struct StandInTests {
  @Test("what stands in for a programme is read while nothing of it is due, but not when it is shown once")
  func standIns() throws {
    let fixture = try StoreFixture()
    try ScheduleStore(fixture.database).addProgramme(
      "menus", source: "/menus.m3u", isShuffled: false, filler: nil, seed: 1, at: moment(0))
    var late = draft("x")
    late.notBefore = moment(100)
    try fixture.queue.take(
      Playlist(drafts: [late], fallback: [draft("spare")]), of: "menus", for: [fixture.id],
      starts: [fixture.id], at: moment(0))
    var rows = FeederRows<StoredRows>(device: fixture.device, database: fixture.database)
    func titles(isOnce: Bool, at seconds: Double) throws -> [String] {
      let choice = ListChoice(programme: "menus", resume: nil, isOnce: isOnce, isForStarts: isOnce)
      _ = try rows.play(choice, at: .zero, wall: moment(seconds)).get()
      let list = try rows.upcoming(limit: 2, besides: nil, at: .zero, wall: moment(seconds))
      return list.places.map(\.draft.media.contentID)
    }
    #expect(try titles(isOnce: false, at: 1) == ["spare", "spare"])
    #expect(try titles(isOnce: true, at: 1) == [])
    #expect(try titles(isOnce: false, at: 100) == ["x", "x"])
  }

  @Test("while the list of a rule is on, what a person chooses is looked for in the queue of the device")
  func chosenByHand() throws {
    let fixture = try StoreFixture()
    try ScheduleStore(fixture.database).addProgramme(
      "spot", source: "/spot.m3u", isShuffled: false, filler: nil, seed: 1, at: moment(0))
    try fixture.queue.take(Playlist(drafts: [draft("x")]), of: "spot", for: [fixture.id], at: moment(0))
    let film = try fixture.enqueue(["film"])[0]
    var rows = FeederRows<StoredRows>(device: fixture.device, database: fixture.database)
    _ = try rows.play(ListChoice(programme: "spot", resume: nil), at: .zero, wall: moment(1)).get()
    let spot = try #require(
      try rows.upcoming(limit: 1, besides: nil, at: .zero, wall: moment(1)).places.first?.entry)
    #expect(try rows.answer(.existing(film), at: moment(1)).get() == film)
    #expect(try rows.answer(.existing(spot), at: moment(1)).get() == nil)
    #expect(try rows.answer(.first(at: nil), at: moment(1)).get() == film)
  }

  @Test("a programme that was never read has what stands in for it; one that was keeps its list")
  func standInsOfUnread() throws {
    let fixture = try StoreFixture()
    for name in ["unread", "read"] {
      try ScheduleStore(fixture.database).addProgramme(
        name, source: "/\(name).m3u", isShuffled: false, filler: nil, seed: 1, at: moment(0))
    }
    try fixture.queue.take(Playlist(drafts: [draft("x")]), of: "read", for: [fixture.id], at: moment(0))
    var rows = FeederRows<StoredRows>(device: fixture.device, database: fixture.database)
    for (name, title) in [("unread", "spare"), ("read", "x")] {
      try fixture.queue.take(
        standIns: [draft("spare")], of: name, for: [fixture.id], at: moment(1))
      _ = try rows.play(ListChoice(programme: name, resume: nil), at: .zero, wall: moment(2)).get()
      let list = try rows.upcoming(limit: 1, besides: nil, at: .zero, wall: moment(2))
      #expect(list.places.map(\.draft.media.contentID) == [title])
    }
  }
}
