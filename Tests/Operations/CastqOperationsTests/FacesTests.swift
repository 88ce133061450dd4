import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Testing

@Suite("Faces of one history")
struct FacesTests {
  @Test(
    "of the same rows of a day plan, why and the reports of outages, gaps and adherence say the same",
    arguments: 1...3 as ClosedRange<UInt64>)
  func same(seed: UInt64) async throws {
    let site = try OperationsSite()
    var day = try await ScreenDay(site, seed: seed)
    try day.live()
    let (start, end) = (RFC3339.text(day.start), RFC3339.text(day.end))

    let plan = try await PlanRun(
      site.call, PlanQuery(from: try TimeText(start), to: try TimeText(end))
    ).json()
    let segments = try #require(try JSONValue(parsing: plan)["segments"]?.array).map(Segment.init)
    #expect(segments.count > 10 && zip(segments, segments.dropFirst()).allSatisfy { $0.end == $1.start })
    func seconds(_ isMeant: (Segment) -> Bool) -> Double {
      segments.filter(isMeant).reduce(0) { $0 + ($1.end - $1.start) }
    }

    let why = try WhyRun(site.call, tz: nil)
    for segment in segments {
      for moment in [segment.start, segment.middle, segment.end.adding(seconds: -0.001)] {
        let reply = try await why.reply(.moment(try TimeText(RFC3339.text(moment)))).json["screen"]
        let isLoading = segment.rule != nil || segment.kind == "base"
        let isSame =
          reply?["kind"]?.string == segment.kind && reply?["rule"]?.string == segment.rule
          && reply?["cause"]?.string == segment.cause
        #expect(isSame || isLoading && reply?["cause"]?.string == "loading", "\(segment), \(reply ?? .null)")
      }
    }

    let period = try PeriodQuery(since: try TimeArgument(start), until: try TimeArgument(end)).read(site.call)
    let reports = try await ReportRun(site.call, period)
    func row(_ kind: ReportRun.Kind, by key: ReportKey, _ name: String) throws -> JSONValue? {
      try reports.document(kind, by: key).documents.first { $0[key.rawValue]?.string == name }
    }
    func number(_ row: JSONValue?, _ member: String) throws -> Double {
      try #require(row?[member]?.double, "\(member) of \(row ?? .null)")
    }
    let outages = try number(row(.outages, by: .device, "lobby"), "seconds")
    #expect(abs(outages - seconds { $0.cause == "unreachable" }) < 0.01)
    // The time in which its items are loaded belongs to a rule, and is not shown; what survives an outage was shown in it.
    let shown = try number(row(.adherence, by: .rule, "lunch"), "shown_s")
    let loading = try number(row(.gaps, by: .rule, "lunch"), "dark_s")
    #expect(abs(shown + loading - day.survived - seconds { $0.rule == "lunch" }) < 0.01)
    #expect(try number(row(.adherence, by: .rule, "lunch"), "planned_s") == 9000)
  }
}

/// A segment of a plan, as its document has it.
private struct Segment {
  let start: WallTime
  let end: WallTime
  let kind: String
  let rule: String?
  let cause: String?
  var middle: WallTime { start.adding(seconds: (end - start) / 2) }

  init(_ document: JSONValue) throws {
    start = try RFC3339.parse(try #require(document["start"]?.string))
    end = try RFC3339.parse(try #require(document["end"]?.string))
    kind = try #require(document["kind"]?.string)
    (rule, cause) = (document["rule"]?.string, document["cause"]?.string)
  }
}

/// A day of a screen by chance, with lunch from 11:30 to 14:00, written through the stores as the daemon writes it.
private struct ScreenDay {
  let start: WallTime
  var end: WallTime { start.adding(seconds: 86_400) }
  /// Seconds of lunch in which the device did not answer and played on.
  private(set) var survived = 0.0

  private let database: Database
  private let device: KnownDevice
  private let lunch: RuleID
  private let queue: [EntryID]
  private let menus: [EntryID]
  private var turns: [EntryID: Int] = [:]
  private var generator: SeededGenerator
  private var now: WallTime
  /// Whether the end of the play before was seen, and the next one is loaded at once.
  private var isSeen = false

  init(_ site: OperationsSite, seed: UInt64) async throws {
    generator = SeededGenerator(seed: seed)
    let day: Int64 = 86_400_000
    start = WallTime(milliseconds: (WallTime.now.milliseconds / day - 2) * day)
    now = start.adding(seconds: 9 * 3600)
    try await site.enqueue("abcd")
    let source = try site.file("menus.m3u", "#EXTM3U\nhttp://media.example/m.mp4\n")
    let rule = ScheduleRule(
      id: RuleID(0), name: "lunch", programme: "", target: .all,
      form: .daily(try DayPart("11:30-14:00"), .all), zone: .utc)
    _ = try await site.schedule().add(rule, playing: source, replaces: false)
    let workspace = try Workspace(site.call)
    database = workspace.database
    device = try workspace.devices.device(matching: "lobby")
    let made = try #require(try ScheduleLook(site.call).schedule.book.rules.first)
    lunch = made.id
    let list = Playlist(
      drafts: ["m", "n"].map {
        EntryDraft(
          media: MediaInformation(
            contentID: "http://media.example/\($0).mp4", contentType: "video/mp4"))
      })
    try workspace.queue.take(list, of: made.programme, for: [device.id], at: start)
    programme = made.programme
    queue = try workspace.queue.entries(for: device.id).map(\.id)
    // That of the first programme.
    menus = try workspace.queue.entries(for: QueueID(-1)).map(\.id)
    #expect(queue.count == 4 && menus.count == 2)
  }

  private let programme: String

  private mutating func seconds(_ range: ClosedRange<Int>) -> Double {
    Double(Int.random(in: range.lowerBound * 1000...range.upperBound * 1000, using: &generator)) / 1000
  }

  mutating func live() throws {
    let lunchtime = [11.5, 14].map { start.adding(seconds: $0 * 3600) }
    try decide(nil)
    try play(queue, until: lunchtime[0])
    try decide(
      Occurrence(
        rule: lunch, original: TimeZoneRules().localTime(at: lunchtime[0]), start: lunchtime[0],
        end: lunchtime[1]))
    try play(menus, until: lunchtime[1])
    try decide(nil)
    try play(queue, until: start.adding(seconds: 20 * 3600))
  }

  private func decide(_ occurrence: Occurrence?) throws {
    _ = try ScheduleStore(database).record(
      ScheduleDecision(
        at: now, kind: occurrence == nil ? .base : .rule,
        onAir: occurrence.map { .init(occurrence: $0, programme: programme, revision: 1) },
        planned: occurrence?.start, reason: "by chance", beneath: []), device: device)
  }

  private mutating func play(_ list: [EntryID], until limit: WallTime) throws {
    let isLunch = list == menus
    var place = 0
    while now < limit {
      if isSeen { now = min(now.adding(seconds: seconds(0...1)), limit) }
      let (began, length) = (now, min(seconds(60...500), limit - now))
      guard length > 10 else {
        now = limit
        break
      }
      place += 1
      let chance = Int.random(in: 0..<12, using: &generator)
      let cause: PlayCause =
        now.adding(seconds: length) == limit
        ? .ruleEnded : chance == 0 ? .guest : chance == 1 ? .stopped : chance == 2 ? .deviceLost : .completed
      try show(list[place % list.count], length, cause)
      switch cause {
      case .guest, .stopped: now = min(now.adding(seconds: seconds(100...900)), limit)
      case .deviceLost:
        let over = min(now.adding(seconds: seconds(10...600)), limit)
        try outage(now..<over)
        now = over
      case .completed where chance == 3:
        try outage(began.adding(seconds: 3)..<began.adding(seconds: 6.5))
        if isLunch { survived += 3.5 }
      // The clock is set back.
      case .completed where chance == 4: now = now.adding(seconds: -seconds(1...9))
      default: continue
      }
      isSeen = cause == .completed && chance == 3
    }
  }

  private mutating func show(_ entry: EntryID, _ length: Double, _ cause: PlayCause) throws {
    turns[entry, default: 0] += 1
    let turn = EntryTurn(entry: entry, turn: turns[entry] ?? 1)
    let duration = MediaTime(seconds: 600)
    let history = HistoryStore(database)
    let over = now.adding(seconds: length)
    let facts: [PlaybackFact] = [
      .started(turn, StartedPlay(at: now, position: .zero, duration: duration, gapBefore: gap)),
      .ended(
        turn,
        EndedPlay(
          at: over, position: MediaTime(seconds: length), played: length, duration: duration,
          outcome: cause == .completed ? .finished : .interrupted, evidence: .reported, cause: cause)),
    ]
    try history.record(facts.map { RecordedFact(fact: $0, effect: nil) }, device: device)
    (now, last) = (over, over)
    isSeen = true
  }

  /// When the play before ended.
  private var last: WallTime?
  private var gap: Double? { isSeen ? last.map { now - $0 } : nil }

  private func outage(_ range: Range<WallTime>) throws {
    let outages = OutageStore(database)
    try outages.begin(device, lastHeard: range.lowerBound, cause: "closed the connection")
    try outages.end(device.id, at: range.upperBound)
  }
}
