import CastProtocol
import CastqOperations

/// A list is looked at before anything is done with it, by who may name files of castq's computer.
struct ListCheck {
  let context: PageContext

  var html: HTML {
    guard context.role >= .edit else { return .none }
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    return .section(
      [.class("panel"), .id("drop")], .h2([], "Check a list"),
      .p(
        [.class("faint")],
        "Drop a list file here, or name an address or a file. Its problems are shown before anything plays."),
      .element(
        "form",
        [.class("grid"), .init("method", "get"), .init("action", "/library"), .init("data-api", "check")],
        [
          .element(
            "label", [],
            [
              .span([], "Source"),
              .empty(
                "input",
                [
                  .init("name", "check"), .init("value", context.query["check"]),
                  .init("placeholder", "/srv/menus.m3u"), .init("autocomplete", "off"),
                ]),
            ]),
          devices.isEmpty
            ? .none
            : .element(
              "label", [],
              [
                .span([], "Then queue it on"),
                .element(
                  "select", [.init("name", "device")],
                  devices.map { .element("option", [.init("value", $0)], [HTML(context.name(of: $0))]) }),
              ]), .div([.class("row")], .submit([], "Check")),
        ]), checked)
  }

  private var checked: HTML {
    let failure = context.failure("check")
    guard let document = context["check"] else { return failure }
    let problems = document["problems"]?.array ?? document["issues"]?.array ?? []
    guard !problems.isEmpty else {
      return .p([.class("notice")], Glyph.check.html, "Nothing is wrong with it.")
    }
    return .element(
      "ul", [.class("issues")],
      problems.prefix(200).map { problem in
        let place = [
          problem["source"]?.string, problem["line"]?.int.map { "\($0)" },
          problem["column"]?.int.map { "\($0)" },
        ]
        return .element(
          "li", [],
          [
            Glyph.warning.html, .element("code", [], [HTML(place.compactMap { $0 }.joined(separator: ":"))]),
            " ",
            .foreign(problem["message"]?.string ?? ""),
          ])
      })
  }
}
