import CastProtocol
import CastqOperations

/// `/history`: what was played, newest first, live.
struct HistoryPage {
  let context: PageContext

  func html() -> String {
    let content: HTML = [
      .div([.class("page-head")], .h1([], "History")), filters, context.failure("history"),
      HistoryTable(context: context, showsDevice: true).html,
      .div([.class("paper-foot")], CommandLine(command).button),
    ]
    return PageFrame(context: context).html(title: "History", name: "history", content)
  }

  private var command: [String] {
    var words = context.query.all("device").filter { !$0.isEmpty }.flatMap { ["-d", $0] } + ["history"]
    for name in ["since", "until", "outcome", "limit", "tz"] {
      if let value = context.query[name], !value.isEmpty { words += ["--\(name)", value] }
    }
    return words
  }

  private var filters: HTML {
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    let outcomes = ["finished", "interrupted", "cancelled", "skipped", "failed", "unknown"]
    func select(
      _ title: HTML, _ name: StaticString, _ values: [String], _ words: (String) -> String = { $0 }
    ) -> HTML {
      let chosen = context.query["\(name)"] ?? ""
      return .element(
        "label", [],
        [
          .span([], title),
          .element(
            "select", [.init("name", "\(name)")],
            [.element("option", [.init("value", "")], ["all"])]
              + values.map {
                .element(
                  "option", [.init("value", $0), .init("selected", if: $0 == chosen)], [HTML(words($0))])
              }),
        ])
    }
    return .element(
      "form",
      [
        .class("filters"), .init("method", "get"), .init("action", "/history"), .init("data-filters", "true"),
      ],
      [
        select("Screen", "device", devices) { context.name(of: $0) }, select("Outcome", "outcome", outcomes),
        context.field("Since", "since", "yesterday"),
        context.field("Until", "until", "now"), context.field("Zone", "tz", context.zoneName),
        .submit([], "Show"),
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
    let plays = Array(plays.prefix(500)).sorted { newest($0) > newest($1) }
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

  private func newest(_ play: JSONValue) -> String {
    play["ended_at"]?.string ?? play["started_at"]?.string ?? ""
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
    return .element(
      "tr", [.init("data-play", play["play"]?.int.map { "\($0)" }), .init("data-outcome", outcome)],
      [
        cell(
          "Started", [.part("started")],
          context.time(play["started_at"]?.string ?? play["ended_at"]?.string, withSeconds: true)),
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
