import CastProtocol
import CastqPlaylists
import CastqText

// The commands on the socket. Everything is validated here, so that no later code has to.

extension ControlCommand {
  /// The furthest position of a list that is fed, and the longest patience, in seconds; anything beyond is an error or an attack.
  private static let furthest = 1e7

  var members: [String: JSONValue] {
    let (word, rest): (JSONValue, JSONValue) =
      switch self {
      case .perform(let verb): (verb.json, [:])
      case .readVolume: ("volume", [:])
      case .readTracks: ("tracks", [:])
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
    return ["command": word].merging(rest.object ?? [:]) { own, _ in own }
  }

  init(json: JSONValue) throws(Failure) {
    guard let command = json["command"] else { throw .badRequest("it has no command") }
    guard let word = command.string else {
      do throws(Failure) { self = .perform(try PlaybackVerb(command)) } catch {
        throw .badRequest(error.message)
      }
      return
    }
    switch word {
    case "volume": self = .readVolume
    case "tracks": self = .readTracks
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
      request.patience = try number(json["patience_s"], "patience", in: 0...furthest)
    }
    if json["position_s"] != nil {
      let seconds = try number(json["position_s"], "position", in: 0...furthest)
      request.position = MediaTime(seconds: seconds)
    }
    return request
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
