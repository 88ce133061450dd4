import CastProtocol
import CastqOperations

/// `/library`: lists, their problems, and where they are used.
struct LibraryPage {
  let context: PageContext

  func html() -> String {
    let wanted = context.query["q"]?.lowercased() ?? ""
    let all = context.list("programmes", "programmes")
    let programmes = all.filter { programme in
      wanted.isEmpty
        || [programme["programme"]?.string ?? "", programme["source"]?.string ?? ""].contains {
          $0.lowercased().contains(wanted)
        }
    }
    let content: HTML = [
      .div([.class("page-head")], .h1([], "Library")), context.failure("programmes"),
      all.isEmpty
        ? .section(
          [.class("empty")], .h2([], "No programme yet"),
          .p([], "A programme is a list, a folder or an address with a name, so that rules can play it."))
        : .element("ul", [.class("rules")], programmes.prefix(1000).map(row)),
      check, CommandLine(["programme", "ls"]).html,
    ]
    return PageFrame(context: context).html(title: "Library", name: "library", content)
  }

  private func row(_ programme: JSONValue) -> HTML {
    let name = programme["programme"]?.string ?? ""
    let users = context.list("rules", "rules").filter { $0["programme"]?.string == name }.compactMap {
      $0["rule"]?.string
    }
    return .element(
      "li", [.class("rule")],
      [
        .div([], .element("strong", [], [.foreign(name)]), " ", .foreign(programme["source"]?.string ?? "")),
        .div(
          [.class("faint")], programme["shuffle"]?.bool == true ? "shuffled; " : .none,
          programme["filler"]?.string.map { ["filler ", .foreign($0), "; "] } ?? .none,
          users.isEmpty ? "no rule uses it" : "used by " + .foreign(users.joined(separator: ", "))),
        programme["problem"]?.string.map {
          .div([.class("failure")], Glyph.warning.html, .p([], .foreign($0)))
        } ?? .none,
      ])
  }

  /// A list is looked at before anything is done with it, by who may name files of castq's computer.
  private var check: HTML {
    guard context.role >= .edit else { return .none }
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    return .section(
      [.class("panel open"), .id("drop")], .h2([], "Check a list"),
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
              ]), .div([.class("row")], .submit([.class("primary")], "Check")),
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
