import CastProtocol
import CastqOperations
import CastqText

/// What can be done with a file of the library or a programme: a panel for one that is opened, and the menu and dialogs of a script.
struct LibraryActs {
  let context: PageContext

  private var canAct: Bool { context.role >= .operate }
  private var canEdit: Bool { context.role >= .edit }

  /// The screens by their labels.
  private var screens: [String] {
    context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
  }

  private var programmes: [JSONValue] { context.list("programmes", "programmes") }

  // MARK: - One that is opened

  /// The file or programme of the address; nothing without one.
  var panel: HTML {
    if let name = context.query["item"], !name.isEmpty {
      let item = context.list("library", "items").first { $0["name"]?.string == name }
      let title = item?["title"]?.string ?? name.split(separator: "/").last.map(String.init) ?? name
      return panel(title, name, source: "library:\(name)", [addForm(name)])
    }
    guard let name = context.query["programme"], !name.isEmpty,
      let programme = programmes.first(where: { $0["programme"]?.string == name })
    else { return .none }
    return panel(
      name, programme["words"]?.string ?? "", source: "programme:\(name)",
      [canEdit ? schedule(name) : .none, canEdit ? removal(name) : .none])
  }

  private func panel(_ title: String, _ words: String, source: String, _ more: [HTML]) -> HTML {
    .section(
      [.class("panel"), .id("opened")], .h2([], .foreign(title)), .p([.class("faint")], .foreign(words)),
      canAct && !screens.isEmpty
        ? PostForm(context: context, what: "enqueue").html(
          [.class("field")],
          [
            .empty(
              "input", [.init("type", "hidden"), .init("name", "sources"), .init("value", source)]),
            .element(
              "label", [.class("field")],
              [
                .span([], "Queue on"),
                .element(
                  "select", [.init("name", "device")],
                  screens.map { .element("option", [.init("value", $0)], [HTML(context.name(of: $0))]) }),
              ]),
            .div(
              [.class("row")], .submit([.init("name", "at"), .init("value", "end")], "Add to the end"),
              .submit([.init("name", "at"), .init("value", "next")], "Play next")),
          ]) : .none,
      .div([.class("row")], HTML(more), .a([.class("button plain"), .href("/library")], "Close")))
  }

  private func addForm(_ name: String) -> HTML {
    guard canEdit else { return .none }
    return .a(
      [
        .class("button plain"),
        .href(PageAddress.text("/library", [.init("new", "1"), .init("pick", name)])),
      ], "New programme with it")
  }

  private func schedule(_ name: String) -> HTML {
    .a(
      [
        .class("button plain"),
        .href(PageAddress.text("/schedule", [.init("new", "1"), .init("play", name)])),
      ], "Schedule…")
  }

  private func removal(_ name: String) -> HTML {
    PostForm(context: context, what: "programme-remove").html(
      [],
      [
        .empty("input", [.init("type", "hidden"), .init("name", "programme"), .init("value", name)]),
        .submit([.class("plain danger")], "Remove"),
      ])
  }

  // MARK: - For a script

  /// One menu for all tiles and programmes, and the dialogs that it opens.
  var templates: HTML {
    guard canAct else { return .none }
    func item(_ act: StaticString, _ title: HTML) -> HTML {
      .button(
        [.init("role", "menuitem"), .init("data-act-on", "\(act)"), .init("tabindex", "-1")], title)
    }
    return [
      .element(
        "div",
        [
          .class("menu"), .id("library-menu"), .init("popover", "auto"), .init("role", "menu"),
          .label("Actions"),
        ],
        [
          item("queue", "Queue on…"),
          canEdit ? item("add", "Add to programme…") + item("schedule", "Schedule…") : .none,
          canEdit ? item("check", "Check") + item("remove", "Remove") : .none,
        ]), queueDialog, canEdit ? addDialog : .none,
    ]
  }

  private func dialog(_ id: StaticString, _ title: HTML, _ content: [HTML]) -> HTML {
    .element(
      "dialog", [.id("\(id)"), .init("aria-labelledby", "\(id)-title")],
      [
        .element(
          "form", [.class("dialog-head"), .init("method", "dialog")],
          [
            .h2([.id("\(id)-title"), .part("heading")], title),
            .submit([.class("icon"), .label("Close")], Glyph.close.html),
          ]), .element("form", [.class("field"), .part("form")], content),
      ])
  }

  private var queueDialog: HTML {
    dialog(
      "queue-on", "Queue on",
      screens.isEmpty
        ? [.p([.class("faint")], "No screen is known yet: add one on the page Now.")]
        : [
          .element(
            "fieldset", [.class("screens")],
            [.element("legend", [.class("visually-hidden")], ["Screen"])]
              + screens.enumerated().map { index, label in
                .element(
                  "label", [.class("check")],
                  [
                    .empty(
                      "input",
                      [
                        .init("type", "radio"), .init("name", "device"), .init("value", label),
                        .init("checked", if: index == 0),
                      ]), .foreign(context.name(of: label)),
                  ])
              }),
          .div(
            [.class("row")], .submit([.init("name", "when"), .init("value", "end")], "Add to the end"),
            .submit([.init("name", "when"), .init("value", "next")], "Play next"),
            .submit([.init("name", "when"), .init("value", "now")], "Play now")),
        ])
  }

  private var addDialog: HTML {
    let own = programmes.filter { $0["can_add"]?.bool == true }.compactMap { $0["programme"]?.string }
    return dialog(
      "add-to", "Add to programme",
      [
        own.isEmpty
          ? .p(
            [.class("faint")], "Programmes made of files of the library can be added to; there is none yet.")
          : .element(
            "label", [.class("field")],
            [
              .span([], "Programme"),
              .element(
                "select", [.init("name", "programme")],
                own.map { .element("option", [.init("value", $0)], [HTML($0)]) }),
            ]),
        .div(
          [.class("row")], own.isEmpty ? .none : .submit([], "Add"),
          .a([.class("button plain"), .href("/library?new=1"), .part("new")], "New programme with it")),
      ])
  }
}
