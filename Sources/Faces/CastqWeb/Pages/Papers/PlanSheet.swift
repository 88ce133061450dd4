import CastProtocol
import CastqText

/// *Plan kept*: what rules were to show, and what of it was shown.
struct PlanSheet {
  let context: PageContext
  let paper: JSONValue
  let asked: PaperQuery

  private static let most = 250

  private var rows: [JSONValue] { paper["rows"]?.array ?? [] }
  private var shares: [JSONValue] { paper["shares"]?.array ?? [] }
  private var total: JSONValue { paper["total"] ?? .null }

  var html: HTML {
    guard !rows.isEmpty || !shares.isEmpty else {
      return .div(
        [.class("empty")], Glyph.calendar.html, .p([], "Nothing was planned in this time."),
        .a([.class("button"), .href("/schedule")], "Open the schedule"))
    }
    return [rows.isEmpty ? .none : [numbers, days, rules], ads]
  }

  private var numbers: HTML {
    let times = total["occurrences"]?.int ?? 0
    return KeyNumbers(
      numbers: [
        (
          PaperWords.percent(total["part"]?.double),
          "of the plan was shown: it had \(PaperWords.counted(times, "time", "times"))"
        ), (PaperWords.clock(total["planned_s"]), "planned"), (PaperWords.clock(total["shown_s"]), "shown"),
        (PaperWords.clock(total["missing_s"]), "missing"),
      ]
    ).html
  }

  private var days: HTML {
    let bars = DayBars(
      title: "Shown of what was planned", days: asked.days,
      bars: (paper["days"]?.array ?? []).compactMap { day in
        day["day"]?.string.map {
          DayBars.Bar(day: $0, value: day["shown_s"]?.double ?? 0, outOf: day["planned_s"]?.double ?? 0)
        }
      }
    ) { "\(PageLength.clock($0.value)) of \(PageLength.clock($0.outOf ?? 0))" }.html
    guard bars != .none else { return .none }
    return .section([.class("panel")], .h2([], "Shown of what was planned"), bars)
  }

  private var rules: HTML {
    func cells(_ row: JSONValue) -> [HTML] {
      [
        HTML(PaperWords.cell(row["occurrences"])), HTML(PaperWords.length(row["planned_s"])),
        HTML(PaperWords.length(row["shown_s"])), HTML(PaperWords.length(row["missing_s"])),
        HTML(PaperWords.percent(row["part"]?.double)),
      ]
    }
    var table = PaperTable("Planned", ["Times", "Planned for", "Shown", "Missing", "Kept"])
    table.rows = rows.prefix(Self.most).map { [.foreign($0["rule"]?.string ?? "–")] + cells($0) }
    table.total = ["All"] + cells(total)
    let more = rows.count - Self.most
    return .section(
      [.class("panel flush")], table.html,
      more > 0
        ? .p([.class("faint more")], HTML("\(PaperWords.count(more)) more are in the table (CSV).")) : .none)
  }

  private var ads: HTML {
    guard !shares.isEmpty else { return .none }
    var table = PaperTable("Ad share", ["Plays", "Due", "Shown", "Difference"])
    table.rows = shares.prefix(Self.most).map { row in
      let difference = row["difference_s"]?.double
      let sign = (difference ?? 0) < 0 ? "−" : "+"
      return [
        .foreign(row["rule"]?.string ?? "–"), HTML(PaperWords.cell(row["plays"])),
        HTML(PaperWords.clock(row["due_s"])), HTML(PaperWords.clock(row["shown_s"])),
        HTML(difference.map { "\(sign)\(PageLength.clock($0.magnitude))" } ?? "–"),
      ]
    }
    return .section([.class("panel flush")], table.html)
  }
}
