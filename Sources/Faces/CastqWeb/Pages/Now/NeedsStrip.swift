import CastProtocol

/// What needs somebody: nothing, or at most three lines in words, with one button each.
struct NeedsStrip {
  let context: PageContext

  private static let most = 3

  var html: HTML {
    let statuses = context["statuses"]?.array ?? context["statuses"]?["statuses"]?.array ?? []
    let needs = statuses.compactMap { status in
      status["need"]?.object.map { (status["device"]?.string ?? "", JSONValue.object($0)) }
    }
    return [
      .element(
        "section",
        [.class("needs"), .id("needs"), .init("hidden", if: needs.isEmpty), .label("Needs you")],
        [
          .element("ul", [.part("lines")], needs.prefix(Self.most).map { line($0.0, $0.1) }),
          .p(
            [.class("faint"), .part("rest"), .init("hidden", if: needs.count <= Self.most)],
            HTML("and \(max(needs.count - Self.most, 0)) more")),
        ]), .element("template", [.id("need")], [line("", [:])]),
    ]
  }

  private func line(_ label: String, _ need: JSONValue) -> HTML {
    .element(
      "li", [],
      [
        Glyph.warning.html,
        .p(
          [], .element("strong", [], [.foreign(context.name(of: label), part: "name")]), " ",
          .foreign(need["text"]?.string ?? "", part: "text")),
        .a(
          [
            .class("button"), .part("act"),
            .href(Self.address(need["act"]?.string ?? "", of: label)),
          ], HTML(Self.words(need["act"]?.string ?? ""))),
      ])
  }

  /// Where a line leads.
  static func address(_ act: String, of label: String) -> String {
    switch act {
    case "examine": PageAddress.text("/doctor", [.init("device", label)])
    case "look": "/library"
    default: PageAddress.device(label)
    }
  }

  static func words(_ act: String) -> String {
    switch act {
    case "examine": "Examine"
    case "look": "Look at it"
    case "retry": "See the entry"
    default: "Fill it"
    }
  }
}
