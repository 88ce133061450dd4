import CastProtocol
import CastqOperations

/// The programmes: what is in each, where it plays, and what is wrong with it.
struct ProgrammeList {
  let context: PageContext

  /// Programmes that are drawn; a search finds the others.
  private static let most = 200

  private var all: [JSONValue] { context.list("programmes", "programmes") }

  var html: HTML {
    let wanted = context.query["q"]?.lowercased() ?? ""
    let found = all.filter { programme in
      wanted.isEmpty
        || [programme["programme"]?.string ?? "", programme["words"]?.string ?? ""].contains {
          $0.lowercased().contains(wanted)
        }
    }
    return .section(
      [.class("panel"), .id("programmes")],
      .div(
        [.class("row")], .h2([], "Programmes"), .element("small", [.part("count")], [HTML("\(all.count)")])),
      context.failure("programmes"),
      all.isEmpty
        ? .p(
          [.class("faint")],
          "No programme yet: it is a list, a folder, an address or files of the library with a name, so that the schedule can play it."
        )
        : .element(
          "ul", [.class("programmes"), .init("data-roving", "a.face")], found.prefix(Self.most).map(row)),
      found.count > Self.most
        ? .p([.class("faint")], HTML("and \(found.count - Self.most) more: search for them")) : .none)
  }

  private func row(_ programme: JSONValue) -> HTML {
    let name = programme["programme"]?.string ?? ""
    let isEditor = context.role >= .edit
    let words = [
      programme["words"]?.string, programme["shuffle"]?.bool == true ? "shuffled" : nil,
      programme["filler"]?.string.map { "else \($0)" }, LibraryTiles.week(programme),
    ].compactMap(\.self).filter { !$0.isEmpty }
    return .element(
      "li",
      [
        .class("programme"), .init("data-programme", name),
        .init("data-source", isEditor ? programme["source"]?.string : nil),
        .init("data-shuffle", if: programme["shuffle"]?.bool == true),
        .init("data-filler", programme["filler"]?.string),
        .init("data-adds", if: programme["can_add"]?.bool == true),
      ],
      [
        .a(
          [.class("face"), .href(PageAddress.text("/library", [.init("programme", name)]))],
          .element(
            "span", [.class("art"), .part("art"), .hidden],
            LibraryTiles.picture(Artwork(document: programme, width: 320).address) ?? [Glyph.library.html]),
          .span(
            [.class("words")], .element("bdi", [.class("title")], [HTML(name)]),
            .span([.class("faint")], HTML(words.joined(separator: " · "))))),
        context.role < .operate
          ? .none
          : .button(
            [.class("icon"), .part("more"), .label("Actions for \(name)"), .init("aria-haspopup", "menu")],
            Glyph.more.html),
        programme["problem"]?.string.map {
          .p([.class("failure")], Glyph.warning.html, .span([], HTML($0)))
        } ?? .none,
      ])
  }
}
