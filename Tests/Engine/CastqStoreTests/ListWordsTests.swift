import CastProtocol
import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

@Suite("What lists say of themselves to other players, in rows")
struct ListWordsTests {
  private func words(_ names: [String]) -> ForeignFields {
    let json: JSONValue = [
      "attributes": [], "lines": [],
      "list": .array(names.map { [.string($0), "of the list"] }),
      "notes": .array(names.map { ["kind": "link", "name": .string($0), "value": "v", "list": true] }),
    ]
    return ForeignFields(json: json) ?? ForeignFields()
  }

  private func playlist(_ titles: [String], _ names: [String]) -> Playlist {
    Playlist(name: "N", drafts: titles.map(draft), foreign: words(names))
  }

  @Test("removing, moving or shuffling entries changes nothing of it")
  func editing() throws {
    let fixture = try StoreFixture()
    let (queue, id) = (fixture.queue, fixture.id)
    let entries = try queue.replace(with: playlist(["a", "b", "c"], ["x"]), for: id, seed: 1, at: moment(0))
    #expect(try queue.foreignFields(of: id) == words(["x"]))
    try queue.move(entries[0].id, toPosition: 3, on: id)
    try queue.setShuffle(true, seed: 7, for: id)
    try queue.remove([entries[0].id], from: id)
    #expect(try queue.foreignFields(of: id) == words(["x"]))
    try queue.remove([entries[1].id, entries[2].id], from: id)
    #expect(try queue.foreignFields(of: id) == words(["x"]), "the list is empty, and still the same")
  }

  @Test(
    "what is added says its words, too; another list has its own, and none is left of a list that is gone")
  func lists() throws {
    let fixture = try StoreFixture()
    let (queue, id) = (fixture.queue, fixture.id)
    try queue.replace(with: playlist(["a"], ["x"]), for: id, seed: 1, at: moment(0))
    try queue.enqueue(playlist(["b"], ["y", "x"]), for: id, placement: .next, seed: 1, at: moment(1))
    #expect(try queue.foreignFields(of: id) == words(["x", "y"]))
    try queue.enqueue(playlist(["c"], []), for: id, placement: .end, seed: 1, at: moment(1))
    #expect(try queue.foreignFields(of: id) == words(["x", "y"]))
    let other = try fixture.devices.add(
      name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.2"), at: moment(0))
    try queue.move(from: id, to: other.id)
    #expect(try queue.foreignFields(of: other.id) == words(["x", "y"]))
    #expect(try queue.foreignFields(of: id).isEmpty)
    try queue.replace(with: playlist(["d"], ["z"]), for: other.id, seed: 1, at: moment(2))
    #expect(try queue.foreignFields(of: other.id) == words(["z"]))
    try queue.clear(for: other.id)
    #expect(try queue.foreignFields(of: other.id).isEmpty)
    try queue.replace(with: playlist(["d"], ["z"]), for: id, seed: 1, at: moment(3))
    try queue.removeAll(from: id)
    #expect(try queue.foreignFields(of: id).isEmpty)
  }

  @Test("a damaged value is named, and is none")
  func damage() throws {
    let fixture = try StoreFixture()
    try fixture.queue.replace(with: playlist(["a"], ["x"]), for: fixture.id, seed: 1, at: moment(0))
    try fixture.outside().write { try $0.execute(sql: "UPDATE queue SET foreign_fields = '{broken}'") }
    #expect(try fixture.queue.foreignFields(of: fixture.id).isEmpty)
    #expect(fixture.database.takeDamage().count == 1)
    try fixture.queue.enqueue(
      playlist(["b"], ["y"]), for: fixture.id, placement: .end, seed: 1, at: moment(1))
    #expect(try fixture.queue.foreignFields(of: fixture.id) == words(["y"]))
  }
}
