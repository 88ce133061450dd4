import CastProtocol
import CastqText

/// What a status document shows of a device: the words of the first paint. `store.js` has the same rules for what follows.
struct StatusView {
  /// What a screen is, for its mark, its colour and the totals.
  enum Air: String {
    case onAir = "air"
    case dark
    case unreachable = "away"
    case busy
  }

  let document: JSONValue
  /// The moment that is shown.
  let now: WallTime

  var isOffline: Bool { document["connection"]?.string != "connected" }
  var player: String? { document["player_state"]?.string }
  var title: String? { document["title"]?.string }
  var isLive: Bool { document["live"]?.bool == true }
  /// Where playback is now: it goes on from that of the document.
  var position: Double? {
    guard let told = document["position_s"]?.double else { return nil }
    guard let at = document["at"]?.string.flatMap({ try? RFC3339.parse($0) }) else { return told }
    let position = max(told + (now - at) * (document["speed"]?.double ?? 0), 0)
    return duration.map { min(position, $0) } ?? position
  }
  var duration: Double? { document["duration_s"]?.double }
  var volume: Int? { document["volume"]?["level"]?.int }
  var isMuted: Bool { document["volume"]?["muted"]?.bool == true }
  var application: String? { document["application"]?["name"]?.string }

  /// Whether media is on the screen, ours or somebody else's.
  var isOn: Bool { ["PLAYING", "PAUSED", "BUFFERING", "LOADING"].contains(player ?? "") }
  /// Whether it is a picture: shown, neither playing nor paused.
  var isPicture: Bool { isOn && duration == 0 }

  var air: Air {
    if document["connection"]?.string == "connecting" { return .busy }
    if isOffline { return .unreachable }
    if player == "LOADING" || player == "BUFFERING" { return .busy }
    return isOn ? .onAir : .dark
  }

  /// Why castq has nothing on the screen; nil where it has, or nothing prevents it.
  var why: String? { document["why"]?.string.map { $0.prefix(1).uppercased() + $0.dropFirst() } }
  /// Whether another sender has the screen, or had it last and castq leaves it.
  var isYielded: Bool { document["waiting_for"]?.string == "guest" }

  /// The state in a word or two, or why nothing is on the screen.
  var word: String {
    if document["connection"]?.string == "connecting" { return "Connecting" }
    if isOffline { return "Unreachable" }
    switch player {
    case "PLAYING":
      return document["reason"]?.string == "guest" ? "A guest plays" : isLive ? "Live" : "Playing"
    case "PAUSED": return isPicture ? "Showing" : "Paused"
    case "BUFFERING": return "Buffering"
    case "LOADING": return "Loading"
    default: break
    }
    return why ?? "Dark"
  }

  /// Elapsed time, `Live` where there is no length.
  var elapsed: String { isOn ? (isLive ? "Live" : isPicture ? "" : PageLength.clock(position)) : "" }
  /// The whole length; empty for live media and where it is unknown.
  var total: String { isOn && !isLive && !isPicture ? duration.map(PageLength.clock) ?? "" : "" }
  /// The played part, 0 to 1000.
  var permille: Int {
    guard isOn, let position, let duration, duration > 0, !isLive else { return 0 }
    return Int(bounded: (min(max(position / duration, 0), 1) * 1000).rounded())
  }

  /// Whether a guest plays.
  var isGuests: Bool { isOn && document["reason"]?.string == "guest" }
  /// Whether there is nothing to say of the state but what the picture says: it plays.
  var isPlain: Bool { player == "PLAYING" && !isLive && !isGuests || !isOn }
  /// Whether the level is the device's own affair.
  var hasFixedVolume: Bool { document["volume_control"]?.string == "fixed" }

  /// What stands in the place of a picture: why nothing is on the screen, or what is; empty where there is one.
  var says: String {
    guard isOn else { return isOffline ? why ?? word : word }
    return (document["ad"]?["art"] ?? document["art"])?.string == nil ? title ?? application ?? "" : ""
  }

  /// What comes next, of a screen on which something is.
  var then: String {
    guard isOn, !isGuests, let next = document["queue"]?["next_title"]?.string else { return "" }
    return "then \(next)"
  }

  /// The state's name for style sheets and scripts.
  var token: String {
    isOn ? (player ?? "").lowercased() : isOffline ? "offline" : "idle"
  }

  /// The rule on the air, with its end.
  func rule(_ context: PageContext) -> String? {
    guard let rule = document["rule"] else { return nil }
    if let name = rule.string { return name }
    return rule["rule"]?.string ?? rule["name"]?.string
  }
}
