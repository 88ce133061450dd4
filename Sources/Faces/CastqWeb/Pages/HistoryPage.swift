import CastProtocol
import CastqOperations
import CastqText

/// `/history`: what was played, newest first, live.
struct HistoryPage {
  let context: PageContext

  func html() -> String {
    let content: HTML = [
      .div([.class("page-head")], .h1([], "History")), ranges, filters, context.failure("history"),
      HistoryTable(context: context, showsDevice: true).html,
      .div([.class("paper-foot")], CommandLine(command).button),
    ]
    return PageFrame(context: context).html(title: "History", name: "history", content)
  }

  private var asked: HistoryQuery { HistoryQuery(context.query, today: context.today) }

  private var command: [String] {
    var words = asked.device.map { ["-d", $0] } ?? []
    words.append("history")
    for value in asked.options.values where value.name != "device" {
      words += ["--\(value.name)", value.value]
    }
    return words
  }

  private var ranges: HTML {
    let asked = asked
    return TimeChips(
      chosen: asked.range, anyTime: asked.address(nil),
      isAnyTime: !asked.options.values.contains { ["since", "until"].contains($0.name) }
    ) { asked.address($0) }.html
  }

  /// Outcomes in a reader's words, with what each says where two are called alike.
  private static let outcomes: [(value: String, words: HTML)] = [
    ("finished", "Complete"), ("interrupted", "Cut short: something else began"),
    ("cancelled", "Cut short: stopped"), ("skipped", "Skipped"),
    ("failed", "Failed"), ("unknown", "Not known"),
  ]

  private var filters: HTML {
    let asked = asked
    func day(_ title: HTML, _ name: String, _ value: String?) -> HTML {
      .element(
        "label", [],
        [
          .span([], title),
          .empty("input", [.init("type", "date"), .init("name", name), .init("value", value)]),
        ])
    }
    func hidden(_ name: String, _ value: String) -> HTML {
      .empty("input", [.init("type", "hidden"), .init("name", name), .init("value", value)])
    }
    func option(_ value: String, _ words: HTML) -> HTML {
      .element(
        "option", [.init("value", value), .init("selected", if: value == (asked.outcome ?? ""))], [words])
    }
    var kept = asked.former
    kept += context.query.values.filter { ["tz", "limit"].contains($0.name) && !$0.value.isEmpty }
    return .element(
      "form",
      [
        .class("filters"), .init("method", "get"), .init("action", "/history"), .init("data-filters", "true"),
      ],
      kept.map { hidden($0.name, $0.value) } + [
        ScreenChoice(context: context, chosen: asked.device).html,
        .element(
          "label", [],
          [
            .span([], "Outcome"),
            .element(
              "select", [.init("name", "outcome")],
              [option("", "All outcomes")] + Self.outcomes.map { option($0.value, $0.words) }),
          ]),
        day("From", "from", asked.first?.text), day("To", "to", asked.last?.text),
        .element(
          "label", [],
          [
            .span([], "Title"),
            .empty(
              "input",
              [
                .init("type", "search"), .init("name", "q"), .init("value", asked.words),
                .init("placeholder", "A word of it"), .init("autocomplete", "off"),
              ]),
          ]), .submit([], "Show"),
      ])
  }
}

/// Rows of the history.
struct HistoryTable {
  let context: PageContext
  let showsDevice: Bool

  private var plays: [JSONValue] {
    let plays =
      context["history"]?.array ?? context["history"]?["plays"]?.array ?? context["history"]?["history"]?
      .array ?? []
    guard let wanted = context.query["q"]?.lowercased(), !wanted.isEmpty else { return plays }
    return plays.filter { ($0["title"]?.string ?? "").lowercased().contains(wanted) }
  }

  var html: HTML {
    let plays = plays.suffix(500).reversed()
    return .element(
      "castq-history",
      [.class("history"), .init("data-device", showsDevice ? context.query["device"] : context.device)],
      [
        .p(
          [
            .class("faint"), .part("empty"),
            // What could not be looked up is not known to be nothing.
            .init("hidden", if: !plays.isEmpty || context.failures["history"] != nil),
          ],
          "Nothing was played in this time."),
        .div(
          [.class("scroll"), .init("tabindex", "0"), .init("role", "region"), .label("History")],
          .element(
            "table", [.class("rows-table"), .init("hidden", if: plays.isEmpty), .part("table")],
            [
              .element(
                "thead", [],
                [
                  .element(
                    "tr", [],
                    (["Started"] + (showsDevice ? ["Screen"] : []) + ["Title", "Shown", "Outcome", "Rule"])
                      .map {
                        .element(
                          "th", [.init("scope", "col"), .init("class", $0 == "Shown" ? "number" : nil)], [$0])
                      })
                ]), .element("tbody", [.part("rows")], plays.map(row)),
            ])),
        .element("template", [.id("play")], [row([:])]),
      ])
  }

  /// An outcome in a reader's words.
  static func words(_ outcome: String) -> String {
    switch outcome {
    case "finished": "complete"
    case "interrupted", "cancelled": "cut short"
    case "playing": "on now"
    default: outcome
    }
  }

  /// The receiver's own words, for whoever looks for them.
  private func codes(_ play: JSONValue) -> HTML {
    guard play["receiver"]?.object != nil, let reason = play["reason"]?.string else { return .none }
    return .element(
      "details", [.class("codes")],
      [.element("summary", [], ["Details"]), .span([.class("faint")], .foreign(reason))])
  }

  private func row(_ play: JSONValue) -> HTML {
    func cell(_ label: String, _ attributes: [HTML.Attribute] = [], _ content: HTML) -> HTML {
      .element("td", [.init("data-label", label)] + attributes, [content])
    }
    let outcome = play["outcome"]?.string ?? "playing"
    let device = play["device"]?.string ?? ""
    // A play that failed before its first picture has no beginning.
    let moment = play["started_at"]?.string ?? play["ended_at"]?.string
    return .element(
      "tr",
      [
        .init("data-play", play["play"]?.int.map { "\($0)" }), .init("data-outcome", outcome),
        .init("data-at", moment),
      ],
      [
        cell("Started", [.part("started")], context.time(moment, withSeconds: true)),
        showsDevice
          ? cell(
            "Screen", [],
            .a(
              [.href(PageAddress.device(device)), .part("device-link")],
              .foreign(context.name(of: device), part: "device")))
          : .none, cell("Title", [.class("wide-cell")], .foreign(play["title"]?.string ?? "", part: "title")),
        cell("Shown", [.class("number"), .part("played")], HTML(PageLength.clock(play["played_s"]?.double))),
        cell(
          "Outcome", [],
          [
            .span([.class("tag"), .part("outcome")], HTML(Self.words(outcome))), " ",
            .span([.class("faint")], .foreign(play["explanation"]?.string ?? "", part: "explanation")), " ",
            codes(play),
          ]), cell("Rule", [], .foreign(play["schedule"]?.string ?? "", part: "schedule")),
      ])
  }
}
