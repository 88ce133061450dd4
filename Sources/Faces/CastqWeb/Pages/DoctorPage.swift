import CastProtocol
import CastqOperations

/// `/doctor`: one verdict a line, with the one thing to do.
struct DoctorPage {
  let context: PageContext

  func html() -> String {
    let verdicts = (context["doctor"]?.array ?? context["doctor"]?["verdicts"]?.array ?? [])
      .enumerated().sorted { (Self.weight($0.element), $0.offset) < (Self.weight($1.element), $1.offset) }
      .map(\.element)
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    let chosen = context.query["device"]
    let content: HTML = [
      .div(
        [.class("page-head")], .h1([], "Doctor"),
        devices.isEmpty
          ? .none
          : .element(
            "nav", [.class("chips"), .label("Screens")],
            devices.map {
              .a(
                [
                  .href(context.address(with: ["device": $0])),
                  .init("aria-current", $0 == chosen ? "true" : nil),
                ], .foreign(context.name(of: $0)))
            })),
      .p(
        [.class("faint")],
        "The way to a screen, as the screen sees it. Nothing that plays is disturbed, and nothing is started."
      ),
      context.failure("doctor"), summary(verdicts),
      .element("ul", [.class("verdicts")], verdicts.map(verdict)),
      devices.isEmpty
        ? .p([], "No screen is known yet: the Cast button lists those of this network.") : .none,
      (chosen ?? devices.first).map { examination(of: $0, again: !verdicts.isEmpty) } ?? .none,
    ]
    return PageFrame(context: context).html(title: "Doctor", name: "doctor", content)
  }

  /// A form, and no link: it connects to the screen.
  private func examination(of device: String, again: Bool) -> HTML {
    .element(
      "form", [.init("method", "post"), .init("action", "/doctor")],
      [
        .empty("input", [.init("type", "hidden"), .init("name", "device"), .init("value", device)]),
        .element("button", [.class("button primary")], [again ? "Examine again" : "Examine now"]),
      ])
  }

  /// What is to be done comes first.
  private static func weight(_ verdict: JSONValue) -> Int {
    switch verdict["verdict"]?.string ?? verdict["grade"]?.string {
    case "fail": 0
    case "warn": 1
    default: 2
    }
  }

  private func summary(_ verdicts: [JSONValue]) -> HTML {
    guard !verdicts.isEmpty else { return .none }
    let count = verdicts.filter { Self.weight($0) == 0 }.count
    let words =
      count == 0 ? "Nothing has to be done." : count == 1 ? "One thing to do." : "\(count) things to do."
    return .p([], .element("strong", [], [HTML(words)]))
  }

  private func verdict(_ verdict: JSONValue) -> HTML {
    let grade = verdict["verdict"]?.string ?? verdict["grade"]?.string ?? ""
    let glyph: Glyph =
      switch grade {
      case "ok": .check
      case "warn": .warning
      case "fail": .close
      default: .dark
      }
    let check = (verdict["check"]?.string ?? "").split(separator: "_").joined(separator: " ")
    return .element(
      "li", [.init("data-grade", grade)],
      [
        glyph.html,
        .div(
          [], .p([], .element("strong", [], [HTML(check)]), " ", .span([.class("tag")], HTML(grade))),
          .p([], .foreign(verdict["message"]?.string ?? verdict["words"]?.string ?? "")),
          verdict["advice"]?.string.map { .p([.class("advice")], .foreign(context.name(of: $0))) } ?? .none),
      ])
  }
}
