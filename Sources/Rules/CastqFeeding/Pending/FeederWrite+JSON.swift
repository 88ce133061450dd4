package import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText

/// A write as a line of the file in which writes wait for the next start. The words are those of the file: they stay when names of the
/// program change.
extension FeederWrite {
  /// The document of the write.
  package var json: JSONValue {
    switch self {
    case .start: ["do": "start"]
    case .stop(let at): ["do": "stop", "at": at.json]
    case .offer(let turns, let at):
      [
        "do": "offer", "at": at.json,
        "turns": .array(turns.map { [$0.turn.json, .integer(Int64($0.round))] }),
      ]
    case .markQueued(let turns): ["do": "queued", "turns": .array(turns.map(\.json))]
    case .release(let turns): ["do": "release", "turns": .array(turns.map(\.json))]
    case .recover(let kept): ["do": "recover", "turns": .array(kept.map(\.json))]
    case .record(let facts): ["do": "record", "facts": .array(facts.map(\.json))]
    case .describe(let entry, let page):
      .members([
        "do": "describe", "entry": .integer(entry.rawValue), "title": JSONValue(page.title),
        "picture": JSONValue(page.picture), "duration": page.duration?.json,
      ])
    case .moveList(let entry): ["do": "move", "entry": .integer(entry.rawValue)]
    case .choose(let choice, let queue, let at):
      .members([
        "do": "choose", "at": at.json, "queue": .integer(queue.number),
        "programme": JSONValue(choice.programme), "resume": JSONValue(choice.resume?.word),
        "once": .bool(choice.isOnce), "for_starts": .bool(choice.isForStarts),
      ])
    case .decide(let decision): ["do": "decide", "decision": decision.json]
    case .amend(let standing): ["do": "amend", "standing": standing.json]
    case .keepCredits(let credits):
      [
        "do": "credits",
        "credits": .array(credits.sorted { $0.key < $1.key }.map { $1.json(of: $0) }),
      ]
    case .seen(let endpoint, let at):
      ["do": "seen", "at": at.json, "host": .string(endpoint.host), "port": .integer(Int64(endpoint.port))]
    case .beginOutage(let since, let cause): ["do": "away", "at": since.json, "cause": .string(cause)]
    case .endOutage(let at, let hasAnswered): ["do": "back", "at": at.json, "answers": .bool(hasAnswered)]
    }
  }

  /// The write of a document; nil when it is none, or has a number that no row has.
  package init?(json: JSONValue) {
    guard let word = json["do"]?.string, let write = Self.read(word, json) else { return nil }
    self = write
  }

  private static func read(_ word: String, _ json: JSONValue) -> FeederWrite? {
    let turns = json["turns"]
    switch word {
    case "start": return .start
    case "stop": return WallTime(pending: json["at"]).map { .stop(at: $0) }
    case "offer":
      guard let at = WallTime(pending: json["at"]), let list = turns.whole(OfferedTurn.init(json:)) else {
        return nil
      }
      return .offer(list, at: at)
    case "queued": return turns.whole(EntryTurn.init(json:)).map { .markQueued($0) }
    case "release": return turns.whole(EntryTurn.init(json:)).map { .release($0) }
    case "recover": return turns.whole(EntryTurn.init(json:)).map { .recover(keeping: $0) }
    case "record": return json["facts"].whole(RecordedFact.init(json:)).map { .record($0) }
    case "describe":
      guard let entry = json["entry"]?.pendingNumber else { return nil }
      return .describe(
        EntryID(entry),
        PageDescription(
          title: json["title"]?.string, picture: json["picture"]?.string,
          duration: MediaTime(pending: json["duration"])))
    case "move": return json["entry"]?.pendingNumber.map { .moveList(to: EntryID($0)) }
    case "choose":
      guard let at = WallTime(pending: json["at"]), let queue = json["queue"]?.pendingNumber,
        let isOnce = json["once"]?.bool, let isForStarts = json["for_starts"]?.bool
      else { return nil }
      let choice = ListChoice(
        programme: json["programme"]?.string, resume: json["resume"]?.string.flatMap(ResumeMode.init(word:)),
        isOnce: isOnce, isForStarts: isForStarts)
      return .choose(choice, QueueID(queue), at: at)
    case "decide": return ScheduleDecision(json: json["decision"]).map { .decide($0) }
    case "amend": return ScheduleDecision.Standing(json: json["standing"]).map { .amend($0) }
    case "credits":
      guard let list = json["credits"].whole(ShareCredit.ofRule) else { return nil }
      return .keepCredits(Dictionary(list) { $1 })
    case "seen", "away", "back": return WallTime(pending: json["at"]).flatMap { ofDevice(word, json, at: $0) }
    default: return nil
    }
  }

  /// A write of the device itself.
  private static func ofDevice(_ word: String, _ json: JSONValue, at: WallTime) -> FeederWrite? {
    switch word {
    case "seen":
      guard let host = json["host"]?.string, let port = json["port"]?.int, (1...65_535).contains(port) else {
        return nil
      }
      return .seen(DeviceEndpoint(host: host, port: port), at: at)
    case "away": return json["cause"]?.string.map { .beginOutage(since: at, cause: $0) }
    default: return json["answers"]?.bool.map { .endOutage(at: at, hasAnswered: $0) }
    }
  }
}

extension JSONValue {
  /// A whole number; nil for everything else.
  var pendingNumber: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// A count as rows have it: whoever adds one to it needs no check.
  var pendingCount: Int? { int.flatMap { (0...1 << 40).contains($0) ? $0 : nil } }
}

extension JSONValue? {
  /// The elements of a list; nil when one of them cannot be read.
  func whole<Element>(_ read: (JSONValue) -> Element?) -> [Element]? {
    guard let list = self?.array else { return nil }
    let elements = list.compactMap(read)
    return elements.count == list.count ? elements : nil
  }
}

extension WallTime {
  var json: JSONValue { .integer(milliseconds) }

  init?(pending json: JSONValue?) {
    guard let milliseconds = json?.pendingNumber else { return nil }
    self.init(milliseconds: milliseconds)
  }
}

extension MediaTime {
  init?(pending json: JSONValue?) {
    guard let seconds = json?.double, seconds.isFinite else { return nil }
    self.init(seconds: seconds)
  }
}

extension EntryTurn {
  var json: JSONValue { [.integer(entry.rawValue), .integer(Int64(turn))] }

  init?(json: JSONValue) {
    guard let parts = json.array, parts.count == 2, let entry = parts[0].pendingNumber,
      let turn = parts[1].pendingCount
    else { return nil }
    self.init(entry: EntryID(entry), turn: turn)
  }
}

extension OfferedTurn {
  fileprivate init?(json: JSONValue) {
    guard let parts = json.array, parts.count == 2, let turn = EntryTurn(json: parts[0]),
      let round = parts[1].pendingCount
    else { return nil }
    self.init(turn: turn, round: round)
  }
}
