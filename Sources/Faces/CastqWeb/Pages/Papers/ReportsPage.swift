import CastProtocol
import CastqOperations
import CastqText

/// `/reports`: three papers of a time, for the screen, for print and for a client.
struct ReportsPage {
  let context: PageContext

  private var asked: PaperQuery { context.asked }

  func html() -> String {
    let asked = asked
    let title = "\(Self.name(asked.paper)), \(PaperWords.days(asked.days))"
    let content = HTML.element(
      "castq-paper", [.class("paper"), .init("data-paper", asked.paper.rawValue)],
      [
        .div([.class("page-head")], .h1([], "Reports"), buttons), tabs, ranges, filters, heading,
        context.failure("paper"), sheet, foot,
      ])
    return PageFrame(context: context).html(title: title, name: "report", content)
  }

  private static func name(_ paper: Paper) -> String {
    switch paper {
    case .proof: "Proof of play"
    case .air: "On air"
    case .plan: "Plan kept"
    }
  }

  private func address(_ values: [WebOptions.Value]) -> String { PageAddress.text("/reports", values) }

  /// The address with other days, or another paper.
  private func address(_ name: String, _ value: String, without: Set<String>) -> String {
    address(asked.address.filter { !without.contains($0.name) && $0.name != name } + [.init(name, value)])
  }

  // MARK: - What can be done with it

  private var buttons: HTML {
    let asked = asked
    let table = PageAddress.text("/reports/table", asked.address(fixed: true))
    return [
      .a([.class("button"), .href(table), .init("download", "\(asked.fileName).csv")], "Table (CSV)"),
      // The script that prints shows it.
      .button([.part("print"), .init("hidden", if: true)], Glyph.printer.html, "Print"),
      // Who may not see addresses as they are gets no file that may have one in a title.
      context.role < .edit ? .none : proof,
    ]
  }

  private var proof: HTML {
    func hidden(_ name: String, _ value: String) -> HTML {
      .empty("input", [.init("type", "hidden"), .init("name", name), .init("value", value)])
    }
    return .element(
      "form", [.init("method", "post"), .init("action", "/reports/proof")],
      asked.options.values.map { hidden($0.name, $0.value) } + [
        hidden("back", address(asked.address)),
        .submit([.class("primary")], Glyph.shield.html, "Signed proof"),
      ])
  }

  private var tabs: HTML {
    .element(
      "nav", [.class("tabs"), .label("Papers")],
      Paper.allCases.map { paper in
        .a(
          [
            .href(address("paper", paper.rawValue, without: [])),
            .init("aria-current", paper == asked.paper ? "page" : nil),
          ], paper == .proof ? "Proof" : HTML(Self.name(paper)))
      })
  }

  // MARK: - Which time, which screens, for whom

  private var ranges: HTML {
    TimeChips(chosen: asked.range) { address("range", $0.rawValue, without: ["from", "to"]) }.html
  }

  private var filters: HTML {
    let asked = asked
    func day(_ title: HTML, _ name: String, _ value: String) -> HTML {
      .element(
        "label", [],
        [
          .span([], title),
          .empty(
            "input",
            [
              .init("type", "date"), .init("name", name), .init("value", value), .init("required", if: true),
            ]),
        ])
    }
    return .element(
      "form", [.class("filters"), .init("method", "get"), .init("action", "/reports")],
      [
        .empty(
          "input",
          [.init("type", "hidden"), .init("name", "paper"), .init("value", asked.paper.rawValue)]),
        context.query["tz"].map {
          .empty("input", [.init("type", "hidden"), .init("name", "tz"), .init("value", $0)])
        } ?? .none,
        day("From", "from", asked.days.lowerBound.text), day("To", "to", asked.days.upperBound.text),
        ScreenChoice(context: context, chosen: asked.device).html,
        .element(
          "label", [],
          [
            .span([], "For"),
            .empty(
              "input",
              [
                .init("name", "client"), .init("value", asked.client), .init("placeholder", "A client"),
                .init("maxlength", "120"), .init("autocomplete", "off"),
              ]),
          ]), .submit([], "Show"),
      ])
  }

  /// What stands above the paper when it is printed.
  private var heading: HTML {
    let asked = asked
    let screens = asked.device.map { $0.hasPrefix("@") ? String($0.dropFirst()) : context.name(of: $0) }
    return .div(
      [.class("paper-head")], asked.client.map { .p([.class("client")], .foreign($0)) } ?? .none,
      .p(
        [], HTML("\(Self.name(asked.paper)), \(PaperWords.days(asked.days)), "),
        screens.map { .foreign($0) } ?? "all screens"))
  }

  private var sheet: HTML {
    guard let paper = context["paper"] else { return .none }
    return switch asked.paper {
    case .proof: ProofSheet(context: context, paper: paper, asked: asked).html
    case .air: AirSheet(context: context, paper: paper, asked: asked).html
    case .plan: PlanSheet(context: context, paper: paper, asked: asked).html
    }
  }

  private var foot: HTML {
    var words = asked.device.map { ["-d", $0] } ?? []
    let kinds: [Paper: String] = [.proof: "plays", .air: "outages", .plan: "adherence"]
    words += ["report", kinds[asked.paper] ?? "plays"]
    for value in asked.options.values where value.name != "device" {
      words += ["--\(value.name)", value.value]
    }
    return .div(
      [.class("paper-foot faint")], .span([], "Times are those of ", .foreign(context.zoneName), "."),
      CommandLine(words).button)
  }
}
