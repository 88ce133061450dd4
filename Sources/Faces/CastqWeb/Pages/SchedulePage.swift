import CastProtocol
import CastqOperations
import CastqText

/// `/schedule`: the plan as lanes, why, and the rules.
struct SchedulePage {
  let context: PageContext

  func html() -> String {
    let content: HTML = [
      .div([.class("page-head")], .h1([], "Schedule"), ranges), isEmpty ? empty : context.failure("plan"),
      context["plan"].map { LaneChart(context: context, plan: $0).html } ?? .none, legend,
      .element("div", [.id("why"), .init("aria-live", "polite")], [why]), issues, rules, shares,
      .element(
        "details", [.class("panel")],
        [
          .element("summary", [], ["The plan as a table"]),
          PlanList(context: context, showsDevice: true).html,
        ]),
      CommandLine(command).html,
    ]
    return PageFrame(context: context).html(title: "Schedule", name: "schedule", content)
  }

  /// Whether no screen is known at all.
  private var isEmpty: Bool {
    context.failures["plan"]?.exit == .deviceUnknown && context["devices"]?["devices"]?.array?.isEmpty == true
  }

  private var empty: HTML {
    .section(
      [.class("empty")], Glyph.screen.html, .h2([], "No screen is known yet"),
      .p([], "What plays when is planned as soon as there is a screen."),
      .a([.class("button"), .href("/")], "Add a screen"))
  }

  private var command: [String] {
    var words = ["plan"]
    for name in ["from", "to", "tz"] { if let value = context.query[name] { words += ["--\(name)", value] } }
    for device in context.query.all("device") where !device.isEmpty { words = ["-d", device] + words }
    return words
  }

  // MARK: the range

  private var ranges: HTML {
    let today = context.zone.localTime(at: context.now).date
    let from = context.query["from"].flatMap { try? LocalDate(String($0.prefix(10))) }
    let to = context.query["to"].flatMap { try? LocalDate(String($0.prefix(10))) }
    let length = from.flatMap { from in to.map { max($0.number - from.number, 1) } }
    func range(_ start: LocalDate, _ days: Int) -> String {
      context.address(with: ["from": start.text, "to": start.advanced(by: days).text, "why": nil])
    }
    let monday = (from ?? today).advanced(by: -(((from ?? today).number + 3) % 7 + 7) % 7)
    let span = length ?? 1
    return .element(
      "div", [.class("row")],
      [
        .element(
          "nav", [.class("chips"), .label("Range")],
          [
            .a(
              [
                .href(context.address(with: ["from": nil, "to": nil, "why": nil])),
                .init("aria-current", from == nil ? "true" : nil),
              ], "Next 24 h"),
            .a([.href(range(from ?? today, 1)), .init("aria-current", length == 1 ? "true" : nil)], "Day"),
            .a([.href(range(monday, 7)), .init("aria-current", length == 7 ? "true" : nil)], "Week"),
            .a([.href(range((from ?? today).advanced(by: -span), span))], "Earlier"),
            .a([.href(range((from ?? today).advanced(by: span), span))], "Later"),
          ]), zoneForm,
      ])
  }

  private var zoneForm: HTML {
    let kept = ["from", "to", "device"].flatMap { name in
      context.query.all(name).map {
        HTML.empty("input", [.init("type", "hidden"), .init("name", name), .init("value", $0)])
      }
    }
    return .element(
      "form", [.class("inline"), .init("method", "get"), .init("action", "/schedule")],
      kept + [
        .element(
          "label", [],
          [
            .span([], "Zone"),
            .empty(
              "input", [.init("name", "tz"), .init("value", context.zoneName), .init("autocomplete", "off")]),
          ]),
        .submit([.class("plain")], "Show"),
      ])
  }

  private var legend: HTML {
    .element(
      "ul", [.class("legend"), .hidden],
      (["rule", "share", "announcement", "base", "dark"] as [StaticString]).map { kind in
        .element("li", [.init("data-kind", "\(kind)")], [.span([.class("swatch")]), HTML("\(kind)")])
      })
  }

  // MARK: why

  private var why: HTML {
    let failure = context.failure("why")
    guard let why = context["why"] else { return failure }
    return .section([.class("panel open"), .label("Why")], WhyList(context: context, document: why).html)
  }

  private var issues: HTML {
    let issues = context.list("plan", "issues")
    guard !issues.isEmpty else { return .none }
    return .section(
      [.class("panel open")], .h2([], "What to look at, times in \(context.zoneName)"),
      .element(
        "ul", [.class("issues")],
        issues.prefix(50).map { issue in
          .element(
            "li", [],
            [
              Glyph.warning.html, .foreign(context.name(of: issue["device"]?.string)), " ",
              .foreign(issue["message"]?.string ?? issue["kind"]?.string ?? ""),
            ])
        }))
  }

  // MARK: rules

  private var rules: HTML {
    let rules = context.list("rules", "rules")
    return .section(
      [.class("panel open")], .h2([], "Rules"), context.failure("rules"),
      rules.isEmpty
        ? .p([.class("faint")], "No rule yet. A rule says which programme is on which screens, and when.")
        : .element("ul", [.class("rules")], rules.prefix(500).map(rule)),
      context.role < .edit ? .none : [RuleForm(context: context).html, occurrence])
  }

  /// Shares of the time on the air, which the plan only names as such.
  private var shares: HTML {
    let shares = context.list("shares", "shares")
    guard !shares.isEmpty || context.failures["shares"] != nil else { return .none }
    return .section(
      [.class("panel open")], .h2([], "Shares"), context.failure("shares"),
      .element("ul", [.class("rules"), .id("shares")], shares.prefix(500).map(share)),
      CommandLine(["share", "ls"]).html)
  }

  private func share(_ share: JSONValue) -> HTML {
    let terms = [
      share["per_hour_s"]?.int.map { "\($0) s an hour" },
      share["max_plays"]?.int.map { "at most \($0) plays" },
      share["min_gap_s"]?.int.map { "at least \($0) s apart" },
      [share["form"]?.string, share["expression"]?.string].compactMap(\.self).joined(separator: " "),
    ].compactMap(\.self).joined(separator: ", ")
    return .element(
      "li", [.class("rule"), .init("data-share", share["rule"]?.string)],
      [
        .div(
          [], .element("strong", [], [.foreign(share["rule"]?.string ?? "")]), " ",
          .foreign(share["programme"]?.string ?? ""), " on ",
          .foreign(context.name(of: share["device"]?.string))),
        .div([.class("faint")], .foreign(terms)),
      ])
  }

  private func rule(_ rule: JSONValue) -> HTML {
    let name = rule["rule"]?.string ?? ""
    let isEnabled = rule["enabled"]?.bool != false
    let next = rule["next_at"]?.string
    let words = [rule["form"]?.string ?? "", rule["expression"]?.string ?? ""].filter { !$0.isEmpty }.joined(
      separator: " ")
    return .element(
      "li", [.class("rule"), .init("data-rule", name), .init("data-off", isEnabled ? nil : "true")],
      [
        .div(
          [], .element("strong", [], [.foreign(name)]), " ", .foreign(rule["programme"]?.string ?? ""),
          " on ",
          .foreign(context.name(of: rule["device"]?.string)),
          isEnabled ? .none : .span([.class("tag")], "off")),
        .div(
          [.class("faint")], .foreign(words), ", priority ", HTML("\(rule["priority"]?.int ?? 0)"), ", ",
          .foreign(rule["tz"]?.string ?? "zone of the screen"),
          next.map { ["; next ", context.time($0)] } ?? .none),
        context.role < .edit ? .none : ruleActs(name, rule, isEnabled),
      ])
  }

  private func ruleActs(_ name: String, _ rule: JSONValue, _ isEnabled: Bool) -> HTML {
    let next = rule["next"]?.string
    func hidden(_ name: String, _ value: String?) -> HTML {
      value.map { .empty("input", [.init("type", "hidden"), .init("name", name), .init("value", $0)]) }
        ?? .none
    }
    func act(_ value: String, _ label: String, _ title: HTML) -> HTML {
      .submit([.class("plain"), .init("name", "do"), .init("value", value), .label(label)], title)
    }
    let moving: HTML = [
      act("skip", "Skip the next time of \(name)", "Skip next"),
      .button(
        [.class("plain"), .init("data-move", "true"), .label("Move the next time of \(name)")], "Move next…"),
      // Without script the new time is written beside it.
      .element(
        "noscript", [],
        [
          .empty(
            "input",
            [
              .init("type", "datetime-local"), .init("name", "to"), .label("New time of \(name)"),
              .init("value", context.written("to", in: "move-to", of: name) ?? rule["next"]?.string),
            ]), act("move-to", "Move the next time of \(name)", "Move next"),
        ]),
    ]
    return .element(
      "form",
      [
        .class("row"), .init("method", "post"), .init("action", "/do"), .init("data-rule-form", name),
      ],
      [
        hidden("rule", name), hidden("back", "/schedule"), hidden("occurrence", next),
        next == nil ? .none : moving,
        act(
          isEnabled ? "disable" : "enable", isEnabled ? "Switch \(name) off" : "Switch \(name) on",
          isEnabled ? "Switch off" : "Switch on"),
      ])
  }

  /// One dialog for a time that is skipped or moved: what changes is shown before anything is.
  private var occurrence: HTML {
    .element(
      "dialog", [.id("occurrence"), .init("aria-labelledby", "occurrence-title")],
      [
        .element(
          "form", [.init("method", "dialog")],
          [
            .h2([.id("occurrence-title"), .part("title")], "Move a time"),
            .element(
              "label", [.part("when")],
              [
                .span([], "New time, by the clocks of the rule"),
                .empty(
                  "input",
                  [.init("type", "datetime-local"), .init("name", "to"), .init("required", if: true)]),
              ]),
            .element("ul", [.class("changes"), .part("preview"), .init("aria-live", "polite")], []),
            .div(
              [.class("row")],
              .submit([.class("primary"), .init("value", "yes"), .part("yes")], "Move"),
              .submit([.class("plain"), .init("value", ""), .init("formnovalidate", if: true)], "Cancel")),
          ])
      ])
  }
}
