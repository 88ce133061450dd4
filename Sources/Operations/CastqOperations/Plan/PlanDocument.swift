import CastProtocol
import CastqFeeding
import CastqSchedule
import CastqText

/// The segments of plans as JSON and CSV. What a rule adds is written once: a plan may have many thousand segments.
struct PlanDocument {
  private var words: PlanWording
  private var rules: [RuleID: String] = [:]
  private var device: (id: String, text: String)?
  private var time: (moment: WallTime, text: String)?

  init(_ words: PlanWording) { self.words = words }

  /// A segment as an object on one line.
  mutating func segment(_ segment: PlanSegment, on device: ScheduleDevice) -> String {
    let shown = segment.silence == nil ? segment : nil
    let ties = names(segment.tiedWith)
    let programme = shown.flatMap(\.programme).map(ProgrammeName.shown)
    return
      #"{"device":\#(text(device)),"start":"\#(text(segment.start))","end":"\#(text(segment.end))","#
      + #""programme":\#(text(programme)),\#(ruleMembers(segment)),"#
      + #""occurrence":\#(text(shown?.occurrence?.original.dated?.text)),"kind":"\#(segment.shownKind.word)","#
      + #""tied_with":[\#(ties)],"shares":[\#(names(shown?.shares ?? []))],"note":\#(text(note(segment, on: device))),"#
      + #""stopped_at":\#(text(Self.stop(segment, on: device).map(RFC3339.text))),"#
      + #""due":\#(text(Self.due(segment, words))),"cause":\#(text(segment.silence?.rawValue))}"#
  }

  /// The same as a value, for documents that hold few.
  /// - Parameter kind: the word for the kind; nil takes that of the segment.
  static func json(
    _ segment: PlanSegment, on device: ScheduleDevice, _ words: PlanWording, kind: String? = nil
  ) -> JSONValue {
    let shown = segment.silence == nil ? segment.occurrence : nil
    let rule = shown.flatMap { words.rule($0.rule) }
    let note = words.note(segment, on: device)
    return [
      "device": .string(device.name), "start": JSONOutput.time(segment.start),
      "end": JSONOutput.time(segment.end),
      "programme": JSONOutput.programme(segment.silence == nil ? segment.programme : nil),
      "rule": JSONOutput.text(rule?.name), "revision": JSONOutput.number(rule?.revision),
      "occurrence": JSONOutput.occurrence(shown?.original),
      "priority": JSONOutput.number(rule?.priority), "kind": .string(kind ?? segment.shownKind.word),
      "tied_with": .array(segment.tiedWith.compactMap { words.rule($0).map { .string($0.name) } }),
      "shares": .array(
        segment.silence != nil ? [] : segment.shares.compactMap { words.rule($0).map { .string($0.name) } }),
      "note": JSONOutput.text(note.isEmpty ? nil : note),
      "stopped_at": JSONOutput.time(stop(segment, on: device)),
      "due": JSONOutput.text(due(segment, words)), "cause": JSONOutput.text(segment.silence?.rawValue),
    ]
  }

  // MARK: - The past

  /// A segment of the past as an object on one line.
  mutating func past(_ segment: PastSegment, on device: ScheduleDevice, _ wording: TimelineWording)
    -> String
  {
    let note = wording.note(segment, on: device.name)
    let isStop = segment.reason == .stopped || segment.reason == .stoppedAtDevice
    return
      #"{"device":\#(text(device)),"start":"\#(text(segment.range.lowerBound))","end":"\#(text(segment.range.upperBound))","#
      + #""programme":\#(text(segment.key?.programme.map(ProgrammeName.shown))),"rule":\#(text(segment.key?.rule)),"#
      + #""revision":\#(JSONOutput.number(segment.key?.revision.map { Int(bounded: Double($0)) }).text),"#
      + #""priority":\#(JSONOutput.number(priority(segment.key)).text),"#
      + #""occurrence":\#(text(segment.key?.occurrence.flatMap(LocalTime.dated))),"kind":"\#(segment.kind)","#
      + #""tied_with":[],"shares":[\#(segment.shares.map { text($0) }.joined(separator: ","))],"#
      + #""note":\#(text(note.isEmpty ? nil : note)),"#
      + #""stopped_at":\#(text(isStop ? RFC3339.text(segment.range.lowerBound) : nil)),"#
      + #""due":\#(text(segment.due?.rule)),"cause":\#(text(segment.reason?.rawValue))}"#
  }

  /// The same as a row of values.
  mutating func pastRow(
    _ segment: PastSegment, on device: ScheduleDevice, _ wording: TimelineWording
  ) -> String {
    let key = segment.key
    let cells: [String] = [
      CSVField.text(device.name), text(segment.range.lowerBound), text(segment.range.upperBound),
      words.localText(segment.range.lowerBound), words.localText(segment.range.upperBound),
      CSVField.text(ProgrammeName.shown(key?.programme ?? "")), CSVField.text(key?.rule ?? ""),
      key?.revision.map { "\($0)" } ?? "", key?.occurrence.flatMap(LocalTime.dated) ?? "",
      priority(key).map { "\($0)" } ?? "", segment.kind, "",
      CSVField.text(wording.note(segment, on: device.name)),
    ]
    return cells.joined(separator: ",")
  }

  /// `Mon 14 Dec 08:00–10:30  breakfast → menus`, and what there is to know behind it.
  mutating func pastLine(
    _ segment: PastSegment, on device: ScheduleDevice, _ wording: TimelineWording
  ) -> String {
    let note = wording.note(segment, on: device.name)
    let what = segment.key?.rule.map { rule in
      Timeline.Due(rule: rule, programme: segment.key?.programme).words
    }
    let title = TerminalText.sanitized(what ?? segment.kind)
    let times = words.time(segment.range.lowerBound, segment.range.upperBound)
    return "\(times)  \(title)\(note.isEmpty ? "" : "  \(note)")"
  }

  /// The priority that the rule of a play had; nil where it is another one now.
  private func priority(_ key: Timeline.Play.Key?) -> Int? {
    guard let key, let number = key.number, let rule = words.rule(RuleID(number)),
      key.revision == Int64(rule.revision)
    else { return nil }
    return rule.priority
  }

  /// Since when the device has been stopped; nil where it is not.
  private static func stop(_ segment: PlanSegment, on device: ScheduleDevice) -> WallTime? {
    segment.isStopped ? device.stoppedAt : nil
  }

  /// The rule that the device would show; nil where it is on the screen, or none is due.
  private static func due(_ segment: PlanSegment, _ words: PlanWording) -> String? {
    guard segment.silence != nil else { return nil }
    return segment.occurrence.flatMap { words.rule($0.rule)?.name }
  }

  /// An issue of a plan.
  func issue(_ issue: PlanIssue, on device: ScheduleDevice, _ wording: inout PlanWording) -> JSONValue {
    [
      "device": .string(device.name), "kind": .string(issue.word), "failure": .bool(issue.isFailure),
      "start": JSONOutput.time(issue.range?.start), "end": JSONOutput.time(issue.range?.end),
      "rules": .array(issue.rules.compactMap { words.rule($0).map { .string($0.name) } }),
      "message": .string(wording.text(issue)),
    ]
  }

  static let titles =
    "device,start,end,start_local,end_local,programme,rule,revision,occurrence,priority,kind,tied_with,note"

  /// A segment as a row of values.
  mutating func row(_ segment: PlanSegment, on device: ScheduleDevice) -> String {
    let shown = segment.silence == nil ? segment : nil
    let rule = shown?.occurrence.flatMap { words.rule($0.rule) }
    let cells: [String] = [
      CSVField.text(device.name), text(segment.start), text(segment.end), words.localText(segment.start),
      words.localText(segment.end), CSVField.text(ProgrammeName.shown(shown?.programme ?? "")),
      CSVField.text(rule?.name ?? ""),
      rule.map { "\($0.revision)" } ?? "", shown?.occurrence?.original.dated?.text ?? "",
      rule.map { "\($0.priority)" } ?? "", segment.shownKind.word,
      CSVField.text(segment.tiedWith.compactMap { words.rule($0)?.name }.joined(separator: " ")),
      CSVField.text(words.note(segment, on: device)),
    ]
    return cells.joined(separator: ",")
  }

  // MARK: - Texts

  private func note(_ segment: PlanSegment, on device: ScheduleDevice) -> String? {
    let note = words.note(segment, on: device)
    return note.isEmpty ? nil : note
  }

  private mutating func ruleMembers(_ segment: PlanSegment) -> String {
    guard segment.silence == nil, let occurrence = segment.occurrence, let rule = words.rule(occurrence.rule)
    else {
      return #""rule":null,"revision":null,"priority":null"#
    }
    if let members = rules[rule.id] { return members }
    let members = #""rule":\#(text(rule.name)),"revision":\#(rule.revision),"priority":\#(rule.priority)"#
    rules[rule.id] = members
    return members
  }

  private mutating func text(_ device: ScheduleDevice) -> String {
    if let last = self.device, last.id == device.id { return last.text }
    let text = text(device.name)
    self.device = (device.id, text)
    return text
  }

  /// The end of a segment is the start of the next one.
  private mutating func text(_ moment: WallTime) -> String {
    if let time, time.moment == moment { return time.text }
    let text = RFC3339.text(moment)
    time = (moment, text)
    return text
  }

  private func names(_ rules: [RuleID]) -> String {
    rules.map { text(words.rule($0)?.name) }.joined(separator: ",")
  }

  private func text(_ value: String?) -> String {
    TerminalText.escaped(document: JSONOutput.text(value).text)
  }
}
