import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import Testing

/// What a broker has of a device, by the reports of the daemon.
@Suite("The state of a screen, at a broker")
struct LiveStateTests {
  private let site: OperationsSite
  private let workspace: Workspace
  private let device: KnownDevice
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  init() async throws {
    site = try OperationsSite()
    workspace = try Workspace(site.call)
    device = try await workspace.device(site.call)
  }

  private func state(_ report: JSONValue?) -> LiveState {
    LiveState(of: device, report: report, in: workspace)
  }

  /// A report of a film that plays.
  private func report(
    _ title: String, id: String = "http://media.example/a.mp4", media: [String: JSONValue] = [:],
    customData: JSONValue = .null
  ) -> JSONValue {
    let film: JSONValue = [
      "contentId": .string(id), "contentType": "video/mp4", "streamType": "BUFFERED", "duration": 60.5,
      "metadata": ["metadataType": 0, "title": .string(title)], "customData": customData,
    ]
    let playing: [String: JSONValue] = [
      "mediaSessionId": 1, "playerState": "PLAYING", "currentTime": 10, "playbackRate": 1,
      "supportedMediaCommands": 15, "media": film, "customData": customData,
    ]
    return [
      "device": .integer(device.id.rawValue), "connection": "connected", "feeding": true,
      "at": "2027-01-15T07:59:00Z", "outlook": [:],
      "receiver": ["applications": [], "volume": ["level": 0.295, "muted": false]],
      "application": [
        "appId": "CC1AD845", "displayName": .string(title), "sessionId": "s", "transportId": "t",
        "namespaces": [["name": "urn:x-cast:com.google.cast.media"]],
      ],
      "media": .object(playing.merging(media) { $1 }),
    ]
  }

  @Test("a report has what status says, at the moment at which it was seen")
  func members() {
    let document = state(report("Film")).document(site: "rome", at: now)
    let expected: JSONValue = [
      "site": "rome", "device": "lobby", "at": "2027-01-15T07:59:00.000Z", "feeding": true,
      "connection": "connected", "application": "Film", "player_state": "PLAYING", "title": "Film",
      "url": "http://media.example/a.mp4", "position_s": 10, "duration_s": 60.5, "volume": 30,
      "muted": false, "waiting_for": .null, "until": .null,
    ]
    #expect(document == expected, "\(document.text)")
  }

  @Test("while the rows cannot be read, it has what the daemon sees")
  func damagedRows() async throws {
    try await site.python(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('ALTER TABLE queue_entry RENAME TO gone')")
    let document = state(report("Film")).document(site: "rome", at: now)
    #expect(document["player_state"] == "PLAYING" && document["title"] == "Film", "\(document.text)")
    #expect(document["position_s"] == 10 && document["volume"] == 30)
  }

  @Test("without a daemon nothing is known but the device")
  func silent() {
    let document = state(nil).document(site: "rome", at: now)
    #expect(document["at"] == "2027-01-15T08:00:00.000Z" && document.object?.count == 15)
    #expect(document.object?.values.count { $0 == .null } == 12, "\(document.text)")
  }

  @Test(
    "what is on the screen is called as on all faces: by the row, and as the receiver has it where the row is nobody's"
  )
  func title() async throws {
    try await site.enqueue("a")
    let settings = try workspace.queue.settings(for: device.id)
    let entry = try #require(try workspace.queue.entries(for: device.id).first)
    let tag = EntryTag(queue: settings.queue, turn: EntryTurn(entry: entry.id, turn: entry.turn))
    let item: JSONValue = [
      "itemId": 1, "customData": tag.marking(nil), "media": ["contentId": "x", "contentType": "video/mp4"],
    ]
    let castqs = state(report("stream 7", media: ["currentItemId": 1, "items": [item]]))
    #expect(castqs.document(site: "rome", at: now)["title"] == .string(entry.title))
    #expect(state(report("stream 7")).document(site: "rome", at: now)["title"] == "stream 7")
  }

  @Test("it has addresses without what opens them, also where a long text is cut, and none of custom data")
  func secrets() {
    let address = "http://SECRETUSER:SECRETPASS@media.example/a.mp4?SECRETQUERY,'SECRETMORE'#SECRETFRAG"
    let long =
      String(repeating: "x", count: 950) + " http://SECRETUSER:SECRETPASS" + String(repeating: "S", count: 90)
      + "@h/"
    for title in [address, "LOAD_FAILED \(address): no", long] {
      let report = report(title, id: address, customData: ["k": "SECRETDATA"])
      let document = state(report).document(site: "berlin", at: now)
      #expect(document["url"] == "http://…@media.example/a.mp4?…")
      #expect((document["title"]?.string?.count ?? 0) > 20)
      #expect(!document.text.contains("SECRET"), "\(document.text)")
    }
  }

  @Test(
    "a device is available unless it does not answer, or nobody can say",
    arguments: [
      (#"{"connection":"connected"}"#, true), (#"{"connection":"connecting"}"#, false),
      (#"{"connection":"reconnecting","outlook":{"reason":"unreachable"}}"#, false),
      (#"{"connection":null,"outlook":{"reason":"nothing_due"}}"#, true),
      (#"{"connection":null,"outlook":{"reason":"unreachable"}}"#, false), (#"{}"#, true),
    ])
  func availability(report: String, isAvailable: Bool) throws {
    #expect(state(try JSONValue(parsing: report)).isAvailable == isAvailable)
    #expect(!state(nil).isAvailable)
  }
}
