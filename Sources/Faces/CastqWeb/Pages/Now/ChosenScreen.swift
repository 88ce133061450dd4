import CastProtocol
import CastqOperations
import CastqText

/// The screen that was chosen: the expanded controller, with tabs for queue, plan, history and health below it.
struct ChosenScreen {
  let context: PageContext
  let label: String

  private var status: JSONValue { context["status"] ?? ["device": .string(label), "connection": "offline"] }
  private var view: StatusView { StatusView(document: status, now: context.now) }
  private var name: String { context["device"]?["name"]?.string ?? label }

  /// What stands beside the controller.
  enum Tab: String, CaseIterable {
    case queue, plan, history, health
    var title: HTML {
      switch self {
      case .queue: "Queue"
      case .plan: "Plan"
      case .history: "History"
      case .health: "Health"
      }
    }

    /// That of an address; the queue without one.
    init(in query: WebOptions) { self = query["tab"].flatMap(Tab.init(rawValue:)) ?? .queue }
  }

  private var tab: Tab { Tab(in: context.query) }

  /// What the tab of the browser says.
  var title: String { view.isOn ? view.title.map { "\($0) · \(name)" } ?? name : name }

  var html: HTML {
    .section(
      [
        .class("chosen panel flush"), .id("chosen"), .label("The chosen screen"), .init("data-device", label),
      ],
      .div([.class("stage-bar")], .h2([], .foreign(name, part: "name")), playOn, more),
      .div([.class("stage")], controller),
      .div([.class("beside")], tabs, panel))
  }

  // MARK: controller

  private var controller: HTML {
    .element(
      "castq-controller",
      [
        .class("controller"), .init("data-device", label), .init("data-air", view.air.rawValue),
        .init("data-state", view.token), .init("data-live", view.isLive ? "true" : nil),
      ],
      [
        // What comes and goes lies over the picture: nothing below it moves under a pointer.
        .div(
          [.class("screen")],
          .span([.class("art"), .part("art"), .hidden], Artwork(document: status, width: 960).html),
          .span([.class("moving"), .hidden]), .div([.class("over")], guest, ad, upNext)),
        .div(
          [.class("controls")], StateMark(view: view, context: context).html,
          .p(
            [.class("title")],
            .foreign(view.isOn ? view.title ?? view.application ?? "" : "", part: "title")),
          .p(
            [.class("subtitle")],
            .foreign(view.isOn ? status["subtitle"]?.string ?? "" : "", part: "subtitle"), rule), seek,
          transport, volume, context.failure("status"), slots),
      ])
  }

  /// The rule by which this is on the screen, which leads to why: its entries are not those of the queue below it.
  private var rule: HTML {
    let name = view.isOn ? view.rule(context) : nil
    return .span(
      [.class("faint"), .part("by-rule"), .init("hidden", if: name == nil)], "by ",
      .a(
        [
          .href(PlanList.whyAddress(label, "now")), .init("data-why", ""), .init("data-why-device", label),
        ], .foreign(name ?? "", part: "rule")), "; the queue waits")
  }

  /// Somebody else has taken the screen, or had it: it is said, and a button takes it back.
  private var guest: HTML {
    .div(
      [
        .class("notice"), .part("guest"), .init("role", "status"), .init("hidden", if: !view.isYielded),
      ],
      // Where nothing is on the screen, that is the state itself.
      .p([.part("guest-why")], HTML(view.why == view.word ? "" : view.why ?? "")),
      canAct
        ? PostForm(context: context, what: "command", device: label).html(
          [],
          [
            .submit(
              [.init("name", "verb"), .init("value", "play"), .init("data-act", "true")], "Take it back now")
          ]) : .none)
  }

  private var canAct: Bool { context.role >= .operate }

  private var seek: HTML {
    .div(
      [.class("seek"), .part("seek-row"), .init("hidden", if: view.isPicture)],
      .element(
        "span", [.class("bar")],
        [
          .empty(
            "input",
            [
              .init("type", "range"), .init("min", "0"), .init("max", "1000"), .init("step", "1"),
              .part("seek"),
              .init("value", "\(view.permille)"), .label("Position"), .init("data-act", "true"),
              .init("disabled", if: !view.isOn || view.isLive || view.duration == nil || !canAct),
            ]), .span([.class("marks"), .part("marks"), .hidden]),
          .span([.class("visually-hidden"), .part("marks-words")]),
        ]),
      .div(
        [.class("times")], .span([.part("elapsed")], HTML(view.elapsed)), .span([.part("pace")], ""),
        .span([.part("total")], HTML(view.total))))
  }

  /// The ad that plays, in words, and how it is skipped.
  private var ad: HTML {
    .div(
      [.class("ad"), .part("ad"), .init("hidden", if: status["ad"]?.object == nil)],
      .element("bdi", [.part("ad-name")], [HTML(status["ad"]?["title"]?.string ?? "Ad")]),
      .span([.class("faint"), .part("ad-rest")], ""),
      canAct ? .button([.part("skip-ad"), .init("data-act", "true")], "Skip ad") : .none)
  }

  private var transport: HTML {
    guard canAct else { return .none }
    return .element(
      "div", [.class("transport"), .init("role", "group"), .label("Transport")],
      [
        CommandForm(context: context, label: label, isOff: view.isOffline).html([
          .init(verb: "prev", label: "Previous", glyphs: [.previous]),
          .init(verb: "back", label: "10 seconds back", glyphs: [.back], isScripts: true),
          .init(verb: "toggle", label: "Play or pause", glyphs: [.play, .pause, .stop]),
          .init(verb: "ahead", label: "10 seconds ahead", glyphs: [.ahead], isScripts: true),
          .init(verb: "next", label: "Next", glyphs: [.next]),
        ])
      ])
  }

  /// Who may only look has no form, but sees the level.
  private var volume: HTML {
    guard canAct else { return .element("div", [.class("volume")], level) }
    return [
      PostForm(context: context, what: "command", device: label).html(
        [.id("mute"), .init("hidden", if: true)], []),
      PostForm(context: context, what: "command", device: label).html(
        [.class("volume")],
        [HTML.empty("input", [.init("type", "hidden"), .init("name", "verb"), .init("value", "volume")])]
          + level + [HTML.element("noscript", [], [.submit([], "Set")])]),
    ]
  }

  private var level: [HTML] {
    [
      .submit(
        [
          .init("form", canAct ? "mute" : nil), .init("name", "verb"),
          .init("value", view.isMuted ? "unmute" : "mute"), .class("icon"), .part("mute"), .label("Mute"),
          .init("aria-pressed", view.isMuted ? "true" : "false"), .init("data-act", "true"),
          .init("disabled", if: !canAct),
        ],
        Glyph.volume.html, Glyph.mute.html),
      .empty(
        "input",
        [
          .init("type", "range"), .init("name", "level"), .init("min", "0"), .init("max", "100"),
          .part("volume"), .init("hidden", if: view.hasFixedVolume),
          .init("value", "\(view.volume ?? 0)"), .label("Volume"), .init("data-act", "true"),
          .init("disabled", if: view.isOffline || view.hasFixedVolume || !canAct),
        ]),
      .span(
        [.class("faint"), .part("fixed"), .init("hidden", if: !view.hasFixedVolume)],
        "The volume is set at the device itself."),
      .element("output", [.part("level")], [HTML(view.volume.map { "\($0)" } ?? "–")]),
      .span(
        [.class("faint"), .part("configured")],
        HTML(status["configured_volume"]?.int.map { "configured \($0)" } ?? "")),
    ]
  }

  /// What comes next, shown before the end, with three ways.
  private var upNext: HTML {
    .div(
      [.class("up-next"), .part("up-next"), .init("hidden", if: true)],
      .p([], "Next in ", .span([.part("next-in")]), ": ", .foreign("", part: "next")),
      canAct
        ? .div(
          [.class("row")], .button([.part("play-now"), .init("data-act", "true")], "Play now"),
          .button([.part("hold"), .class("plain"), .init("data-act", "true")], "Wait"),
          .button([.part("halt"), .class("plain"), .init("data-act", "true")], "Stop")) : .none)
  }

  // MARK: slots

  /// What opens above its place, so that nothing moves.
  private var slots: HTML {
    guard canAct else { return .none }
    let tracks = status["tracks"]?.array ?? []
    let rate = status["rate"]?.double ?? 1
    let rates: [(text: HTML, value: String, rate: Double)] = [
      ("Half", "0.5", 0.5), ("Normal", "1", 1), ("Double", "2", 2),
    ]
    func slot(_ name: String, _ glyph: Glyph, _ title: HTML, part: String, _ content: HTML...) -> HTML {
      .element(
        "details", [.class("slot"), .init("name", "slots"), .part(name)],
        [
          .element("summary", [], [glyph.html, .span([.part(part)], title)]),
          .element("div", [.class("slot-panel")], content),
        ])
    }
    return .div(
      [.class("slots")],
      slot(
        "more", .tracks, "Tracks", part: "tracks-word",
        .element("div", [.part("tracks")], [TrackChoices(tracks: tracks).html]), textStyles),
      slot(
        "speed", .speed, "1×", part: "rate-word",
        .element(
          "div", [.class("row"), .init("role", "group"), .label("Speed"), .part("rates")],
          rates.map { choice in
            .button(
              [
                .init("data-rate", choice.value), .init("data-act", "true"),
                .init("aria-pressed", choice.rate == rate ? "true" : "false"),
              ], choice.text)
          })),
      PostForm(context: context, what: "command", device: label).html(
        [.class("slot")],
        [
          .submit(
            [.init("name", "verb"), .init("value", "stop"), .init("data-act", "true")], Glyph.stop.html,
            .span([], "Stop"))
        ]))
  }

  /// How subtitles look on the screen.
  private var textStyles: HTML {
    .element(
      "div", [.class("row"), .init("role", "group"), .label("How subtitles look"), .part("text-styles")],
      [
        .span([.class("faint")], "How they look"),
        .button([.init("data-scale", "0.75"), .init("data-act", "true")], "Small"),
        .button([.init("data-scale", "1"), .init("data-act", "true")], "Normal"),
        .button([.init("data-scale", "1.5"), .init("data-act", "true")], "Large"),
      ])
  }

  // MARK: head

  /// Moves what plays to another screen.
  private var playOn: HTML {
    let others = context.list("devices", "devices").filter {
      ($0["alias"]?.string ?? $0["name"]?.string) != label
    }
    guard canAct, !others.isEmpty else { return .none }
    return .element(
      "details", [.class("drop-menu"), .part("play-on")],
      [
        .element("summary", [.class("button plain")], [Glyph.move.html, "Play on…"]),
        PostForm(context: context, what: "command", device: label).html(
          [.class("menu-panel")],
          [.empty("input", [.init("type", "hidden"), .init("name", "verb"), .init("value", "transfer")])]
            + others.map { other in
              .submit(
                [
                  .init("name", "to"), .init("value", other["alias"]?.string ?? other["name"]?.string),
                  .init("data-act", "true"),
                ],
                (other["capabilities"]?.array?.contains("video_out") ?? true)
                  ? Glyph.screen.html : Glyph.speaker.html,
                .foreign(other["name"]?.string ?? ""))
            }),
      ])
  }

  private var more: HTML {
    .element(
      "details", [.class("drop-menu"), .part("screen-menu")],
      [
        .element("summary", [.class("button icon"), .label("More about \(name)")], [Glyph.more.html]),
        .div(
          [.class("menu-panel")],
          .a(
            [
              .class("button"), .href(PlanList.whyAddress(label, "now")), .init("data-why", ""),
              .init("data-why-device", label),
            ], "Why is this on?"),
          .a(
            [.class("button"), .href(PageAddress.text("/doctor", [.init("device", label)]))],
            "Examine the screen"),
          canAct
            ? PostForm(context: context, what: "command", device: label).html(
              [],
              [
                .empty("input", [.init("type", "hidden"), .init("name", "quit"), .init("value", "true")]),
                .submit(
                  [
                    .class("danger"), .init("name", "verb"), .init("value", "stop"),
                    .init("data-quit", "true"), .init("data-act", "true"),
                  ],
                  "Stop casting"),
              ]) : .none, .button([.part("leave")], "Disconnect"), CommandLine(command).button),
      ])
  }

  /// What prints the table below in a terminal.
  private var command: [String] {
    switch tab {
    case .queue, .history: ["-d", label, tab.rawValue]
    case .plan:
      ["-d", label, "plan"]
        + ["from", "to", "tz"].flatMap { filter in
          context.query[filter].map { $0.isEmpty ? [] : ["--\(filter)", $0] } ?? []
        }
    case .health: ["device", "show", label]
    }
  }

  // MARK: beside it

  private var tabs: HTML {
    .element(
      "nav", [.class("tabs"), .label("Of this screen")],
      Tab.allCases.map { tab in
        .a(
          [
            .href(
              PageAddress.text(
                PageAddress.device(label), tab == .queue ? [] : [.init("tab", tab.rawValue)])),
            .init("aria-current", tab == self.tab ? "true" : nil),
          ], tab.title)
      })
  }

  private var panel: HTML {
    switch tab {
    case .queue: [context.failure("queue"), QueueList(context: context, label: label).html]
    case .plan: [context.failure("plan"), PlanList(context: context).html]
    case .history:
      [context.failure("history"), HistoryTable(context: context, showsDevice: false).html]
    case .health: health
    }
  }

  private var health: HTML {
    let device = context["device"]
    func row(_ name: HTML, _ value: HTML) -> HTML {
      .div([], .element("dt", [], [name]), .element("dd", [], [value]))
    }
    let address = device?["address"]?.string ?? status["address"]?.string ?? "unknown"
    let rows: [HTML] = [
      row("State", HTML(view.word)), row("Address", HTML(address)),
      row("Model", .foreign(device?["model"]?.string ?? "unknown")),
      row("Last heard", lastSeen),
      row("Identity", HTML(device?["pinned"]?.bool == true ? "known, and proved each time" : "not proved")),
      row("Between two entries, usually", HTML(seconds(device?["gaps"]?["p50_s"]))),
      row("Between two entries, at most", HTML(seconds(device?["gaps"]?["p95_s"]))),
    ]
    return [
      context.failure("device"), .element("dl", [.class("facts wide")], rows),
      .p(
        [],
        .a(
          [.href(PageAddress.text("/doctor", [.init("device", label)])), .class("button")],
          "Examine the way to it")),
    ]
  }

  /// A screen that castq has a connection to is seen now, however long ago that began.
  private var lastSeen: HTML {
    guard view.isOffline else { return .span([.part("seen")], "now") }
    return .span(
      [.part("seen")], (context["device"]?["last_seen_at"]?.string).map { context.time($0) } ?? "never")
  }

  private func seconds(_ value: JSONValue?) -> String {
    value?.double.map { "\(Double(Int(bounded: ($0 * 100).rounded())) / 100) s" } ?? "unknown"
  }
}
