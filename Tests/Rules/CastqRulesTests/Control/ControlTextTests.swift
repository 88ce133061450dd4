import CastProtocol
import CastqFeeding
import CastqText
import Testing

@Suite("What people write for live commands")
struct ControlTextTests {
  @Test(
    "places to seek to",
    arguments: [
      ("90", .position(90)), ("1:30", .position(90)), ("1:02:03", .position(3723)), ("+10s", .offset(10)),
      ("-1m", .offset(-60)), ("+1:00", .offset(60)), ("50%", .fraction(0.5)), ("0", .position(0)),
      ("100%", .fraction(1)),
    ] as [(String, SeekGoal)])
  func seek(text: String, goal: SeekGoal) throws { #expect(try SeekGoal(text) == goal) }

  @Test(
    "what is not a position to seek to",
    arguments: ["", "%", "101%", "-", "+-1", "x", "1:5", "-5%", "1e9", "9999999999"])
  func noSeek(text: String) { #expect(throws: TextError.self) { try SeekGoal(text) } }

  @Test("a style is read key by key")
  func style() throws {
    let style = try TextStyleText.style([
      "foreground=#ffff00ff", "background=#000000", "edge=drop-shadow", "edge-color=#01020304",
      "window=rounded-corners",
      "window-color=#00000080", "window-radius=4", "font-scale=1.2", "font-family=Droid Sans",
      "generic-family=monospaced-serif", "font-style=bold-italic",
    ])
    #expect(style.foregroundColor == "#FFFF00FF")
    #expect(style.backgroundColor == "#000000FF")
    #expect(style.edgeType == .dropShadow)
    #expect(style.windowType == .roundedCorners)
    #expect(style.windowRoundedCornerRadius == 4)
    #expect(style.fontScale == 1.2)
    #expect(style.fontFamily == "Droid Sans")
    #expect(style.fontGenericFamily == .monospacedSerif)
    #expect(style.fontStyle == .boldItalic)
  }

  @Test(
    "a mistake in a style names what would be right",
    arguments: [
      ("colour=#FFFFFF", "foreground"), ("edge", "KEY=VALUE"), ("edge=glow", "outline"),
      ("foreground=red", "#RRGGBBAA"),
      ("foreground=#12345", "#RRGGBBAA"), ("foreground=#ÄÄÄ", "#RRGGBBAA"), ("font-scale=0", "above 0"),
      ("font-scale=-1", "above 0"), ("font-family=", "a name"), ("fontscale=1", "did you mean font-scale?"),
    ])
  func badStyle(setting: String, words: String) {
    #expect {
      try TextStyleText.style([setting])
    } throws: { error in
      guard let error = error as? TextError else { return false }
      return "\(error.message) \(error.hint ?? "")".contains(words)
    }
  }

  @Test("a style laid over another changes only what it names")
  func overlay() throws {
    let old = try TextStyleText.style(["foreground=#FFFF00FF", "font-scale=2"])
    let new = old.overlaid(with: try TextStyleText.style(["font-scale=1.5", "edge=outline"]))
    #expect(new.foregroundColor == "#FFFF00FF")
    #expect(new.fontScale == 1.5)
    #expect(new.edgeType == .outline)
  }

  private static let tracks = [
    MediaTrack(identifier: 1, kind: .audio), MediaTrack(identifier: 2, kind: .audio),
    MediaTrack(identifier: 3, kind: .text), MediaTrack(identifier: 4, kind: .text),
  ]

  @Test(
    "a track takes the place of the one of its kind; hiding text keeps the sound",
    arguments: [
      ([1, 3], TrackChoice(on: [4]), [1, 4]), ([1, 3], TrackChoice(hidesText: true), [1]),
      ([1, 3], TrackChoice(on: [2]), [3, 2]), ([1, 3], TrackChoice(on: [2, 4]), [2, 4]),
      ([], TrackChoice(on: [3]), [3]), ([1, 3], TrackChoice(on: [2], hidesText: true), [2]),
      ([9, 1], TrackChoice(), [1]),
    ])
  func choice(active: [Int], choice: TrackChoice, result: [Int]) throws {
    #expect(try choice.active(from: active, tracks: Self.tracks) == result)
  }

  @Test("a track that is not there is an error that names those that are")
  func noTrack() {
    #expect {
      try TrackChoice(on: [7]).active(from: [], tracks: Self.tracks)
    } throws: { ($0 as? Failure)?.message.contains("1, 2, 3, 4") == true }
  }
}
