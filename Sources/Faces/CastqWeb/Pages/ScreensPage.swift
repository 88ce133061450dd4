import CastProtocol
import CastqOperations

/// `/`: a card for each device in name order, with totals and groups.
struct ScreensPage {
  let context: PageContext

  private struct Screen {
    let device: JSONValue
    let status: JSONValue
    var label: String { device["alias"]?.string ?? device["name"]?.string ?? status["device"]?.string ?? "" }
    var name: String { device["name"]?.string ?? label }
  }

  private var screens: [Screen] {
    let documents = context["statuses"]
    let statuses = documents?.array ?? documents?["statuses"]?.array ?? documents?["devices"]?.array ?? []
    let byLabel = Dictionary(statuses.map { ($0["device"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
    return context.list("devices", "devices").map { device in
      let label = device["alias"]?.string ?? device["name"]?.string ?? ""
      return Screen(
        device: device, status: byLabel[label] ?? ["device": .string(label), "connection": "offline"])
    }
  }

  private var shown: [Screen] {
    let wanted = context.query["q"]?.lowercased() ?? ""
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

  func html() -> String {
    let screens = screens
    let shown = shown
    let content: HTML = [
      .element(
        "div", [.class("page-head")],
        [.h1([], "Screens"), totals(screens.map { StatusView(document: $0.status, now: context.now) })]),
      groups,
      screens.isEmpty ? empty : .none,
      .element(
        "ul", [.class("cards"), .id("cards")], shown.map { .element("li", [], [card($0)]) }),
      .p(
        [.class("faint"), .id("no-match"), .init("hidden", if: !shown.isEmpty || screens.isEmpty)],
        "No screen has this in its name or title."),
      screens.isEmpty || context.role < .operate ? .none : announcement(screens),
      screens.isEmpty ? .none : CommandLine(["status", "--all"]).html,
    ]
    return PageFrame(context: context).html(
      title: "Screens", name: "screens", content,
      templates: .element(
        "template", [.id("card")],
        [.element("li", [], [card(Screen(device: ["name": ""], status: ["connection": "offline"]))])]))
  }

  private func totals(_ views: [StatusView]) -> HTML {
    func total(
      _ glyph: Glyph, _ part: StaticString, _ words: HTML, _ isCounted: (StatusView) -> Bool
    ) -> HTML {
      let count = views.filter(isCounted).count
      return .element(
        "li", [.init("data-air", glyph.rawValue)],
        [glyph.html, .element("strong", [.part("\(part)")], [HTML("\(count)")]), " ", words])
    }
    return .element(
      "ul", [.class("totals"), .id("totals"), .label("Totals")],
      [
        // One of which nothing was heard yet is none of them.
        total(.air, "air", "on air") { $0.air == .onAir || $0.air == .busy && !$0.isOffline },
        total(.dark, "dark", "dark") { $0.air == .dark },
        total(.away, "away", "unreachable") { $0.air == .unreachable },
      ])
  }

  private var groups: HTML {
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }
    guard !groups.isEmpty else { return .none }
    let chosen = context.query["group"]
    let all = HTML.a(
      [.href(context.address(with: ["group": nil])), .init("aria-current", chosen == nil ? "true" : nil)],
      "All")
    return .element(
      "nav", [.class("chips"), .label("Groups")],
      [all]
        + groups.map {
          .a(
            [
              .href(context.address(with: ["group": $0])), .init("aria-current", chosen == $0 ? "true" : nil),
            ],
            .foreign($0))
        })
  }

  private var empty: HTML {
    .section(
      [.class("empty")], Glyph.screen.html, .h2([], "No screen is known yet"),
      .p(
        [],
        "Touch the Cast button: screens of this network are listed there. A screen that is not announced is added with its address:"
      ),
      CommandLine(["device", "add", "lobby", "192.0.2.10"]).html)
  }

  private func card(_ screen: Screen) -> HTML {
    let view = StatusView(document: screen.status, now: context.now)
    let address = screen.label.isEmpty ? "/" : PageAddress.device(screen.label)
    return .element(
      "castq-card",
      [
        .class("card"), .init("data-device", screen.label), .init("data-air", view.air.rawValue),
        .init("data-state", view.token),
      ],
      [
        .span([.class("art"), .part("art"), .hidden], Artwork(document: screen.status).html),
        .div(
          [.class("card-body")],
          .element(
            "h2", [],
            [.a([.href(address), .part("link")], .foreign(screen.name, part: "name"))]),
          StateMark(view: view, context: context).html,
          .p(
            [.class("title")], .foreign(view.isOn ? view.title ?? view.application ?? "" : "", part: "title")),
          .p(
            [.class("subtitle")],
            .foreign(view.isOn ? screen.status["subtitle"]?.string ?? "" : "", part: "subtitle")),
          Progress(view: view).html, facts(screen, view)),
        acts(screen, view),
      ])
  }

  private func facts(_ screen: Screen, _ view: StatusView) -> HTML {
    let next = screen.status["queue"]?["next_title"]?.string
    let waiting =
      (screen.status["queue"]?["pending"]?.int ?? 0) + (screen.status["queue"]?["queued"]?.int ?? 0)
    let seen = screen.device["last_seen_at"]?.string.map { context.time($0) } ?? "never"
    return .element(
      "dl", [.class("facts")],
      [
        fact("Next", .foreign(next ?? (waiting > 0 ? "\(waiting) waiting" : ""), part: "next")),
        fact("Rule", .foreign(view.rule(context) ?? "", part: "rule")),
        // Of a screen that is there it says "now": whoever sees the card before castq has reached the screen gets that, too.
        fact("Seen", .span([.part("seen")], view.isOffline ? seen : "now")),
      ])
  }

  private func fact(_ name: HTML, _ value: HTML) -> HTML {
    .div([], .element("dt", [], [name]), .element("dd", [], [value]))
  }

  private func acts(_ screen: Screen, _ view: StatusView) -> HTML {
    guard context.role >= .operate else { return .none }
    return CommandForm(context: context, label: screen.label, isOff: view.isOffline).html([
      .init(verb: "toggle", label: "Play or pause \(screen.name)", glyphs: [.play, .pause, .stop]),
      .init(verb: "next", label: "Next on \(screen.name)", glyphs: [.next]),
      .init(verb: "stop", label: "Stop \(screen.name)", glyphs: [.stop]),
    ])
  }

  /// An announcement to several devices.
  private func announcement(_ screens: [Screen]) -> HTML {
    let mistake = context.mistake(in: "announce")
    let chosen = mistake?.form.all("devices") ?? []
    return .element(
      "details", [.class("panel"), .id("announce"), .init("open", if: mistake != nil)],
      [
        .element("summary", [], ["Announce to several screens"]),
        PostForm(context: context, what: "announce").html(
          [],
          [
            .element(
              "label", [],
              [
                "Source",
                .empty(
                  "input",
                  [
                    .init("name", "source"), .init("required", if: true),
                    .init("placeholder", "https://…/gong.mp3"), .init("autocomplete", "off"),
                  ] + (mistake?.attributes("source") ?? [])),
              ]),
            .element(
              "fieldset", [],
              [.element("legend", [], ["Screens"])]
                + screens.map { screen in
                  .element(
                    "label", [.class("check")],
                    [
                      .empty(
                        "input",
                        [
                          .init("type", "checkbox"), .init("name", "devices"), .init("value", screen.label),
                          .init("checked", if: chosen.contains(screen.label)),
                        ]),
                      .foreign(screen.name),
                    ])
                }),
            .p([.class("faint")], "It interrupts what plays and gives the screen back where it was."),
            mistake?.html ?? .none,
            .submit([.class("primary"), .init("data-act", "true")], "Announce"),
          ]),
      ])
  }
}
