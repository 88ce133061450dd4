import CastProtocol
import CastqText

/// *On air*: how the screens were reached, and when they were not.
struct AirSheet {
  let context: PageContext
  let paper: JSONValue
  let asked: PaperQuery

  /// Outages that a page lists; the file has all of them.
  private static let most = 200

  private var rows: [JSONValue] { paper["rows"]?.array ?? [] }
  private var total: JSONValue { paper["total"] ?? .null }
  private var outages: [JSONValue] { paper["outages"]?.array ?? [] }

  var html: HTML {
    guard !rows.isEmpty || !outages.isEmpty else {
      return .div([.class("empty")], Glyph.screen.html, .p([], "No screen was known in this time."))
    }
    return [numbers, list, screens]
  }

  private var numbers: HTML {
    let count = outages.count
    return KeyNumbers(
      numbers: [
        (
          PaperWords.percent(total["available"]?.double),
          "answered, of the time that \(PaperWords.counted(rows.count, "screen was", "screens were")) watched"
        ), (PaperWords.count(count), count == 1 ? "outage" : "outages"),
        (PaperWords.clock(total["away_s"]), "without an answer"),
        (PaperWords.clock(total["shown_s"]), "with a picture or sound"),
      ]
    ).html
  }

  private var list: HTML {
    guard !outages.isEmpty else {
      return .section(
        [.class("panel")], .h2([], "Outages"), .p([.class("faint")], "None: every screen answered."))
    }
    var table = PaperTable(words: ["Screen", "From", "Until", "Instead of", "Cause"], numbers: ["Length"])
    // The newest first: it is what somebody asks about.
    table.rows = outages.suffix(Self.most).reversed().map { outage in
      let (first, last) = (context.date(outage["began_at"]), context.date(outage["ended_at"]))
      return [
        .foreign(context.name(of: outage["device"]?.string)), context.moment(outage["began_at"]?.string),
        last.map { context.moment(outage["ended_at"]?.string, withDay: $0 != first) } ?? "not yet back",
        outage["due"]?.string.map { .foreign($0) } ?? "–",
        OutageWords(context: context, outage: outage).cause.map { .foreign($0) } ?? "–",
        HTML(PaperWords.clock(outage["seconds"])),
      ]
    }
    let file = PageAddress.text(
      "/api/v1/report/outages", asked.options.values + [.init("format", "csv")])
    let more = outages.count - Self.most
    return .section(
      [.class("panel flush")],
      .div(
        [.class("panel-head")], .h2([], "Outages"),
        .a(
          [.class("button plain"), .href(file), .init("download", "\(asked.fileName)-outages.csv")],
          "Outages (CSV)")), table.html,
      more > 0
        ? .p(
          [.class("faint more")],
          HTML("\(PaperWords.counted(more, "earlier one is", "earlier ones are")) in the file.")) : .none)
  }

  private var screens: HTML {
    guard !rows.isEmpty else { return .none }
    func cells(_ row: JSONValue) -> [HTML] {
      [
        HTML(PaperWords.percent(row["available"]?.double)), HTML(PaperWords.cell(row["outages"])),
        HTML(PaperWords.length(row["away_s"])), HTML(PaperWords.length(row["longest_s"])),
        HTML(PaperWords.length(row["shown_s"])), HTML(PaperWords.length(row["unobserved_s"])),
      ]
    }
    var table = PaperTable("Screen", ["Answered", "Outages", "Away", "Longest", "Playing", "Not watched"])
    table.rows = rows.map { [.foreign(context.name(of: $0["device"]?.string))] + cells($0) }
    table.total = ["All"] + cells(total)
    return .section([.class("panel flush")], .h2([], "Screens"), table.html)
  }
}
