import CastProtocol
import CastqOperations
import CastqText

/// A piece of a plan as it stands in lanes, in a calendar and in lists: its name, its times, and a way to why.
struct PieceBlock {
  let context: PageContext

  /// A piece of a chart.
  func link(_ piece: PlanOutline.Piece) -> HTML {
    .a(
      [
        .class("piece"), .href(PlanList.whyAddress(piece.device, RFC3339.text(piece.start))),
        .init("data-kind", piece.kind), .init("data-tone", piece.tone == 0 ? nil : "\(piece.tone)"),
        .init("data-plan", piece.start < context.now ? nil : "true"),
        .init("data-often", piece.frequency == nil ? nil : "true"),
        .init("data-why", RFC3339.text(piece.start)), .init("data-why-device", piece.device),
        .init("data-end", "\(piece.end.milliseconds)"),
      ] + movable(piece), .element("b", [], [.foreign(words(piece))]), " ",
      .element("small", [], [HTML(times(piece))]))
  }

  /// A piece as a row of a list: when, what, by which rule.
  func row(_ piece: PlanOutline.Piece) -> HTML {
    let isNow = piece.start <= context.now && context.now < piece.end
    return .element(
      "li",
      [
        .init("data-kind", piece.kind), .init("data-start", "\(piece.start.milliseconds)"),
        .init("data-end", "\(piece.end.milliseconds)"), .init("aria-current", isNow ? "time" : nil),
      ],
      [
        .a(
          [
            .href(PlanList.whyAddress(piece.device, RFC3339.text(piece.start))),
            .init("data-why", RFC3339.text(piece.start)), .init("data-why-device", piece.device),
          ],
          .span([.class("swatch"), .init("data-tone", piece.tone == 0 ? nil : "\(piece.tone)")]),
          .span(
            [.class("what")], .element("strong", [], [.foreign(words(piece))]),
            piece.rule.map { $0 == piece.title ? .none : [" by ", .foreign($0)] } ?? .none),
          .span([.class("faint")], HTML(times(piece))))
      ])
  }

  /// `Menus`, `news, hourly`.
  private func words(_ piece: PlanOutline.Piece) -> String {
    piece.frequency.map { "\(piece.title), \($0)" } ?? piece.title
  }

  /// `08:00–10:30`; a queue ends about a time, and a day has a name where it is another one.
  func times(_ piece: PlanOutline.Piece) -> String {
    let (start, end) = (context.zone.localTime(at: piece.start), context.zone.localTime(at: piece.end))
    let isNext = end.date.number == start.date.number + 1 && end.secondOfDay == 0
    let day = end.date == start.date || isNext ? "" : "\(PageContext.dayText(end.date)) "
    let clock = isNext ? "24:00" : context.clock(piece.end)
    if piece.kind == "base", context.now.adding(seconds: 60) < piece.end, end.secondOfDay != 0 {
      return "until about \(day)\(clock)"
    }
    return "\(context.clock(piece.start))–\(day)\(clock)"
  }

  /// What dragging a piece needs: the rule, its time, and where that time is now, both by the clocks of the rule.
  private func movable(_ piece: PlanOutline.Piece) -> [HTML.Attribute] {
    guard context.role >= .edit, let name = piece.rule, let occurrence = piece.occurrence,
      piece.end > context.now
    else { return [] }
    let rule = context.list("rules", "rules").first { $0["rule"]?.string == name }
    let moved = rule?["exceptions"]?.array?.first { $0["occurrence"]?.string == occurrence }?["to"]?.string
    // An edge is pulled on the axis of the page: its clocks have to be those of the rule.
    let isOfPage = context.query["tz"] == nil && (rule?["tz"]?.string ?? context.zoneName) == context.zoneName
    return [
      .init("data-rule", name), .init("data-occurrence", occurrence),
      .init("data-local", moved ?? occurrence),
      .init("data-edges", moved == nil && isOfPage ? rule.flatMap(PieceEdges.names) : nil),
    ]
  }
}
