import CastProtocol
import CastqOperations

/// The times of the schedule, each in its sentence, and a way to change it. Announcements and shares are told, and changed elsewhere.
struct RuleTimes {
  let context: PageContext

  private var range: ScheduleRange { ScheduleRange(context: context) }

  /// Those of the screen, or of the group, that is shown.
  private var rules: [JSONValue] {
    let all = context.list("rules", "rules")
    guard let device = context.query["device"], !device.isEmpty else { return all }
    let groups = context.list("groups", "groups").filter { group in
      group["devices"]?.array?.contains { $0.string == device } ?? false
    }.compactMap { $0["group"]?.string }
    let targets = Set([device, "@all"] + groups.map { "@\($0)" })
    return all.filter { targets.contains($0["device"]?.string ?? "") }
  }

  var html: HTML {
    let rules = rules.filter { $0["kind"]?.string != "trigger" }
    let events = self.rules.filter { $0["kind"]?.string == "trigger" }
    let shares = context.list("shares", "shares")
    return [
      context.failure("rules"),
      rules.isEmpty
        ? .p([.class("faint")], "No time yet. A time says which programme is on which screens, and when.")
        : list("Times", rules, canEdit: context.role >= .edit, isOpen: rules.count <= 12),
      events.isEmpty ? .none : list("Announcements that come again", events, canEdit: false, isOpen: false),
      context.failure("shares"), shares.isEmpty ? .none : self.shares(shares),
    ]
  }

  private func list(_ title: HTML, _ rules: [JSONValue], canEdit: Bool, isOpen: Bool) -> HTML {
    .element(
      "details", [.class("panel"), .init("open", if: isOpen)],
      [
        .element("summary", [], [title, " (\(rules.count))"]),
        .element("ul", [.class("rules")], rules.prefix(500).map { row($0, canEdit: canEdit) }),
      ])
  }

  private func row(_ rule: JSONValue, canEdit: Bool) -> HTML {
    let name = rule["rule"]?.string ?? ""
    let isOff = rule["enabled"]?.bool == false
    return .element(
      "li",
      [.class("rule"), .init("data-rule-row", name), .init("data-off", isOff ? "true" : nil)],
      [
        .div(
          [], .element("strong", [], [.foreign(name)]), isOff ? [" ", .span([.class("tag")], "off")] : .none,
          .empty("br", []),
          .span([.class("faint")], rule["sentence"].map { RuleWords(context: context).html($0) } ?? .none)),
        canEdit
          ? .a(
            [
              .class("button plain"), .href(range.address(["edit": name]) + "#drawer"),
              .label("Edit \(name)"),
            ], "Edit") : .none,
      ])
  }

  /// Shares of the time on the air.
  private func shares(_ shares: [JSONValue]) -> HTML {
    .element(
      "details", [.class("panel")],
      [
        .element("summary", [], ["Ad shares (\(shares.count))"]),
        .element("ul", [.class("rules"), .id("shares")], shares.prefix(500).map(share)),
      ])
  }

  private func share(_ share: JSONValue) -> HTML {
    let terms = [
      share["per_hour_s"]?.int.map { "\($0) s an hour" },
      share["max_plays"]?.int.map { "at most \($0) plays" },
      share["min_gap_s"]?.int.map { "at least \($0) s apart" }, share["sentence"]?["when"]?.string,
    ].compactMap(\.self).joined(separator: ", ")
    return .element(
      "li", [.class("rule"), .init("data-share", share["rule"]?.string)],
      [
        .div(
          [], .element("strong", [], [.foreign(share["rule"]?.string ?? "")]), " ",
          .foreign(share["programme"]?.string ?? ""), " on ",
          .foreign(context.name(of: share["device"]?.string))),
        .div([.class("faint")], .foreign(terms)),
      ])
  }
}
