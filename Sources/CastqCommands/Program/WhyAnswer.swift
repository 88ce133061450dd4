import CastProtocol
import CastqCore
import CastqStore

/// Why a device shows, showed or will show something at one moment.
struct WhyAnswer {
  let device: ScheduleDevice
  let at: WallTime
  /// What is on by the plan; what was on by the decision where there is one.
  private let segment: PlanSegment
  /// Nil when none is known: before the first one, and for the future.
  private let decision: StoredDecision?
  /// Nil where the plan answers.
  private let past: StoredDecision?
  /// Nil where it was not quiet, and for the future.
  private let quiet: PastQuiet?
  /// The priority that the winner of the past had; nil when that is unknown.
  private let pastPriority: Int?
  private let candidates: [Candidate]

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

  /// - Parameter now: what lies before it is answered from decisions.
  init(_ moment: WallTime, on device: ScheduleDevice, in look: ScheduleLook, now: WallTime) throws(Failure) {
    let book = look.schedule.book
    self.device = device
    at = moment
    // A second is the same moment for a person.
    // A device that is stopped has been so since then, whatever was decided for its screen.
    let isPast = moment < now.adding(seconds: -1)
    let isStopped = device.stoppedAt.map { $0 <= moment } ?? false
    decision =
      moment > now
      ? nil
      : try look.workspace.ask { (here) throws(StoreError) in
        try DeviceID(ruleName: device.id).flatMap { (id) throws(StoreError) in
          try ScheduleStore(here.database).decision(of: id, at: moment)
        }
      }
    guard isPast else {
      (past, pastPriority, quiet) = (nil, nil, nil)
      var there = device
      there.passedOver = try look.passedOver(on: device)
      let explanation = Explainer(book, device: there, at: moment).explanation()
      segment = explanation.winner
      candidates = explanation.candidates.map(Candidate.init)
      return
    }
    let history = try SchedulePast(look, since: moment)
    let then = history.book(at: moment)
    var there = history.device(device, at: moment).inThePast
    there.passedOver = decision?.decision.passedOver(in: then) ?? [:]
    quiet = try isStopped ? nil : PastQuiet(device, at: moment, after: decision, in: look)
    there.darkHours = quiet?.hours
    let explanation = Explainer(then, device: there, at: moment).explanation()
    segment = explanation.winner
    past = isStopped || quiet != nil ? nil : decision
    pastPriority = try past.flatMap { (decision) throws(Failure) in
      try Self.priority(of: decision.decision.onAir, look)
    }
    let known = Set(then.rules.map(\.id))
    let winner = past?.decision.onAir?.occurrence.rule
    let others = book.rules.filter {
      device.isTarget(of: $0.target) && !known.contains($0.id) && $0.id != winner
    }
    let changes = try look.workspace.ask { (here) throws(StoreError) in
      try ScheduleStore(here.database).lastChanges(of: others)
    }
    candidates =
      (past.map { Self.past(explanation, $0) } ?? explanation.candidates.map(Candidate.init))
      + others.map { rule in
        let changed = changes[rule.id].map { ", \(RFC3339.text($0))" } ?? ""
        return Candidate(
          rule: rule.name, outcome: .off, reason: "was made or changed later\(changed)")
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
        candidates.append(.init(rule: candidate.name, outcome: .lost, reason: "waited below \(winner)"))
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

  // MARK: - Text

  /// A line for each candidate, and one for what is on when no rule is.
  func lines(_ words: PlanWording) -> [String] {
    let lines = candidates.map { "\($0.rule)  \($0.outcome.word): \($0.reason)" }
    if candidates.contains(where: { $0.outcome == .won }) { return lines }
    let kind = past?.decision.kind ?? segment.shownKind
    let reason: String
    if let past {
      reason = past.decision.reason
    } else if let stop = stoppedAt {
      var words = words
      reason = words.stop(since: stop)
    } else if let quiet {
      var words = words
      reason = quiet.words(at: at, &words)
    } else if segment.silence == .quietHours {
      var words = words
      reason = words.quietHours(until: device.darkHours?.end(after: at))
    } else if segment.silence == .guest {
      var words = words
      reason = words.guest(until: device.guest?.until)
    } else {
      switch kind {
      case .base: reason = "no rule is on, so the queue of the device plays"
      case .share: reason = "no other rule is on, so shares have all of the time"
      case .dark: reason = "no rule is on, and the queue of the device has nothing to play"
      case .rule, .announcement: reason = "it is on"
      }
    }
    return ["\(kind.word)  won: \(reason)"] + lines
  }

  /// Since when the device has been stopped; nil when it is not at that moment.
  private var stoppedAt: WallTime? { segment.isStopped ? device.stoppedAt : nil }

  /// `lobby, Mon 14 Dec 09:15`.
  func heading(_ words: PlanWording) -> String {
    var words = words
    let source = past == nil ? "" : ", as decided \(words.time(past?.decision.at ?? at))"
    return TerminalText.sanitized("\(device.name), \(words.time(at))\(source)")
  }

  // MARK: - JSON

  func json(_ words: PlanWording) -> JSONValue {
    [
      "device": .string(device.name), "at": JSONOutput.time(at), "winner": winner(words),
      "candidates": .array(
        candidates.map {
          ["rule": .string($0.rule), "outcome": .string($0.outcome.word), "reason": .string($0.reason)]
        }),
      "decision": decision.map(Self.json) ?? .null, "stopped_at": JSONOutput.time(stoppedAt),
    ]
  }

  private func winner(_ words: PlanWording) -> JSONValue {
    guard let past else { return PlanDocument.json(segment, on: device, words) }
    let onAir = past.decision.onAir
    return [
      "device": .string(device.name), "start": JSONOutput.time(past.decision.at),
      "end": JSONOutput.bound(past.until), "programme": JSONOutput.text(onAir?.programme),
      "rule": JSONOutput.text(past.rule), "revision": JSONOutput.number(onAir?.revision),
      "occurrence": JSONOutput.occurrence(onAir?.occurrence.original),
      "priority": JSONOutput.number(pastPriority), "kind": .string(past.decision.kind.word),
      "tied_with": [], "note": .null, "stopped_at": .null, "due": .null, "cause": .null,
    ]
  }

  static func json(_ stored: StoredDecision) -> JSONValue {
    let onAir = stored.decision.onAir
    return [
      "decision": .integer(stored.id), "device": .string(stored.device),
      "at": JSONOutput.time(stored.decision.at), "until": JSONOutput.bound(stored.until),
      "kind": .string(stored.decision.kind.word), "rule": JSONOutput.text(stored.rule),
      "revision": JSONOutput.number(onAir?.revision), "programme": JSONOutput.text(onAir?.programme),
      "occurrence": JSONOutput.occurrence(onAir?.occurrence.original),
      "starts_at": JSONOutput.bound(onAir?.occurrence.start),
      "ends_at": JSONOutput.bound(onAir?.occurrence.end),
      "planned_at": JSONOutput.bound(stored.decision.planned), "reason": .string(stored.decision.reason),
    ]
  }
}
