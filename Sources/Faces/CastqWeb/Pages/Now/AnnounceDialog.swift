import CastProtocol
import CastqOperations

/// An announcement: what, where, how loud.
struct AnnounceDialog {
  let context: PageContext
  let screens: [ScreenWall.Screen]

  private var groups: [String] { context.list("groups", "groups").compactMap { $0["group"]?.string } }

  var html: HTML {
    let mistake = context.mistake(in: "announce")
    let chosen = mistake?.form.all("devices") ?? []
    func choice(_ value: String, _ title: HTML) -> HTML {
      .element(
        "label", [.class("choice-chip")],
        [
          .empty(
            "input",
            [
              .init("type", "checkbox"), .init("name", "devices"), .init("value", value),
              .init("checked", if: chosen.contains(value)),
            ]), .span([], title),
        ])
    }
    return PageDialog(id: "announce", title: "Announce", isOpen: mistake != nil).html(
      PostForm(context: context, what: "announce").html(
        [.class("stack")],
        [
          .element(
            "label", [.class("field")],
            [
              .span([], "What"),
              .empty(
                "input",
                [
                  .init("name", "source"), .init("required", if: true),
                  .init("placeholder", "A programme, or an address such as https://…/gong.mp3"),
                  .init("autocomplete", "off"), .init("list", "announcements"),
                ] + (mistake?.attributes("source") ?? [])),
            ]),
          .element(
            "datalist", [.id("announcements")],
            context.list("programmes", "programmes").compactMap { $0["programme"]?.string }.map {
              .element("option", [.init("value", $0)], [])
            }),
          .element(
            "fieldset", [.class("choices-row")],
            [.element("legend", [], ["Where"])]
              + (screens.count > 1 ? [choice("@all", "All screens")] : [])
              + groups.map { choice("@\($0)", .foreign($0)) }
              + screens.map { choice($0.label, .foreign($0.name)) }),
          .element("label", [.class("field")], [.span([], "When"), moments(mistake?.form["at"])]),
          .element(
            "label", [.class("field")],
            [
              .span([], "Volume, 0 to 100; empty leaves it as it is"),
              .empty(
                "input",
                [
                  .init("name", "volume"), .init("type", "number"), .init("min", "0"), .init("max", "100"),
                  .init("inputmode", "numeric"),
                ]),
            ]), .p([.class("faint")], "What was on goes on where it was."),
          mistake?.html ?? .none,
          .submit([.class("primary"), .init("data-act", "true")], "Announce"),
        ]), course)
  }

  private func moments(_ chosen: String?) -> HTML {
    let words: [(value: String, title: HTML)] = [
      ("now", "Now: it interrupts what plays"), ("next", "When what plays now has ended"),
    ]
    return .element(
      "select", [.init("name", "at")],
      words.map { word in
        .element(
          "option", [.init("value", word.value), .init("selected", if: word.value == chosen)], [word.title])
      })
  }

  /// How it goes on each screen: a script fills it in while it is under way.
  private var course: HTML {
    .element(
      "castq-announced", [.class("stack"), .init("hidden", if: true)],
      [
        .p([.init("role", "status"), .part("said")]),
        .element("ul", [.part("screens"), .label("How it went")], []),
        .div(
          [.class("row")],
          .button([.part("again")], "Announce again"), .button([.class("plain"), .part("close")], "Close")),
        .element(
          "template", [.part("screen")],
          [
            .element(
              "li", [],
              [
                .span([.part("sign")]), .element("bdi", [.part("name")], []),
                .span([.class("faint"), .part("word")]),
              ])
          ]),
      ])
  }
}
