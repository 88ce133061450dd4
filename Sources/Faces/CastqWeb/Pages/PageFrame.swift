import CastProtocol
import CastqFeeding
import CastqOperations

/// What stands around every page: head, navigation, Cast button, mini controller, toasts and dialogs.
struct PageFrame {
  let context: PageContext

  /// A page of the rail. A page below one of them is a part of it.
  private struct Place {
    let title: HTML
    let path: StaticString
    let glyph: Glyph
    let isHere: (WebPage) -> Bool
  }

  private static var places: [Place] {
    [
      Place(title: "Now", path: "/", glyph: .screen) { page in
        if case .device = page { return true }
        return page == .screens
      }, Place(title: "Schedule", path: "/schedule", glyph: .calendar) { $0 == .schedule },
      Place(title: "Library", path: "/library", glyph: .library) { $0 == .library },
      Place(title: "Reports", path: "/reports", glyph: .bars) { $0 == .reports || $0 == .history },
    ]
  }

  /// The whole document.
  /// - Parameters:
  ///   - title: what the tab is called.
  ///   - templates: what scripts copy; the same functions made the rows of the page.
  func html(title: String, name: StaticString, _ content: HTML, templates: HTML = .none) -> String {
    HTML.document(language: "en", head: head(title), body: body(name, content, templates))
  }

  private func head(_ title: String) -> HTML {
    [
      .empty("meta", [.init("charset", "utf-8")]),
      .empty("meta", [.init("name", "viewport"), .init("content", "width=device-width, initial-scale=1")]),
      .empty("meta", [.init("name", "color-scheme"), .init("content", "light dark")]),
      .empty(
        "meta",
        [
          .init("name", "theme-color"), .init("content", "#f6f6f4"),
          .init("media", "(prefers-color-scheme: light)"),
        ]),
      .empty(
        "meta",
        [
          .init("name", "theme-color"), .init("content", "#121315"),
          .init("media", "(prefers-color-scheme: dark)"),
        ]),
      .element("title", [], ["\(title) · castq"]),
      .empty(
        "link", [.init("rel", "icon"), .init("type", "image/svg+xml"), .href(context.asset("icon.svg"))]),
      .empty("link", [.init("rel", "manifest"), .href(context.asset("manifest.webmanifest"))]),
      .empty(
        "link", [.init("rel", "stylesheet"), .href(context.asset(Self.sheet(of: context.page) ?? "app.css"))]),
      .element(
        "noscript", [],
        [.empty("link", [.init("rel", "stylesheet"), .href(context.asset("plain.css"))])]),
      context.face.style == nil
        ? .none : .empty("link", [.init("rel", "stylesheet"), .href(context.asset(WebAssets.style))]),
      .element("script", [.init("type", "module"), .init("src", context.asset("app.js"))], []),
      .init(
        modules.map {
          .empty("link", [.init("rel", "modulepreload"), .href(context.asset($0))])
        }),
    ]
  }

  /// What `app.js` will import: named here, so that a browser fetches all of it at once and not file by file as it reads them.
  private var modules: [String] {
    let own: [String] =
      switch context.page {
      case .screens where context.chosen == nil: ["wall.js"]
      case .screens, .device: ["wall.js", "controller.js", "queue.js"]
      case .schedule: ["lanes.js"]
      case .history: ["history-rows.js"]
      case .reports: ["reports.js"]
      case .library: ["library.js"]
      case .doctor, .settings, .login, .lost: []
      }
    return ["live.js", "store.js", "casting.js"] + own
  }

  /// The sheets that have the common look and that of a page.
  static let sheets = ["now.css", "schedule.css", "library.css", "reports.css"]

  /// The look of a page; nil is the common one alone.
  static func sheet(of page: WebPage) -> String? {
    switch page {
    case .screens, .device: "now.css"
    case .schedule: "schedule.css"
    case .library: "library.css"
    case .history, .reports: "reports.css"
    case .doctor, .settings, .login, .lost: nil
    }
  }

  private func body(_ name: StaticString, _ content: HTML, _ templates: HTML) -> HTML {
    .element(
      "body",
      [
        .init("data-page", "\(name)"), .init("data-device", pageDevice), .init("data-zone", context.zoneName),
        .init(
          "data-names",
          context.names.isEmpty ? nil : JSONValue.object(context.names.mapValues(JSONValue.string)).text),
        .init("data-role", context.role.rawValue), .init("data-assets", context.asset("")),
        .init("data-introduction", context.face.showsIntroduction ? nil : "off"),
        .init("data-opens", context.face.opensController ? "casting" : nil),
        .init("data-daemon", context.isOff ? "off" : nil),
      ],
      [
        Glyph.sprite, .a([.class("skip"), .href("#content")], "Skip to the content"), header, banner,
        .element("main", [.id("content"), .init("tabindex", "-1")], [context.notes, content, zone]), mini,
        .element(
          "castq-toasts",
          [.class("toasts"), .init("role", "status"), .init("aria-live", "polite"), .label("Messages")], []),
        chooser, introduction, shortcuts, templates,
      ])
  }

  /// Whose times they are. Settings and papers say it themselves.
  private var zone: HTML {
    switch context.page {
    case .screens, .device, .schedule, .history, .library, .doctor:
      .p(
        [.class("zone faint")], "Times are those of ", .foreign(context.zoneName),
        HTML(" (\(context.offsetText(at: context.now)))."))
    case .reports, .settings, .login, .lost: .none
    }
  }

  private var pageDevice: String? {
    guard case .device(let label) = context.page else { return nil }
    return context["status"]?["device"]?.string ?? label
  }

  private var header: HTML {
    func place(_ place: Place, _ more: String = "") -> HTML {
      .a(
        [
          .class("place\(more)"), .href("\(place.path)"),
          .init("aria-current", place.isHere(context.page) ? "page" : nil),
        ], place.glyph.html, .span([], place.title))
    }
    let settings = Place(title: "Settings", path: "/settings", glyph: .gear) {
      $0 == .settings || $0 == .doctor
    }
    return .element(
      "header", [.class("top")],
      [
        .a(
          [.class("brand"), .href("/"), .label("castq, all screens")], .element("i", [.hidden], []),
          .span([], "castq")),
        .element(
          "form",
          [.class("search"), .init("role", "search"), .init("action", searchPath), .init("method", "get")],
          [
            Glyph.search.html,
            .empty(
              "input",
              [
                .init("type", "search"), .init("name", "q"), .label("Search or do"),
                .init("placeholder", "Search or do"),
                .init("value", context.query["q"]), .init("autocomplete", "off"), .id("search"),
                .init("aria-keyshortcuts", "/"), .init("role", "combobox"), .init("aria-expanded", "false"),
                .init("aria-controls", "palette"), .init("aria-autocomplete", "list"),
              ]), .element("kbd", [.hidden], ["/"]),
            .element(
              "ul",
              [
                .class("palette"), .id("palette"), .init("role", "listbox"), .label("Found"),
                .init("hidden", if: true),
              ], []),
          ]),
        castButton, .element("nav", [.label("Pages")], Self.places.map { place($0) }),
        place(settings, " gear"),
      ])
  }

  /// Where the search field looks: on the page that it stands on, if that has rows, else among the screens.
  private var searchPath: String {
    switch context.page {
    case .device, .history, .library: context.path
    case .screens, .schedule, .reports, .doctor, .settings, .login, .lost: "/"
    }
  }

  /// The Cast button, always at the same place. Without a script it leads to the screens.
  private var castButton: HTML {
    .element(
      "castq-cast-button", [],
      [
        .a(
          [
            .class("cast"), .href("/"), .init("role", "button"), .init("aria-haspopup", "dialog"),
            .init("data-state", "disconnected"), .part("button"),
          ],
          Glyph.cast.html, Glyph.casting.html,
          .span([.part("words")], "Cast")),
        .span([.class("visually-hidden"), .part("announced"), .init("role", "status")]),
      ])
  }

  /// What is wrong with castq itself, and what to do about it.
  private var banner: HTML {
    .div(
      [.class("banner")],
      .element(
        "div", [.id("connection"), .init("role", "status")],
        [
          .element(
            "p", [.init("hidden", if: !context.isOff), .part("words")],
            context.isOff ? ["castq is not running: nothing new starts."] : [])
        ]), StartForm(context: context).html)
  }

  private var canAct: Bool { context.role >= .operate }

  private var mini: HTML {
    .element(
      "castq-mini",
      [.class("mini"), .init("role", "region"), .label("Mini controller"), .init("hidden", if: true)],
      [
        .element(
          "progress",
          [.class("line"), .init("max", "1000"), .init("value", "0"), .part("progress"), .label("Progress")],
          []),
        .a(
          [.class("what"), .href("/"), .part("open")],
          .element("span", [.class("art"), .part("art"), .hidden], [Glyph.screen.html]),
          .element(
            "span", [.class("words")],
            [
              .element("bdi", [.class("title"), .part("title")], []),
              .element("bdi", [.class("subtitle"), .part("subtitle")], []),
            ])),
        .span([.class("times"), .part("times")]),
        canAct
          ? .button(
            [.class("icon"), .part("act"), .label("Pause"), .init("data-act", "true")],
            Glyph.play.html, Glyph.pause.html, Glyph.stop.html) : .none,
        canAct
          ? .button(
            [.class("icon"), .part("skip"), .label("Next"), .init("data-act", "true")], Glyph.next.html)
          : .none,
        canAct
          ? .empty(
            "input",
            [
              .init("type", "range"), .init("min", "0"), .init("max", "100"), .part("volume"),
              .label("Volume"), .init("data-act", "true"),
            ]) : .none,
      ])
  }

  private var chooser: HTML {
    PageDialog(id: "chooser", title: "Cast to").html(
      .element("div", [.part("connected"), .init("hidden", if: true)], [connected]),
      .element("ul", [.class("choices"), .part("list")], []),
      .element("p", [.class("faint"), .part("none"), .init("hidden", if: true)], []),
      .element("p", [.class("faint"), .part("step"), .init("role", "status")], []),
      .element(
        "template", [.id("choice")],
        [
          .element(
            "li", [],
            [
              .button(
                [.class("choice"), .part("choose")], Glyph.screen.html,
                .span(
                  [.class("words")], .element("bdi", [.class("title"), .part("name")], []),
                  .element("bdi", [.class("subtitle"), .part("casting")], []))),
              canAct
                ? .button(
                  [.class("plain"), .part("move"), .init("data-act", "true"), .init("hidden", if: true)],
                  "Move here") : .none,
            ])
        ]))
  }

  /// The controller in the chooser, for a device that is connected.
  private var connected: HTML {
    [
      .div(
        [.class("now")], .element("span", [.class("art"), .part("art"), .hidden], [Glyph.screen.html]),
        .span(
          [.class("words")], .element("bdi", [.class("title"), .part("title")], []),
          .element("bdi", [.class("subtitle"), .part("subtitle")], []))),
      .element(
        "label", [.class("volume")],
        [
          .span([], "Volume"),
          .empty(
            "input",
            [
              .init("type", "range"), .init("min", "0"), .init("max", "100"), .part("volume"),
              .init("data-act", "true"), .init("disabled", if: !canAct),
            ]),
          .element("output", [.part("level")], []), .span([.class("faint"), .part("configured")]),
        ]),
      .div(
        [.class("row")],
        canAct ? .button([.part("toggle"), .init("data-act", "true")], "Pause") : .none,
        .a([.class("button"), .href("/"), .part("open")], "Open the controller")),
      .div(
        [.class("row")],
        canAct
          ? .button([.part("quit"), .class("plain danger"), .init("data-act", "true")], "Stop casting")
          : .none,
        .button([.part("leave"), .class("plain")], "Disconnect")),
    ]
  }

  private var introduction: HTML {
    .div(
      [
        .class("introduction"), .id("introduction"), .init("popover", "manual"), .init("role", "dialog"),
        .init("aria-labelledby", "introduction-title"),
      ],
      .h2([.id("introduction-title")], "A screen is near"),
      .p([], "Touch the Cast button to choose where to play."),
      .button([.part("dismiss")], "Got it"))
  }

  private static let keys: [(keys: HTML, does: HTML)] = [
    ("space  k", "play or pause"), ("j  l", "10 s back, 10 s ahead"), ("n  p", "next, previous"),
    ("s", "stop, and keep the queue"), ("[  ]  =", "slower, faster, normal"),
    ("-  +  m", "quieter, louder, mute"),
    ("t", "speed and tracks"), ("x", "skip the ad"), ("D", "choose a device"), ("P", "plan"),
    ("w", "why this is shown"),
    ("L", "history"), ("/", "search"), (".", "go to the entry that plays"),
    ("u", "undo a change of the queue"),
    ("↑  ↓  g  G", "among the entries of a queue: up, down, first, last"),
    ("Alt ↑  Alt ↓  K  J", "move the entry"), ("Enter", "play the entry"), ("Delete  d", "remove the entry"),
    ("?", "this list"),
  ]

  private var shortcuts: HTML {
    PageDialog(id: "shortcuts", title: "Keys").html(
      .element(
        "dl", [.class("keys")],
        Self.keys.flatMap {
          [HTML.element("dt", [], [.element("kbd", [], [$0.keys])]), .element("dd", [], [$0.does])]
        }),
      .element(
        "label", [.class("check")],
        [.empty("input", [.init("type", "checkbox"), .part("letters")]), " Single letters are shortcuts"]))
  }
}
