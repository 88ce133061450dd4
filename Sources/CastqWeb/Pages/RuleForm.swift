import CastProtocol
import CastqCore

/// A new rule: what, where and when. The script shows beforehand how the plan changes.
struct RuleForm {
  let context: PageContext

  private func field(_ title: HTML, _ attributes: [HTML.Attribute]) -> HTML {
    .element("label", [], [.span([], title), .empty("input", attributes + [.init("autocomplete", "off")])])
  }

  private func options(_ values: [String], first: HTML = .none) -> [HTML] {
    [first] + values.map { .element("option", [.init("value", $0)], [HTML($0)]) }
  }

  var html: HTML {
    let programmes = context.list("programmes", "programmes").compactMap { $0["programme"]?.string }
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }.map { "@\($0)" }
    let forms = ["daily", "daypart", "cron", "calendar", "once", "always"]
    return .element(
      "details", [.class("panel"), .id("new-rule")],
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
              "Name",
              [
                .init("name", "rule"), .init("required", if: true), .init("pattern", #"[^\/@ ]+"#),
                .init("title", "no space, slash or @"),
              ]),
            field(
              "Play",
              [
                .init("name", "play"), .init("required", if: true), .init("list", "programmes"),
                .init("placeholder", "programme or address"),
              ]),
            .element("datalist", [.id("programmes")], options(programmes)),
            .element(
              "label", [],
              [
                .span([], "On"),
                .element("select", [.init("name", "device")], options(devices + groups + ["@all"])),
              ]),
            .element(
              "label", [], [.span([], "When"), .element("select", [.init("name", "form")], options(forms))]),
            field("Expression", [.init("name", "expression"), .init("placeholder", "08:00-10:30")]),
            field("Days", [.init("name", "days"), .init("placeholder", "mon-fri")]),
            field(
              "Priority",
              [
                .init("name", "priority"), .init("type", "number"), .init("value", "0"),
                .init("min", "\(ScheduleRule.priorities.lowerBound)"),
                .init("max", "\(ScheduleRule.priorities.upperBound)"),
              ]),
            .div([.class("row")], .submit([.class("primary"), .init("data-act", "true")], "Add the rule")),
            .element("ul", [.class("changes"), .part("preview"), .init("aria-live", "polite")], []),
          ]),
      ])
  }
}
