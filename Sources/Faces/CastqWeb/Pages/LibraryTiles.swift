import CastProtocol
import CastqOperations
import CastqText

extension LibraryQuery {
  /// What the address of the page asks for; a kind that there is not is everything.
  init?(_ query: WebOptions) {
    self.init()
    kind = query["kind"].flatMap(Kind.init) ?? .all
    words = query["q"] ?? ""
    folder = query["folder"] ?? ""
    from = query["from"].flatMap { Int($0) }.map { min(max($0, 0), 10_000_000) } ?? 0
  }
}

/// The files of the library as tiles, with the way into its folders and to the next ones.
struct LibraryTiles {
  let context: PageContext
  let document: JSONValue
  /// The files that are chosen, while a programme is made of them; nil at other times.
  var picks: Set<String>?

  private var folder: String { document["folder"]?.string ?? "" }

  var html: HTML {
    let items = document["items"]?.array ?? []
    let folders = document["folders"]?.array ?? []
    let problems = document["problems"]?.array?.compactMap(\.string) ?? []
    return .section(
      [.class("library"), .id("library"), .label("Files"), .init("data-open", open)],
      path,
      folders.isEmpty
        ? .none
        : .element(
          "nav", [.class("chips"), .label("Folders"), .init("data-roving", "a")],
          folders.prefix(100).map { one in
            .a(
              [.href(address(folder: one["name"]?.string ?? ""))], .foreign(one["title"]?.string ?? ""))
          }),
      .init(
        problems.prefix(5).map { .p([.class("failure")], Glyph.warning.html, .span([], HTML($0))) }),
      .element(
        "ul", [.class("tiles"), .part("tiles"), .init("data-roving", "a.face")],
        items.map(tile)),
      .p(
        [.class("faint"), .part("nothing"), .init("hidden", if: !items.isEmpty || !problems.isEmpty)],
        nothing), pager)
  }

  private var open: String? { document["open"]?.int.flatMap { $0 > 0 ? "\($0)" : nil } }

  private var nothing: HTML {
    if context.query["q"]?.isEmpty == false {
      return "No file has these words in its name, title, artist or album."
    }
    return document["kind"]?.string == "ads"
      ? "No ad share plays a file of the library." : "There is nothing of this kind here."
  }

  /// Where one is, and the way back up.
  private var path: HTML {
    guard !folder.isEmpty else { return .none }
    let parts = folder.split(separator: "/").map(String.init)
    let steps = parts.indices.dropLast().map { index in
      HTML.a(
        [.href(address(folder: parts[...index].joined(separator: "/")))], .foreign(parts[index])) + " / "
    }
    return .element(
      "nav", [.class("crumbs"), .label("Where you are")],
      [.a([.href(address(folder: nil))], "Library"), " / "] + steps + [.foreign(parts.last ?? "")])
  }

  private func address(folder: String?) -> String {
    context.address(with: ["folder": folder, "from": nil, "notice": nil])
  }

  // MARK: - Tiles

  /// What a script copies.
  var template: HTML { .element("template", [.id("tile")], [tile([:])]) }

  private func tile(_ item: JSONValue) -> HTML {
    let (name, title) = (item["name"]?.string ?? "", item["title"]?.string ?? "")
    let art = Artwork(document: item, width: 320).address
    let isMusic = item["kind"]?.string == "music"
    return .element(
      "li", [.class("tile"), .init("data-name", name)],
      [
        .a(
          [
            .class("face"), .href(PageAddress.text("/library", [.init("item", name)])),
            .part("face"),
          ],
          .element(
            "span", [.class("art"), .part("art"), .hidden],
            Self.picture(art) ?? [(isMusic ? Glyph.note : Glyph.film).html]),
          .element(
            "span", [.class("badge"), .part("length"), .init("hidden", if: Self.length(item).isEmpty)],
            [HTML(Self.length(item))]),
          .span(
            [.class("words")], .element("bdi", [.class("title"), .part("title")], [HTML(title)]),
            .element("bdi", [.class("subtitle"), .part("second")], [HTML(item["subtitle"]?.string ?? "")]),
            .span([.class("subtitle plays"), .part("plays")], HTML(Self.plays(item))))),
        picks.map { picks in
          .element(
            "label", [.class("pick")],
            [
              .empty(
                "input",
                [
                  .init("type", "checkbox"), .init("name", "files"), .init("value", name),
                  .init("form", NewProgramme.id), .init("checked", if: picks.contains(name)),
                  .label("Choose \(title)"), .part("pick"),
                ])
            ])
        } ?? .none,
        context.role < .operate
          ? .none
          : .button(
            [
              .class("icon"), .part("more"), .label("Actions for \(title)"), .init("aria-haspopup", "menu"),
            ], Glyph.more.html),
      ])
  }

  /// The picture over its own blur; nil without one.
  static func picture(_ address: String?) -> [HTML]? {
    guard let address else { return nil }
    return ["blur", ""].map { look in
      .empty(
        "img",
        [
          .init("src", address), .init("alt", ""), .init("loading", "lazy"), .init("decoding", "async"),
          .class(look),
        ])
    }
  }

  private static func length(_ item: JSONValue) -> String {
    if item["kind"]?.string == "picture" { return "picture" }
    return item["duration_s"]?.double.map { PageLength.clock($0) } ?? ""
  }

  private static func plays(_ item: JSONValue) -> String {
    [item["ad"]?.bool == true ? "ad" : nil, item["plays"]?.string, week(item)].compactMap(\.self)
      .joined(separator: " · ")
  }

  /// `412 plays this week`; nil for none.
  static func week(_ document: JSONValue) -> String? {
    document["plays_week"]?.int.flatMap {
      $0 > 0 ? $0 == 1 ? "1 play this week" : "\($0) plays this week" : nil
    }
  }

  // MARK: - Pages

  private var pager: HTML {
    let (from, total) = (document["from"]?.int ?? 0, document["total"]?.int ?? 0)
    let (count, shown) = (document["count"]?.int ?? LibraryQuery.page, document["items"]?.array?.count ?? 0)
    func turn(_ to: Int, _ words: HTML, _ name: StaticString, if isThere: Bool) -> HTML {
      guard isThere else { return .none }
      let address = context.address(with: ["from": to == 0 ? nil : "\(to)", "notice": nil])
      return .a([.class("button plain"), .href(address), .init("rel", "\(name)")], words)
    }
    return .element(
      "nav",
      [.class("row pager"), .part("pager"), .label("Pages of files"), .init("hidden", if: total == 0)],
      [
        turn(max(from - count, 0), "Previous", "prev", if: from > 0),
        .span(
          [.class("faint"), .part("range"), .init("role", "status")],
          HTML(shown == 0 ? "\(total) files" : "\(from + 1)–\(from + shown) of \(total)")),
        turn(from + count, "Next", "next", if: from + shown < total),
      ])
  }
}
