import CastProtocol
import CastqOperations
import CastqSchedule
import CastqText

/// The drawer in which a time is made or changed: what, where and when, and one sentence of what that does.
///
/// It stands beside the chart; on a narrow window the script makes it a dialog. Its form works without one.
struct RuleDrawer {
  let context: PageContext

  private enum Purpose: Equatable {
    case new, edit(String), copy(String)
  }

  private var range: ScheduleRange { ScheduleRange(context: context) }
  private var mistake: FormMistake? { context.mistake(in: "rule") }

  /// Nil when nothing is made or changed.
  private var purpose: Purpose? {
    guard context.role >= .edit else { return nil }
    if let form = mistake?.form {
      return form["old"].map { .edit($0) } ?? form["copy"].map { .copy($0) } ?? .new
    }
    if let name = context.query["edit"] { return .edit(name) }
    if let name = context.query["copy"] { return .copy(name) }
    return context.query["new"] == nil ? nil : .new
  }

  private func rule(_ name: String) -> JSONValue? {
    context.list("rules", "rules").first { $0["rule"]?.string == name }
  }

  /// What the fields have.
  private var fields: WebOptions {
    if let form = mistake?.form { return form }
    switch purpose {
    case .copy(let name)?:
      var fields = rule(name).map { RuleFields(rule: $0).form } ?? WebOptions()
      fields.values.removeAll { $0.name == "rule" }
      return fields
    case .edit(let name)?:
      return rule(name).map { dragged(RuleFields(rule: $0).form) } ?? WebOptions()
    case .new?, nil: return proposal
    }
  }

  /// Fields with the times to which an edge of a block was dragged.
  private func dragged(_ fields: WebOptions) -> WebOptions {
    var fields = fields
    for (name, field) in [("begin", "from"), ("finish", "to")] {
      guard let text = context.query[name] else { continue }
      fields.values.removeAll { $0.name == field }
      fields.values.append(.init(field, text))
    }
    return fields
  }

  /// A new time: at the moment that was pointed at, else each day.
  private var proposal: WebOptions {
    var values: [WebOptions.Value] = [.init("when", "daily")]
    if let device = context.query["device"], !device.isEmpty { values.append(.init("device", device)) }
    if let play = context.query["play"] { values.append(.init("play", play)) }
    guard let local = context.query["new"].flatMap({ try? LocalTime($0) }) else {
      return WebOptions(values + RuleFields.days.map { .init("day", $0) })
    }
    let end = context.query["until"].flatMap { try? LocalTime($0) } ?? local.adding(seconds: 3600)
    let day = RuleFields.days[((local.date.number + 3) % 7 + 7) % 7]
    let to = end.date > local.date && end.secondOfDay == 0 ? "24:00" : String(end.clockText.prefix(5))
    return WebOptions(
      values + [.init("day", day), .init("from", String(local.clockText.prefix(5))), .init("to", to)])
  }

  var html: HTML {
    guard let purpose else { return .none }
    if case .edit(let name) = purpose, rule(name) == nil { return gone(name) }
    let title: HTML =
      switch purpose {
      case .new: "New time"
      case .edit(let name): ["Edit ", .foreign(name)]
      case .copy(let name): ["Duplicate ", .foreign(name)]
      }
    return .element(
      "dialog", [.id("drawer"), .class("drawer panel"), .init("open", if: true), .label("Time")],
      [.h2([], title), form(purpose), others(purpose)])
  }

  private func gone(_ name: String) -> HTML {
    .section(
      [.class("panel"), .id("drawer")], .p([], "There is no time ", .foreign(name), " any more."),
      .a([.class("button plain"), .href(range.address([:]))], "Close"))
  }

  private func hidden(_ name: StaticString, _ value: String?) -> HTML {
    value.map { .empty("input", [.init("type", "hidden"), .init("name", "\(name)"), .init("value", $0)]) }
      ?? .none
  }

  private func form(_ purpose: Purpose) -> HTML {
    let fields = fields
    var (old, copy): (String?, String?)
    if case .edit(let name) = purpose { old = name }
    if case .copy(let name) = purpose { copy = name }
    return .element(
      "form",
      [
        .init("method", "post"), .init("action", "/do"), .id("rule-form"),
        .init("data-zone", context.zoneName),
      ],
      [
        hidden("do", "rule"), hidden("old", old), hidden("copy", copy),
        hidden("revision", old == nil ? nil : fields["revision"]),
        hidden("back", range.address([:])), hidden("since", fields["since"]), play(fields), place(fields),
        days(fields), times(fields), mistake?.html ?? .none,
        .p([.class("says"), .part("says"), .init("role", "status")], sentence(old)),
        more(fields, old),
        .div(
          [.class("row")], .submit([.class("primary"), .init("data-act", "true")], "Save"),
          .a([.class("button plain"), .href(range.address([:]))], "Cancel")),
      ])
  }

  /// What the time does as it is; a script keeps it up with the fields.
  private func sentence(_ name: String?) -> HTML {
    guard let rule = name.flatMap(rule), let words = rule["sentence"] else {
      return "Choose what plays, and when."
    }
    return RuleWords(context: context).html(words)
  }

  private func field(_ title: HTML, _ input: HTML) -> HTML {
    .element("label", [.class("field")], [.span([], title), input])
  }

  private func input(
    _ name: StaticString, _ fields: WebOptions, _ attributes: [HTML.Attribute]
  ) -> HTML {
    let own = mistake?.attributes(name) ?? [HTML.Attribute("value", fields["\(name)"])]
    return .empty(
      "input",
      [HTML.Attribute("name", "\(name)")] + attributes + own + [HTML.Attribute("autocomplete", "off")])
  }

  private func select(
    _ name: StaticString, _ options: [(value: String, title: HTML)], _ chosen: String?,
    _ attributes: [HTML.Attribute] = []
  ) -> HTML {
    let isKnown = chosen == nil || options.contains { $0.value == chosen }
    let all = isKnown ? options : options + [(chosen ?? "", HTML(chosen ?? ""))]
    return .element(
      "select", [HTML.Attribute("name", "\(name)")] + attributes,
      all.map { option in
        .element(
          "option", [.init("value", option.value), .init("selected", if: option.value == chosen)],
          [option.title])
      })
  }

  // MARK: What is always asked

  private func play(_ fields: WebOptions) -> HTML {
    let programmes = context.list("programmes", "programmes").compactMap { programme -> (String, HTML)? in
      guard let name = programme["programme"]?.string else { return nil }
      let length = programme["length_s"]?.int.map { " (\(PageLength.clock(Double($0))))" } ?? ""
      return (name, HTML(name + length))
    }
    return field(
      "Play",
      select(
        "play", [("", "Choose a programme")] + programmes, fields["play"] ?? "", [.init("required", if: true)]
      ))
  }

  private func place(_ fields: WebOptions) -> HTML {
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }
    let options =
      devices.map { (value: $0, title: HTML(context.name(of: $0))) }
      + groups.map { (value: "@\($0)", title: HTML("All of \($0)")) }
      + [(value: "@all", title: "All screens")]
    return field("On", select("device", options, fields["device"]))
  }

  private func days(_ fields: WebOptions) -> HTML {
    let names: [StaticString] = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    let chosen = Set(fields.all("day"))
    return .element(
      "fieldset", [.class("days")],
      [.element("legend", [], ["Every"])]
        + zip(names, RuleFields.days).map { title, name in
          .element(
            "label", [],
            [
              .empty(
                "input",
                [
                  .init("type", "checkbox"), .init("name", "day"), .init("value", name), .label("\(title)"),
                  .init("checked", if: chosen.contains(name)),
                ]), .span([.hidden], HTML(String("\(title)".prefix(1)))),
            ])
        } + [
          .button([.class("plain"), .init("data-days", "all"), .init("hidden", if: true)], "Every day")
        ])
  }

  private func times(_ fields: WebOptions) -> HTML {
    func time(_ title: HTML, _ name: StaticString) -> HTML {
      field(
        title, input(name, fields, [.init("inputmode", "numeric"), .init("placeholder", "08:00")]))
    }
    return .div([.class("two"), .part("times")], time("From", "from"), time("To", "to"))
  }

  // MARK: What is asked seldom

  private func more(_ fields: WebOptions, _ old: String?) -> HTML {
    let isUsed =
      (fields["when"] ?? "daily") != "daily"
      || ["until", "end", "only_on", "not_on", "for"].contains { fields[$0]?.isEmpty == false }
      || (fields["priority"] ?? "0") != "0"
    let dayparts = context.list("dayparts", "dayparts").compactMap { $0["daypart"]?.string }
    let forms: [(value: String, title: HTML)] =
      [("daily", "From and to, on these days")]
      + dayparts.map { (value: "daypart:\($0)", title: HTML("Time of day: \($0)")) } + [
        ("once", "Once"), ("always", "Always"), ("cron", "A cron expression"),
        ("calendar", "A calendar expression"),
      ]
    let ranks: [(value: String, title: HTML)] = [
      ("0", "Like the others"), ("10", "Over others"), ("100", "Over everything"),
      ("-10", "Only where nothing else is"),
    ]
    let calendars = context.list("calendars", "calendars").compactMap { $0["calendar"]?.string }
    let days = [(value: "", title: HTML("–"))] + calendars.map { (value: $0, title: HTML($0)) }
    let dated: [HTML.Attribute] = [.init("type", "date")]
    return .element(
      "details", [.init("open", if: isUsed || mistake != nil)],
      [
        .element("summary", [], ["More: until a date, at its end, over others, holidays"]),
        .div(
          [.class("more")], field("When", select("when", forms, fields["when"] ?? "daily")),
          field("On this day, if once", input("on", fields, dated)),
          field("Expression", input("expression", fields, [.init("placeholder", "0 8-18 * * mon-fri")])),
          field("For, if an expression", input("for", fields, [.init("placeholder", "5m")])),
          field("Until, this day too", input("until", fields, dated)),
          field(
            "At its end",
            select("end", [("", "Cut off"), ("finish", "The last item may finish")], fields["end"] ?? "")),
          field("Over others", select("priority", ranks, fields["priority"] ?? "0")),
          calendars.isEmpty
            ? .none : field("Only on days of", select("only_on", days, fields["only_on"] ?? "")),
          calendars.isEmpty ? .none : field("Not on days of", select("not_on", days, fields["not_on"] ?? "")),
          old != nil
            ? .none
            : field("Name, made from the programme", input("rule", fields, [.init("maxlength", "120")]))),
      ])
  }

  /// Duplicate, switch, remove: each a form of its own, beside that of the fields.
  private func others(_ purpose: Purpose) -> HTML {
    guard case .edit(let name) = purpose, let rule = rule(name) else { return .none }
    let isOn = rule["enabled"]?.bool != false
    return .element(
      "form", [.class("row others"), .init("method", "post"), .init("action", "/do")],
      [
        hidden("rule", name), hidden("revision", rule["revision"]?.int.map { "\($0)" }),
        hidden("back", range.address([:])),
        .a([.class("button"), .href(range.address(["copy": name]) + "#drawer")], "Duplicate"),
        .submit(
          [.init("name", "do"), .init("value", isOn ? "disable" : "enable"), .init("data-act", "true")],
          isOn ? "Switch off" : "Switch on"),
        .submit(
          [
            .class("plain danger"), .init("name", "do"), .init("value", "remove-rule"),
            .init("data-act", "true"),
          ], "Remove"),
      ])
  }
}

/// What a rule does, in the sentence of its document, with the names that people use.
struct RuleWords {
  let context: PageContext

  func html(_ sentence: JSONValue) -> HTML {
    let target = sentence["device"]?.string ?? ""
    let place: HTML =
      target == "@all"
      ? "all screens"
      : target.hasPrefix("@")
        ? ["the screens of ", .foreign(String(target.dropFirst()))] : .foreign(context.name(of: target))
    func text(_ name: String) -> HTML { HTML(sentence[name]?.string ?? "") }
    return [
      text("when"), " ", .element("b", [], [.foreign(sentence["programme"]?.string ?? "")]), " plays on ",
      place,
      " ", text("how"), ". ", text("next"),
    ]
  }
}
