import CastProtocol
import CastqPlaylists
import CastqText

/// What the status of a device means to clients.
struct StatusParts: Sendable, Hashable {
  enum State: String, Sendable { case play, pause, stop }

  var state = State.stop
  var entry: EntryID?
  var next: EntryID?
  /// Of the media on the screen, whosever they are.
  var url: String?
  var title: String?
  var image: String?
  var position: Double?
  var at: WallTime?
  var duration: Double?
  /// That of the position, which stands at 0.
  var speed = 0.0
  /// 0 to 100; nil while the device is not heard.
  var volume: Int?
  var isConnected = false
  /// Whether nothing was heard of the device so far.
  var isUnheard = false

  init() {}

  init(_ document: JSONValue) {
    entry = document["entry"]?.int.map { EntryID(Int64($0)) }
    next = document["queue"]?["next"]?.int.map { EntryID(Int64($0)) }
    url = document["url"]?.string
    title = document["title"]?.string
    image = document["image"]?.string
    position = document["position_s"]?.double
    at = document["at"]?.string.flatMap { try? RFC3339.parse($0) }
    duration = document["duration_s"]?.double
    speed = document["speed"]?.double ?? 0
    volume = document["volume"]?["level"]?.double.map { Int(bounded: $0.rounded()) }
    isConnected = document["connection"]?.string == "connected"
    isUnheard = document["connection"]?.string == "connecting"
    switch document["player_state"]?.string {
    case "PLAYING"?, "BUFFERING"?, "LOADING"?: state = .play
    case "PAUSED"?: state = .pause
    default: state = .stop
    }
    if !isConnected { state = .stop }
  }

  /// Seconds from the beginning at a moment; nil when nothing plays or it has no position.
  func elapsed(at now: WallTime) -> Double? {
    guard state != .stop, let position else { return nil }
    guard let at else { return position }
    let moved = position + max(now - at, 0) * speed
    return duration.map { $0 > 0 ? min(moved, $0) : moved } ?? moved
  }

  /// What a client must hear of, when this was what it heard last.
  func changes(to other: StatusParts) -> Set<MPDSubsystem> {
    var subsystems: Set<MPDSubsystem> = []
    if volume != other.volume { subsystems.insert(.mixer) }
    if isConnected != other.isConnected { subsystems.insert(.output) }
    // The feed reports a status only if it is not what the last one leads to expect: what is not the mixer's is the player's.
    var same = other
    (same.volume, same.isConnected, same.isUnheard, same.next) = (volume, isConnected, isUnheard, next)
    if same != self { subsystems.insert(.player) }
    return subsystems
  }
}
