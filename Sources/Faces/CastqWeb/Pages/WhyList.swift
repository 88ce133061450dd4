import CastProtocol
import CastqOperations
import CastqText

/// The answer about one moment of a screen: first what was or will be on, then its reason, then what can be done.
struct WhyList {
  let context: PageContext
  let document: JSONValue

  private var answer: JSONValue { document["answer"] ?? .null }
  private var device: String { document["device"]?.string ?? "" }
  private var at: WallTime? { document["at"]?.string.flatMap { try? RFC3339.parse($0) } }

  var html: HTML {
    let rules = answer["rules"]?.array ?? []
    func text(_ name: String) -> HTML {
      answer[name]?.string.map { .p([.class("faint"), .part(name)], .foreign($0)) } ?? .none
    }
    return [
      .element(
        "small", [],
        [
          .foreign(context.name(of: device)), ", ",
          at.map { HTML(PageContext.dayText(context.zone.localTime(at: $0).date)) } ?? .none, " ",
          at.map { HTML(context.clock($0)) } ?? .none,
        ]),
      .h2([.part("first")], .foreign(answer["first"]?.string ?? "")), text("reason"), text("planned"),
      text("competition"),
      document["stopped_at"]?.string.map {
        .p([.class("faint")], "Stopped by castq since ", context.time($0), "; Play starts it.")
      } ?? .none,
      .div([.class("row")], acts),
      rules.isEmpty
        ? .none
        : .element(
          "details", [],
          [
            .element("summary", [], ["The rules of this screen"]),
            .element("ul", [.class("candidates")], rules.prefix(200).map(rule)),
          ]),
    ]
  }

  private func rule(_ rule: JSONValue) -> HTML {
    .element(
      "li", [],
      [
        .element("strong", [], [.foreign(rule["rule"]?.string ?? "")]), " ",
        .foreign(rule["words"]?.string ?? ""),
      ])
  }

  // MARK: What can be done

  private var acts: HTML {
    guard let at else { return .none }
    let isPast = at < context.now.adding(seconds: -1)
    let day = context.zone.localTime(at: at).date
    if isPast {
      let report: [WebOptions.Value] = [
        .init("kind", "outages"), .init("device", device), .init("since", day.text),
        .init("until", day.advanced(by: 1).text),
      ]
      return [
        .a([.class("button"), .href(PageAddress.text("/reports", report))], "Show in the report"),
        .a(
          [.class("button plain"), .href(PageAddress.text("/doctor", [.init("device", device)]))],
          "Examine the screen"),
      ]
    }
    guard context.role >= .edit else { return .none }
    let winner = document["winner"]
    guard let name = winner?["rule"]?.string ?? winner?["due"]?.string else { return [add(at)] }
    let edit = HTML.a(
      [.class("button"), .href(ScheduleRange(context: context).address(["edit": name]) + "#drawer")], "Edit")
    guard let occurrence = winner?["occurrence"]?.string else { return [edit, add(at)] }
    return [edit, occurrenceForm(name, occurrence), add(at)]
  }

  private func add(_ at: WallTime) -> HTML {
    let local = context.zone.localTime(at: at)
    let hour = LocalTime(local.date, second: local.secondOfDay / 3600 * 3600)
    return .a(
      [
        .class("button plain"),
        .href(
          ScheduleRange(context: context).address(["new": hour.text, "device": device]) + "#drawer"),
      ], "Add here")
  }

  /// Skips this time, or moves it: by its dialog, and by a form where there is no script.
  private func occurrenceForm(_ name: String, _ occurrence: String) -> HTML {
    func hidden(_ field: StaticString, _ value: String) -> HTML {
      .empty("input", [.init("type", "hidden"), .init("name", "\(field)"), .init("value", value)])
    }
    return .element(
      "form",
      [.class("row"), .init("method", "post"), .init("action", "/do"), .init("data-rule-form", name)],
      [
        hidden("rule", name), hidden("occurrence", occurrence),
        hidden("back", ScheduleRange(context: context).address([:])),
        .button([.class("plain"), .init("data-move", "true"), .init("data-act", "true")], "Move this time…"),
        .submit(
          [.class("plain"), .init("name", "do"), .init("value", "skip"), .init("data-act", "true")],
          "Skip this time"),
        .element(
          "noscript", [],
          [
            .empty(
              "input",
              [
                .init("type", "datetime-local"), .init("name", "to"), .label("New time"),
                .init(
                  "value", context.written("to", in: "move-to", of: name) ?? String(occurrence.prefix(16))),
              ]), .submit([.class("plain"), .init("name", "do"), .init("value", "move-to")], "Move"),
          ]),
      ])
  }
}
