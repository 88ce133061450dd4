import CastqSchedule
import CastqText

/// Says of time in which nothing played why that was: by the end of the play before it, by what was decided, by stops and quiet hours.
/// Here every `DarkReason` but `unreachable` is derived.
struct TimelineGap {
  private let facts: TimelineFacts
  /// The first row of the device: its own, or an older one of its past.
  var first: WallTime
  /// When outages ended: from then on castq sees the screen again.
  private let returns: [WallTime]

  init(_ facts: TimelineFacts) {
    self.facts = facts
    let oldest = [facts.outages.map(\.beganAt).min(), facts.decisions.first?.at].compactMap(\.self).min()
    returns = facts.outages.compactMap(\.endedAt).sorted()
    first = min(oldest ?? facts.madeAt, facts.madeAt)
  }

  /// - Parameters:
  ///   - last: the play that ended last, and when; nil where none is known.
  ///   - next: the play that ends the gap; nil where none does.
  func stretches(
    _ range: Range<WallTime>, after last: (play: Timeline.Play, at: WallTime)?, before next: Timeline.Play?
  ) -> [Timeline.Stretch] {
    let seen = next.flatMap { next in next.gapBefore.flatMap { gap in next.startedAt?.adding(seconds: -gap) }
    }
    var list: [Timeline.Stretch] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let stop = edge(after: start, seen: seen, until: range.upperBound)
      var stretch = self.stretch(start..<stop, after: last)
      if let seen, seen <= start, first <= start {
        // castq saw it, and what came next: it was no more than the time until that was loaded.
        let isFailed = stretch.reason == .failed
        stretch = Timeline.Stretch(range: start..<stop, content: .dark(isFailed ? .failed : .loading))
        if isFailed { stretch.note = last?.play.reason }
      }
      list.append(stretch)
      start = stop
    }
    return list
  }

  /// The next moment at which the reason may be another one.
  private func edge(after moment: WallTime, seen: WallTime?, until limit: WallTime) -> WallTime {
    var edge = limit
    for other in [seen, facts.stoppedAt, first, facts.darkHours?.edge(after: moment)] {
      if let other, moment < other { edge = min(edge, other) }
    }
    let back = returns.partitioned { $0 <= moment }
    if back < returns.count { edge = min(edge, returns[back]) }
    let index = facts.decisions.partitioned { $0.at <= moment }
    if index < facts.decisions.count { edge = min(edge, max(facts.decisions[index].at, moment.next)) }
    return edge
  }

  private func decision(at moment: WallTime) -> TimelineFacts.Decision? {
    let index = facts.decisions.partitioned { $0.at <= moment }
    return index > 0 ? facts.decisions[index - 1] : nil
  }

  /// What was due at a moment: what the decision says, else what was interrupted.
  func due(at moment: WallTime, after last: (play: Timeline.Play, at: WallTime)?) -> Timeline.Due? {
    if let decided = decision(at: moment), let rule = decided.rule {
      return Timeline.Due(rule: rule, programme: decided.programme)
    }
    guard let last, last.at <= moment, last.play.key.kind == .base else { return nil }
    switch last.play.cause {
    case .deviceLost, .guest, .stopped, .deviceStopped, .quietHours:
      return Timeline.Due(title: last.play.title)
    default: return nil
    }
  }

  private func stretch(
    _ range: Range<WallTime>, after last: (play: Timeline.Play, at: WallTime)?
  ) -> Timeline.Stretch {
    let start = range.lowerBound
    guard first <= start else { return Timeline.Stretch(range: range, content: .before) }
    let (content, note) = content(at: start, after: last)
    var stretch = Timeline.Stretch(range: range, content: content)
    stretch.note = note
    if content != .dark(.nothingDue) { stretch.due = due(at: start, after: last) }
    return stretch
  }

  private func content(
    at moment: WallTime, after last: (play: Timeline.Play, at: WallTime)?
  ) -> (Timeline.Content, note: String?) {
    if let stopped = facts.stoppedAt, stopped <= moment { return (.dark(.stopped), nil) }
    let decided = decision(at: moment)
    // What was decided in quiet hours says that they were none.
    let isNewer = last.map { last in decided.map { $0.at > last.at } ?? false } ?? false
    let ending = last.map { Self.ending(of: $0.play) }
    if last?.play.cause == .quietHours, !isNewer { return (.dark(.quietHours), nil) }
    // A castq that was killed may have left its picture on the screen, in quiet hours, too.
    if case .unseen = ending, last?.play.cause != nil, !isNewer { return (.unobserved, nil) }
    if let hours = facts.darkHours, hours.contains(moment), !isDecided(decided, within: hours, at: moment) {
      return (.dark(.quietHours), "by the configuration of today")
    }
    guard let last, let ending else {
      return (decided?.kind == .dark ? .dark(.nothingDue) : .unobserved, nil)
    }
    if isNewer, decided?.kind == .dark, ending.isForgotten { return (.dark(.nothingDue), nil) }
    switch ending {
    case .guest: return (.dark(.guest), last.play.causedBy)
    case .stopped(let reason): return (.dark(reason), nil)
    case .failed:
      return (.dark(.failed), last.play.reason.map { "\(last.play.title): \($0)" } ?? last.play.title)
    case .unseen: return (.unobserved, nil)
    case .lost: return (isBack(at: moment, since: last.at) ? .dark(.loading) : .unobserved, nil)
    case .nothing: return (.dark(.nothingDue), nil)
    case .ended:
      switch decided?.kind {
      // It was due, it was not there, and no row says why.
      case .rule, .announcement, .share: return (.unobserved, nil)
      case .base, .dark, nil: return (.dark(.nothingDue), nil)
      }
    }
  }

  /// Whether a decision was made in the quiet hours around a moment.
  private func isDecided(
    _ decision: TimelineFacts.Decision?, within hours: DarkHours, at moment: WallTime
  ) -> Bool {
    guard let at = decision?.at, hours.contains(at) else { return false }
    return hours.end(after: at).map { $0 > moment } ?? true
  }

  /// Whether a device that was lost answers again: then what is next is on its way.
  private func isBack(at moment: WallTime, since lost: WallTime) -> Bool {
    facts.outages.contains { outage in
      outage.hasAnswered
        && outage.endedAt.map { lost <= $0 && $0 <= moment && outage.beganAt <= moment } ?? false
    }
  }

  /// What the end of a play says of the time after it.
  private enum Ending {
    case ended, failed, guest, lost, unseen, nothing
    case stopped(DarkReason)

    /// Whether it is no reason any more when nothing is due.
    var isForgotten: Bool {
      switch self {
      case .ended, .failed, .lost, .nothing: true
      case .guest, .unseen, .stopped: false
      }
    }
  }

  private static func ending(of play: Timeline.Play) -> Ending {
    guard let cause = play.cause else {
      return switch play.outcome {
      case .failed: .failed
      case .unknown, .interrupted, nil: .unseen
      case .finished, .cancelled, .skipped: .ended
      }
    }
    return switch cause {
    case .completed, .timeLimit, .ruleEnded, .replaced, .skipped, .endedEarly, .rule, .announcement, .share,
      .quietHours:
      .ended
    case .failed, .unplayable, .stalled, .listStopped: .failed
    case .guest: .guest
    case .stopped: .stopped(.stopped)
    case .deviceStopped: .stopped(.stoppedAtDevice)
    case .nothingDue, .transferred: .nothing
    case .deviceLost: .lost
    case .castqEnded, .deviceRemoved, .otherBox, .unreported, .unobserved: .unseen
    }
  }
}

extension WallTime {
  /// The millisecond after it.
  fileprivate var next: WallTime { WallTime(milliseconds: milliseconds + 1) }
}

extension Array {
  /// The number of members in front that have what all of them in front have; the others lack it.
  func partitioned(by isInFront: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isInFront(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
