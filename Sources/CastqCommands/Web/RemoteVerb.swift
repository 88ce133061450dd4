import CastProtocol
import CastqCore

/// The verbs of `POST devices/{d}/commands`, as commands of the command line.
enum RemoteVerb {
  typealias Words = (name: [String], options: [String], arguments: [String])

  /// The longest seek, in seconds.
  private static let furthest = 1e7

  static func words(_ object: JSONValue) throws(ControlFailure) -> Words {
    let members = Members(object)
    let verb = try members.text("verb")
    switch verb {
    case "pause", "toggle", "next", "mute", "unmute":
      try members.check(["verb"])
      return ([verb], [], [])
    case "prev", "skip_ad":
      try members.check(["verb"])
      return ([verb == "prev" ? "prev" : "skip-ad"], [], [])
    case "play":
      try members.check(["verb", "entry"])
      guard members.has("entry") else { return (["play"], [], []) }
      return (["play"], [], ["\(try members.number("entry", 1...Int.max))"])
    case "stop":
      try members.check(["verb", "quit"])
      return (["stop"], try members.flag("quit") ? ["--quit"] : [], [])
    case "clear":
      try members.check(["verb", "stop"])
      return (["clear"], try members.flag("stop") ? ["--stop"] : [], [])
    case "seek": return (["seek"], [], [try position(object, members)])
    case "rate":
      try members.check(["verb", "rate"])
      return (["rate"], [], [try members.decimal("rate", 0.5...2)])
    case "volume":
      try members.check(["verb", "level", "change"])
      guard try members.one(of: ["level", "change"]) == "change" else {
        return (["volume"], [], ["\(try members.number("level", 0...100))"])
      }
      let change = try members.number("change", -100...100)
      return (["volume"], [], ["\(change < 0 ? "-" : "+")\(abs(change))"])
    case "tracks":
      try members.check(["verb", "on", "off"])
      return try tracks(object, members)
    case "style":
      try members.check(["verb", "style"])
      guard let style = object["style"]?.object, !style.isEmpty else {
        throw ControlFailure("usage", "`style` is an object, such as {\"font-scale\":\"1.2\"}", exit: .usage)
      }
      return (["style"], [], style.sorted { $0.key < $1.key }.map { "\($0)=\($1.string ?? $1.text)" })
    case "repeat":
      try members.check(["verb", "mode"])
      return (["repeat"], [], [try members.text("mode")])
    case "shuffle":
      try members.check(["verb", "on"])
      guard members.has("on") else { throw ControlFailure("usage", "`on` is true or false", exit: .usage) }
      return (["shuffle"], [], [try members.flag("on") ? "on" : "off"])
    case "transfer":
      try members.check(["verb", "to"])
      return (["transfer"], ["--to=\(try members.text("to"))"], [])
    default:
      throw ControlFailure("usage", "no command is called '\(TerminalText.excerpt(verb))'", exit: .usage)
    }
  }

  private static func position(_ object: JSONValue, _ members: Members) throws(ControlFailure) -> String {
    try members.check(["verb", "position_s", "offset_s", "fraction"])
    switch try members.one(of: ["position_s", "offset_s", "fraction"]) {
    case "offset_s":
      let text = try members.decimal("offset_s", -furthest...furthest)
      return (object["offset_s"]?.double ?? 0) < 0 ? "-\(text)" : "+\(text)"
    case "fraction":
      guard let fraction = object["fraction"]?.double, (0...1).contains(fraction) else {
        throw ControlFailure("usage", "`fraction` is a number from 0 to 1", exit: .usage)
      }
      return "\((fraction * 10_000).rounded() / 100)%"
    default: return try members.decimal("position_s", 0...furthest)
    }
  }

  private static func tracks(_ object: JSONValue, _ members: Members) throws(ControlFailure) -> Words {
    let given = members.has("on") ? object["on"]?.array : []
    let numbers = (given ?? []).compactMap(\.int)
    guard numbers.count == given?.count, numbers.count <= 100, numbers.allSatisfy({ $0 >= 0 }) else {
      throw ControlFailure("usage", "`on` is a list of track numbers", exit: .usage)
    }
    let isOff = try members.flag("off")
    return (
      ["tracks"], (numbers.isEmpty ? [] : ["--on"] + numbers.map { "\($0)" }) + (isOff ? ["--off"] : []), []
    )
  }
}
