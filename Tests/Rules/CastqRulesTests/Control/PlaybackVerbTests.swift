import CastProtocol
import Testing
@testable import CastqFeeding
@testable import CastqPlaylists
@testable import CastqText

@Suite struct PlaybackVerbTests {
  static let texts: [(String, PlaybackVerb)] = [
    (#"{"verb":"play"}"#, .play(nil)), (#"{"verb":"play","entry":7}"#, .play(EntryID(7))),
    (#"{"verb":"play","entry":null}"#, .play(nil)), (#"{"verb":"pause"}"#, .pause),
    (#"{"verb":"toggle"}"#, .toggle),
    (#"{"verb":"stop"}"#, .stop(quits: false)), (#"{"verb":"stop","quit":true}"#, .stop(quits: true)),
    (#"{"verb":"next"}"#, .next), (#"{"verb":"prev"}"#, .previous), (#"{"verb":"skip_ad"}"#, .skipAd),
    (#"{"verb":"seek","position_s":60.5}"#, .seek(.position(60.5))),
    (#"{"verb":"seek","offset_s":-10}"#, .seek(.offset(-10))),
    (#"{"verb":"seek","fraction":0.5}"#, .seek(.fraction(0.5))),
    (#"{"verb":"rate","rate":1.25}"#, .rate(1.25)), (#"{"verb":"volume","level":30}"#, .volume(.level(0.3))),
    (#"{"verb":"volume","change":-5}"#, .volume(.change(-0.05))), (#"{"verb":"mute"}"#, .mute(true)),
    (#"{"verb":"unmute"}"#, .mute(false)),
    (#"{"verb":"tracks","on":[2,3],"off":true}"#, .tracks(TrackChoice(on: [2, 3], hidesText: true))),
    (#"{"verb":"tracks","off":true}"#, .tracks(TrackChoice(hidesText: true))),
    (#"{"verb":"repeat","mode":"one"}"#, .setRepeat(.one)),
    (#"{"verb":"shuffle","on":false}"#, .shuffle(false)),
    (#"{"verb":"clear","stop":true}"#, .clear(stops: true)),
    (#"{"verb":"transfer","to":"bar"}"#, .transfer(to: "bar")),
  ]

  @Test("a verb is read with what belongs to it, and keeps its name", arguments: texts)
  func reads(_ text: String, _ verb: PlaybackVerb) throws {
    let object = try JSONValue(parsing: text)
    #expect(try PlaybackVerb(object) == verb)
    #expect(verb.name.rawValue == object["verb"]?.string)
    #expect(try PlaybackVerb(verb.json) == verb)
  }

  @Test("a style is written with the keys that it is read with", arguments: TextStyleText.keys.map(\.key))
  func styleWritten(_ key: String) throws {
    let values = [
      "foreground": "#FFFF00FF", "background": "#000000C0", "edge": "drop-shadow", "edge-color": "#FF0000FF",
      "window": "rounded-corners", "window-color": "#00FF0080", "window-radius": "2.5", "font-scale": "1.2",
      "font-family": "Droid Sans", "generic-family": "small-capitals", "font-style": "bold-italic",
    ]
    let style = try TextStyleText.style(["\(key)=\(try #require(values[key]))"])
    #expect(TextStyleText.settings(of: style) == [key: values[key]])
    #expect(try PlaybackVerb(PlaybackVerb.style(style).json) == .style(style))
  }

  @Test(
    "a level keeps its thousandths, and has no digits that nobody gave", arguments: [0.55, 0.07, 0.333, 1, 0])
  func level(_ level: Double) throws {
    #expect(try PlaybackVerb(PlaybackVerb.volume(.level(level)).json) == .volume(.level(level)))
    #expect(try PlaybackVerb(PlaybackVerb.volume(.change(-level)).json) == .volume(.change(-level)))
  }

  @Test("a style is read with the keys of the command line")
  func style() throws {
    guard case .style(let style) = try PlaybackVerb(["verb": "style", "style": ["edge": "outline"]]) else {
      Issue.record("another verb")
      return
    }
    #expect(style.edgeType == .outline && style.fontScale == nil)
  }

  @Test("every verb of the table can be read", arguments: PlaybackVerb.Name.allCases)
  func table(_ name: PlaybackVerb.Name) {
    let read = Self.texts.contains { $0.1.name == name } || name == .style
    #expect(read)
  }

  @Test(
    "what is no verb, out of range, missing, or read by nothing is refused with its name",
    arguments: [
      (#"{"verb":"jump"}"#, "jump"), (#"{}"#, "verb"), (#"{"verb":"pause","now":true}"#, "now"),
      (#"{"verb":"rate","rate":9}"#, "rate"), (#"{"verb":"seek"}"#, "position_s"),
      (#"{"verb":"seek","position_s":1,"offset_s":1}"#, "either"),
      (#"{"verb":"seek","position_s":1e300}"#, "position_s"),
      (#"{"verb":"seek","fraction":2}"#, "fraction"), (#"{"verb":"volume","level":101}"#, "level"),
      (#"{"verb":"tracks","on":[-1]}"#, "on"), (#"{"verb":"tracks","on":"x"}"#, "on"),
      (#"{"verb":"style"}"#, "style"),
      (#"{"verb":"style","style":{"edges":"x"}}"#, "edges"),
      (#"{"verb":"repeat","mode":"some"}"#, "off, all, one"),
      (#"{"verb":"shuffle"}"#, "on"), (#"{"verb":"play","entry":0}"#, "entry"),
      (#"{"verb":"transfer","to":""}"#, "to"),
    ])
  func refuses(_ text: String, _ part: String) throws {
    let object = try JSONValue(parsing: text)
    let failure = #expect(throws: Failure.self) { try PlaybackVerb(object) }
    #expect(failure?.exit == .usage && failure?.message.contains(part) == true, "\(failure?.message ?? "")")
  }
}
