import CastProtocol
import CastqCore
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

  @Test("a queue with entries that no configuration has given it holds no such list")
  func others() throws {
    let fixture = try StoreFixture()
    try fixture.enqueue(["a"])
    #expect(try fixture.queue.devicesWithConfiguredLists().isEmpty)
  }
}
