import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import Testing

@Suite("The state of a screen")
struct ScreenStateTests {
  private let site: OperationsSite
  private let workspace: Workspace
  private let device: KnownDevice

  init() async throws {
    site = try OperationsSite()
    workspace = try Workspace(site.call)
    device = try await workspace.device(site.call)
  }

  /// A list of one entry that says of itself by its repeat mode which one it is.
  private func list(_ letter: String, _ mode: QueueRepeat) async throws -> Playlist {
    let queue = try await site.queue()
    var list = await queue.read(
      SourceRequest(sources: ["http://media.example/\(letter).mp4"]), isStrict: false
    ).playlist
    list.repeatMode = mode
    return list
  }

  @Test("what the rows say of a screen is of one moment, whoever writes meanwhile")
  func oneMoment() async throws {
    let lists = [try await list("a", .all), try await list("b", .off)]
    let writer = try Workspace(site.call).queue
    try writer.replace(with: lists[0], for: device.id, seed: 1, at: .now)
    let id = device.id
    await withTaskGroup(of: Void.self) { group in
      let (rounds, isOver) = AsyncStream<Void>.makeStream()
      group.addTask {
        for round in 0..<200 {
          #expect(throws: Never.self) {
            try writer.replace(with: lists[round % 2], for: id, seed: 1, at: .now)
          }
          isOver.yield()
        }
        isOver.finish()
      }
      for await _ in rounds {
        #expect(throws: Never.self) {
          let rows = try workspace.screenRows(device, status: nil)
          let title = try #require(rows.nextTitle)
          #expect(title.hasPrefix("a") == (rows.settings?.repeatMode == .all), "\(title)")
        }
      }
    }
  }

  private func state(_ media: JSONValue, isFed: Bool = false) throws -> ScreenState {
    let volume: JSONValue = ["level": 0.5, "muted": false]
    let picture = StatusPicture(reply: [
      "receiver": ["applications": [], "volume": volume],
      "application": [
        "appId": "CC1AD845", "displayName": "Default Media Receiver", "sessionId": "s", "transportId": "t",
        "namespaces": [["name": "urn:x-cast:com.google.cast.media"]],
      ],
      "media": media,
    ])
    var seen = SeenStatus(connection: .connected, picture: picture)
    seen.isFed = isFed
    return try workspace.state(of: device, seen)
  }

  private static let film: [String: JSONValue] = [
    "mediaSessionId": 1, "playerState": "PLAYING", "currentTime": 10, "playbackRate": 2,
    "supportedMediaCommands": 15,
    "media": [
      "contentId": "http://media.example/film.mp4", "contentType": "video/mp4", "streamType": "BUFFERED",
      "duration": 60, "metadata": ["metadataType": 0, "title": "Film"],
      "breaks": [
        ["id": "between", "position": 10, "breakClipIds": ["c"]],
        ["id": "in", "position": 10, "breakClipIds": ["c"], "isEmbedded": true],
      ],
      "breakClips": [["id": "c", "duration": 20]],
    ],
  ]

  @Test(
    "the position goes on at the rate of what plays, and stands in a pause and in an ad that comes between",
    arguments: [
      ([:], 2.0), (["playerState": "PAUSED"], 0), (["playerState": "BUFFERING"], 0),
      (["breakStatus": ["breakId": "between", "breakClipId": "c"]], 0),
      (["breakStatus": ["breakId": "in", "breakClipId": "c"]], 2),
    ] as [([String: JSONValue], Double)])
  func speed(change: [String: JSONValue], speed: Double) throws {
    let state = try state(.object(Self.film.merging(change) { $1 }))
    #expect(state.json["speed"]?.double == speed)
    #expect(state.json["position_s"]?.double == 10)
    #expect(state.progress(after: .seconds(5)).position == 10 + 5 * speed)
  }

  @Test("a picture without artwork is its own, and a film without any has none")
  func artwork() throws {
    var picture: [String: JSONValue] = Self.film
    let address = "http://media.example/menu.jpg"
    picture["media"] = ["contentId": .string(address), "contentType": "image/jpeg", "streamType": "NONE"]
    #expect(try state(.object(picture)).artwork?.url == address)
    #expect(try state(.object(Self.film)).artwork == nil)
  }

  @Test("the title of what castq plays is the row's, and of anything else what the device reports")
  func title() async throws {
    try await site.enqueue("a")
    let rows = try workspace.queue.settings(for: device.id)
    let entry = try #require(try workspace.queue.entries(for: device.id).first)
    let guest = try state(.object(Self.film))
    #expect(guest.title == "Film" && guest.json["reason"]?.string == "guest")
    let tag = EntryTag(queue: rows.queue, turn: EntryTurn(entry: entry.id, turn: 1))
    var item: [String: JSONValue] = Self.film
    item["currentItemId"] = 1
    item["items"] = [["itemId": 1, "media": Self.film["media"] ?? .null, "customData": tag.marking(nil)]]
    let own = try state(.object(item), isFed: true)
    #expect(own.rows.entry == entry.id)
    #expect(own.title == entry.title && own.json["title"]?.string == entry.title)
  }
}
