import CastProtocol
package import CastqFeeding
package import CastqSchedule
package import CastqText

/// One of the forms in which a plan is written, a device at a time.
package protocol PlanForm {
  /// What stands before the first device.
  var head: String { get }
  /// The plan of one device.
  /// - Parameter earlier: what of it has passed.
  mutating func text(_ earlier: [PastSegment], _ plan: PlanParts.Plan, on device: ScheduleDevice) -> String
  /// What stands behind the last device.
  var tail: String { get }
}

/// What every form of a plan is made from.
package struct PlanFrame {
  package let range: Range<WallTime>
  package let zone: NamedZone
  /// Of the data of zones.
  package let version: String?
  /// Whether each device has its name above its plan.
  package let hasHeadings: Bool
  package let past: TimelineWording
  /// By the book that the rule of a segment is in.
  package var words: [PlanWording]
  var documents: [PlanDocument]
  var beginnings: SegmentBeginning

  /// - Parameter books: of the parts of the plan; the last one is that of the present.
  package init(
    range: Range<WallTime>, zone: NamedZone, version: String?, books: [ScheduleBook], hasHeadings: Bool
  ) {
    self.range = range
    self.zone = zone
    self.version = version
    self.hasHeadings = hasHeadings
    past = TimelineWording(zone: zone.rules, now: .now)
    words = books.map { PlanWording($0, zone: zone.rules) }
    documents = words.map(PlanDocument.init)
    beginnings = SegmentBeginning(books.first ?? ScheduleBook(), start: range.lowerBound)
  }

  /// What is wrong on one device. A dark stretch of the past is listed as well, so that somebody can mend its cause.
  package func issues(_ earlier: [PastSegment], _ plan: PlanParts.Plan) -> [(issue: PlanIssue, book: Int)] {
    earlier.filter(\.isDarkness).map { (issue: .dark($0.range), book: words.count - 1) } + plan.issues
  }

  /// A segment of the past as an object on one line.
  package mutating func past(_ segment: PastSegment, on device: ScheduleDevice) -> String {
    documents[documents.count - 1].past(segment, on: device, past)
  }

  /// The same as a row of values.
  mutating func pastRow(_ segment: PastSegment, on device: ScheduleDevice) -> String {
    documents[documents.count - 1].pastRow(segment, on: device, past)
  }

  /// The same as a line for people.
  package mutating func pastLine(_ segment: PastSegment, on device: ScheduleDevice) -> String {
    documents[documents.count - 1].pastLine(segment, on: device, past)
  }
}

/// Plans as documents.
package struct PlanFile: PlanForm {
  package enum Kind {
    case json
    /// One segment a line.
    case lines
    case csv, calendar
  }

  private let kind: Kind
  private var frame: PlanFrame
  private let calendar = PlanCalendar(stamp: .now)
  private var hasPrinted = false
  /// As text, which is smaller than values are.
  private var issues: [String] = []

  package init(_ kind: Kind, _ frame: PlanFrame) {
    self.kind = kind
    self.frame = frame
  }

  package var head: String {
    switch kind {
    case .lines: ""
    case .json:
      #"{"from":"\#(RFC3339.text(frame.range.lowerBound))","to":"\#(RFC3339.text(frame.range.upperBound))","#
        + #""tz":"\#(frame.zone.name.text)","zone_data":\#(JSONOutput.text(frame.version).text),"segments":["#
    case .csv: PlanDocument.titles + "\n"
    case .calendar: calendar.head
    }
  }

  package mutating func text(
    _ earlier: [PastSegment], _ plan: PlanParts.Plan, on device: ScheduleDevice
  ) -> String {
    switch kind {
    case .json:
      issues += frame.issues(earlier, plan).map { issue, book in
        TerminalText.escaped(
          document: frame.documents[book].issue(issue, on: device, &frame.words[book]).text)
      }
      var text = ""
      for segment in earlier {
        text += hasPrinted ? "," : ""
        hasPrinted = true
        text += frame.past(segment, on: device)
      }
      for (segment, book) in plan.segments {
        text += hasPrinted ? "," : ""
        hasPrinted = true
        text += frame.documents[book].segment(segment, on: plan.devices[book])
      }
      return text
    case .lines:
      let lines = earlier.reduce(into: "") { $0 += frame.past($1, on: device) + "\n" }
      return plan.segments.reduce(into: lines) {
        $0 += frame.documents[$1.book].segment($1.segment, on: plan.devices[$1.book]) + "\n"
      }
    case .csv:
      let rows = earlier.reduce(into: "") { $0 += frame.pastRow($1, on: device) + "\n" }
      return plan.segments.reduce(into: rows) {
        $0 += frame.documents[$1.book].row($1.segment, on: plan.devices[$1.book]) + "\n"
      }
    case .calendar:
      return frame.words.indices.reduce(into: "") { text, book in
        text += calendar.events(
          plan.part(book), on: plan.devices[book], words: frame.words[book], beginnings: &frame.beginnings)
      }
    }
  }

  package var tail: String {
    switch kind {
    case .lines, .csv: ""
    case .json: #"],"issues":[\#(issues.joined(separator: ","))]}"# + "\n"
    case .calendar: calendar.tail
    }
  }
}
