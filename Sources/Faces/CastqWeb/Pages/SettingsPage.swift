import CastProtocol
import CastqOperations

/// `/settings`: who may do what, what this browser keeps, and the zone.
struct SettingsPage {
  let context: PageContext

  func html() -> String {
    let content: HTML = [
      .div(
        [.class("page-head")], .h1([], "Settings"),
        .a([.class("button"), .href("/doctor")], "Examine the screens")),
      PeopleSection(context: context).html, appearance, keys, zone, access,
    ]
    return PageFrame(context: context).html(title: "Settings", name: "settings", content)
  }

  private var appearance: HTML {
    let themes: [(title: HTML, value: String)] = [
      ("As the system", "auto"), ("Light", "light"), ("Dark", "dark"),
    ]
    return .section(
      [.class("panel")], .h2([], "Appearance"),
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
      [.class("panel")], .h2([], "Keys"),
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
      [.class("panel")], .h2([], "Times"),
      .p(
        [], "They are those of ", .element("strong", [], [HTML(context.zoneName)]), ", now ",
        HTML(context.words(context.now)), "."),
      .p(
        [.class("faint")], "It is the time zone of the configuration."))
  }

  private var access: HTML {
    .section(
      [.class("panel")], .h2([], "You"), .p([], "You may \(PeopleSection.may(context.role.rawValue))."),
      context.hasToken
        ? .element(
          "form", [.init("method", "post"), .init("action", "/logout")],
          [.submit([.class("plain")], "Log out")]) : .none)
  }
}
