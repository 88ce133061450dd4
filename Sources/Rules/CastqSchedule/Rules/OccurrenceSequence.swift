import CastqText

/// The occurrences of a rule in a range of time, by their starts, computed as they are asked for.
package struct OccurrenceSequence: Sequence, Sendable {
  let timetable: RuleTimetable
  let range: Range<WallTime>

  package func makeIterator() -> Iterator { Iterator(timetable, range) }

  package struct Iterator: IteratorProtocol {
    private let timetable: RuleTimetable
    private let range: Range<WallTime>
    /// Where the next start of the rule itself is looked for; nil when there is no other one.
    private var cursor: LocalTime?
    /// No start from here on has a moment in the range.
    private let limit: LocalTime
    /// The next one that the rule gives, without those that are moved.
    private var pending: Occurrence?
    /// Those that were moved, with the earliest at the end.
    private var moved: [Occurrence]

    init(_ timetable: RuleTimetable, _ range: Range<WallTime>) {
      self.timetable = timetable
      self.range = range
      moved = timetable.movedOccurrences.filter { $0.intersects(range) }.sorted { $0.start > $1.start }
      // No zone changes its clocks by more than a day at once.
      limit = timetable.offsets.localTime(at: range.upperBound).adding(seconds: 2 * 86_400)
      cursor = range.isEmpty ? nil : timetable.firstLocalTime(for: range.lowerBound)
      advance()
    }

    package mutating func next() -> Occurrence? {
      if let next = moved.last, pending.map({ next.start < $0.start }) ?? true {
        moved.removeLast()
        return next
      }
      defer { advance() }
      return pending
    }

    private mutating func advance() {
      let last = pending?.start
      pending = nil
      while let from = cursor, let local = timetable.nextStart(from: from, before: limit) {
        cursor = local.adding(seconds: 1)
        if cursor == local { cursor = nil }
        var occurrence = timetable.occurrence(at: local)
        guard occurrence.start < range.upperBound else { break }
        switch timetable.rule.exceptions[local] {
        case .skip, .move: continue
        case .replace(let programme):
          occurrence = Occurrence(
            rule: occurrence.rule, original: local, start: occurrence.start, end: occurrence.end,
            replacement: programme)
        case nil: break
        }
        // Several starts that clocks skip have one moment: they are one, unless each has an end of its own.
        let isRepeated = timetable.rule.form.hasOnlyStarts && occurrence.start == last
        if !isRepeated, occurrence.intersects(range) {
          pending = occurrence
          return
        }
      }
      cursor = nil
    }
  }
}

extension RuleTimetable {
  /// The earliest local time at which something may start that is still on at a moment.
  func firstLocalTime(for moment: WallTime) -> LocalTime {
    switch source {
    case .runs, .once: return LocalTime(.earliest)
    // A part ends at most two midnights after the one of its day; a zone that changes sides of the date line moves it by one more.
    case .part, .daypart: return LocalTime(offsets.localTime(at: moment).date.advanced(by: -3))
    case .recurrence: return offsets.firstLocalTime(from: moment.adding(seconds: -Double(rule.length ?? 0)))
    }
  }

  /// The first start of the rule itself that is not earlier, and before a limit.
  func nextStart(from local: LocalTime, before limit: LocalTime) -> LocalTime? {
    switch source {
    case .runs(let runs): return runs.lazy.map { LocalTime($0.lowerBound) }.first { $0 >= local }
    case .once(let time): return time >= local && allowed.contains(time.date) ? time : nil
    case .part, .daypart:
      var day = allowed.first(from: local.date)
      while let current = day, current <= limit.date {
        if let part = part(on: current) {
          let start = LocalTime(current, second: part.start)
          if start >= local { return start }
        }
        day = current == .latest ? nil : allowed.first(from: current.advanced(by: 1))
      }
      return nil
    case .recurrence(let recurrence):
      var from = local
      while let next = recurrence.next(from: from), next < limit {
        if allowed.contains(next.date) { return next }
        guard let day = allowed.first(from: next.date), day > next.date else { return nil }
        from = LocalTime(day)
      }
      return nil
    }
  }

  /// What was moved to another time, wherever that is.
  package var movedOccurrences: [Occurrence] {
    rule.exceptions.compactMap { original, exception in
      switch exception {
      case .skip, .replace: return nil
      case .move(let local):
        guard starts(at: original) else { return nil }
        let (old, start) = (occurrence(at: original), offsets.instant(of: local))
        let end = old.end.map { start.adding(seconds: $0 - old.start) }
        return Occurrence(rule: rule.id, original: original, start: start, end: end)
      }
    }
  }
}
