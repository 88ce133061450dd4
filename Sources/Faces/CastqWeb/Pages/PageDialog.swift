/// A dialog of a page: its title, a button that closes it, and what it is about. Without a script a link to it opens it in its place.
struct PageDialog {
  let id: StaticString
  let title: HTML
  /// Whether it is open from the beginning, with what is wrong in it.
  var isOpen = false

  func html(_ content: HTML...) -> HTML {
    .element(
      "dialog",
      [.id("\(id)"), .init("aria-labelledby", "\(id)-title"), .init("open", if: isOpen)],
      [
        .element(
          "form", [.class("dialog-head"), .init("method", "dialog")],
          [
            .element("h2", [.id("\(id)-title"), .part("heading")], [title]),
            .submit([.class("icon"), .label("Close")], Glyph.close.html),
          ])
      ] + content)
  }
}
