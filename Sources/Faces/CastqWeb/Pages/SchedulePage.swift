import CastProtocol
import CastqOperations
import CastqText

/// `/schedule`: one axis of time. A day of all screens as lanes, a week of one of them as a calendar, and beside them what is asked and
/// what is changed.
struct SchedulePage {
  let context: PageContext

  private var range: ScheduleRange { ScheduleRange(context: context) }

  func html() -> String {
    let content: HTML = [
      head,
      isEmpty
        ? empty
        : [
          .div(
            [.class("schedule")],
            .div(
              [.class("charts")], context.failure("plan"), chart, issues, RuleTimes(context: context).html),
            .div([.class("beside")], RuleDrawer(context: context).html, answer)), table,
        ],
      context.role < .edit ? .none : occurrence,
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

  // MARK: The head

  private var head: HTML {
    let shown = context.query["device"].flatMap { $0.isEmpty ? nil : $0 }
    let week =
      shown ?? context.list("devices", "devices").first.flatMap { $0["alias"]?.string ?? $0["name"]?.string }
    let step = range.days
    func move(_ days: Int) -> String {
      range.address([
        "from": range.first.advanced(by: days).text,
        "to": range.days > 1 && !range.isWeek
          ? range.first.advanced(by: days + step).text : nil,
      ])
    }
    return .div(
      [.class("page-head")], .h1([], "Schedule"),
      .element(
        "nav", [.class("chips"), .label("Range")],
        [
          .a(
            [
              .href(range.address(["view": nil, "from": nil, "to": nil])),
              .init("aria-current", !range.isWeek && context.query["from"] == nil ? "true" : nil),
            ], "Today"),
          .a(
            [
              .href(range.address(["view": "week", "to": nil, "device": week])),
              .init("aria-current", range.isWeek ? "true" : nil),
            ], "Week"),
        ]),
      .div(
        [.class("row move")],
        .a([.class("button icon"), .href(move(-step)), .label("Earlier")], Glyph.previous.html),
        .element("strong", [.part("range")], [HTML(range.title)]),
        .a([.class("button icon"), .href(move(step)), .label("Later")], Glyph.next.html)), filter,
      context.role < .edit
        ? .none
        : .a(
          [.class("button primary"), .href(range.address(["new": "", "device": shown]) + "#drawer")],
          Glyph.add.html, "New time"))
  }

  /// The screen, or the group, that is shown.
  private var filter: HTML {
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }.map { "@\($0)" }
    let shown = context.query["device"] ?? ""
    let all = range.isWeek ? [] : [""]
    let options = all + devices + groups
    let kept = ["view", "from", "to", "tz"].flatMap { name in
      context.query.all(name).map {
        HTML.empty("input", [.init("type", "hidden"), .init("name", name), .init("value", $0)])
      }
    }
    return .element(
      "form", [.class("inline filter"), .init("method", "get"), .init("action", "/schedule")],
      kept + [
        .element(
          "select", [.init("name", "device"), .label("Screen or group"), .init("data-filter", "true")],
          (options.contains(shown) ? options : options + [shown]).map { option in
            .element(
              "option", [.init("value", option), .init("selected", if: option == shown)],
              [
                option.isEmpty
                  ? "All screens"
                  : option.hasPrefix("@")
                    ? HTML("All of \(option.dropFirst())") : HTML(context.name(of: option))
              ])
          }), .element("noscript", [], [.submit([.class("plain")], "Show")]),
      ])
  }

  // MARK: The charts

  private var chart: HTML {
    guard let plan = context["plan"] else { return .none }
    return range.isWeek
      ? WeekChart(context: context, plan: plan).html : LaneChart(context: context, plan: plan).html
  }

  /// What to look at, as one number that opens.
  private var issues: HTML {
    let issues = context.list("plan", "issues").filter { issue in
      // What has passed is drawn.
      (issue["end"]?.string.flatMap { try? RFC3339.parse($0) }).map { context.now < $0 } ?? true
    }
    guard !issues.isEmpty else { return .none }
    return .element(
      "details", [.class("panel")],
      [
        .element("summary", [], ["\(issues.count) to look at"]),
        .element(
          "ul", [.class("issues")],
          issues.prefix(50).map { issue in
            .element(
              "li", [],
              [
                Glyph.warning.html, .foreign(context.name(of: issue["device"]?.string)), " ",
                .foreign(issue["message"]?.string ?? issue["kind"]?.string ?? ""),
              ])
          }),
      ])
  }

  /// The answer about a moment; hidden while none is asked.
  var answer: HTML {
    let failure = context.failure("why")
    let content: HTML = context["why"].map { WhyList(context: context, document: $0).html } ?? .none
    return .section(
      [
        .class("panel answer"), .id("answer"), .label("Answer"), .init("aria-live", "polite"),
        .init("hidden", if: failure == .none && content == .none),
      ], failure, content)
  }

  private var table: HTML {
    .element(
      "details", [.class("panel")],
      [
        .element("summary", [], ["The plan as a table"]),
        PlanList(context: context, showsDevice: true, most: 100).html,
        CommandLine(command).button,
      ])
  }

  private var command: [String] {
    var words = ["plan"]
    for option in range.plan.values where option.name != "device" {
      words += ["--\(option.name)", option.value]
    }
    for device in context.query.all("device") where !device.isEmpty { words = ["-d", device] + words }
    return words
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
              "label", [.part("when"), .class("field")],
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
