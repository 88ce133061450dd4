/// Drawn signs: symbols of the page itself, so that no font has to have them.
enum Glyph: String, CaseIterable {
  case cast, casting, play, pause, stop, next, previous, volume, mute, more, grip, close, search, warning,
    check, copy
  case air, dark, away, busy, screen

  private var path: StaticString {
    switch self {
    case .cast:
      "M3 5h18v14h-7v-2h5V7H5v2H3zM3 17a2 2 0 0 1 2 2H3zm0-3a5 5 0 0 1 5 5H6.500a3.500 3.500 0 0 0-3.500-3.500zm0-3a8 8 0 0 1 8 8H9.500A6.500 6.500 0 0 0 3 12.500z"
    case .casting:
      "M3 5h18v14h-7v-2h5V7H5v2H3zM7 9h10v6h-3.500A10 10 0 0 0 7 9.200zM3 17a2 2 0 0 1 2 2H3zm0-3a5 5 0 0 1 5 5H6.500a3.500 3.500 0 0 0-3.500-3.500zm0-3a8 8 0 0 1 8 8H9.500A6.500 6.500 0 0 0 3 12.500z"
    case .play: "M8 5v14l11-7z"
    case .pause: "M7 5h3.500v14H7zM13.500 5H17v14h-3.500z"
    case .stop: "M6.500 6.500h11v11h-11z"
    case .next: "M6 6v12l8.500-6zM15.500 6H18v12h-2.500z"
    case .previous: "M18 6v12l-8.500-6zM6 6h2.500v12H6z"
    case .volume:
      "M4 9v6h3.500L12 19V5L7.500 9zM15 8.500a5 5 0 0 1 0 7zM15.500 5v1.800a6 6 0 0 1 0 10.400V19a7.700 7.700 0 0 0 0-14z"
    case .mute:
      "M4 9v6h3.500L12 19V5L7.500 9zM15.200 9 14 10.200 15.800 12 14 13.800 15.200 15 17 13.200 18.800 15 20 13.800 18.200 12 20 10.200 18.800 9 17 10.800z"
    case .more:
      "M12 4.500a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400zm0 5.800a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400zm0 5.800a1.700 1.700 0 1 1 0 3.400 1.700 1.700 0 0 1 0-3.400z"
    case .grip:
      "M8 5h2.500v2.500H8zm5.500 0H16v2.500h-2.500zM8 10.750h2.500v2.500H8zm5.500 0H16v2.500h-2.500zM8 16.500h2.500V19H8zm5.500 0H16V19h-2.500z"
    case .close:
      "m6.400 5 5.600 5.600L17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600L6.400 19 5 17.600l5.600-5.600L5 6.400z"
    case .search:
      "M10.500 4a6.500 6.500 0 0 1 5.200 10.400l4.700 4.700-1.300 1.300-4.700-4.700A6.500 6.500 0 1 1 10.500 4zm0 1.900a4.600 4.600 0 1 0 0 9.200 4.600 4.600 0 0 0 0-9.200z"
    case .warning: "M12 3.500 22 20.500H2zM11 10v5h2v-5zm0 6.300v2h2v-2z"
    case .check: "m9.500 16.200-4-4L4 13.700l5.500 5.500L20.500 8 19 6.500z"
    case .copy: "M8 3h12v13h-3v5H4V8h4zm2 2v9h8V5zM6 10v9h9v-3H8v-6z"
    // marks of a screen: different shapes, so that colour says nothing that they do not
    case .air: "M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14z"
    case .dark: "M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm0 2a5 5 0 1 0 0 10 5 5 0 0 0 0-10z"
    case .away:
      "m6.400 5 5.600 5.600L17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600L6.400 19 5 17.600l5.600-5.600L5 6.400z"
    case .busy: "M12 5a7 7 0 0 1 0 14zM12 5v2a5 5 0 0 0 0 10v2a7 7 0 0 1 0-14z"
    case .screen: "M3 5h18v12H3zm2 2v8h14V7zm3 11h8v2H8z"
    }
  }

  /// The sign, decorative: words stand beside it, or name the button that it is in.
  var html: HTML {
    .element(
      "svg",
      [
        .class("glyph"), .hidden, HTML.Attribute("viewBox", "0 0 24 24"),
        HTML.Attribute("focusable", "false"),
      ],
      [.element("use", [.href("#g-\(rawValue)")], [])])
  }

  /// All signs, once a page.
  static var sprite: HTML {
    .element(
      "svg", [.class("sprite"), .hidden, HTML.Attribute("width", "0"), HTML.Attribute("height", "0")],
      allCases.map { glyph in
        .element(
          "symbol", [.id("g-\(glyph.rawValue)"), HTML.Attribute("viewBox", "0 0 24 24")],
          [
            .element(
              "path", [HTML.Attribute("d", "\(glyph.path)"), HTML.Attribute("fill-rule", "evenodd")], [])
          ])
      })
  }
}
