import CastProtocol
import CastqOperations

/// Screens that discovery has found and nobody uses yet, and one that is added by its address.
struct AddScreenDialog {
  let context: PageContext

  var html: HTML {
    guard context.role >= .edit else { return .none }
    return PageDialog(
      id: "add-screen", title: "Add a screen", isOpen: context.mistake(in: "add-screen") != nil
    ).html(FoundScreens(context: context).html)
  }
}

/// What was found on the network, with a button each, and a field for an address.
struct FoundScreens {
  let context: PageContext

  var html: HTML {
    let mistake = context.mistake(in: "add-screen")
    return .element(
      "castq-found", [.class("found")],
      [
        .element("ul", [.class("found-list"), .part("list")], []),
        .p(
          [.class("faint"), .part("step"), .init("role", "status")], "Looking for screens on this network…"),
        PostForm(context: context, what: "add-screen").html(
          [.class("stack")],
          [
            .p([], .element("strong", [], ["It is not here: enter its address"])),
            .div(
              [.class("row")],
              .element(
                "label", [.class("field grow")],
                [
                  .span([], "Address, such as 192.0.2.10"),
                  .empty(
                    "input",
                    [
                      .init("name", "address"), .init("required", if: true), .init("autocomplete", "off"),
                    ] + (mistake?.attributes("address") ?? [])),
                ]),
              .element(
                "label", [.class("field grow")],
                [
                  .span([], "Name"),
                  .empty(
                    "input",
                    [
                      .init("name", "name"), .init("required", if: true), .init("autocomplete", "off"),
                      .init("placeholder", "lobby"),
                    ] + (mistake?.attributes("name") ?? [])),
                ])),
            mistake?.html ?? .none,
            .div(
              [.class("row")], .submit([.init("data-act", "true")], "Add it"),
              .button([.class("plain"), .part("again")], "Search again"),
              .a([.class("button plain"), .href("/doctor")], "Examine the network")),
          ]),
        .element(
          "template", [.part("row")],
          [
            .element(
              "li", [],
              [
                Glyph.screen.html,
                .span(
                  [.class("words")], .element("bdi", [.class("title"), .part("name")], []),
                  .element("bdi", [.class("subtitle"), .part("model")], [])),
                .button([.part("use"), .init("data-act", "true")], "Use it"),
              ])
          ]),
      ])
  }
}
