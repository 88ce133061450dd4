import CastProtocol
import CastqText

/// *Proof*: what was shown, for whoever paid for it.
struct ProofSheet {
  let context: PageContext
  let paper: JSONValue
  let asked: PaperQuery

  /// Titles that a page lists; the table as a file has all of them.
  private static let most = 250

  private var rows: [JSONValue] { paper["rows"]?.array ?? [] }
  private var total: JSONValue { paper["total"] ?? .null }
  private var programmes: [JSONValue] { paper["programmes"]?.array ?? [] }
  private var outages: [JSONValue] { paper["outages"]?.array ?? [] }

  var html: HTML {
    guard !rows.isEmpty else {
      return [
        .div(
          [.class("empty")], Glyph.bars.html,
          .p([], "Nothing was shown in this time, so there is nothing to prove."), everyPlay), days,
      ]
    }
    return [numbers, days, tables, rest]
  }

  // MARK: - The four numbers

  private var numbers: HTML {
    let screens = paper["screens"]?.int ?? 0
    let (plays, inferred) = (total["plays"]?.int ?? 0, total["inferred"]?.int ?? 0)
    let unseen = total["unobserved"]?.int ?? 0
    let evidence: (String, String) =
      switch (inferred, unseen) {
      case (0, 0): ("all", "seen by castq, none inferred")
      case (_, 0): (PaperWords.count(inferred), "inferred, the rest seen by castq")
      case (0, _): (PaperWords.count(unseen), "not watched, the rest seen by castq")
      default: (PaperWords.count(inferred), "inferred, \(PaperWords.count(unseen)) not watched")
      }
    return KeyNumbers(
      numbers: [
        (
          PaperWords.count(plays),
          "\(plays == 1 ? "play" : "plays") on \(PaperWords.counted(screens, "screen", "screens"))"
        ), (PaperWords.clock(total["shown_s"]), "shown"),
        (PaperWords.percent(total["complete_part"]?.double), "complete"), (evidence.0, evidence.1),
      ]
    ).html
  }

  // MARK: - Days

  private var days: HTML {
    let bars = DayBars(
      title: "Plays a day", days: asked.days,
      bars: (paper["days"]?.array ?? []).compactMap { day in
        day["day"]?.string.map {
          DayBars.Bar(
            day: $0, value: Double(day["plays"]?.int ?? 0), isDark: (day["away_s"]?.double ?? 0) > 0)
        }
      }
    ) { PaperWords.counted(Int(bounded: $0.value), "play", "plays") }.html
    guard bars != .none || !outages.isEmpty else { return .none }
    let title: HTML = bars == .none ? "Outages" : "Plays a day"
    return .section([.class("panel")], .h2([], title), bars, darkness)
  }

  /// The longest outages in words, in the order of time.
  private var darkness: HTML {
    let longest = outages.sorted { ($0["seconds"]?.double ?? 0) > ($1["seconds"]?.double ?? 0) }.prefix(3)
    guard !longest.isEmpty else { return .none }
    let told = longest.sorted { ($0["began_at"]?.string ?? "") < ($1["began_at"]?.string ?? "") }
    let more = outages.count - told.count
    let onAir = PageAddress.text(
      "/reports", asked.address.map { $0.name == "paper" ? .init("paper", "air") : $0 })
    return .div(
      [.class("darkness")], HTML(told.map { .p([], OutageWords(context: context, outage: $0).sentence) }),
      more > 0
        ? .p([], .a([.href(onAir)], HTML("\(PaperWords.counted(more, "more outage", "more outages"))")))
        : .none)
  }

  // MARK: - Titles

  private static let numbers = ["Plays", "Shown", "Complete", "Cut short", "Failed"]

  /// Plays of which nobody knows the end have a column where there are any.
  private var hasUnknown: Bool { (total["unknown"]?.int ?? 0) > 0 }

  private var columns: [String] { Self.numbers + (hasUnknown ? ["Not watched"] : []) }

  private func cells(_ row: JSONValue) -> [HTML] {
    [
      HTML(PaperWords.cell(row["plays"])), HTML(PaperWords.length(row["shown_s"])),
      HTML(PaperWords.cell(row["complete"])), HTML(PaperWords.cell(row["cut_short"])),
      HTML(PaperWords.cell(row["failed"])),
    ] + (hasUnknown ? [HTML(PaperWords.cell(row["unknown"]))] : [])
  }

  private func name(_ programme: String?) -> HTML { programme.map { .foreign($0) } ?? "From the queues" }

  private var tables: HTML {
    let shown = rows.prefix(Self.most)
    func table(_ rows: [JSONValue], _ total: [HTML]) -> HTML {
      var table = PaperTable("Title", columns)
      table.rows = rows.map { [.foreign($0["title"]?.string ?? "–")] + cells($0) }
      table.total = total
      return table.html
    }
    guard programmes.count > 1 else {
      let name = programmes.first?["programme"]?.string
      return .section(
        [.class("panel flush titles")], name.map { .h2([], .foreign($0)) } ?? .none,
        table(Array(shown), ["All"] + cells(total)))
    }
    var summary = PaperTable("Programme", columns)
    summary.rows = programmes.map { [name($0["programme"]?.string)] + cells($0) }
    summary.total = ["All"] + cells(total)
    // One sheet of paper for each programme, behind the one of all.
    let sheets = programmes.map { programme -> HTML in
      let label = programme["programme"]?.string
      let own = shown.filter { $0["programme"]?.string == label }
      guard !own.isEmpty else { return .none }
      return .section(
        [.class("panel flush titles sheet")],
        .p(
          [.class("sheet-head")], asked.client.map { [.foreign($0), ", "] } ?? .none,
          HTML(PaperWords.days(asked.days))),
        .h2([], name(label)), table(own, ["All"] + cells(programme)))
    }
    return [.section([.class("panel flush titles")], .h2([], "Programmes"), summary.html), HTML(sheets)]
  }

  private var rest: HTML {
    let more = rows.count - Self.most
    return .div(
      [.class("row more")],
      more > 0
        ? .p(
          [.class("faint")],
          HTML("\(PaperWords.counted(more, "more title is", "more titles are")) in the table (CSV)."))
        : .none,
      everyPlay)
  }

  private var everyPlay: HTML {
    let filters = asked.options.values.filter { $0.name != "device" || !$0.value.hasPrefix("@") }
    return .a([.class("button plain"), .href(PageAddress.text("/history", filters))], "Every play")
  }
}

/// One outage in the words of people.
struct OutageWords {
  let context: PageContext
  let outage: JSONValue

  /// `18 November: Lobby TV did not answer from 09:10 to 15:42 (the connection was closed).`
  var sentence: HTML {
    let begin = outage["began_at"]?.string
    let (first, last) = (context.date(outage["began_at"]), context.date(outage["ended_at"]))
    let end: HTML =
      last.map {
        [" to ", context.moment(outage["ended_at"]?.string, withDay: $0 != first, withSeconds: false)]
      }
      ?? " until now"
    return [
      HTML(first.map { "\(PaperWords.day($0, withYear: false)): " } ?? ""),
      .foreign(context.name(of: outage["device"]?.string)), " did not answer from ",
      context.moment(begin, withDay: false, withSeconds: false), end,
      cause.map { [" (", .foreign($0), ")"] } ?? .none,
      ".",
    ]
  }

  /// Nil when nothing is known.
  var cause: String? {
    guard let cause = outage["cause"]?.string, !cause.isEmpty else { return nil }
    return cause
  }
}
