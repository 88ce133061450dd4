import CastProtocol
import CastqOperations
import CastqText

/// The fields in which a rule is written. A new one has those of every kind, of which the style sheet shows the chosen one's.
struct RuleInputs {
  let context: PageContext
  /// What the fields have.
  let fields: WebOptions
  let mistake: FormMistake?
  /// Nil where the kind is still to be chosen.
  let kind: RuleFields.Kind?

  private func field(_ title: HTML, _ input: HTML) -> HTML {
    .element("label", [.class("field")], [.span([], title), input])
  }

  private func input(
    _ name: StaticString, _ attributes: [HTML.Attribute]
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

  /// What some kinds of rule have alone.
  private func only(_ kinds: RuleFields.Kind..., content: HTML...) -> HTML {
    if let kind { return kinds.contains(kind) ? HTML(content) : .none }
    let names = kinds.map(\.rawValue).joined(separator: " ")
    return .element("div", [.class("only"), .init("data-for", names)], content)
  }

  // MARK: What is always asked

  var always: HTML { [kinds, play, place, share, often, days, times] }

  private var kinds: HTML {
    guard kind == nil else { return .none }
    let words: [(kind: RuleFields.Kind, title: HTML)] = [
      (.time, "A programme"), (.share, "Ads between"), (.announcement, "An announcement"),
    ]
    let chosen = RuleFields(fields).kind
    return .element(
      "fieldset", [.class("days kinds")],
      [.element("legend", [], ["What"])]
        + words.map { word in
          .element(
            "label", [],
            [
              .empty(
                "input",
                [
                  .init("type", "radio"), .init("name", "what"), .init("value", word.kind.rawValue),
                  .init("checked", if: word.kind == chosen),
                ]), .span([], word.title),
            ])
        })
  }

  /// How much of each hour.
  private var share: HTML {
    only(
      .share,
      content: .div(
        [.class("two")], field("Of each hour", input("share", [.init("placeholder", "2 min, or 5%")])),
        field("Times an hour at most", input("most", [.init("inputmode", "numeric")]))))
  }

  /// When an announcement comes again.
  private var often: HTML {
    let words: [(value: String, title: HTML)] =
      RuleFields.steps.map { ("\($0)", $0 == 60 ? "Every hour" : HTML("Every \($0) minutes")) } + [
        ("day", "Once a day"), ("other", "Once, or as More says"),
      ]
    func time(_ title: HTML, _ name: StaticString, _ example: String) -> HTML {
      field(title, input(name, [.init("inputmode", "numeric"), .init("placeholder", example)]))
    }
    return only(
      .announcement,
      content: .div(
        [.class("often")], field("How often", select("often", words, fields["often"])),
        .div([.class("at")], time("At", "at", "18:45")),
        .div(
          [.class("two span")], time("First at", "starts", "00:00"), time("Last at", "stops", "24:00"))))
  }

  private var play: HTML {
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

  private var place: HTML {
    let devices = context.list("devices", "devices").compactMap { $0["alias"]?.string ?? $0["name"]?.string }
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }
    let options =
      devices.map { (value: $0, title: HTML(context.name(of: $0))) }
      + groups.map { (value: "@\($0)", title: HTML("All of \($0)")) }
      + [(value: "@all", title: "All screens")]
    return field("On", select("device", options, fields["device"]))
  }

  private var days: HTML {
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

  private var times: HTML {
    func time(_ title: HTML, _ name: StaticString) -> HTML {
      field(
        title, input(name, [.init("inputmode", "numeric"), .init("placeholder", "08:00")]))
    }
    return only(
      .time, .share, content: .div([.class("two")], time("From", "from"), time("To", "to")),
      only(.share, content: .p([.class("faint")], "Without times it is the whole day.")))
  }

  // MARK: What is asked seldom

  func more(isNew: Bool) -> HTML {
    let isUsed =
      (fields["when"] ?? "daily") != "daily"
      || ["until", "end", "only_on", "not_on", "for", "apart"].contains { fields[$0]?.isEmpty == false }
      || (fields["priority"] ?? "0") != "0"
    let dayparts = context.list("dayparts", "dayparts").compactMap { $0["daypart"]?.string }
    let starts: [(value: String, title: HTML)] = [
      ("once", "Once"), ("cron", "A cron expression"), ("calendar", "A calendar expression"),
    ]
    let forms: [(value: String, title: HTML)] =
      kind == .announcement
      ? [("", "As above")] + starts
      : [("daily", "From and to, on these days")]
        + dayparts.map { (value: "daypart:\($0)", title: HTML("Time of day: \($0)")) }
        + [("always", "Always")] + starts
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
          [.class("more")], field("When", select("when", forms, fields["when"] ?? forms.first?.value)),
          only(.share, content: field("Apart at least", input("apart", [.init("placeholder", "5 min")]))),
          field("On this day, if once", input("on", dated)),
          field("Expression", input("expression", [.init("placeholder", "0 8-18 * * mon-fri")])),
          field("For, if an expression", input("for", [.init("placeholder", "5m")])),
          field("Until, this day too", input("until", dated)),
          field(
            "At its end",
            select("end", [("", "Cut off"), ("finish", "The last item may finish")], fields["end"] ?? "")),
          field("Over others", select("priority", ranks, fields["priority"] ?? "0")),
          calendars.isEmpty
            ? .none : field("Only on days of", select("only_on", days, fields["only_on"] ?? "")),
          calendars.isEmpty ? .none : field("Not on days of", select("not_on", days, fields["not_on"] ?? "")),
          !isNew
            ? .none
            : field("Name, made from the programme", input("rule", [.init("maxlength", "120")]))),
      ])
  }
}
