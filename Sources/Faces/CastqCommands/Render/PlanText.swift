import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqSchedule
import CastqText

/// What is wrong with plans, a line each.
struct PlanIssues: PlanForm {
  private var frame: PlanFrame

  init(_ frame: PlanFrame) { self.frame = frame }

  let head = ""
  let tail = ""

  mutating func text(
    _ earlier: [PastSegment], _ plan: PlanParts.Plan, on device: ScheduleDevice
  ) -> String {
    let issues = frame.issues(earlier, plan)
    var text = ""
    let name = TerminalText.sanitized(device.name)
    // Every night has its quiet hours: one line for all of them.
    let nights = issues.count { $0.issue.isQuiet }
    var hasNight = false
    for (issue, book) in issues where !issue.isQuiet || !hasNight {
      hasNight = hasNight || issue.isQuiet
      let more = issue.isQuiet && nights > 1 ? "; \(nights - 1) more" : ""
      text += "\(name)  \(issue.isFailure ? "" : "note: ")\(frame.words[book].text(issue))\(more)\n"
    }
    return text
  }
}

/// Plans as people read them, with colours and a bar on a terminal.
struct PlanText: PlanForm {
  private var frame: PlanFrame
  /// The programmes that have a colour, by the order in which they occur.
  private var inks: [String: Ink] = [:]
  private var hasPrinted = false
  /// Nil where there is none, and no colours and bars are.
  private let terminal: OutputTerminal?

  init(_ frame: PlanFrame, on terminal: OutputTerminal?) { (self.frame, self.terminal) = (frame, terminal) }

  let head = ""

  var tail: String {
    "times in \(frame.zone.name.text), zone data \(frame.version ?? "of unknown version")\n"
  }

  mutating func text(
    _ earlier: [PastSegment], _ plan: PlanParts.Plan, on device: ScheduleDevice
  ) -> String {
    var text = frame.hasHeadings ? "\(hasPrinted ? "\n" : "")\(TerminalText.sanitized(device.name))\n" : ""
    hasPrinted = true
    if let terminal {
      var whole = plan.whole
      whole.segments = earlier.map(\.drawn) + whole.segments
      text += bar(whole, on: terminal)
    }
    for segment in earlier {
      let line = frame.pastLine(segment, on: device)
      text += self.line(line, programme: segment.key?.programme)
    }
    for (segment, book) in plan.segments {
      text += self.line(
        frame.words[book].line(segment, on: plan.devices[book]),
        programme: segment.silence != nil ? nil : segment.programme)
    }
    for (issue, book) in plan.issues {
      switch issue {
      // They are lines of their own, or notes behind one.
      case .dark, .quiet, .paused, .tie: continue
      case .overfull, .stopped, .collapsed, .broken, .tooOften:
        let note = "note: \(frame.words[book].text(issue))"
        let lines = terminal.map { DisplayWidth.wrapped(note, columns: $0.columns - 6) } ?? [note]
        text += lines.joined(separator: "\n      ") + "\n"
      }
    }
    return text
  }

  private mutating func line(_ line: String, programme: String?) -> String {
    let line = AddressText.withoutSecrets(line)
    guard let terminal else { return line + "\n" }
    let mark = drawn(programme == nil ? "░" : "█", in: programme, on: terminal)
    return "\(mark) \(DisplayWidth.fitted(line, columns: max(terminal.columns - 2, 20)))\n"
  }

  /// A row of blocks over the range, and the ends of the range below it.
  private mutating func bar(_ plan: DevicePlan, on terminal: OutputTerminal) -> String {
    let columns = min(max(terminal.columns, 20), 120)
    var row = ""
    for run in PlanBar(plan, range: frame.range, columns: columns).runs {
      row += drawn(run.text, in: run.programme, on: terminal)
    }
    let clock = frame.words.last
    var times = clock ?? PlanWording(ScheduleBook(), zone: frame.zone.rules)
    let (start, end) = (times.time(frame.range.lowerBound), times.time(frame.range.upperBound))
    let space = String(repeating: " ", count: max(columns - start.utf8.count - end.utf8.count, 1))
    return "\(row)\n\(start)\(space)\(end)\n"
  }

  /// Blocks in the colour of their programme, in the signs that the terminal has.
  private mutating func drawn(
    _ blocks: String, in programme: String?, on terminal: OutputTerminal
  ) -> String {
    let blocks = terminal.isUnicode ? blocks : ASCIIText.of(blocks)
    let ink = programme.map { self.ink($0) }
    return terminal.isColoured ? ink?.on(blocks) ?? blocks : blocks
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
