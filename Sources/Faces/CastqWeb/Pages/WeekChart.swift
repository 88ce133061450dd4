import CastProtocol
import CastqOperations
import CastqText

/// A week of one screen, or of a group, as a calendar: days across, hours down. A day on which clocks change has 23 or 25 hours.
///
/// Of what is to come it has the programmes; where there is none, time is free, and the script leads from there to a new time.
struct WeekChart {
  let context: PageContext
  let plan: JSONValue

  private var range: ScheduleRange { ScheduleRange(context: context) }

  /// A piece of one day, and its place among those beside it.
  private struct Block {
    var piece: PlanOutline.Piece
    var column = 0
    var columns = 1
  }

  var html: HTML {
    let outline = PlanOutline(Array((plan["segments"]?.array ?? []).prefix(50_000)), now: context.now)
    let pieces = outline.lanes.count > 1 ? Self.joined(outline.lanes) : outline.lanes.first?.pieces ?? []
    let repeats = outline.lanes.count > 1 ? [] : outline.lanes.first?.repeats ?? []
    return .element(
      "castq-lanes",
      [
        .class("week panel flush"), .init("data-from", "\(range.start(0).milliseconds)"),
        .init("data-to", "\(range.start(7).milliseconds)"), .init("data-columns", "7"),
        .init("data-new", context.role < .edit ? nil : range.address([:])),
      ],
      [
        .div(
          [
            .class("days-scroll"), .init("tabindex", "0"), .init("role", "region"),
            .label("Week as a calendar"),
          ],
          .div(
            [.class("days-body")],
            hours, HTML((0..<7).map { day($0, shown(pieces), repeats) }))),
        list(shown(pieces) + repeats),
      ])
  }

  /// What a group of screens has in common, by the times of rules.
  private static func joined(_ lanes: [PlanOutline.Lane]) -> [PlanOutline.Piece] {
    var known: Set<String> = []
    let all = lanes.flatMap(\.pieces).filter { !$0.isDark && $0.kind != "base" }
    return all.filter { piece in
      known.insert("\(piece.rule ?? "") \(piece.occurrence ?? "") \(piece.start.milliseconds)").inserted
    }.sorted { $0.start < $1.start }
  }

  /// What is drawn: nothing of a queue that is to come, and nothing of a dark time to come, which are free.
  private func shown(_ pieces: [PlanOutline.Piece]) -> [PlanOutline.Piece] {
    pieces.filter { $0.start < context.now || (!$0.isDark && $0.kind != "base") }
  }

  private var hours: HTML {
    .div(
      [.class("hours"), .hidden], .span([.class("day-name")]),
      .element(
        "svg", [.init("width", "100%"), .class("day-axis")],
        (1..<24).map { hour in
          .element(
            "text",
            [
              .init("x", "100%"), .init("dx", "-8"), .init("y", "\(Double(hour) * 100 / 24)%"),
              .init("dy", "4"),
            ],
            [HTML("\(hour < 10 ? "0" : "")\(hour):00")])
        }))
  }

  private func day(
    _ number: Int, _ pieces: [PlanOutline.Piece], _ repeats: [PlanOutline.Piece]
  ) -> HTML {
    let date = range.first.advanced(by: number)
    let axis = TimeAxis(
      from: range.start(number).milliseconds, to: range.start(number + 1).milliseconds)
    let count = Int(axis.length / 3_600_000)
    let words = PageContext.dayText(date)
    let isToday = date == range.today
    let grid: [HTML] = (1..<max(count, 2)).map { hour in
      let at = axis.place(axis.from + Int64(hour) * 3_600_000)
      let line = HTML.element(
        "line",
        [
          .class("grid"), .init("x1", "0"), .init("x2", "100%"), .init("y1", "\(at)%"), .init("y2", "\(at)%"),
        ], [])
      guard count != 24 else { return line }
      let clock = context.clock(WallTime(milliseconds: axis.from + Int64(hour) * 3_600_000))
      return [
        line, .element("text", [.init("x", "4"), .init("y", "\(at)%"), .init("dy", "12")], [HTML(clock)]),
      ]
    }
    let blocks = Self.beside(pieces.filter { Self.isIn($0, axis) }.map { Block(piece: $0) })
    let often = repeats.filter { Self.isIn($0, axis) }
    let now = axis.place(context.now.milliseconds)
    let isNow = axis.from <= context.now.milliseconds && context.now.milliseconds < axis.to
    return .div(
      [
        .class("day"), .init("role", "group"), .label(words), .init("data-day", date.text),
        .init("data-hours", "\(count)"),
      ],
      name(date, words, isToday),
      .element(
        "svg",
        [
          .class("day-axis"), .init("width", "100%"), .init("data-from", "\(axis.from)"),
          .init("data-to", "\(axis.to)"),
        ],
        grid + blocks.map { place($0, axis, within: often.isEmpty ? 100 : 86) }
          + often.map { place(Block(piece: $0, column: 6, columns: 7), axis, within: 100) } + [
            !isNow
              ? .none
              : .element(
                "line",
                [
                  .class("now-line"), .init("x1", "0"), .init("x2", "100%"), .init("y1", "\(now)%"),
                  .init("y2", "\(now)%"),
                ], [])
          ]))
  }

  /// The head of a day; who may change the schedule makes a new time of it.
  private func name(_ date: LocalDate, _ words: String, _ isToday: Bool) -> HTML {
    let parts = words.split(separator: " ")
    let content: HTML = [
      .element("small", [], [HTML(String(parts.first ?? ""))]), " ",
      .element("b", [], [HTML(parts.dropFirst().first.map(String.init) ?? "")]),
    ]
    let current = HTML.Attribute("aria-current", isToday ? "date" : nil)
    guard context.role >= .edit else { return .element("span", [.class("day-name"), current], [content]) }
    let new = range.address(["new": "\(date.text)T08:00"]) + "#drawer"
    return .a([.class("day-name"), .href(new), current, .label("New time on \(words)")], content)
  }

  private static func isIn(_ piece: PlanOutline.Piece, _ axis: TimeAxis) -> Bool {
    piece.start.milliseconds < axis.to && axis.from < piece.end.milliseconds
  }

  /// Pieces of one time stand beside each other.
  private static func beside(_ blocks: [Block]) -> [Block] {
    var blocks = blocks
    var first = 0
    while first < blocks.count {
      var (last, end) = (first, blocks[first].piece.end)
      while last + 1 < blocks.count, blocks[last + 1].piece.start < end {
        last += 1
        end = max(end, blocks[last].piece.end)
      }
      for index in first...last {
        (blocks[index].column, blocks[index].columns) = (index - first, last - first + 1)
      }
      first = last + 1
    }
    return blocks
  }

  /// - Parameter room: the part of the width that it has, in percent.
  private func place(_ block: Block, _ axis: TimeAxis, within room: Double) -> HTML {
    let (top, bottom) = (
      axis.place(block.piece.start.milliseconds), axis.place(block.piece.end.milliseconds)
    )
    let width = room / Double(block.columns)
    let left = width * Double(block.column)
    func short(_ value: Double) -> String { "\(Double(Int(bounded: (value * 1000).rounded())) / 1000)%" }
    return .element(
      "foreignObject",
      [
        .init("x", short(left)), .init("y", short(top)), .init("width", short(width)),
        .init("height", short(max(bottom - top, 1.2))),
      ], [PieceBlock(context: context).link(block.piece)])
  }

  /// The week as a list, for narrow screens.
  private func list(_ pieces: [PlanOutline.Piece]) -> HTML {
    let coming = pieces.filter { $0.end > context.now || range.start(7) <= context.now }
    var rows: [HTML] = []
    var day: LocalDate?
    for piece in coming.sorted(by: { $0.start < $1.start }).prefix(100) {
      let date = context.zone.localTime(at: piece.start).date
      if date != day { rows.append(.element("li", [.class("list-day")], [HTML(PageContext.dayText(date))])) }
      day = date
      rows.append(PieceBlock(context: context).row(piece))
    }
    return .element("ol", [.class("lane-list")], rows)
  }
}
