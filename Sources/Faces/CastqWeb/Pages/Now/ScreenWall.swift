import CastProtocol
import CastqOperations

/// A card for each screen in name order.
struct ScreenWall {
  struct Screen {
    let device: JSONValue
    let status: JSONValue
    var label: String { device["alias"]?.string ?? device["name"]?.string ?? status["device"]?.string ?? "" }
    var name: String { device["name"]?.string ?? label }
  }

  let context: PageContext
  let chosen: String?

  var screens: [Screen] {
    let documents = context["statuses"]
    let statuses = documents?.array ?? documents?["statuses"]?.array ?? documents?["devices"]?.array ?? []
    let byLabel = Dictionary(statuses.map { ($0["device"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
    return context.list("devices", "devices").filter(Self.isUsed).map { device in
      let label = device["alias"]?.string ?? device["name"]?.string ?? ""
      return Screen(
        device: device, status: byLabel[label] ?? ["device": .string(label), "connection": "offline"])
    }
  }

  /// Found on the network, and used by nobody yet.
  private var found: [JSONValue] { context.list("devices", "devices").filter { !Self.isUsed($0) } }

  /// Documents of an older castq do not say it.
  private static func isUsed(_ device: JSONValue) -> Bool { device["used"]?.bool ?? true }

  private var shown: [Screen] {
    let isFiltered = if case .screens = context.page { true } else { false }
    let wanted = isFiltered ? context.query["q"]?.lowercased() ?? "" : ""
    let group = context.query["group"].flatMap { name in
      context.list("groups", "groups").first { $0["group"]?.string == name }
    }
    let members = group.map { Set(($0["devices"]?.array ?? []).compactMap(\.string)) }
    return screens.filter { screen in
      if let members, !members.contains(screen.label) { return false }
      guard !wanted.isEmpty else { return true }
      let texts = [screen.name, screen.label, screen.status["title"]?.string ?? ""]
      return texts.contains { $0.lowercased().contains(wanted) }
    }
  }

  var html: HTML {
    let (screens, shown) = (screens, shown)
    return [
      context.failure("devices"), context.failure("statuses"),
      screens.isEmpty ? FirstRun(context: context).html : .none,
      .element(
        "ul", [.class("cards"), .id("cards")],
        shown.map { .element("li", [], [card($0)]) }
          + (screens.isEmpty || context.role < .edit ? [] : found.map { .element("li", [], [offer($0)]) })),
      .p(
        [.class("faint"), .id("no-match"), .init("hidden", if: !shown.isEmpty || screens.isEmpty)],
        "No screen has this in its name or title."),
    ]
  }

  /// What a script copies for a card.
  var template: HTML {
    .element(
      "template", [.id("card")],
      [.element("li", [], [card(Screen(device: ["name": ""], status: ["connection": "offline"]))])])
  }

  private func card(_ screen: Screen) -> HTML {
    let view = StatusView(document: screen.status, now: context.now)
    return .element(
      "castq-card",
      [
        .class("card"), .init("data-device", screen.label), .init("data-air", view.air.rawValue),
        .init("data-state", view.token), .init("data-live", view.isLive ? "true" : nil),
        .init("data-guest", view.isGuests ? "true" : nil), .init("data-plain", view.isPlain ? "true" : nil),
        .init("data-current", screen.label == chosen ? "true" : nil),
      ],
      [
        .div(
          [.class("picture")],
          .span([.class("art"), .part("art"), .hidden], Artwork(document: screen.status).html),
          .p(
            [.class("says"), .part("says"), .init("hidden", if: view.says.isEmpty)], .foreign(view.says)),
          StateMark(view: view, context: context, isBadge: true).html,
          .element(
            "progress",
            [
              .init("max", "1000"), .init("value", "\(view.permille)"), .part("progress"), .label("Progress"),
              .init("hidden", if: !view.isOn || view.isPicture || view.isLive),
            ], [])),
        .div(
          [.class("card-body")],
          .element(
            "h2", [],
            [
              .a(
                [
                  .href(screen.label.isEmpty ? "/" : PageAddress.device(screen.label)), .part("link"),
                  .init("aria-current", screen.label == chosen ? "true" : nil),
                ], .foreign(screen.name, part: "name"))
            ]),
          .p(
            [.class("title")], .foreign(view.isOn ? view.title ?? view.application ?? "" : "", part: "title")),
          .p(
            [.class("then faint")], .foreign(view.then, part: "then"),
            .foreign(view.isOn ? view.rule(context) ?? "" : "", part: "rule")), acts(screen, view)),
      ])
  }

  /// A screen that is there, and not used yet.
  private func offer(_ device: JSONValue) -> HTML {
    let name = device["name"]?.string ?? ""
    return PostForm(context: context, what: "add-screen").html(
      [.class("card new")],
      [
        .element("strong", [], [.foreign(name)]), .span([.class("faint")], "found, not used yet"),
        .empty("input", [.init("type", "hidden"), .init("name", "name"), .init("value", name)]),
        .submit([.init("data-act", "true"), .label("Use \(name)")], "Use it"),
      ])
  }

  private func acts(_ screen: Screen, _ view: StatusView) -> HTML {
    guard context.role >= .operate else { return .none }
    return CommandForm(context: context, label: screen.label, isOff: view.isOffline).html([
      .init(verb: "next", label: "Next on \(screen.name)", glyphs: [.next]),
      .init(verb: "toggle", label: "Play or pause \(screen.name)", glyphs: [.play, .pause, .stop]),
    ])
  }
}
