import CastProtocol
import CastqOperations

/// `/settings`: what this browser keeps, the zone, and who may do what.
struct SettingsPage {
  let context: PageContext

  func html() -> String {
    let content: HTML = [
      .div([.class("page-head")], .h1([], "Settings")), appearance, keys, zone, access,
    ]
    return PageFrame(context: context).html(title: "Settings", name: "settings", content)
  }

  private var appearance: HTML {
    let themes: [(title: HTML, value: String)] = [
      ("As the system", "auto"), ("Light", "light"), ("Dark", "dark"),
    ]
    return .section(
      [.class("panel open")], .h2([], "Appearance"),
      .element(
        "fieldset", [.id("theme")],
        [.element("legend", [.class("visually-hidden")], ["Colours"])]
          + themes.map { theme in
            .element(
              "label", [.class("check")],
              [
                .empty(
                  "input",
                  [
                    .init("type", "radio"), .init("name", "theme"), .init("value", theme.value),
                    .init("checked", if: theme.value == "auto"),
                  ]),
                theme.title,
              ])
          }),
      .element(
        "noscript", [], [.p([.class("faint")], "Without scripts the colours are those of the system.")]))
  }

  private var keys: HTML {
    .section(
      [.class("panel open")], .h2([], "Keys"),
      .element(
        "label", [.class("check")],
        [
          .empty(
            "input", [.init("type", "checkbox"), .init("data-letters", "true"), .init("checked", if: true)]),
          "Single letters are shortcuts",
        ]),
      .p([], .button([.id("again"), .class("plain")], "Show the introduction again")))
  }

  private var zone: HTML {
    .section(
      [.class("panel open")], .h2([], "Zone"),
      .p(
        [], "Times are those of ", .element("strong", [], [HTML(context.zoneName)]), ", now ",
        HTML(context.words(context.now)), "."),
      .p(
        [.class("faint")], "It is ", .element("code", [], ["timezone"]),
        " of the configuration. The zone of one page is in its address: ",
        .element("code", [], ["?tz=Europe/Berlin"]), "."))
  }

  private var access: HTML {
    let words: HTML =
      switch context.role {
      case .look: "You may look."
      case .operate: "You may look and operate screens."
      case .edit: "You may look, operate screens and change the schedule."
      }
    return .section(
      [.class("panel open")], .h2([], "Access"), .p([], words), context.failure("tokens"), tokens,
      .p([.class("faint")], "Tokens are made and withdrawn where castq runs:"),
      CommandLine(["web", "token", "add", "NAME", "--role", "operate"]).html,
      context.hasToken
        ? .element(
          "form", [.init("method", "post"), .init("action", "/logout")],
          [.submit([.class("plain")], "Log out")]) : .none)
  }

  /// Who has a token, for those who may give one.
  private var tokens: HTML {
    guard context.role == .edit, let tokens = context["tokens"]?.array else { return .none }
    guard !tokens.isEmpty else {
      return .p([.class("faint")], "There is no token: only this computer has access.")
    }
    func row(_ token: JSONValue) -> HTML {
      .element(
        "tr", [],
        [
          .element(
            "td", [.init("data-label", "Token"), .class("wide-cell")], [.foreign(token["name"]?.string ?? "")]
          ),
          .element("td", [.init("data-label", "Role")], [.foreign(token["role"]?.string ?? "")]),
          .element("td", [.init("data-label", "Made")], [context.time(token["made_at"]?.string)]),
          .element(
            "td", [.init("data-label", "Withdraw it"), .class("wide-cell")],
            [CommandLine(["web", "token", "rm", token["name"]?.string ?? ""]).html]),
        ])
    }
    return [
      .div(
        [.class("scroll"), .init("tabindex", "0"), .init("role", "region"), .label("Tokens")],
        .element(
          "table", [.class("rows-table"), .id("tokens")],
          [
            .element(
              "thead", [],
              [
                .element(
                  "tr", [],
                  (["Token", "Role", "Made", "Withdraw it"] as [HTML]).map {
                    .element("th", [.init("scope", "col")], [$0])
                  })
              ]), .element("tbody", [], tokens.prefix(500).map(row)),
          ])), CommandLine(["web", "token", "ls"]).html,
    ]
  }
}
