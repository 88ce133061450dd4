import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing
@testable import CastqStore

/// What the pages of a list say of themselves.
@Suite struct PageDescriptionTests {
  private static let drafts: [EntryDraft] = [
    MediaInformation(contentID: "http://page/1", contentType: nil),
    MediaInformation(
      contentID: "http://page/2", contentType: nil, streamDuration: 7,
      metadata: MediaMetadata(
        images: [Image(url: "http://list/1.png")], values: ["title": "Mine", "artist": "A"])),
    MediaInformation(
      contentID: "http://page/3", contentType: nil,
      metadata: MediaMetadata(kind: .movie, values: ["studio": "S"])),
    MediaInformation(
      contentID: "http://page/4", contentType: "image/png", metadata: MediaMetadata(values: ["title": 5])),
  ].map { EntryDraft(media: $0) }

  private static let descriptions = [
    PageDescription(title: "T", picture: "http://page/1.jpg", duration: 90),
    PageDescription(title: "T", picture: nil, duration: nil),
    PageDescription(title: nil, picture: "http://page/1.jpg", duration: nil),
    PageDescription(title: nil, picture: nil, duration: 90),
    PageDescription(title: nil, picture: nil, duration: nil),
  ]

  @Test("they fill what the list does not say, in the database as in memory, and once is as good as twice")
  func fills() throws {
    for draft in Self.drafts {
      for description in Self.descriptions {
        let fixture = try StoreFixture()
        let entry = try #require(
          try fixture.queue.enqueue([draft], for: fixture.id, placement: .end, at: moment(0)).first)
        var list = try fixture.queue.remembered(for: fixture.id, limit: 10).main
        for _ in 1...2 {
          try fixture.queue.perform(.describe(entry.id, description), on: fixture.device)
          list.apply(.describe(entry.id, description))
          let stored = try fixture.queue.entries(for: fixture.id).first?.draft
          #expect(stored == list.rows.first?.place.draft, "\(draft.media) \(description)")
        }
      }
    }
  }

  @Test("they belong to the entries of one device, and an edit of the list does not take them for its own")
  func edits() throws {
    let fixture = try StoreFixture()
    let drafts = [Self.drafts[0], Self.drafts[2]]
    let entries = try fixture.queue.enqueue(drafts, for: fixture.id, placement: .end, at: moment(0)).map(\.id)
    let other = try fixture.devices.add(
      name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.2"), at: moment(0))
    try fixture.queue.perform(.describe(entries[0], Self.descriptions[0]), on: other)
    #expect(try fixture.queue.entries(for: fixture.id).first?.draft == drafts[0])
    try fixture.queue.perform(.describe(entries[0], Self.descriptions[0]), on: fixture.device)
    #expect(try !fixture.queue.revise(to: Playlist(drafts: drafts), for: fixture.id, at: moment(1)))
    #expect(try fixture.queue.revise(to: Playlist(drafts: [drafts[0]]), for: fixture.id, at: moment(1)))
    #expect(try fixture.queue.entries(for: fixture.id).map(\.id) == [entries[0]])
    var titled = drafts[0]
    titled.media.metadata = MediaMetadata(values: ["title": "Another"])
    #expect(try fixture.queue.revise(to: Playlist(drafts: [titled]), for: fixture.id, at: moment(1)))
  }
}
