/// What a browser shows at an address where there is nothing, and at a device that is not known.
struct LostPage {
  let context: PageContext

  func html() -> String {
    PageFrame(context: context).html(
      title: "Nothing here", name: "lost",
      .section(
        [.class("empty")], Glyph.screen.html, .h1([], "Nothing here"), context.failure("page"),
        .a([.class("button"), .href("/")], "All screens")))
  }
}
