package import CastProtocol
import CastqPlaylists
package import CastqText

/// A verb as the API and the control socket have it: `{"verb":"seek","position_s":60}`.
extension PlaybackVerb {
  /// The longest seek, in seconds.
  private static let furthest = 1e7

  /// - Throws: `usage` for what is no verb, and for members that are missing, wrong, or that nothing reads.
  package init(_ object: JSONValue) throws(Failure) {
    let members = RequestMembers(object)
    let text = try members.text("verb")
    guard let name = Name(rawValue: text) else {
      throw Failure("usage", "no command is called '\(TerminalText.excerpt(text))'", exit: .usage)
    }
    try members.check(Self.members(of: name).union(["verb"]))
    switch name {
    case .pause: self = .pause
    case .toggle: self = .toggle
    case .next: self = .next
    case .prev: self = .previous
    case .skipAd: self = .skipAd
    case .mute: self = .mute(true)
    case .unmute: self = .mute(false)
    case .play:
      let entry = members.has("entry") ? try members.number("entry", 1...Int.max) : nil
      self = .play(entry.map { EntryID(Int64($0)) })
    case .stop: self = .stop(quits: try members.flag("quit"))
    case .clear: self = .clear(stops: try members.flag("stop"))
    case .seek: self = .seek(try Self.goal(members))
    case .rate: self = .rate(try members.decimal("rate", 0.5...2))
    case .volume: self = .volume(try Self.volume(members))
    case .tracks: self = .tracks(try Self.choice(object, members))
    case .style: self = .style(try Self.style(object))
    case .repeat: self = .setRepeat(try Self.mode(try members.text("mode")))
    case .shuffle:
      guard members.has("on") else { throw Failure("usage", "`on` is true or false", exit: .usage) }
      self = .shuffle(try members.flag("on"))
    case .transfer: self = .transfer(to: try members.text("to"))
    }
  }

  package var json: JSONValue {
    let members: [String: JSONValue?] =
      switch self {
      case .pause, .toggle, .next, .previous, .skipAd, .mute: [:]
      case .play(let entry): ["entry": entry.map { .integer($0.rawValue) }]
      case .stop(let quits): ["quit": .bool(quits)]
      case .clear(let stops): ["stop": .bool(stops)]
      case .seek(.position(let time)): ["position_s": time.json]
      case .seek(.offset(let time)): ["offset_s": time.json]
      case .seek(.fraction(let part)): ["fraction": JSONValue(part)]
      case .rate(let rate): ["rate": JSONValue(rate)]
      case .volume(.level(let level)): ["level": Self.percent(level)]
      case .volume(.change(let change)): ["change": Self.percent(change)]
      case .tracks(let choice):
        ["on": .array(choice.on.map { .integer(Int64($0)) }), "off": .bool(choice.hidesText)]
      case .style(let style):
        ["style": .object(TextStyleText.settings(of: style).mapValues(JSONValue.string))]
      case .setRepeat(let mode): ["mode": .string(mode.rawValue)]
      case .shuffle(let isOn): ["on": .bool(isOn)]
      case .transfer(let name): ["to": .string(name)]
      }
    return .object(
      ["verb": .string(name.rawValue)].merging(members.compactMapValues { $0 }) { own, _ in own })
  }

  // Per cent are a hundred times a fraction, to ten digits: what only the multiplication made is left out.
  private static func percent(_ fraction: Double) -> JSONValue? {
    JSONValue((fraction * 1e10).rounded() / 1e8)
  }
  private static func fraction(_ percent: Double) -> Double { (percent * 1e8).rounded() / 1e10 }

  /// What a verb may be given beside its name.
  private static func members(of name: Name) -> Set<String> {
    switch name {
    case .pause, .toggle, .next, .prev, .skipAd, .mute, .unmute: []
    case .play: ["entry"]
    case .stop: ["quit"]
    case .clear: ["stop"]
    case .seek: ["position_s", "offset_s", "fraction"]
    case .rate: ["rate"]
    case .volume: ["level", "change"]
    case .tracks: ["on", "off"]
    case .style: ["style"]
    case .repeat: ["mode"]
    case .shuffle: ["on"]
    case .transfer: ["to"]
    }
  }

  private static func volume(_ members: RequestMembers) throws(Failure) -> VolumeText {
    guard try members.one(of: ["level", "change"]) == "change" else {
      return .level(fraction(try members.decimal("level", 0...100)))
    }
    return .change(fraction(try members.decimal("change", -100...100)))
  }

  private static func goal(_ members: RequestMembers) throws(Failure) -> SeekGoal {
    switch try members.one(of: ["position_s", "offset_s", "fraction"]) {
    case "offset_s":
      return .offset(MediaTime(seconds: try members.decimal("offset_s", -furthest...furthest)))
    case "fraction":
      guard let fraction = try? members.decimal("fraction", 0...1) else {
        throw Failure("usage", "`fraction` is a number from 0 to 1", exit: .usage)
      }
      return .fraction(fraction)
    default: return .position(MediaTime(seconds: try members.decimal("position_s", 0...furthest)))
    }
  }

  private static func choice(
    _ object: JSONValue, _ members: RequestMembers
  ) throws(Failure) -> TrackChoice {
    let given = members.has("on") ? object["on"]?.array : []
    let numbers = (given ?? []).compactMap(\.int)
    guard numbers.count == given?.count, numbers.count <= 100, numbers.allSatisfy({ $0 >= 0 }) else {
      throw Failure("usage", "`on` is a list of track numbers", exit: .usage)
    }
    return TrackChoice(on: numbers, hidesText: try members.flag("off"))
  }

  private static func style(_ object: JSONValue) throws(Failure) -> MediaTextTrackStyle {
    guard let style = object["style"]?.object, !style.isEmpty else {
      throw Failure("usage", "`style` is an object, such as {\"font-scale\":\"1.2\"}", exit: .usage)
    }
    let settings = style.sorted { $0.key < $1.key }.map { "\($0)=\($1.string ?? $1.text)" }
    do throws(TextError) { return try TextStyleText.style(settings) } catch {
      throw Failure("usage", error.words, exit: .usage)
    }
  }

  private static func mode(_ text: String) throws(Failure) -> QueueRepeat {
    guard let mode = QueueRepeat(rawValue: text) else {
      let modes = QueueRepeat.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        "usage", "'\(TerminalText.excerpt(text))' is no repeat mode: there are \(modes)", exit: .usage)
    }
    return mode
  }
}
