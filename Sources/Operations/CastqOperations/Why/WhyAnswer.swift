import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText

/// Why a device shows, showed or will show something at one moment.
struct WhyAnswer {
  let device: ScheduleDevice
  let at: WallTime
  /// What is on by the plan; what was on by the decision where there is one.
  private let segment: PlanSegment
  /// Nil when none is known: before the first one, and for the future.
  private let decision: StoredDecision?
  /// What is, or was, on the screen by it; nil where the plan answers.
  private let decided: StoredDecision?
  /// What was on the screen; nil for now, and for the future.
  private let past: TimelineReading.Moment?
  /// The priority that the winner of the decision has, or had; nil when that is unknown.
  private let priority: Int?
  private let candidates: [Candidate]
  private let isPast: Bool

  private struct Candidate {
    let rule: String
    let outcome: Explanation.Candidate.Outcome
    let reason: String

    init(rule: String, outcome: Explanation.Candidate.Outcome, reason: String) {
      (self.rule, self.outcome, self.reason) = (rule, outcome, reason)
    }

    init(_ candidate: Explanation.Candidate) {
      self.init(rule: candidate.name, outcome: candidate.outcome, reason: candidate.reason)
    }
  }

  /// - Parameters:
  ///   - now: what lies before it is answered from decisions.
  ///   - shown: what is on the screen at that moment, where somebody was asked.
  init(
    _ moment: WallTime, on device: ScheduleDevice, in look: ScheduleLook, now: WallTime,
    shown: ScreenNow.Shown = .due
  ) throws(Failure) {
    let book = look.schedule.book
    self.device = device
    at = moment
    // A second is the same moment for a person.
    // A device that is stopped has been so since then, whatever was decided for its screen.
    isPast = moment < now.adding(seconds: -1)
    past = isPast ? try TimelineReading(look, now: now).moment(moment, on: device) : nil
    // At a boundary a person means what was planned for it.
    let moment = max(moment, past?.change?.decision.at ?? moment)
    decision =
      moment > now
      ? nil
      : try look.workspace.ask { (here) throws(StoreError) in
        try DeviceID(ruleName: device.id).flatMap { (id) throws(StoreError) in
          try ScheduleStore(here.database).decision(of: id, at: moment)
        }
      }
    guard isPast else {
      var there = Self.advanced(device, in: book, from: now, to: moment)
      there.passedOver = try look.passedOver(on: device)
      let explanation = Explainer(book, device: there, at: moment).explanation()
      switch shown {
      case .decided(let stored)
      where explanation.winner.silence == nil && !stored.decision.shows(explanation.winner):
        segment = explanation.winner
        decided = stored
        priority = try Self.priority(of: stored.decision.onAir, look)
        candidates = Self.present(explanation, stored, book)
      case .queue where explanation.winner.silence == nil:
        var empty = book
        empty.rules = []
        (decided, priority) = (nil, nil)
        segment = Explainer(empty, device: there, at: moment).explanation().winner
        candidates = explanation.candidates.map { candidate in
          guard candidate.outcome == .won else { return Candidate(candidate) }
          return Candidate(
            rule: candidate.name, outcome: .lost, reason: "is due, and no daemon runs, which plays rules")
        }
      case .due, .decided, .queue, .nothing:
        segment = explanation.winner
        (decided, priority) = (nil, nil)
        candidates = explanation.candidates.map(Candidate.init)
      }
      return
    }
    let history = try SchedulePast(look, since: moment)
    let then = history.book(at: moment)
    var there = history.device(device, at: moment).inThePast
    there.passedOver = decision?.decision.passedOver(in: then) ?? [:]
    Self.silence(&there, by: past?.stretch)
    let explanation = Explainer(then, device: there, at: moment).explanation()
    segment = explanation.winner
    decided = explanation.winner.silence == nil ? decision : nil
    priority = try decided.flatMap { (decision) throws(Failure) in
      try Self.priority(of: decision.decision.onAir, look)
    }
    let known = Set(then.rules.map(\.id))
    let winner = decided?.decision.onAir?.occurrence.rule
    let others = book.rules.filter {
      device.isTarget(of: $0.target) && !known.contains($0.id) && $0.id != winner
    }
    let changes = try look.workspace.ask { (here) throws(StoreError) in
      try ScheduleStore(here.database).lastChanges(of: others)
    }
    candidates =
      (decided.map { Self.past(explanation, $0) } ?? Self.silenced(explanation, by: past?.stretch.reason))
      + others.map { rule in
        let changed = changes[rule.id].map { ", \(look.site.zone.text($0)) \(look.site.name.text)" } ?? ""
        return Candidate(
          rule: rule.name, outcome: .off, reason: "was made or changed later\(changed)")
      }
  }

  /// A device at a moment to come: what of its queue has been played by then is gone.
  private static func advanced(
    _ device: ScheduleDevice, in book: ScheduleBook, from now: WallTime, to moment: WallTime
  ) -> ScheduleDevice {
    guard now < moment, device.baseSeconds != nil || device.isPaused else { return device }
    var planner = Planner(book, range: Planner.until(moment, from: now))
    return planner.advanced(device)
  }

  /// Gives a device what kept castq from its screen.
  private static func silence(_ device: inout ScheduleDevice, by stretch: Timeline.Stretch?) {
    device.stoppedAt = nil
    switch stretch?.reason {
    case .unreachable: device.loss = Outlook(.unreachable, since: stretch?.range.lowerBound)
    case .guest: device.loss = Outlook(.guest)
    case .stopped, .stoppedAtDevice: device.stoppedAt = stretch?.range.lowerBound
    case .quietHours: device.darkHours = .always
    default: break
    }
  }

  /// The rules as they were then, where what was due was not on the screen.
  private static func silenced(_ explanation: Explanation, by reason: DarkReason?) -> [Candidate] {
    let due = explanation.winner.silence == nil ? nil : explanation.winner.occurrence?.rule
    return explanation.candidates.map { candidate in
      guard candidate.rule == due, let words = reason?.words.due else { return Candidate(candidate) }
      return Candidate(rule: candidate.name, outcome: candidate.outcome, reason: words)
    }
  }

  /// The priority that a rule had; nil when that is unknown.
  private static func priority(
    of onAir: ScheduleDecision.OnAir?, _ look: ScheduleLook
  ) throws(Failure) -> Int? {
    guard let onAir else { return nil }
    let id = onAir.occurrence.rule
    if let rule = look.schedule.book.rules.first(where: { $0.id == id && $0.revision == onAir.revision }) {
      return rule.priority
    }
    return try look.workspace.ask { (here) throws(StoreError) in
      try ScheduleStore(here.database).rule(id, revision: onAir.revision)
    }?["priority"]?.int
  }

  /// The rules as they were then; the winner is that of the decision.
  private static func past(_ explanation: Explanation, _ decision: StoredDecision) -> [Candidate] {
    let onAir = decision.decision.onAir
    let waiting = Set(decision.decision.beneath.compactMap { $0.occurrence?.rule })
    var candidates: [Candidate] = []
    if let onAir {
      candidates.append(
        Candidate(
          rule: decision.rule ?? "rule \(onAir.occurrence.rule.number)", outcome: .won,
          reason: decision.decision.reason))
    }
    let winner = decision.rule ?? decision.decision.kind.word
    for candidate in explanation.candidates where candidate.rule != onAir?.occurrence.rule {
      if waiting.contains(candidate.rule) {
        candidates.append(.init(rule: candidate.name, outcome: .later, reason: "waited below \(winner)"))
      } else if candidate.outcome == .won {
        candidates.append(
          .init(
            rule: candidate.name, outcome: .lost,
            reason: "was due, and \(winner) was on: \(decision.decision.reason)"))
      } else {
        candidates.append(.init(candidate))
      }
    }
    return candidates
  }

  /// The rules as they are; the winner is that of the decision, and what is due says what it waits for.
  private static func present(
    _ explanation: Explanation, _ stored: StoredDecision, _ book: ScheduleBook
  ) -> [Candidate] {
    let decision = stored.decision
    let waiting = Set(decision.beneath.compactMap { $0.occurrence?.rule })
    let winner = stored.rule ?? decision.kind.word
    // A decision has the name of its rule in front.
    let named = "\(winner): "
    let reason =
      decision.reason.hasPrefix(named) ? String(decision.reason.dropFirst(named.count)) : decision.reason
    var candidates: [Candidate] = []
    if decision.onAir != nil { candidates.append(.init(rule: winner, outcome: .won, reason: reason)) }
    for candidate in explanation.candidates where candidate.rule != decision.onAir?.occurrence.rule {
      var outcome = Explanation.Candidate.Outcome.later
      let words: String
      if waiting.contains(candidate.rule) {
        words = "waits below \(winner)"
      } else if candidate.outcome != .won {
        candidates.append(.init(candidate))
        continue
      } else if decision.kind == .share {
        words = "continues after the item of \(winner)"
      } else if book.rules.contains(where: { $0.id == candidate.rule && $0.start != .hard }) {
        words = "is due, and waits for the end of the item on the screen"
      } else {
        outcome = .lost
        words = "is due, and \(winner) is on: \(reason)"
      }
      candidates.append(.init(rule: candidate.name, outcome: outcome, reason: words))
    }
    return candidates
  }

  // MARK: - Text

  /// What was on the screen; then a line for each candidate, and one for what is on when no rule is.
  func lines(_ words: PlanWording, _ wording: TimelineWording) -> [String] {
    guard let past else { return competition(words) }
    let first =
      past.change.map { "\(wording.time($0.at, beside: at))  \($0.words)" }
      ?? wording.line(past.stretch, at: at, on: device.name)
    return [first] + competition(words)
  }

  private func competition(_ words: PlanWording) -> [String] {
    let lines = candidates.map { "\($0.rule)  \($0.outcome.word): \($0.reason)" }
    if candidates.contains(where: { $0.outcome == .won }) { return lines }
    let kind = decided?.decision.kind ?? segment.shownKind
    let reason: String
    if let decided {
      reason = decided.decision.reason
    } else if let stop = stoppedAt {
      var words = words
      reason = words.stop(since: stop)
    } else if segment.silence == .quietHours {
      var words = words
      reason = words.quietHours(until: device.darkHours?.end(after: at))
    } else if let loss = device.loss, segment.silence == loss.reason {
      var words = words
      reason = words.text(loss)
    } else {
      switch kind {
      case .base: reason = "no rule is on, so the queue of the device plays"
      case .share: reason = "no other rule is on, so shares have all of the time"
      case .dark:
        var words = words
        let opening = device.hasBase ? device.baseFrom.map { " before \(words.time($0))" } ?? "" : ""
        reason = "no rule is on, and the queue of the device has nothing to play\(opening)"
      case .rule, .announcement: reason = "it is on"
      }
    }
    // Of a screen that was dark the first line has said why.
    if isPast, kind == .dark { return lines }
    guard kind == .dark else { return ["\(kind.word)  won: \(reason)"] + lines }
    // A guest's screen is not dark.
    if case .guest? = segment.silence { return [reason.prefix(1).uppercased() + reason.dropFirst()] + lines }
    return ["Nothing is on: \(reason)"] + lines
  }

  /// Since when the device has been stopped; nil when it is not at that moment.
  private var stoppedAt: WallTime? { segment.isStopped ? device.stoppedAt : nil }

  /// `lobby, Mon 14 Dec 09:15`.
  func heading(_ words: PlanWording) -> String {
    var words = words
    let source = decided.map { ", as decided \(words.time($0.decision.at))" } ?? ""
    return TerminalText.sanitized("\(device.name), \(words.time(at))\(source)")
  }

  // MARK: - JSON

  func json(_ words: PlanWording, _ wording: TimelineWording) -> JSONValue {
    [
      "device": .string(device.name), "at": JSONOutput.time(at), "winner": winner(words),
      "candidates": .array(
        candidates.map {
          ["rule": .string($0.rule), "outcome": .string($0.outcome.word), "reason": .string($0.reason)]
        }),
      "decision": decision.map(Self.json) ?? .null, "stopped_at": JSONOutput.time(stoppedAt),
      "screen": screen(wording),
      "change": past?.change.map { .string($0.words) } ?? .null,
    ]
  }

  /// What was on the screen.
  private func screen(_ wording: TimelineWording) -> JSONValue {
    guard let stretch = past?.stretch else { return .null }
    let play = stretch.play
    // Before the first row of the device there is no beginning, and its end is when the row was made.
    let isBefore = stretch.content == .before
    let words =
      isBefore ? "nothing is known of \(device.name)" : wording.words(stretch, at: at, on: device.name)
    return [
      "kind": JSONOutput.text(stretch.kind),
      "start": isBefore ? .null : JSONOutput.time(stretch.range.lowerBound),
      "end": JSONOutput.time(stretch.range.upperBound), "play": play.map { .integer($0.id) } ?? .null,
      "title": JSONOutput.text(play?.title), "rule": JSONOutput.text(play?.key.rule),
      "programme": JSONOutput.programme(play?.key.programme),
      "cause": JSONOutput.text(stretch.reason?.rawValue),
      "due": JSONOutput.text(stretch.due?.words),
      "words": .string(TerminalText.sanitized(words)),
    ]
  }

  private func winner(_ words: PlanWording) -> JSONValue {
    guard let decided else {
      let kind = segment.silence == nil ? nil : past?.stretch.kind
      return PlanDocument.json(segment, on: device, words, kind: kind)
    }
    let onAir = decided.decision.onAir
    return [
      "device": .string(device.name), "start": JSONOutput.time(decided.decision.at),
      "end": JSONOutput.bound(decided.until), "programme": JSONOutput.programme(onAir?.programme),
      "rule": JSONOutput.text(decided.rule), "revision": JSONOutput.number(onAir?.revision),
      "occurrence": JSONOutput.occurrence(onAir?.occurrence.original),
      "priority": JSONOutput.number(priority), "kind": .string(decided.decision.kind.word),
      "tied_with": [], "note": .null, "stopped_at": .null, "due": .null, "cause": .null,
    ]
  }

  static func json(_ stored: StoredDecision) -> JSONValue {
    let onAir = stored.decision.onAir
    return [
      "decision": .integer(stored.id), "device": .string(stored.device),
      "at": JSONOutput.time(stored.decision.at), "until": JSONOutput.bound(stored.until),
      "kind": .string(stored.decision.kind.word), "rule": JSONOutput.text(stored.rule),
      "revision": JSONOutput.number(onAir?.revision), "programme": JSONOutput.programme(onAir?.programme),
      "occurrence": JSONOutput.occurrence(onAir?.occurrence.original),
      "starts_at": JSONOutput.bound(onAir?.occurrence.start),
      "ends_at": JSONOutput.bound(onAir?.occurrence.end),
      "planned_at": JSONOutput.bound(stored.decision.planned), "reason": .string(stored.decision.reason),
    ]
  }
}
