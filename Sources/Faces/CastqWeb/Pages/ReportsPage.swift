import CastProtocol
import CastqOperations

/// `/reports`: plays, gaps, outages, adherence and share, as a chart with its table.
struct ReportsPage {
  let context: PageContext

  static let kinds = ["plays", "gaps", "outages", "adherence", "share"]
  private static let keys = ["media", "device", "day", "hour", "rule"]

  private var kind: String { context.query["kind"].flatMap { Self.kinds.contains($0) ? $0 : nil } ?? "plays" }
  /// What narrows a report, as the API has it.
  private static let filters: Set = ["device", "since", "until", "tz", "by"]
  private var report: JSONValue? { context["report"] }
  private var rows: [JSONValue] { report?["rows"]?.array ?? [] }

  func html() -> String {
    let content: HTML = [
      .div([.class("page-head")], .h1([], "Reports"), kinds), filters, context.failure("report"), chart,
      table,
      CommandLine(command).html,
    ]
    return PageFrame(context: context).html(title: "Report on \(kind)", name: "report", content)
  }

  private var command: [String] {
    var words = context.query.all("device").filter { !$0.isEmpty }.flatMap { ["-d", $0] } + ["report", kind]
    for name in ["by", "since", "until", "tz"] {
      if let value = context.query[name], !value.isEmpty { words += ["--\(name)", value] }
    }
    return words
  }

  private var kinds: HTML {
    .element(
      "nav", [.class("chips"), .label("Reports")],
      Self.kinds.map {
        .a(
          [
            .href(context.address(with: ["kind": $0, "by": nil])),
            .init("aria-current", $0 == kind ? "true" : nil),
          ], HTML($0))
      })
  }

  private var filters: HTML {
    let by = context.query["by"] ?? report?["by"]?.string ?? ""
    return .element(
      "form", [.class("filters"), .init("method", "get"), .init("action", "/reports")],
      [
        .empty("input", [.init("type", "hidden"), .init("name", "kind"), .init("value", kind)]),
        .element(
          "label", [],
          [
            .span([], "Rows"),
            .element(
              "select", [.init("name", "by")],
              Self.keys.map {
                .element("option", [.init("value", $0), .init("selected", if: $0 == by)], [HTML($0)])
              }),
          ]), context.field("Since", "since", "-1w"), context.field("Until", "until", "now"),
        context.field("Zone", "tz", context.zoneName),
        .submit([], "Show"),
        .a(
          [
            .class("button plain"), .init("download", "\(kind).csv"),
            .href(
              PageAddress.text(
                "/api/v1/report/\(kind)",
                context.query.values.filter { Self.filters.contains($0.name) && !$0.value.isEmpty } + [
                  .init("format", "csv")
                ])),
          ], "CSV"),
      ])
  }

  // MARK: rows

  /// The members of the rows in a sensible order: texts first.
  private var columns: [String] {
    var names: [String] = []
    for row in rows.prefix(50) {
      for name in (row.object ?? [:]).keys where !names.contains(name) { names.append(name) }
    }
    let first = ["day", "hour", "device", "title", "media", "rule", "began_at", "ended_at", "start"]
    func rank(_ name: String) -> Int { first.firstIndex(of: name) ?? first.count }
    return names.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  /// The number that the bars show.
  private var measure: String? {
    let wanted = [
      "played_s", "sum_s", "gap_s", "outage_s", "duration_s", "shown_s", "plays", "count", "gaps",
    ]
    return wanted.first { name in rows.contains { $0[name]?.double != nil } }
  }

  private var chart: HTML {
    guard let measure, let name = columns.first(where: { name in rows.contains { $0[name]?.string != nil } })
    else { return .none }
    let shown = rows.prefix(40)
    let most = shown.compactMap { $0[measure]?.double }.max() ?? 0
    guard most > 0 else { return .none }
    return .element(
      "figure", [.class("chart")],
      [
        .element(
          "figcaption", [.class("faint")],
          [HTML(Self.heading(measure)), " by ", HTML(Self.heading(name).lowercased())]),
        .element(
          "ul", [],
          shown.map { row in
            let value = max(row[measure]?.double ?? 0, 0)
            let label = row[name]?.string ?? "–"
            return .element(
              "li", [],
              [
                .span([.class("chart-name")], .foreign(label)),
                .element(
                  "meter",
                  [
                    .init("min", "0"), .init("max", "\(most)"), .init("value", "\(value)"),
                    .label("\(Self.heading(measure)) of \(label)"),
                  ], []),
                .span([.class("number")], HTML(Self.text(row[measure], measure, context))),
              ])
          }),
      ])
  }

  private var table: HTML {
    let columns = columns
    func isNumber(_ name: String) -> Bool { rows.contains { $0[name]?.double != nil } }
    guard !rows.isEmpty else {
      // What could not be looked up is not known to be nothing.
      return context.failures["report"] == nil
        ? .p([.class("faint")], "Nothing to count in this time.") : .none
    }
    func line(_ row: JSONValue) -> HTML {
      .element(
        "tr", [],
        columns.map { name in
          let isNumber = row[name]?.double != nil
          return .element(
            "td",
            [.init("data-label", Self.heading(name)), isNumber ? .class("number") : .class("wide-cell")],
            [isNumber ? HTML(Self.text(row[name], name, context)) : cell(row[name], name)])
        })
    }
    return .div(
      [.class("scroll"), .init("tabindex", "0"), .init("role", "region"), .label("Report as a table")],
      .element(
        "table", [.class("rows-table")],
        [
          .element(
            "thead", [],
            [
              .element(
                "tr", [],
                columns.map {
                  .element(
                    "th", [.init("scope", "col"), .init("class", isNumber($0) ? "number" : nil)],
                    [HTML(Self.heading($0))])
                })
            ]),
          .element("tbody", [], rows.prefix(2000).map(line)),
          report?["total"].map { .element("tfoot", [], [line($0)]) } ?? .none,
        ]))
  }

  private func cell(_ value: JSONValue?, _ name: String) -> HTML {
    guard let text = value?.string else { return .span([.class("faint")], "–") }
    return name.hasSuffix("_at") || name == "start" || name == "end" ? context.time(text) : .foreign(text)
  }

  static func heading(_ name: String) -> String {
    let plain = name.hasSuffix("_s") ? String(name.dropLast(2)) : name
    let words = plain.split(separator: "_").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  static func text(_ value: JSONValue?, _ name: String, _ context: PageContext) -> String {
    guard let number = value?.double else { return "–" }
    if name.hasSuffix("_s") { return PageLength.clock(number) }
    if let whole = value?.int { return "\(whole)" }
    return "\(Double(Int(bounded: (number * 1000).rounded())) / 1000)"
  }
}
