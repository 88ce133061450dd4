import CastProtocol
import CastqOperations
import CastqText

/// The plan as lanes: a lane for each device, columns for hours or days in the zone of the page.
///
/// Places are fractions of the elapsed time, so a day on which clocks change has 23 or 25 columns. Drawn with SVG, whose
/// attributes need no style. On a narrow screen a day has no room for its hours: there the pieces of each lane are a list below its
/// device.
struct LaneChart {
  let context: PageContext
  let plan: JSONValue

  /// A moment of the plan in milliseconds; nil when it cannot be read.
  static func moment(_ value: JSONValue?) -> Int64? {
    value?.string.flatMap { try? RFC3339.parse($0) }?.milliseconds
  }

  private var from: Int64 { Self.moment(plan["from"]) ?? 0 }
  private var to: Int64 { max(Self.moment(plan["to"]) ?? 1, from + 1) }
  private var isLong: Bool { to - from > 3 * 86_400_000 }

  /// Where a moment is, in percent of the width, with three digits.
  private func place(_ moment: Int64) -> Double {
    let part = Double(min(max(moment, from), to) - from) / Double(to - from)
    return Double(Int(bounded: (part * 100_000).rounded())) / 1000
  }

  /// The starts of the columns: full hours, or midnights, of the zone.
  var columns: [(at: Int64, label: String)] {
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
    let segments = plan["segments"]?.array ?? []
    var order: [String] = []
    var lanes: [String: [JSONValue]] = [:]
    for segment in segments.prefix(5000) {
      let device = segment["device"]?.string ?? ""
      if lanes[device] == nil { order.append(device) }
      lanes[device, default: []].append(segment)
    }
    guard !order.isEmpty else {
      let isPast = to <= context.now.milliseconds
      return .p([.class("faint")], isPast ? "castq knew no screen then." : "No screen has a plan yet.")
    }
    let columns = columns
    return .element(
      "castq-lanes",
      [
        .class("lanes"), .init("data-from", "\(from)"), .init("data-to", "\(to)"),
        .init("data-columns", "\(columns.count)"),
      ],
      [
        .div(
          [.class("lanes-scroll"), .init("tabindex", "0"), .init("role", "region"), .label("Plan as lanes")],
          .div([.class("lanes-body")], ruler(columns), HTML(order.map { lane($0, lanes[$0] ?? [], columns) }))
        )
      ])
  }

  /// Whether a label that begins somewhere, in percent, ends within the lane, also on the narrowest one, which has 540 pixels. One that
  /// is cut off would be another time.
  static func fits(_ label: String, beside left: Double) -> Bool {
    left + Double(label.count * 7 + 4) * 100 / 540 <= 100
  }

  private func percent(_ value: Double) -> String { "\(value)%" }

  private func svg(_ attributes: [HTML.Attribute], _ content: [HTML]) -> HTML {
    .element("svg", attributes, content)
  }

  private func ruler(_ columns: [(at: Int64, label: String)]) -> HTML {
    let step = isLong ? 1 : columns.count > 16 ? 3 : 1
    var labels: [HTML] = []
    for column in columns where !column.label.isEmpty {
      let isLabelled = isLong || (context.hour(column.at) % step == 0)
      guard isLabelled, Self.fits(column.label, beside: place(column.at)) else { continue }
      labels.append(
        .element(
          "text", [.init("x", percent(place(column.at))), .init("dx", "4"), .init("y", "16")],
          [HTML(column.label)]))
    }
    return .div(
      [.class("lane ruler")],
      .span([.class("lane-name faint")], HTML(context.offsetText(at: WallTime(milliseconds: from)))),
      svg(
        [.class("lane-track"), .hidden, .init("height", "22"), .init("width", "100%")],
        [hatch] + labels + now(22)))
  }

  private func now(_ height: Int) -> [HTML] {
    let at = context.now.milliseconds
    return [
      .element(
        "line",
        [
          .class("now-line"), .init("x1", percent(place(at))), .init("x2", percent(place(at))),
          .init("y1", "0"),
          .init("y2", "\(height)"), .init("visibility", at < from || at > to ? "hidden" : nil),
        ], [])
    ]
  }

  private func lane(_ device: String, _ segments: [JSONValue], _ columns: [(at: Int64, label: String)])
    -> HTML
  {
    let grid: [HTML] = columns.map { column in
      .element(
        "line",
        [
          .class("grid"), .init("x1", percent(place(column.at))), .init("x2", percent(place(column.at))),
          .init("y1", "0"), .init("y2", "40"),
        ], [])
    }
    return .div(
      [.class("lane")],
      .a([.class("lane-name"), .href(PageAddress.device(device))], .foreign(context.name(of: device))),
      svg(
        [
          .class("lane-track"), .init("height", "40"), .init("width", "100%"), .init("role", "group"),
          .label("Plan of \(context.name(of: device))"),
        ],
        grid + segments.map { piece($0, device) } + now(40)),
      .element(
        "ol", [.class("lane-list")], segments.prefix(Self.listed).map { item($0, device) } + [rest(segments)])
    )
  }

  /// The most pieces of a device in its list.
  private static let listed = 60

  /// A piece as a row of the list: when, what, by which rule.
  private func item(_ segment: JSONValue, _ device: String) -> HTML {
    let start = Self.moment(segment["start"]) ?? 0
    let end = Self.moment(segment["end"]) ?? 0
    let kind = segment["kind"]?.string ?? ""
    let isNow = start <= context.now.milliseconds && context.now.milliseconds < end
    return .element(
      "li",
      [
        .init("data-kind", kind), .init("data-start", "\(start)"), .init("data-end", "\(end)"),
        .init("aria-current", isNow ? "time" : nil),
      ],
      [
        .a(
          [
            .href(PlanList.whyAddress(device, segment["start"]?.string)),
            .init("data-why", segment["start"]?.string), .init("data-why-device", device),
          ],
          .span([.class("swatch")]),
          .span([], context.time(segment["start"]?.string), "–", PlanList.end(context, segment)),
          .span(
            [.class("what")], .element("strong", [], [.foreign(PlanList.what(segment))]),
            segment["rule"]?.string.map { [" by ", .foreign($0)] } ?? .none))
      ])
  }

  private func rest(_ segments: [JSONValue]) -> HTML {
    guard segments.count > Self.listed else { return .none }
    return .element("li", [.class("faint")], ["\(segments.count - Self.listed) more are in the table below"])
  }

  /// The pattern of dark minutes: lines, so that it is seen without colour.
  private var hatch: HTML {
    .element(
      "defs", [],
      [
        .element(
          "pattern",
          [
            .id("hatch"), .init("width", "8"), .init("height", "8"), .init("patternUnits", "userSpaceOnUse"),
            .init("patternTransform", "rotate(45)"),
          ],
          [
            .element(
              "line",
              [.class("hatch"), .init("x1", "0"), .init("x2", "0"), .init("y1", "0"), .init("y2", "8")], [])
          ])
      ])
  }

  /// What dragging a segment needs: the rule, its time, and where that time is now, both by the clocks of the rule.
  private func movable(_ segment: JSONValue) -> [HTML.Attribute] {
    guard context.role >= .edit, let name = segment["rule"]?.string,
      let occurrence = segment["occurrence"]?.string
    else { return [] }
    let rule = context.list("rules", "rules").first { $0["rule"]?.string == name }
    let moved = rule?["exceptions"]?.array?.first { $0["occurrence"]?.string == occurrence }?["to"]?.string
    return [
      .init("data-rule", name), .init("data-occurrence", occurrence),
      .init("data-local", moved ?? occurrence),
    ]
  }

  private func piece(_ segment: JSONValue, _ device: String) -> HTML {
    guard let start = Self.moment(segment["start"]), let end = Self.moment(segment["end"]), end > start else {
      return .none
    }
    let what = PlanList.what(segment)
    let left = place(start)
    let width = Double(Int(bounded: ((place(end) - left) * 1000).rounded())) / 1000
    let kind = segment["kind"]?.string ?? ""
    // Nothing of castq's is on the screen, whoever has it.
    let isDark = ["dark", "guest", "stopped", "quiet", "unobserved"].contains(kind)
    let words = [
      context.name(of: device), what, segment["rule"]?.string.map { "by \($0)" } ?? "",
      "\(context.words(WallTime(milliseconds: start))) to \(context.words(WallTime(milliseconds: end)))",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    return .element(
      "a",
      [
        .href(PlanList.whyAddress(device, segment["start"]?.string)), .label("\(words). Why?"),
        .class("segment"),
        .init("data-kind", kind), .init("data-why", segment["start"]?.string),
        .init("data-why-device", device), .init("data-end", "\(end)"),
      ] + movable(segment),
      [
        svg(
          [
            .init("x", percent(left)), .init("y", "4"), .init("width", percent(max(width, 0.15))),
            .init("height", "32"),
          ],
          [
            .element(
              "rect",
              [
                .init("width", "100%"), .init("height", "100%"), .init("rx", "3"),
                .init("fill", isDark ? "url(#hatch)" : nil),
              ], []),
            .element(
              "text", [.init("x", "7"), .init("y", "21")], [HTML(width > 2 && !isDark ? what : "")]),
            .element("title", [], [HTML(words)]),
          ])
      ])
  }
}

extension PageContext {
  /// The hour of the clock at a moment.
  fileprivate func hour(_ milliseconds: Int64) -> Int {
    zone.localTime(at: WallTime(milliseconds: milliseconds)).secondOfDay / 3600
  }
}
