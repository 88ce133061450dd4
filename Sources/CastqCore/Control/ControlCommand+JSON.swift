import CastProtocol

// The commands on the socket. Everything is validated here, so that no later code has to.

extension ControlCommand {
  /// Most tracks in one request, and the largest seek in seconds; anything beyond is an error or an attack.
  private static let mostTracks = 64
  private static let furthestSeek = 1e7

  var members: [String: JSONValue] {
    let (word, rest): (String, JSONValue) =
      switch self {
      case .play(let entry): ("play", .members(["entry": JSONValue(entry.map { Int($0.rawValue) })]))
      case .pause: ("pause", [:])
      case .toggle: ("toggle", [:])
      case .stop(let quits): ("stop", ["quit": .bool(quits)])
      case .next: ("next", [:])
      case .previous: ("previous", [:])
      case .seek(.position(let time)): ("seek", ["position_s": time.json])
      case .seek(.offset(let time)): ("seek", ["offset_s": time.json])
      case .seek(.fraction(let part)): ("seek", .members(["fraction": JSONValue(part)]))
      case .setRate(let rate): ("rate", .members(["rate": JSONValue(rate)]))
      case .volume: ("volume", [:])
      case .setVolume(.level(let level)): ("set_volume", .members(["level": JSONValue(level)]))
      case .setVolume(.change(let change)): ("set_volume", .members(["change": JSONValue(change)]))
      case .setMuted(let isMuted): ("mute", ["muted": .bool(isMuted)])
      case .tracks: ("tracks", [:])
      case .chooseTracks(let choice):
        (
          "choose_tracks",
          ["on": .array(choice.on.map { .integer(Int64($0)) }), "off": .bool(choice.hidesText)]
        )
      case .setTextStyle(let style): ("style", ["style": style.json])
      case .skipAd: ("skip_ad", [:])
      case .send(let message):
        (
          "send",
          .members([
            "namespace": .string(message.namespace), "text": .string(message.text),
            "wait_s": JSONValue(message.wait), "application": JSONValue(message.application),
          ])
        )
      case .feed(let request):
        (
          "feed",
          .members([
            "entry": JSONValue(request.first.map { Int($0.rawValue) }), "position_s": request.position?.json,
            "new": .bool(request.isNewQueue), "member": JSONValue(request.member.map { Int($0.rawValue) }),
            "wait": .bool(request.waits), "loop": .bool(request.loops),
            "patience_s": JSONValue(request.patience), "rules": .bool(request.takesRules),
          ])
        )
      case .poke: ("poke", [:])
      case .status: ("status", [:])
      case .outlook: ("outlook", [:])
      case .fetches: ("fetches", [:])
      case .watch: ("watch", [:])
      case .health: ("health", [:])
      case .metrics: ("metrics", [:])
      }
    return ["command": .string(word)].merging(rest.object ?? [:]) { own, _ in own }
  }

  init(json: JSONValue) throws(Failure) {
    guard let word = json["command"]?.string else { throw .badRequest("it has no command") }
    switch word {
    case "play": self = .play(try Self.entry(json["entry"]))
    case "pause": self = .pause
    case "toggle": self = .toggle
    case "stop": self = .stop(quits: json["quit"]?.bool ?? false)
    case "next": self = .next
    case "previous": self = .previous
    case "seek": self = .seek(try Self.seekGoal(json))
    case "rate": self = .setRate(try Self.number(json["rate"], "rate", in: 0.5...2))
    case "volume": self = .volume
    case "set_volume":
      self = .setVolume(
        json["change"] != nil
          ? .change(try Self.number(json["change"], "change", in: -1...1))
          : .level(try Self.number(json["level"], "level", in: 0...1)))
    case "mute":
      guard let isMuted = json["muted"]?.bool else { throw .badRequest("muted is not a boolean") }
      self = .setMuted(isMuted)
    case "tracks": self = .tracks
    case "choose_tracks":
      let list = json["on"] ?? []
      let ids = (list.array ?? []).map(\.int)
      guard list.array != nil, ids.count <= Self.mostTracks, ids.allSatisfy({ $0 != nil }) else {
        throw .badRequest("the tracks are not a list of at most \(Self.mostTracks) numbers")
      }
      self = .chooseTracks(TrackChoice(on: ids.compactMap { $0 }, hidesText: json["off"]?.bool ?? false))
    case "style":
      guard let style = MediaTextTrackStyle(json: json["style"]) else {
        throw .badRequest("the style is not an object")
      }
      self = .setTextStyle(style)
    case "skip_ad": self = .skipAd
    case "send":
      guard let namespace = json["namespace"]?.string, let text = json["text"]?.string else {
        throw .badRequest("a message needs a namespace and a text")
      }
      let wait = json["wait_s"] == nil ? nil : try Self.number(json["wait_s"], "wait", in: 0...86_400)
      self = .send(
        ChannelText(namespace: namespace, text: text, wait: wait, application: json["application"]?.string))
    case "feed": self = .feed(try Self.feedRequest(json))
    case "poke": self = .poke
    case "status": self = .status
    case "outlook": self = .outlook
    case "fetches": self = .fetches
    case "watch": self = .watch
    case "health": self = .health
    case "metrics": self = .metrics
    default: throw .badRequest("unknown command '\(TerminalText.excerpt(word))'")
    }
  }

  private static func entry(_ json: JSONValue?) throws(Failure) -> EntryID? {
    guard let json else { return nil }
    guard let number = json.int else { throw .badRequest("the entry is not a number") }
    return EntryID(Int64(number))
  }

  private static func feedRequest(_ json: JSONValue) throws(Failure) -> FeedRequest {
    var request = FeedRequest(
      first: try entry(json["entry"]), isNewQueue: json["new"]?.bool ?? false,
      member: try entry(json["member"]),
      waits: json["wait"]?.bool ?? false, loops: json["loop"]?.bool ?? false,
      takesRules: json["rules"]?.bool ?? false)
    if json["patience_s"] != nil {
      request.patience = try number(json["patience_s"], "patience", in: 0...furthestSeek)
    }
    if json["position_s"] != nil {
      let seconds = try number(json["position_s"], "position", in: 0...furthestSeek)
      request.position = MediaTime(seconds: seconds)
    }
    return request
  }

  private static func seekGoal(_ json: JSONValue) throws(Failure) -> SeekGoal {
    let reach = -furthestSeek...furthestSeek
    if json["fraction"] != nil { return .fraction(try number(json["fraction"], "fraction", in: 0...1)) }
    if json["offset_s"] != nil {
      return .offset(MediaTime(seconds: try number(json["offset_s"], "offset", in: reach)))
    }
    return .position(MediaTime(seconds: try number(json["position_s"], "position", in: reach)))
  }

  private static func number(
    _ json: JSONValue?, _ name: String, in range: ClosedRange<Double>
  ) throws(Failure) -> Double {
    guard let value = json?.double, range.contains(value) else {
      throw .badRequest("the \(name) is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}
