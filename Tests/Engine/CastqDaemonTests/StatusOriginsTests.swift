import CastProtocol
import CastqDaemon
import CastqPlaylists
import CastqSchedule
import Testing

@Suite("Whose word about a device counts")
struct StatusOriginsTests {
  private typealias Origins = StatusOrigins<String>
  private let one = DeviceID(1)

  private static func reply(_ device: Int64, feeding: Bool, _ connection: String?, _ waits: String? = nil)
    -> JSONValue
  {
    [
      "device": .integer(device), "feeding": .bool(feeding),
      "connection": connection.map { .string($0) } ?? .null,
      "outlook": ["reason": waits.map { .string($0) } ?? .null],
    ]
  }

  /// The actions in words.
  private func words(_ actions: [Origins.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .follow(let id): "follow \(id.rawValue)"
      case .leave(let id): "leave \(id.rawValue)"
      case .show(let id, .fed(let reply)): "fed \(id.rawValue) \(reply["connection"]?.string ?? "-")"
      case .show(let id, .own(let own, let outlook)):
        "own \(id.rawValue) \(own) \(outlook?.reason?.rawValue ?? "-")"
      case .show(let id, .unseen(let outlook)): "unseen \(id.rawValue) \(outlook?.reason?.rawValue ?? "-")"
      }
    }
  }

  @Test("what feeds a device is believed, and a session of one's own ends")
  func fed() {
    var origins = Origins(limit: 8)
    #expect(words(origins.handle(.wanted([one]))) == ["follow 1"])
    #expect(words(origins.handle(.heard(one, "idle"))) == ["own 1 idle -"])
    let fed = Self.reply(1, feeding: true, "connected")
    #expect(words(origins.handle(.watched(fed))) == ["leave 1", "fed 1 connected"])
    // What the session still had to report comes too late.
    #expect(words(origins.handle(.heard(one, "late"))) == [])
  }

  @Test("who does not feed says what the device waits for, beside what a session sees: a guest")
  func guest() {
    var origins = Origins(limit: 8)
    _ = origins.handle(.wanted([one]))
    _ = origins.handle(.watched(Self.reply(1, feeding: true, "connected")))
    let guest = Self.reply(1, feeding: false, nil, "guest")
    #expect(words(origins.handle(.watched(guest))) == ["follow 1", "unseen 1 guest"])
    #expect(words(origins.handle(.heard(one, "film"))) == ["own 1 film guest"])
    // A lease that changes is news, too.
    #expect(words(origins.handle(.watched(guest))) == ["own 1 film guest"])
  }

  @Test(
    "a feeder that has no session on purpose leaves the device to a session of one's own; one that connects does not"
  )
  func idle() {
    var origins = Origins(limit: 8)
    _ = origins.handle(.wanted([one]))
    let connecting = Self.reply(1, feeding: true, "connecting")
    #expect(words(origins.handle(.watched(connecting))) == ["leave 1", "fed 1 connecting"])
    let idle = Self.reply(1, feeding: true, "idle", "nothing_due")
    #expect(words(origins.handle(.watched(idle))) == ["follow 1", "unseen 1 nothing_due"])
  }

  @Test(
    "when what feeds is gone, devices that somebody looks at are followed, and what it said of guests is forgotten"
  )
  func lost() {
    var origins = Origins(limit: 8)
    let two = DeviceID(2)
    _ = origins.handle(.wanted([one, two]))
    _ = origins.handle(.watched(Self.reply(1, feeding: true, "connected")))
    _ = origins.handle(.watched(Self.reply(2, feeding: false, nil, "guest")))
    _ = origins.handle(.heard(two, "film"))
    #expect(words(origins.handle(.lost)) == ["own 2 film -", "follow 1"])
  }

  @Test("only devices that somebody looks at are followed, and only so many at a time")
  func limit() {
    var origins = Origins(limit: 2)
    let devices = Set((1...3).map { DeviceID($0) })
    #expect(words(origins.handle(.wanted(devices))) == ["follow 1", "follow 2"])
    #expect(
      words(origins.handle(.wanted([DeviceID(2), DeviceID(3)]))) == ["leave 1", "unseen 1 -", "follow 3"])
    #expect(words(origins.handle(.wanted([]))) == ["leave 2", "unseen 2 -", "leave 3", "unseen 3 -"])
  }
}
