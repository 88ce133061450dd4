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
    (context.list("rules", "rules") + context.list("shares", "shares")).first { $0["rule"]?.string == name }
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
      return rule(name).map {
        PieceEdges.pulled(
          RuleFields(rule: $0).form, of: $0, by: context.query, parts: context.list("dayparts", "dayparts"))
      } ?? WebOptions()
    case .new?, nil: return proposal
    }
  }

  /// A new time: at the moment that was pointed at, else each day.
  private var proposal: WebOptions {
    var values: [WebOptions.Value] = [
      .init("what", RuleFields.Kind.time.rawValue), .init("when", "daily"), .init("share", "2 min"),
      .init("often", "60"),
    ]
    if let device = context.query["device"], !device.isEmpty { values.append(.init("device", device)) }
    if let play = context.query["play"] { values.append(.init("play", play)) }
    guard let local = context.query["new"].flatMap({ try? LocalTime($0) }) else {
      return WebOptions(values + RuleFields.days.map { .init("day", $0) })
    }
    let end = context.query["until"].flatMap { try? LocalTime($0) } ?? local.adding(seconds: 3600)
    let day = RuleFields.days[((local.date.number + 3) % 7 + 7) % 7]
    let to = PieceEdges.clock(endingAt: end, of: local.date)
    return WebOptions(
      values + [
        .init("day", day), .init("from", String(local.clockText.prefix(5))), .init("to", to),
        .init("at", String(local.clockText.prefix(5))),
      ])
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
    // What a rule is stays what it is.
    let kind = purpose == .new ? nil : RuleFields(fields).kind
    let inputs = RuleInputs(context: context, fields: fields, mistake: mistake, kind: kind)
    return .element(
      "form",
      [
        .init("method", "post"), .init("action", "/do"), .id("rule-form"),
        .init("data-zone", context.zoneName),
      ],
      [
        hidden("do", "rule"), hidden("old", old), hidden("copy", copy),
        hidden("revision", old == nil ? nil : fields["revision"]),
        hidden("back", range.address([:])), hidden("since", fields["since"]), hidden("what", kind?.rawValue),
        inputs.always, mistake?.html ?? .none,
        .p([.class("says"), .part("says"), .init("role", "status")], sentence(old)),
        inputs.more(isNew: old == nil),
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
