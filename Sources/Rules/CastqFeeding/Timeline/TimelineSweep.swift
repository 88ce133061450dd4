import CastqSchedule
package import CastqText

/// One pass over the plays of a device in the order of their beginnings: what has passed of its timeline.
///
/// An outage comes before everything, since castq saw nothing in it; of two plays that overlap, because a clock was set back, the one
/// that began last; where nothing played, `TimelineGap` says why.
package struct TimelineSweep {
  private let facts: TimelineFacts
  private let end: WallTime
  private var cursor: WallTime
  private let outages: [(range: Range<WallTime>, outage: Outage)]
  private var gap: TimelineGap
  /// Plays that go on, by their beginnings.
  private var open: [Timeline.Play] = []
  /// Plays that never started, since the last one that did.
  private var failures: [(play: Timeline.Play, at: WallTime)] = []
  /// The play that ended last, and when.
  private var last: (play: Timeline.Play, at: WallTime)?
  private var stretches: [Timeline.Stretch] = []

  /// - Parameter range: what is to come of it is left out.
  package init(_ facts: TimelineFacts, in range: Range<WallTime>) {
    self.facts = facts
    cursor = range.lowerBound
    end = max(range.lowerBound, min(range.upperBound, facts.now))
    outages = Timeline.absences(facts.outages, now: facts.now)
    gap = TimelineGap(facts)
  }

  /// Adds a play, and finishes the time before it.
  package mutating func add(_ play: Timeline.Play) {
    guard let start = play.moment else { return }
    gap.first = min(gap.first, start)
    // What never started belongs to the time before what did: castq saw that time as a whole.
    guard play.startedAt != nil else {
      failures.append((play, start))
      return
    }
    fill(until: start, next: play)
    drop(at: start)
    open.append(play)
  }

  /// The stretches since the last time, but the last one, which may go on.
  package mutating func takeFinished() -> [Timeline.Stretch] {
    guard stretches.count > 1 else { return [] }
    let finished = Array(stretches.dropLast())
    stretches.removeFirst(finished.count)
    return finished
  }

  /// All stretches that are left, without a gap: together they are the part of the range that has passed.
  package mutating func finish() -> [Timeline.Stretch] {
    fill(until: end, next: nil)
    defer { stretches = [] }
    return stretches
  }

  /// When a play is over, as far as it is known.
  private func end(of play: Timeline.Play) -> WallTime {
    let start = play.startedAt ?? play.endedAt ?? cursor
    return max(start, play.endedAt ?? (facts.isFed ? .latest : play.observedAt ?? start))
  }

  /// When castq saw a play last. Where it did not see the end, the next play may have begun before it looked again.
  private func seenEnd(of play: Timeline.Play) -> WallTime {
    let over = end(of: play)
    return play.cause == .unobserved ? over.adding(seconds: -play.unobserved) : over
  }

  private mutating func drop(at moment: WallTime) {
    guard open.contains(where: { end(of: $0) <= moment }) else { return }
    for play in open {
      let over = end(of: play)
      if over <= moment, last.map({ $0.at <= over }) ?? true { last = (play, over) }
    }
    open = open.filter { end(of: $0) > moment }
  }

  /// Counts what failed by now as what was tried last.
  /// - Returns: when something failed next, or the limit.
  private mutating func fail(until limit: WallTime) -> WallTime {
    while let first = failures.first, first.at <= cursor {
      failures.removeFirst()
      if last.map({ $0.at <= first.at }) ?? true { last = first }
    }
    return min(limit, failures.first?.at ?? limit)
  }

  private mutating func fill(until limit: WallTime, next: Timeline.Play?) {
    let limit = min(limit, end)
    while cursor < limit {
      drop(at: cursor)
      if let top = open.last {
        let over = min(limit, end(of: top))
        let seen = min(max(cursor, seenEnd(of: top)), over)
        put(Timeline.Stretch(range: cursor..<seen, content: .play(top)))
        put(Timeline.Stretch(range: seen..<over, content: .unobserved))
        cursor = over
      } else {
        let stop = fail(until: limit)
        for stretch in gap.stretches(cursor..<stop, after: last, before: next) { put(stretch) }
        cursor = stop
      }
    }
  }

  // MARK: - Outages

  /// Cuts out of a stretch what lies in outages.
  private mutating func put(_ stretch: Timeline.Stretch) {
    var start = stretch.range.lowerBound
    let limit = stretch.range.upperBound
    var index = outages.partitioned { $0.range.upperBound <= start }
    while start < limit {
      guard index < outages.count, outages[index].range.lowerBound < limit else {
        append(stretch, start..<limit)
        return
      }
      let (range, outage) = outages[index]
      if start < range.lowerBound { append(stretch, start..<range.lowerBound) }
      start = max(start, range.lowerBound)
      let over = min(range.upperBound, limit)
      var dark = Timeline.Stretch(range: start..<over, content: .dark(.unreachable))
      dark.note = outage.cause
      dark.due = stretch.play.map(Self.due) ?? stretch.due ?? gap.due(at: start, after: last)
      append(dark, start..<over)
      start = over
      index += 1
    }
  }

  private static func due(_ play: Timeline.Play) -> Timeline.Due {
    Timeline.Due(rule: play.key.rule, programme: play.key.programme, title: play.title)
  }

  /// Adds a stretch, or makes the last one longer where it is the same.
  private mutating func append(_ stretch: Timeline.Stretch, _ range: Range<WallTime>) {
    guard !range.isEmpty else { return }
    var stretch = stretch
    stretch.range = range
    if let last = stretches.last, last.range.upperBound == range.lowerBound, last.content == stretch.content,
      last.note == stretch.note, last.reason == .unreachable || last.due == stretch.due
    {
      stretches[stretches.count - 1].range = last.range.lowerBound..<range.upperBound
      return
    }
    stretches.append(stretch)
  }
}
