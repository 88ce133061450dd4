import CastPresentation
import CastProtocol
import Testing

@Suite struct StyleTests {
  @Test(
    "the standard style can be read: 4.5 for texts, 3 for controls, light and dark",
    arguments: PresentationStyle.Scheme.allCases)
  func contrast(scheme: PresentationStyle.Scheme) {
    let style = PresentationStyle()
    func color(_ role: PresentationStyle.ColorRole) -> StyleColor { style.color(role, in: .notice, scheme) }
    let background = color(.background)
    for role in [PresentationStyle.ColorRole.text, .secondaryText, .error] {
      #expect(color(role).contrast(on: background) >= 4.5, "\(role)")
    }
    for role in [PresentationStyle.ColorRole.tint, .activeTint, .progress, .track, .adMark] {
      #expect(color(role).contrast(on: background) >= 3, "\(role)")
    }
    #expect(color(.buttonText).contrast(on: color(.activeTint)) >= 4.5)
  }

  @Test("black on white has a contrast of 21, and a colour on itself of 1")
  func contrastScale() throws {
    let (black, white) = (try #require(StyleColor("#000000")), try #require(StyleColor("#FFFFFF")))
    #expect(abs(black.contrast(on: white) - 21) < 0.001 && white.contrast(on: white) == 1)
  }

  @Test("a part has its own colours and fonts, else those of all parts, else the standard ones")
  func falls() throws {
    var style = PresentationStyle()
    let red = try #require(StyleColor("#ff0000"))
    style.set(red, for: .tint, in: .miniController, .dark)
    #expect(style.color(.tint, in: .miniController, .dark) == red)
    #expect(
      style.color(.tint, in: .miniController, .light) == PresentationStyle().color(.tint, in: .notice, .light)
    )
    style.set(red, for: .tint)
    #expect(style.color(.tint, in: .castButton, .light) == red)
    #expect(
      style.ownColor(.tint, in: .castButton, .light) == nil && style.ownColor(.tint, in: nil, .light) == red)
    #expect(style.ownFont(.body, in: nil) == nil)
    style.set(PresentationStyle.Font(size: 900, family: "Inter"), for: .title)
    #expect(style.font(.title, in: .introduction).size == 96)
    style.set(PresentationStyle.Font(size: .nan), for: .title, in: .introduction)
    #expect(style.font(.title, in: .introduction).size == 16)
  }

  @Test("keys and values make a style, and a style makes them again")
  func json() throws {
    let json = try JSONValue(
      parsing: """
        {"light": {"tint": "#1659C7", "mini_controller": {"background": "#f2f4f780"}},
         "fonts": {"title": {"family": "Inter", "size": 22, "bold": true}, "notice": {"body": {"italic": true}}}}
        """)
    let style = try PresentationStyle(json: json)
    #expect(style.color(.tint, in: .castButton, .light).description == "#1659c7")
    #expect(style.color(.background, in: .miniController, .light).alpha == 0x80)
    #expect(
      style.font(.title, in: .castButton) == PresentationStyle.Font(size: 22, family: "Inter", isBold: true))
    #expect(style.font(.body, in: .notice).isItalic && !style.font(.body, in: .castButton).isItalic)
    #expect(try PresentationStyle(json: style.json) == style)
    #expect(PresentationStyle().json == [:])
  }

  @Test(
    "what is wrong is named by its path, with what is allowed",
    arguments: [
      (##"[]"##, "style: keys and values"),
      (##"{"ligth": {}}"##, "style.ligth: there is no such key; there are light"),
      (##"{"dark": {"tint": "red"}}"##, "style.dark.tint: a colour is written"),
      (##"{"dark": {"tint": "#12345é"}}"##, "style.dark.tint"),
      (##"{"dark": {"tint": 7}}"##, "style.dark.tint"),
      (##"{"dark": {"notice": {"notice": {}}}}"##, "style.dark.notice.notice: there is no such key"),
      (##"{"fonts": {"title": {"family": "x; } body { display: none"}}}"##, "style.fonts.title.family"),
      (##"{"fonts": {"title": {"size": 1e99}}}"##, "style.fonts.title.size: a size is 6 to 96"),
      (##"{"fonts": {"title": {"bold": "yes"}}}"##, "style.fonts.title.bold"),
      (##"{"fonts": {"title": {"weight": 3}}}"##, "style.fonts.title.weight"),
      (##"{"fonts": {"heading": {}}}"##, "style.fonts.heading"),
    ])
  func refuses(text: String, path: String) throws {
    let json = try JSONValue(parsing: text)
    let error = #expect(throws: CastError.self) { try PresentationStyle(json: json) }
    #expect(error?.message.hasPrefix(path) == true, "\(error?.message ?? "-")")
  }
}
