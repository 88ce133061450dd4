/// Drawn signs: symbols of the page itself, so that no font has to have them.
enum Glyph: String, CaseIterable {
  case cast, casting, play, pause, stop, next, previous, volume, mute, more, grip, close, search, warning,
    check, copy
  case air, dark, away, busy, screen, speaker
  case calendar, library, bars, gear, add, bell, film, note, tracks, speed, back, ahead, move, printer, shield

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
    case .speaker:
      "M6 3h12v18H6zm2 2v14h8V5zm4 1.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3zm0 4.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zm0 2a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z"
    case .calendar: "M7 3h2v2h6V3h2v2h3v15H4V5h3zM6 10v8h12v-8zM6 7v1h12V7z"
    case .library: "M3 4h12v3h6v13H9v-3H3zm2 2v9h8V6zm10 3v8h-4v1h8V9z"
    case .bars: "M4 11h3.500v9H4zM10.250 4h3.500v16h-3.500zM16.500 8H20v12h-3.500z"
    case .gear:
      "M10.500 2.500h3l.5 2.600 2 .9 2.200-1.500 2.100 2.100-1.500 2.200.9 2 2.600.5v3l-2.600.5-.9 2 1.500 2.200-2.100 2.100-2.200-1.500-2 .9-.5 2.600h-3l-.5-2.600-2-.9-2.200 1.500-2.100-2.100 1.500-2.200-.9-2-2.600-.5v-3l2.600-.5.9-2-1.500-2.200 2.100-2.100L8 6l2-.9zM12 8.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z"
    case .add: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z"
    case .bell:
      "M12 3a6 6 0 0 1 6 6v4.500l2 3V18H4v-1.500l2-3V9a6 6 0 0 1 6-6zm0 2a4 4 0 0 0-4 4v5.100L6.700 16h10.600L16 14.100V9a4 4 0 0 0-4-4zm-2 14h4a2 2 0 0 1-4 0z"
    case .film:
      "M3 5h18v14H3zm2 2v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zm12-8v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zM9 7v10h6V7z"
    case .note: "M9 4h11v12.500a3 3 0 1 1-2-2.800V8h-7v9.500a3 3 0 1 1-2-2.800z"
    case .tracks: "M3 5h18v14H3zm2 2v10h14V7zm1.500 5h5v2h-5zm6.500 0h4.500v2H13z"
    case .speed:
      "M12 5a9 9 0 0 1 7.800 13.500l-1.700-1A7 7 0 1 0 5.900 17.500l-1.700 1A9 9 0 0 1 12 5zm4.500 4.500-3 5.300a1.700 1.700 0 1 1-2.300-2.300z"
    case .back: "M12 5V2L7 6l5 4V7a5.500 5.500 0 1 1-5.500 5.500h-2A7.500 7.500 0 1 0 12 5z"
    case .ahead: "M12 5V2l5 4-5 4V7a5.500 5.500 0 1 0 5.500 5.500h2A7.500 7.500 0 1 1 12 5z"
    case .move: "M13 5l7 7-7 7v-4H4V9h9z"
    case .printer: "M7 3h10v4H7zM3 8h18v9h-3v4H6v-4H3zM8 14v5h8v-5z"
    case .shield:
      "M12 2.500 20 6v5.500c0 5-3.500 8.500-8 10-4.500-1.500-8-5-8-10V6zM10.800 15.900l5.600-5.600-1.400-1.400-4.200 4.200-2-2-1.400 1.400z"
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
