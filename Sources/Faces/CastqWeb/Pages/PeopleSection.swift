import CastProtocol
import CastqOperations

/// Who may use the page from elsewhere, and what they may do.
struct PeopleSection {
  let context: PageContext

  var html: HTML {
    guard context.role == .edit else { return .none }
    return .section(
      [.class("panel"), .id("people")], .h2([], "People"), reach, context.failure("tokens"),
      context.failure("people"), given, list, make)
  }

  /// Where a colleague finds the page.
  private var reach: HTML {
    guard let address = context.publicAddress else {
      return .p(
        [.class("faint")],
        "This page listens on this computer alone: nobody else can open it. The configuration opens it to others, by ",
        .element("code", [], ["web: {listen: 0.0.0.0:8010}"]), ".")
    }
    return .p(
      [.class("faint")], "Colleagues open ", .element("strong", [], [HTML(address)]),
      " and log in with their token.")
  }

  private var given: HTML {
    guard let given = context.given else { return .none }
    return .div(
      [.class("notice"), .init("role", "status")],
      .p(
        [], "The token of ", .foreign(given.name), ", shown this once: ",
        .element("code", [.id("given")], [HTML(given.token)])),
      .button(
        [.class("icon"), .init("data-copy", given.token), .label("Copy the token")], Glyph.copy.html))
  }

  private var list: HTML {
    guard let tokens = context["tokens"]?.array, !tokens.isEmpty else {
      return .p([], "Nobody has a token yet.")
    }
    return .div(
      [.class("scroll")],
      .element(
        "table", [.class("rows-table"), .id("tokens")],
        [
          .element(
            "thead", [],
            [
              .element(
                "tr", [],
                (["Who", "May", "Since", "Withdraw it"] as [HTML]).map {
                  .element("th", [.init("scope", "col")], [$0])
                })
            ]), .element("tbody", [], tokens.prefix(500).map(row)),
        ]))
  }

  private func row(_ token: JSONValue) -> HTML {
    let name = token["name"]?.string ?? ""
    return .element(
      "tr", [],
      [
        .element("td", [.init("data-label", "Who"), .class("wide-cell")], [.foreign(name)]),
        .element("td", [.init("data-label", "May")], [HTML(Self.may(token["role"]?.string))]),
        .element("td", [.init("data-label", "Since")], [context.time(token["made_at"]?.string)]),
        .element(
          "td", [.init("data-label", "Withdraw it")],
          [
            form(
              "withdraw",
              [.empty("input", [.init("type", "hidden"), .init("name", "name"), .init("value", name)])],
              .submit([.class("plain danger"), .label("Withdraw the token of \(name)")], "Withdraw"))
          ]),
      ])
  }

  private var make: HTML {
    form(
      "give",
      [
        .element(
          "label", [.class("field grow")],
          [
            .span([], "Who"),
            .empty(
              "input",
              [
                .init("name", "name"), .init("required", if: true), .init("autocomplete", "off"),
                .init("placeholder", "anna"),
              ]),
          ]),
        .element(
          "label", [.class("field grow")],
          [
            .span([], "May"),
            .element(
              "select", [.init("name", "role")],
              WebRole.allCases.map {
                .element("option", [.init("value", $0.rawValue)], [HTML(Self.may($0.rawValue))])
              }
            ),
          ]),
      ], .submit([], "Make a token"))
  }

  private func form(_ act: String, _ content: [HTML], _ submit: HTML) -> HTML {
    .element(
      "form", [.class("row"), .init("method", "post"), .init("action", "/settings/people")],
      [.empty("input", [.init("type", "hidden"), .init("name", "do"), .init("value", act)])] + content + [
        submit
      ])
  }

  /// What a role may do, in words.
  static func may(_ role: String?) -> String {
    switch role {
    case "look": "look"
    case "operate": "operate screens"
    default: "edit everything"
    }
  }
}
