import CastProtocol
import CastqOperations

/// The queue of a device. The first rows are part of the page, and a script begins with them; it shows any number of rows with few
/// elements.
struct QueueList {
  let context: PageContext
  let label: String

  /// Rows that a page has before its script asks for others: what fits on a tall screen, and no more elements than a page may have.
  static let page = 40

  private var document: JSONValue? { context["queue"] }
  private var entries: [JSONValue] { document?["entries"]?.array ?? [] }
  private var total: Int { document?["total"]?.int ?? document?["count"]?.int ?? entries.count }
  private var canAct: Bool { context.role >= .operate }

  var html: HTML {
    .element(
      "castq-queue",
      [
        .class("queue"), .init("data-device", label), .init("data-total", "\(total)"),
        .init("data-version", document?["version"]?.int.map { "\($0)" }),
        .init("data-from", document?["from"]?.int.map { "\($0)" }),
        .init("data-repeat", document?["repeat"]?.string),
        .init("data-shuffle", document?["shuffle"]?.bool == true ? "true" : nil),
      ],
      [
        head,
        .div(
          [.class("rows"), .part("scroll"), .init("tabindex", "-1")],
          .element(
            "ol", [.part("rows"), .label("Queue")],
            entries.prefix(Self.page).map { Self.row($0, context: context, label: label) })),
        .p([.class("faint"), .part("empty"), .init("hidden", if: total > 0)], "Nothing is queued."),
        canAct ? testCard : .none,
        total > Self.page ? .element("noscript", [], [pages]) : .none,
        .p([.class("visually-hidden"), .part("spoken"), .init("aria-live", "polite")]),
        .p([.class("queue-end"), .part("end"), .init("hidden", if: total == 0)], ""),
        canAct ? menu : .none, canAct ? add : .none,
      ])
  }

  private var head: HTML {
    let repeats = document?["repeat"]?.string ?? "off"
    return .div(
      [.class("queue-head")],
      .p([.part("count")], HTML(Self.count(total))),
      .empty(
        "input",
        [
          .init("type", "search"), .part("find"), .label("Find in the queue"),
          .init("placeholder", "Find"), .init("autocomplete", "off"), .init("hidden", if: total < 12),
        ]),
      canAct ? .div([.class("row")], .init(orders(repeats))) : .none)
  }

  /// A form each, since each has members of its own.
  private func orders(_ repeats: String) -> [HTML] {
    func order(
      _ verb: StaticString, _ member: StaticString?, _ value: String, _ attributes: [HTML.Attribute],
      _ title: HTML
    ) -> HTML {
      PostForm(context: context, what: "command", device: label).html(
        [],
        [
          member.map {
            .empty("input", [.init("type", "hidden"), .init("name", "\($0)"), .init("value", value)])
          } ?? .none,
          .submit(
            [.init("name", "verb"), .init("value", "\(verb)"), .init("data-act", "true")] + attributes, title),
        ])
    }
    let isShuffled = document?["shuffle"]?.bool == true
    return [
      order(
        "shuffle", "on", isShuffled ? "false" : "true",
        [.class("plain"), .part("shuffle"), .init("aria-pressed", isShuffled ? "true" : "false")], "Shuffle"),
      order(
        "repeat", "mode", repeats == "off" ? "all" : "off",
        [.class("plain"), .part("repeat"), .init("aria-pressed", repeats == "off" ? "false" : "true")],
        "Repeat"),
      order("clear", nil, "", [.class("plain danger")], "Clear"),
      .button(
        [.class("plain"), .part("undo"), .init("hidden", if: true), .init("data-act", "true")], "Undo"),
    ]
  }

  /// For those who have nothing to play yet.
  private var testCard: HTML {
    PostForm(context: context, what: "enqueue", device: label).html(
      [.class("empty"), .part("first"), .init("hidden", if: total > 0)],
      [
        .p([], "Add an address, a file or a list below, or see whether the screen works:"),
        .empty(
          "input",
          [.init("type", "hidden"), .init("name", "sources"), .init("value", TestCard.source)]),
        .empty("input", [.init("type", "hidden"), .init("name", "play"), .init("value", "true")]),
        .submit([.class("primary"), .init("data-act", "true")], "Play the test film"),
      ])
  }

  static func count(_ total: Int) -> String { total == 1 ? "1 entry" : "\(total) entries" }

  private var pages: HTML {
    let from = context.query["from"].flatMap { Int($0) } ?? 0
    return .p(
      [.class("row")],
      from > 0
        ? .a([.href(context.address(with: ["from": "\(max(from - Self.page, 0))"]))], "Earlier") : .none, " ",
      from + Self.page < total
        ? .a([.href(context.address(with: ["from": "\(from + Self.page)"]))], "Later") : .none)
  }

  /// What scripts copy for a row.
  static func template(_ context: PageContext) -> HTML {
    .element(
      "template", [.id("entry")], [row(["title": "", "state": "pending"], context: context, label: nil)])
  }

  /// - Parameter label: the device, for the forms of a page without script; nil for none.
  static func row(_ entry: JSONValue, context: PageContext, label: String?) -> HTML {
    let canAct = context.role >= .operate
    let title = entry["title"]?.string ?? entry["url"]?.string ?? ""
    let state = entry["state"]?.string ?? ""
    let number = entry["entry"]?.int
    let problem = entry["failure"]?["message"]?.string
    let noScript: HTML
    if let label, let number, canAct {
      noScript = .element("noscript", [], [forms(context, label, number)])
    } else {
      noScript = .none
    }
    return .element(
      "li",
      [
        .class("entry"), .init("data-entry", number.map { "\($0)" }), .init("data-state", state),
        .init("tabindex", "-1"),
      ],
      [
        .span([.class("grip"), .part("grip"), .hidden], Glyph.grip.html),
        .span(
          [.class("art"), .part("art"), .hidden], Artwork(document: entry, width: 160, glyph: .film).html),
        .span(
          [.class("visually-hidden"), .part("position")], HTML(entry["position"]?.int.map { "\($0)" } ?? "")),
        .element("bdi", [.class("title"), .part("title")], [HTML(title)]),
        .span(
          [.class("word"), .part("state"), .init("title", problem)],
          .foreign(problem.map { "\(word(state)): \($0)" } ?? second(entry, state))),
        .span([.class("length"), .part("length")], HTML(PageLength.clock(entry["duration_s"]?.double))),
        canAct
          ? .button(
            [
              .class("icon"), .part("menu"), .label("Actions for \(title)"), .init("aria-haspopup", "true"),
              .init("data-act", "true"),
            ],
            Glyph.more.html) : .none, noScript,
      ])
  }

  private static func forms(_ context: PageContext, _ label: String, _ entry: Int) -> HTML {
    let number = HTML.empty(
      "input", [.init("type", "hidden"), .init("name", "entry"), .init("value", "\(entry)")])
    return [
      PostForm(context: context, what: "command", device: label).html(
        [], [number, .submit([.init("name", "verb"), .init("value", "play")], "Play")]),
      PostForm(context: context, what: "remove", device: label).html([], [number, .submit([], "Remove")]),
    ]
  }

  /// What is said of a row: what waits for its turn needs no word.
  static func word(_ state: String) -> String {
    switch state {
    case "playing": "Playing"
    case "finished": "Played"
    case "failed": "Failed"
    default: ""
    }
  }

  /// The second line of a row.
  private static func second(_ entry: JSONValue, _ state: String) -> String {
    [word(state), entry["subtitle"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private static let acts: [(act: StaticString, title: HTML)] = [
    ("play", "Play now"), ("up", "Move up"), ("down", "Move down"), ("top", "Move to the top"),
    ("next", "Play next"), ("position", "Move to position…"), ("why", "When and why?"), ("remove", "Remove"),
  ]

  /// One menu for all rows.
  private var menu: HTML {
    [
      .element(
        "div",
        [
          .class("menu"), .id("entry-menu"), .init("popover", "auto"), .init("role", "menu"),
          .label("Actions"),
        ],
        Self.acts.map {
          .button(
            [.init("role", "menuitem"), .init("data-do", "\($0.act)"), .init("tabindex", "-1")], $0.title)
        }),
      .element(
        "dialog", [.id("position-dialog"), .init("aria-labelledby", "position-title")],
        [
          .element(
            "form", [.init("method", "dialog")],
            [
              .h2([.id("position-title")], "Move to position"),
              .element(
                "label", [],
                [
                  "Position",
                  .empty(
                    "input",
                    [
                      .init("type", "number"), .init("min", "1"), .init("required", if: true),
                      .init("name", "position"), .init("inputmode", "numeric"),
                    ]),
                ]),
              .div(
                [.class("row")], .submit([.class("primary"), .init("value", "move")], "Move"),
                .submit([.class("plain"), .init("value", ""), .init("formnovalidate", if: true)], "Cancel")),
            ])
        ]),
    ]
  }

  private var add: HTML {
    let mistake = context.mistake(in: "enqueue")
    return PostForm(context: context, what: "enqueue", device: label).html(
      [.class("add"), .id("add")],
      [
        .element(
          "label", [],
          [
            .span([.class("visually-hidden")], "Address or file to add"),
            .empty(
              "input",
              [
                .init("name", "sources"), .init("required", if: true),
                .init("placeholder", "Add from the library, an address, a file or a list"),
                .init("autocomplete", "off"), .init("data-act", "true"), .init("role", "combobox"),
                .init("aria-expanded", "false"), .init("aria-controls", "addable"),
                .init("aria-autocomplete", "list"),
              ] + (mistake?.attributes("sources") ?? [])),
          ]),
        .element(
          "ul",
          [
            .class("palette"), .id("addable"), .init("role", "listbox"), .label("Of the library"),
            .init("hidden", if: true),
          ], []),
        .submit(
          [.class("primary"), .init("name", "play"), .init("value", "true"), .init("data-act", "true")],
          "Play"),
        .submit([.init("name", "at"), .init("value", "next"), .init("data-act", "true")], "Next"),
        .submit([.init("name", "at"), .init("value", "end"), .init("data-act", "true")], "Add"),
        mistake?.html ?? .none,
      ])
  }
}
