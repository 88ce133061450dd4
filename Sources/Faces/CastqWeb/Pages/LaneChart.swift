import CastProtocol
import CastqOperations
import CastqText

/// A day as lanes, one for each screen, on one axis: what was on the screen left of now, what is planned right of it.
///
/// Places are parts of the time that passes, so a day on which clocks change has 23 or 25 columns. SVG has the places as attributes, which
/// need no style; what is drawn there is HTML. On a narrow screen a day has no room: there each lane is a list below its screen.
struct LaneChart {
  let context: PageContext
  let plan: JSONValue

  private var axis: TimeAxis { TimeAxis(plan: plan) }
  private var isLong: Bool { axis.length > 3 * 86_400_000 }

  /// The starts of the columns: full hours, or midnights, of the zone.
  var columns: [(at: Int64, label: String)] {
    let (from, to) = (axis.from, axis.to)
    var columns: [(at: Int64, label: String)] = []
    if isLong {
      var date = context.zone.localTime(at: WallTime(milliseconds: from)).date
      while columns.count < 62 {
        let at = context.zone.instant(of: LocalTime(date)).milliseconds
        if at >= to { break }
        if at >= from || columns.isEmpty {
          columns.append((max(at, from), PageContext.dayText(date)))
        }
        date = date.advanced(by: 1)
      }
      return columns
    }
    // Hours are elapsed ones, from the first full hour of the clock on.
    let rest = context.zone.localTime(at: WallTime(milliseconds: from)).secondOfDay % 3600
    var at = rest == 0 ? from : from + Int64(3600 - rest) * 1000
    if rest != 0 { columns.append((from, "")) }
    while at < to, columns.count < 80 {
      columns.append((at, context.clock(WallTime(milliseconds: at))))
      at += 3_600_000
    }
    return columns
  }

  var html: HTML {
    let outline = PlanOutline(Array((plan["segments"]?.array ?? []).prefix(20_000)), now: context.now)
    guard !outline.lanes.isEmpty else {
      let isPast = axis.to <= context.now.milliseconds
      return .p([.class("faint")], isPast ? "castq knew no screen then." : "No screen has a plan yet.")
    }
    let columns = columns
    let all = context["statuses"]?.array ?? context.list("statuses", "devices")
    let statuses = Dictionary(all.map { ($0["device"]?.string ?? "", $0) }) { first, _ in first }
    return .element(
      "castq-lanes",
      [
        .class("lanes panel flush"), .init("data-from", "\(axis.from)"), .init("data-to", "\(axis.to)"),
        .init("data-columns", "\(columns.count)"),
        .init("data-new", context.role < .edit ? nil : ScheduleRange(context: context).address([:])),
      ], [ruler(columns)] + outline.lanes.map { lane($0, statuses[$0.device]) })
  }

  /// Whether a label that begins somewhere, in percent, ends within the lane, also on the narrowest one, which has 500 pixels. One that
  /// is cut off would be another time.
  static func fits(_ label: String, beside left: Double) -> Bool {
    left + Double(label.count * 7 + 4) * 100 / 500 <= 100
  }

  private func ruler(_ columns: [(at: Int64, label: String)]) -> HTML {
    let step = isLong ? max(columns.count / 8, 1) : columns.count > 16 ? 3 : 1
    var labels: [HTML] = []
    for (index, column) in columns.enumerated() where !column.label.isEmpty {
      let isLabelled = isLong ? index % step == 0 : context.hour(column.at) % step == 0
      guard isLabelled, Self.fits(column.label, beside: axis.place(column.at)) else { continue }
      labels.append(
        .element(
          "text", [.init("x", percent(axis.place(column.at))), .init("dx", "4"), .init("y", "22")],
          [HTML(column.label)]))
    }
    return .div(
      [.class("lane ruler")], .span([.class("lane-name")]),
      .element(
        "svg", [.class("axis"), .hidden, .init("height", "32"), .init("width", "100%")],
        // The lines of the hours stand in the page once, whatever the number of lanes.
        [
          .element(
            "defs", [],
            [.element("g", [.id("hours")], columns.map { line("grid", axis.place($0.at), 72) })])
        ] + labels + now(32)))
  }

  private func percent(_ value: Double) -> String { "\(value)%" }

  private func line(_ name: StaticString, _ place: Double, _ height: Int, _ isHidden: Bool = false) -> HTML {
    .element(
      "line",
      [
        .class("\(name)"), .init("x1", percent(place)), .init("x2", percent(place)), .init("y1", "0"),
        .init("y2", "\(height)"), .init("visibility", isHidden ? "hidden" : nil),
      ], [])
  }

  private func now(_ height: Int) -> [HTML] {
    let at = context.now.milliseconds
    return [line("now-line", axis.place(at), height, at < axis.from || at > axis.to)]
  }

  private func lane(_ lane: PlanOutline.Lane, _ status: JSONValue?) -> HTML {
    let name = context.name(of: lane.device)
    let blocks = PieceBlock(context: context)
    return .div(
      [
        .class("lane"), .init("data-lane", lane.device), .init("role", "group"), .label("Plan of \(name)"),
      ],
      .a(
        [.class("lane-name"), .href(PageAddress.device(lane.device))],
        .element("strong", [], [.foreign(name)]),
        .element("small", [], [.foreign(status.map(shown) ?? "")])),
      .element(
        "svg", [.class("axis"), .init("height", "72"), .init("width", "100%")],
        [.element("use", [.init("href", "#hours")], [])]
          + lane.pieces.map { place($0, top: 10, height: lane.repeats.isEmpty ? 52 : 38, blocks) }
          + lane.repeats.map { place($0, top: 51, height: 13, blocks) } + now(72)),
      .element(
        "ol", [.class("lane-list")],
        (lane.pieces + lane.repeats).prefix(Self.listed).map { blocks.row($0) } + [rest(lane)]))
  }

  /// What is on a screen now.
  private func shown(_ status: JSONValue) -> String {
    let view = StatusView(document: status, now: context.now)
    return view.isOn ? view.title ?? view.word : view.word
  }

  /// The most pieces of a screen in its list.
  private static let listed = 60

  private func rest(_ lane: PlanOutline.Lane) -> HTML {
    let count = lane.pieces.count + lane.repeats.count
    guard count > Self.listed else { return .none }
    return .element("li", [.class("faint")], ["\(count - Self.listed) more are in the table below"])
  }

  private func place(_ piece: PlanOutline.Piece, top: Int, height: Int, _ blocks: PieceBlock) -> HTML {
    let (left, right) = (axis.place(piece.start.milliseconds), axis.place(piece.end.milliseconds))
    let width = Double(Int(bounded: ((right - left) * 1000).rounded())) / 1000
    return .element(
      "foreignObject",
      [
        .init("x", percent(left)), .init("y", "\(top)"), .init("width", percent(max(width, 0.4))),
        .init("height", "\(height)"),
      ], [blocks.link(piece)])
  }
}

/// The time that a chart shows, in milliseconds.
struct TimeAxis {
  let from: Int64
  let to: Int64

  init(from: Int64, to: Int64) {
    self.from = from
    self.to = max(to, from + 1)
  }

  init(plan: JSONValue) {
    func moment(_ name: String) -> Int64? {
      plan[name]?.string.flatMap { try? RFC3339.parse($0) }?.milliseconds
    }
    self.init(from: moment("from") ?? 0, to: moment("to") ?? 1)
  }

  var length: Int64 { to - from }

  /// Where a moment is, in percent of the length, with three digits.
  func place(_ moment: Int64) -> Double {
    let part = Double(min(max(moment, from), to) - from) / Double(length)
    return Double(Int(bounded: (part * 100_000).rounded())) / 1000
  }
}

extension PageContext {
  /// The hour of the clock at a moment.
  func hour(_ milliseconds: Int64) -> Int {
    zone.localTime(at: WallTime(milliseconds: milliseconds)).secondOfDay / 3600
  }
}
