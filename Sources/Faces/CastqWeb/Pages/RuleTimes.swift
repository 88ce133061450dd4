import CastProtocol
import CastqOperations

/// The times of the schedule, the announcements that come again and the ad shares, each in its sentence, and a way to change it.
struct RuleTimes {
  let context: PageContext

  private var range: ScheduleRange { ScheduleRange(context: context) }

  /// Those of the screen, or of the group, that is shown.
  private func rules(_ list: String) -> [JSONValue] {
    let all = context.list(list, list)
    guard let device = context.query["device"], !device.isEmpty else { return all }
    let groups = context.list("groups", "groups").filter { group in
      group["devices"]?.array?.contains { $0.string == device } ?? false
    }.compactMap { $0["group"]?.string }
    let targets = Set([device, "@all"] + groups.map { "@\($0)" })
    return all.filter { targets.contains($0["device"]?.string ?? "") }
  }

  var html: HTML {
    let (rules, shares) = (rules("rules"), rules("shares"))
    let times = rules.filter { $0["kind"]?.string != "trigger" }
    let events = rules.filter { $0["kind"]?.string == "trigger" }
    return [
      context.failure("rules"),
      times.isEmpty
        ? .p([.class("faint")], "No time yet. A time says which programme is on which screens, and when.")
        : list("Times", times, isOpen: times.count <= 12),
      events.isEmpty ? .none : list("Announcements that come again", events, isOpen: false),
      context.failure("shares"), shares.isEmpty ? .none : list("Ad shares", shares, isOpen: false),
    ]
  }

  private func list(_ title: HTML, _ rules: [JSONValue], isOpen: Bool) -> HTML {
    .element(
      "details", [.class("panel"), .init("open", if: isOpen)],
      [
        .element("summary", [], [title, " (\(rules.count))"]),
        .element("ul", [.class("rules")], rules.prefix(500).map(row)),
      ])
  }

  private func row(_ rule: JSONValue) -> HTML {
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
        context.role < .edit
          ? .none
          : .a(
            [
              .class("button plain"), .href(range.address(["edit": name]) + "#drawer"),
              .label("Edit \(name)"),
            ], "Edit"),
      ])
  }
}
