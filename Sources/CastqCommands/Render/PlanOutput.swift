import CastProtocol
import CastqCore

/// Puts plans into one of the forms in which they are printed, a device at a time.
struct PlanOutput {
  enum Form {
    case text, issues, json
    /// One segment a line.
    case lines
    case csv, calendar
  }

  private let form: Form
  private let range: Range<WallTime>
  private let zone: NamedZone
  private let version: String?
  private let hasHeadings: Bool
  /// By the book that the rule of a segment is in.
  private var words: [PlanWording]
  private var documents: [PlanDocument]
  private let calendar = PlanCalendar(stamp: .now)
  private let past: TimelineWording
  private var beginnings: SegmentBeginning
  /// The programmes that have a colour, by the order in which they occur.
  private var inks: [String: Ink] = [:]
  private var hasPrinted = false
  /// As text, which is smaller than values are.
  private var issues: [String] = []

  /// - Parameter books: of the parts of the plan; the last one is that of the present.
  init(
    _ form: Form, range: Range<WallTime>, zone: NamedZone, version: String?, books: [ScheduleBook],
    hasHeadings: Bool
  ) {
    self.form = form
    self.range = range
    self.zone = zone
    self.version = version
    self.hasHeadings = hasHeadings
    past = TimelineWording(zone: zone.rules, now: .now)
    words = books.map { PlanWording($0, zone: zone.rules) }
    documents = words.map(PlanDocument.init)
    beginnings = SegmentBeginning(books.first ?? ScheduleBook(), start: range.lowerBound)
  }

  /// What is printed before the first device.
  var head: String {
    switch form {
    case .text, .issues, .lines: ""
    case .json:
      #"{"from":"\#(RFC3339.text(range.lowerBound))","to":"\#(RFC3339.text(range.upperBound))","tz":"\#(zone.name.text)","#
        + #""zone_data":\#(JSONOutput.text(version).text),"segments":["#
    case .csv: PlanDocument.titles + "\n"
    case .calendar: calendar.head
    }
  }

  /// The plan of one device.
  /// - Parameter earlier: what of it has passed.
  mutating func text(
    _ earlier: [PastSegment], _ plan: PlanParts.Plan, on device: ScheduleDevice
  ) -> String {
    // A dark stretch of the past is listed as well, so that somebody can mend its cause.
    let dark: [(issue: PlanIssue, book: Int)] = earlier.filter(\.isDarkness).map {
      (issue: .dark($0.range), book: words.count - 1)
    }
    switch form {
    case .text: return lines(earlier, plan, on: device)
    case .issues: return lines(dark + plan.issues, on: device)
    case .json:
      issues += (dark + plan.issues).map { issue, book in
        Console.escaped(documents[book].issue(issue, on: device, &words[book]).text)
      }
      var text = ""
      for segment in earlier {
        text += hasPrinted ? "," : ""
        hasPrinted = true
        text += documents[documents.count - 1].past(segment, on: device, past)
      }
      for (segment, book) in plan.segments {
        text += hasPrinted ? "," : ""
        hasPrinted = true
        text += documents[book].segment(segment, on: plan.devices[book])
      }
      return text
    case .lines:
      let lines = earlier.reduce(into: "") {
        $0 += documents[documents.count - 1].past($1, on: device, past) + "\n"
      }
      return plan.segments.reduce(into: lines) {
        $0 += documents[$1.book].segment($1.segment, on: plan.devices[$1.book]) + "\n"
      }
    case .csv:
      let rows = earlier.reduce(into: "") {
        $0 += documents[documents.count - 1].pastRow($1, on: device, past) + "\n"
      }
      return plan.segments.reduce(into: rows) {
        $0 += documents[$1.book].row($1.segment, on: plan.devices[$1.book]) + "\n"
      }
    case .calendar:
      return words.indices.reduce(into: "") { text, book in
        text += calendar.events(
          plan.part(book), on: plan.devices[book], words: words[book], beginnings: &beginnings)
      }
    }
  }

  /// What is printed after the last device.
  var tail: String {
    switch form {
    case .text:
      "times in \(zone.name.text), zone data \(version ?? "of unknown version")\n"
    case .issues, .lines, .csv: ""
    case .json: #"],"issues":[\#(issues.joined(separator: ","))]}"# + "\n"
    case .calendar: calendar.tail
    }
  }

  // MARK: - Text

  private mutating func lines(
    _ issues: [(issue: PlanIssue, book: Int)], on device: ScheduleDevice
  ) -> String {
    var text = ""
    let name = TerminalText.sanitized(device.name)
    // Every night has its quiet hours: one line for all of them.
    let nights = issues.count { $0.issue.isQuiet }
    var hasNight = false
    for (issue, book) in issues where !issue.isQuiet || !hasNight {
      hasNight = hasNight || issue.isQuiet
      let more = issue.isQuiet && nights > 1 ? "; \(nights - 1) more" : ""
      text += "\(name)  \(issue.isFailure ? "" : "note: ")\(words[book].text(issue))\(more)\n"
    }
    return text
  }

  private mutating func lines(
    _ earlier: [PastSegment], _ plan: PlanParts.Plan, on device: ScheduleDevice
  ) -> String {
    let width = Console.dataWidth
    var text = hasHeadings ? "\(hasPrinted ? "\n" : "")\(TerminalText.sanitized(device.name))\n" : ""
    hasPrinted = true
    if let width {
      var whole = plan.whole
      whole.segments = earlier.map(\.drawn) + whole.segments
      text += bar(whole, width: width)
    }
    for segment in earlier {
      let line = documents[documents.count - 1].pastLine(segment, on: device, past)
      text += self.line(line, programme: segment.key?.programme, width: width)
    }
    for (segment, book) in plan.segments {
      text += self.line(
        words[book].line(segment, on: plan.devices[book]),
        programme: segment.silence != nil ? nil : segment.programme, width: width)
    }
    for (issue, book) in plan.issues {
      switch issue {
      // They are lines of their own, or notes behind one.
      case .dark, .quiet, .tie: continue
      case .overfull, .stopped, .collapsed, .broken, .tooOften: text += "note: \(words[book].text(issue))\n"
      }
    }
    return text
  }

  /// - Parameter width: that of the terminal; nil where there is none.
  private mutating func line(_ line: String, programme: String?, width: Int?) -> String {
    let line = AddressText.withoutSecrets(line)
    guard let width else { return line + "\n" }
    let mark = programme.map { self.ink($0) }.map { Ink.isOnStdout ? $0.on("█") : "█" } ?? "░"
    return "\(mark) \(DisplayWidth.fitted(line, columns: max(width - 2, 20)))\n"
  }

  /// A row of blocks over the range, and the ends of the range below it.
  private mutating func bar(_ plan: DevicePlan, width: Int) -> String {
    let columns = min(max(width, 20), 120)
    var row = ""
    for run in PlanBar(plan, range: range, columns: columns).runs {
      row += Ink.isOnStdout ? run.programme.map { ink($0).on(run.text) } ?? run.text : run.text
    }
    let clock = words.indices.last.map { words[$0] }
    var times = clock ?? PlanWording(ScheduleBook(), zone: zone.rules)
    let (start, end) = (times.time(range.lowerBound), times.time(range.upperBound))
    let space = String(repeating: " ", count: max(columns - start.utf8.count - end.utf8.count, 1))
    return "\(row)\n\(start)\(space)\(end)\n"
  }

  private mutating func ink(_ programme: String) -> Ink {
    if let ink = inks[programme] { return ink }
    let ink = Ink.programmes[inks.count % Ink.programmes.count]
    inks[programme] = ink
    return ink
  }
}

extension PlanIssue {
  fileprivate var isQuiet: Bool { if case .quiet = self { true } else { false } }
}
