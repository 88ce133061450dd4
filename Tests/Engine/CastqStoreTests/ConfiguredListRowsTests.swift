import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqStore
import Testing

/// Which queues hold the lists of the configuration.
@Suite struct ConfiguredListRowsTests {
  /// Ways in which a person leaves nothing in a queue.
  enum Emptying: CaseIterable { case oneByOne, all, clear }

  @Test("a queue that has been emptied holds no list of the configuration", arguments: Emptying.allCases)
  func emptied(_ way: Emptying) throws {
    let fixture = try StoreFixture()
    let (queue, id) = (fixture.queue, fixture.id)
    #expect(try queue.devicesWithConfiguredLists().isEmpty)
    let playlist = Playlist(drafts: ["a", "b"].map(draft))
    let list = ConfiguredList(playlist, from: "lobby.m3u")
    try queue.adopt(playlist, as: list, for: id, at: moment(0))
    let entries = try queue.entries(for: id)
    try queue.remove([entries[0].id], from: id)
    #expect(try queue.devicesWithConfiguredLists() == [id], "one is left")
    switch way {
    case .oneByOne: try queue.remove([entries[1].id], from: id)
    case .all: try queue.removeAll(from: id)
    case .clear: try queue.clear(for: id)
    }
    #expect(try queue.devicesWithConfiguredLists().isEmpty)
    try queue.replace(with: playlist, as: list, for: id, at: moment(1))
    #expect(try queue.devicesWithConfiguredLists() == [id])
    #expect(try queue.entries(for: id).map(\.draft.media.contentID) == ["a", "b"])
  }

  private let lines = ["a", "b", "a"].enumerated().map { Self.listed($0.element, line: $0.offset + 1) }

  private static func listed(_ title: String, line: Int) -> EntryDraft {
    var draft = EntryDraft(media: MediaInformation(contentID: title, contentType: "video/mp4"))
    draft.source = SourceLocation(file: "lobby.m3u", line: line)
    return draft
  }

  @Test("what a person has removed comes back once, though the queue has taken up its list again")
  func restoredOnce() throws {
    let fixture = try StoreFixture()
    let (queue, id) = (fixture.queue, fixture.id)
    let playlist = Playlist(drafts: lines)
    try queue.adopt(playlist, as: ConfiguredList(playlist, from: "lobby.m3u"), for: id, at: moment(0))
    try fixture.enqueue(["visitor"])
    let before = try queue.removeAll(from: id).rows.map(\.entry)
    // The list has got a line at its beginning meanwhile, and another person has added what is in it.
    let longer = Playlist(drafts: [Self.listed("new", line: 1)] + lines)
    try queue.replace(
      with: longer, as: ConfiguredList(longer, from: "lobby.m3u"), for: id, at: moment(1))
    try fixture.enqueue(["b"])
    #expect(try queue.restore(Set(before), to: id, asIn: before) == before)
    #expect(try fixture.titles() == ["a", "b", "a", "visitor", "new", "b"])
    #expect(try queue.entries(for: id).prefix(4).map(\.id) == before)
    #expect(try queue.restore(Set(before), to: id, asIn: before).isEmpty)
    #expect(try fixture.titles().count == 6)
  }

  @Test("what the list has put on the screen meanwhile stays, where it was before the queue was emptied")
  func restoredWhilePlaying() throws {
    let fixture = try StoreFixture()
    let (queue, id) = (fixture.queue, fixture.id)
    let playlist = Playlist(drafts: lines)
    let list = ConfiguredList(playlist, from: "lobby.m3u")
    try queue.adopt(playlist, as: list, for: id, at: moment(0))
    try fixture.enqueue(["visitor"])
    let before = try queue.removeAll(from: id).rows.map(\.entry)
    try queue.replace(with: playlist, as: list, for: id, at: moment(1))
    let again = try queue.entries(for: id).map(\.id)
    try fixture.offer(again[1])
    try fixture.record(started(EntryTurn(entry: again[1], turn: 1), at: 2), EntryEffect(state: .playing))
    #expect(
      try queue.restore(Set(before), to: id, asIn: before) == [before[0], before[2], before[3]])
    #expect(
      try queue.entries(for: id).map(\.id) == [before[0], again[1], before[2], before[3]])
    #expect(try fixture.state(again[1]) == .playing)
    #expect(try fixture.state(again[0]) == .cancelled)
  }

  @Test("a removed line comes back for the line that is equal, not for one that says more of the same page")
  func restoredBesideSamePage() throws {
    let fixture = try StoreFixture()
    let (queue, id) = (fixture.queue, fixture.id)
    let address = "https://example.org/watch"
    var lines = (1...2).map { line in
      var draft = EntryDraft(media: MediaInformation(contentID: address, contentType: nil))
      draft.source = SourceLocation(file: "lobby.m3u", line: line)
      return draft
    }
    lines[0].apply(PageDescription(title: "Film", picture: nil, duration: nil))
    let playlist = Playlist(drafts: lines)
    let list = ConfiguredList(playlist, from: "lobby.m3u")
    try queue.adopt(playlist, as: list, for: id, at: moment(0))
    let before = try queue.removeAll(from: id).rows.map(\.entry)
    try queue.replace(with: playlist, as: list, for: id, at: moment(1))
    let again = try queue.entries(for: id).map(\.id)
    #expect(try queue.restore([before[1]], to: id, asIn: before) == [before[1]])
    #expect(try queue.entries(for: id).map(\.id) == [before[1], again[0]])
    // What a page has said of itself meanwhile makes no other entry of it.
    let described = PageDescription(title: nil, picture: nil, duration: 60)
    try queue.perform(.describe(again[0], described), on: fixture.device)
    #expect(try queue.restore([before[0]], to: id, asIn: before) == [before[0]])
    #expect(try queue.entries(for: id).map(\.id) == [before[0], before[1]])
  }

  @Test("a queue with entries that no configuration has given it holds no such list")
  func others() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    #expect(try fixture.queue.devicesWithConfiguredLists().isEmpty)
  }
}
