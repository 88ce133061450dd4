import CastProtocol
import CastqOperations
import CastqText

/// A programme is made of files of the library that are chosen beside it, of one of its folders, or of an address.
struct NewProgramme {
  let context: PageContext
  /// The folder that is shown; empty is the whole library, nil none.
  let folder: String?

  /// What the boxes of the tiles belong to.
  static let id = "new-programme"
  static let action = "programme"

  private var mistake: FormMistake? { context.mistake(in: Self.action) }

  /// Whether somebody makes one.
  var isOpen: Bool { context.role >= .edit && (context.query["new"] != nil || mistake != nil) }

  /// The files that are chosen.
  var picks: Set<String> { Set(mistake?.form.all("files") ?? context.query.all("pick")) }

  var html: HTML {
    guard isOpen else { return .none }
    return .element(
      "form",
      [
        .class("panel"), .id(Self.id), .init("method", "post"), .init("action", "/do"),
        .label("New programme"),
      ],
      [
        .h2([], "New programme"), hidden("do", Self.action), hidden("back", "/library"),
        field("Name", "programme", "Films", isNeeded: true),
        folder == nil
          ? .none
          : .p(
            [.class("faint")],
            "Choose files at the left, in the order in which they are to play. Searching keeps what is chosen."
          ),
        .p([.part("picks"), .init("role", "status")], HTML(picks.isEmpty ? "" : Self.words(picks.count))),
        .init(picks.sorted().map { hidden("files", $0) }),
        wholeFolder, field("Or a list, a folder or an address", "source", "https://example.org/list.m3u"),
        .element(
          "label", [.class("check")],
          [
            .empty(
              "input",
              [
                .init("type", "checkbox"), .init("name", "shuffle"), .init("value", "true"),
                .init("checked", if: mistake?.form["shuffle"] == "true"),
              ]), " Shuffled",
          ]), mistake?.html ?? .none,
        .div(
          [.class("row")], .submit([.class("primary")], "Make it"),
          .a([.class("button plain"), .href("/library")], "Cancel")),
      ])
  }

  static func words(_ count: Int) -> String { count == 1 ? "1 file is chosen" : "\(count) files are chosen" }

  private var wholeFolder: HTML {
    guard let folder, !folder.isEmpty else { return .none }
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    return .element(
      "label", [.class("check")],
      [
        .empty(
          "input",
          [
            .init("type", "checkbox"), .init("name", "files"), .init("value", folder),
            .init("checked", if: picks.contains(folder)),
          ]), .span([], "All of ", .foreign(name)),
      ])
  }

  private func field(_ title: HTML, _ name: StaticString, _ hint: String, isNeeded: Bool = false) -> HTML {
    .element(
      "label", [.class("field")],
      [
        .span([], title),
        .empty(
          "input",
          [
            .init("name", "\(name)"), .init("placeholder", hint), .init("autocomplete", "off"),
            .init("required", if: isNeeded),
          ] + (mistake?.attributes(name) ?? [])),
      ])
  }

  private func hidden(_ name: StaticString, _ value: String) -> HTML {
    .empty("input", [.init("type", "hidden"), .init("name", "\(name)"), .init("value", value)])
  }
}
