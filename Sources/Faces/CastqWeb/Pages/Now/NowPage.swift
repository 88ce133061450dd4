import CastProtocol
import CastqOperations
import CastqText

/// `/` and `/d/ALIAS`: what needs somebody, the wall of screens, and the chosen screen beside it.
struct NowPage {
  let context: PageContext
  /// The label of the screen that stands beside the wall; nil for none.
  let chosen: String?

  private var canAct: Bool { context.role >= .operate }

  func html() -> String {
    if let failure = context.failures["device"], failure.exit == .deviceUnknown {
      var context = context
      context.failures["page"] = failure
      return LostPage(context: context).html()
    }
    let wall = ScreenWall(context: context, chosen: chosen)
    let panel = chosen.map { ChosenScreen(context: context, label: $0) }
    let isOpen = if case .device = context.page { true } else { false }
    let content: HTML = [
      head(wall), NeedsStrip(context: context).html,
      .div(
        [.class("now-page")], .section([.class("wall"), .label("All screens")], wall.html),
        panel?.html ?? .none),
    ]
    return PageFrame(context: context).html(
      title: isOpen ? panel?.title ?? "Now" : "Now", name: isOpen ? "device" : "screens", content,
      templates: [
        wall.template, QueueList.template(context), canAct ? TrackChoices.template : .none,
        canAct ? AnnounceDialog(context: context, screens: wall.screens).html : .none,
        AddScreenDialog(context: context).html,
      ])
  }

  private func head(_ wall: ScreenWall) -> HTML {
    .div(
      [.class("page-head")], .a([.class("back"), .href("/")], "All screens"), .h1([], "Now"),
      groups(wall.screens.count),
      context.role >= .edit
        ? .a(
          [.class("button"), .href("#add-screen"), .init("data-opens", "add-screen")], Glyph.add.html,
          .span([], "Add screen")) : .none,
      canAct && !wall.screens.isEmpty
        ? .a(
          [.class("button primary"), .href("#announce"), .init("data-opens", "announce")], Glyph.bell.html,
          .span([], "Announce")) : .none)
  }

  private func groups(_ screens: Int) -> HTML {
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }
    guard !groups.isEmpty else { return .none }
    let chosen = context.query["group"]
    func chip(_ group: String?, _ title: HTML) -> HTML {
      .a(
        [
          .href(context.address(with: ["group": group])),
          .init("aria-current", group == chosen ? "true" : nil),
        ], title)
    }
    return .element(
      "nav", [.class("chips"), .label("Groups")],
      [chip(nil, "All \(screens)")] + groups.map { chip($0, .foreign($0)) })
  }
}
