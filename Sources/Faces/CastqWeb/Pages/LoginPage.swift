/// Where a token is asked for.
struct LoginPage {
  let context: PageContext

  func html() -> String {
    HTML.document(
      language: "en",
      head: [
        .empty("meta", [.init("charset", "utf-8")]),
        .empty("meta", [.init("name", "viewport"), .init("content", "width=device-width, initial-scale=1")]),
        .element("title", [], ["Log in · castq"]),
        .empty("link", [.init("rel", "stylesheet"), .href(context.asset("app.css"))]),
      ],
      body: .element(
        "body", [.class("login")],
        [
          .element(
            "main", [],
            [
              .h1([], "castq"), context.failure("login"),
              .element(
                "form", [.init("method", "post"), .init("action", "/login")],
                [
                  .empty(
                    "input", [.init("type", "hidden"), .init("name", "back"), .init("value", context.back)]),
                  .element(
                    "label", [],
                    [
                      .span([], "Token"),
                      .empty(
                        "input",
                        [
                          .init("type", "password"), .init("name", "token"), .init("required", if: true),
                          .init("autocomplete", "current-password"), .init("autofocus", if: true),
                        ]),
                    ]), .submit([.class("primary")], "Log in"),
                ]), .p([.class("faint")], "A token is made where castq runs:"),
              .element("p", [], [.element("code", [], ["castq web token add NAME --role operate"])]),
            ])
        ]))
  }
}
