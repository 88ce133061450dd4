import CastProtocol
import CastqOperations

/// `/library`: the films, music and pictures that there are, and the programmes made of them.
struct LibraryPage {
  let context: PageContext

  private var document: JSONValue? { context["library"] }

  func html() -> String {
    let isConfigured = document?["configured"]?.bool == true
    let new = NewProgramme(context: context, folder: isConfigured ? document?["folder"]?.string : nil)
    let tiles = document.map {
      LibraryTiles(context: context, document: $0, picks: new.isOpen ? new.picks : nil)
    }
    let acts = LibraryActs(context: context)
    let content: HTML = [
      head(canMake: context.role >= .edit && !new.isOpen), context.failure("library"),
      isConfigured ? kinds : .none,
      .div(
        [.class("library-page")],
        isConfigured ? tiles?.html ?? .none : document == nil ? .none : unconfigured,
        .div(
          [.class("aside")], new.html, acts.panel, ProgrammeList(context: context).html,
          ListCheck(context: context).html)), acts.templates,
    ]
    return PageFrame(context: context).html(
      title: "Library", name: "library", content,
      templates: isConfigured ? tiles?.template ?? .none : .none)
  }

  private func head(canMake: Bool) -> HTML {
    .div(
      [.class("page-head")], .h1([], "Library"),
      .element(
        "form",
        [
          .class("library-search"), .id("library-search"), .init("role", "search"), .init("method", "get"),
          .init("action", "/library"), .label("Library"),
        ],
        [
          hidden("kind"), hidden("folder"), hidden("new"),
          .empty(
            "input",
            [
              .init("type", "search"), .init("name", "q"), .label("Search films, music, programmes"),
              .init("placeholder", "Search films, music, programmes"), .init("value", context.query["q"]),
              .init("autocomplete", "off"),
            ]),
        ]),
      canMake
        ? .a([.class("button primary"), .href("/library?new=1")], Glyph.add.html, .span([], "New programme"))
        : .none)
  }

  /// A choice that a search keeps.
  private func hidden(_ name: StaticString) -> HTML {
    guard let value = context.query["\(name)"], !value.isEmpty else { return .none }
    return .empty(
      "input", [.init("type", "hidden"), .init("name", "\(name)"), .init("value", value)])
  }

  private var kinds: HTML {
    let words: [(kind: LibraryQuery.Kind, title: HTML)] = [
      (.all, "Everything"), (.films, "Films"), (.music, "Music"), (.pictures, "Pictures"), (.ads, "Ads"),
    ]
    let present = document?["kind"]?.string
    return .element(
      "nav", [.class("tabs"), .label("Kinds"), .init("data-roving", "a")],
      words.map { word in
        let isHere = word.kind.rawValue == present
        let address = context.address(with: [
          "kind": word.kind == .all ? nil : word.kind.rawValue, "from": nil, "notice": nil, "item": nil,
        ])
        return .a(
          [.href(address), .init("aria-current", isHere ? "true" : nil)], word.title)
      })
  }

  private var unconfigured: HTML {
    .section(
      [.class("empty")], Glyph.library.html, .h2([], "No folder is shown here yet"),
      .p(
        [],
        "Films, music and pictures of this computer appear here once the configuration of castq names their folders:"
      ),
      .element("pre", [], [.element("code", [], ["library:\n  folders: [/srv/media]"])]),
      .p(
        [.class("faint")],
        "What is already there is never changed. Until then, a list or an address can be queued, and made a programme."
      ))
  }
}
