import CastProtocol
import CastqOperations
import CastqSchedule

/// A new rule: what, where and when. The script shows beforehand how the plan changes.
struct RuleForm {
  let context: PageContext

  private var mistake: FormMistake? { context.mistake(in: "rule") }

  /// - Parameter value: what it has before anything is written.
  private func field(
    _ title: HTML, _ name: StaticString, value: String? = nil, _ attributes: [HTML.Attribute]
  ) -> HTML {
    let own = mistake?.attributes(name) ?? [HTML.Attribute("value", value)]
    return .element(
      "label", [],
      [
        .span([], title),
        .empty(
          "input",
          [HTML.Attribute("name", "\(name)")] + attributes + own + [HTML.Attribute("autocomplete", "off")]),
      ])
  }

  /// - Parameter name: of the field that chooses among them; nil for a list of proposals.
  private func options(_ values: [String], of name: String? = nil) -> [HTML] {
    let chosen = name.flatMap { mistake?.form[$0] }
    return values.map {
      .element(
        "option", [.init("value", $0), .init("selected", if: $0 == chosen)],
        [HTML(name == "device" ? context.name(of: $0) : $0)])
    }
  }

  var html: HTML {
    let programmes = context.list("programmes", "programmes").compactMap { $0["programme"]?.string }
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }.map { "@\($0)" }
    let forms = ["daily", "daypart", "cron", "calendar", "once", "always"]
    return .element(
      "details", [.class("panel"), .id("new-rule"), .init("open", if: mistake != nil)],
      [
        .element("summary", [], ["Add a rule"]),
        .element(
          "form",
          [
            .class("grid"), .init("method", "post"), .init("action", "/do"),
            .init("data-api", "rule"),
          ],
          [
            .empty("input", [.init("type", "hidden"), .init("name", "do"), .init("value", "rule")]),
            .empty("input", [.init("type", "hidden"), .init("name", "back"), .init("value", "/schedule")]),
            field(
              "Name", "rule",
              [
                .init("required", if: true), .init("pattern", #"[^\/@ ]+"#),
                .init("title", "no space, slash or @"),
              ]),
            field(
              "Play", "play",
              [
                .init("required", if: true), .init("list", "programmes"),
                .init("placeholder", "programme or address"),
              ]),
            .element("datalist", [.id("programmes")], options(programmes)),
            .element(
              "label", [],
              [
                .span([], "On"),
                .element(
                  "select", [.init("name", "device")], options(devices + groups + ["@all"], of: "device")),
              ]),
            .element(
              "label", [],
              [.span([], "When"), .element("select", [.init("name", "form")], options(forms, of: "form"))]),
            field("Expression", "expression", [.init("placeholder", "08:00-10:30")]),
            field("Days", "days", [.init("placeholder", "mon-fri")]),
            field(
              "Priority", "priority", value: "0",
              [
                .init("type", "number"), .init("min", "\(ScheduleRule.priorities.lowerBound)"),
                .init("max", "\(ScheduleRule.priorities.upperBound)"),
              ]),
            mistake?.html ?? .none,
            .div([.class("row")], .submit([.class("primary"), .init("data-act", "true")], "Add the rule")),
            .element("ul", [.class("changes"), .part("preview"), .init("aria-live", "polite")], []),
          ]),
      ])
  }
}
