import CastProtocol
import CastqOperations
import CastqText

/// The segments of a plan as rows: when, what, by which rule; each leads to why.
struct PlanList {
  let context: PageContext
  var showsDevice = false
  /// The most rows; the command has all.
  var most = 500

  private var segments: [JSONValue] { context.list("plan", "segments") }

  var html: HTML {
    guard !segments.isEmpty else {
      return .p([.class("faint")], "Nothing is planned: the queue of the screen plays.")
    }
    let heads: [HTML] = ["When", "What", "Rule", "Note"]
    return .div(
      [.class("scroll"), .init("tabindex", "0"), .init("role", "region"), .label("Plan as a table")],
      .element(
        "table", [.class("rows-table")],
        [
          .element(
            "thead", [],
            [
              .element(
                "tr", [],
                ((showsDevice ? ["Screen"] : []) + heads).map {
                  .element("th", [.init("scope", "col")], [$0])
                })
            ]), .element("tbody", [], segments.prefix(most).map(row)),
        ]),
      segments.count > most
        ? .p([.class("faint")], HTML("and \(segments.count - most) more")) : .none)
  }

  private func row(_ segment: JSONValue) -> HTML {
    let start = segment["start"]?.string
    let device = segment["device"]?.string ?? ""
    func cell(_ label: String, _ content: HTML...) -> HTML {
      .element("td", [.init("data-label", label)], content)
    }
    return .element(
      "tr", [.init("data-kind", segment["kind"]?.string)],
      [
        showsDevice
          ? cell("Screen", .a([.href(PageAddress.device(device))], .foreign(context.name(of: device))))
          : .none,
        cell(
          "When",
          .a(
            [
              .href(PlanList.whyAddress(device, start)), .init("data-why", start),
              .init("data-why-device", device),
            ],
            context.time(start), "–", PlanList.end(context, segment))),
        cell("What", .foreign(PlanOutline.title(segment))),
        cell("Rule", segment["rule"]?.string.map { .foreign($0) } ?? .span([.class("faint")], "–")),
        cell("Note", .foreign(segment["note"]?.string ?? "")),
      ])
  }

  /// The end of a segment: the time of day, with the day and the zone where they are not those of the start.
  static func end(_ context: PageContext, _ segment: JSONValue) -> HTML {
    guard let text = segment["end"]?.string, let end = try? RFC3339.parse(text) else { return "" }
    let start = segment["start"]?.string.flatMap { try? RFC3339.parse($0) } ?? end
    let date = context.zone.localTime(at: end).date
    let day = date == context.zone.localTime(at: start).date ? "" : "\(PageContext.dayText(date)) "
    let zone = context.offsetText(at: end)
    let words = "\(day)\(context.clock(end))\(zone == context.offsetText(at: start) ? "" : " \(zone)")"
    return .element("time", [.init("datetime", text)], [HTML(words)])
  }

  static func whyAddress(_ device: String, _ at: String?) -> String {
    PageAddress.text("/schedule", [.init("device", device)] + (at.map { [.init("why", $0)] } ?? []))
  }
}
