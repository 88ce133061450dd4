import CastqText

/// The occurrences of the next hours on one device, by their starts.
struct ScheduleAgenda: Sendable {
  struct Entry: Sendable {
    let rule: ScheduleRule
    let occurrence: Occurrence
  }

  let entries: [Entry]
  /// What the agenda is good for.
  let range: Range<WallTime>
  /// Rules that are passed over, and why.
  let faults: [RuleID: RuleFault]

  /// Seconds before and after the moment it is made for.
  private static let reach = (before: 3600.0, after: 93_600.0)
  /// The most starts of one rule. Where it has more, the agenda is good for a shorter time.
  private static let longest = 1_000

  init(_ book: ScheduleBook, device: ScheduleDevice, at moment: WallTime) {
    let start = moment.adding(seconds: -Self.reach.before)
    var end = max(moment.adding(seconds: Self.reach.after), moment.adding(seconds: 1))
    var entries: [Entry] = []
    var faults: [RuleID: RuleFault] = [:]
    for rule in book.rules where rule.isEnabled && device.isTarget(of: rule.target) {
      do throws(RuleFault) {
        let timetable = try RuleTimetable(rule, zone: book.zone(of: rule, on: device), in: book)
        var count = 0
        for occurrence in timetable.occurrences(in: start..<end) where !occurrence.isCollapsed {
          if occurrence.start > moment { count += 1 }
          if count > Self.longest {
            end = occurrence.start
            break
          }
          entries.append(Entry(rule: rule, occurrence: occurrence))
        }
      } catch {
        faults[rule.id] = error
      }
    }
    self.entries = entries.filter { $0.occurrence.start < end }.sorted {
      $0.occurrence.start < $1.occurrence.start
    }
    self.faults = faults
    range = start..<max(start, end)
  }

  /// What is on, of the occurrences that have an end of their own.
  func entries(at moment: WallTime) -> [Entry] {
    entries.filter { entry in
      guard let end = entry.occurrence.end else { return false }
      return entry.occurrence.start <= moment && moment < end
    }
  }

  /// What starts after the first moment, and not after the last.
  func starts(after first: WallTime, through last: WallTime) -> [Entry] {
    entries.filter { first < $0.occurrence.start && $0.occurrence.start <= last }
  }

  /// When a rule begins next; nil when none does as far as the agenda reaches. A share begins nothing: it plays between the items of
  /// others.
  func nextStart(after moment: WallTime) -> WallTime? {
    entries.first { entry in
      if case .share = entry.rule.kind { return false }
      return entry.occurrence.start > moment
    }?.occurrence.start
  }

  /// The first start or end after a moment, or the end of the agenda.
  func boundary(after moment: WallTime) -> WallTime {
    var next = range.upperBound
    for entry in entries {
      if entry.occurrence.start > moment { next = min(next, entry.occurrence.start) }
      if let end = entry.occurrence.end, end > moment { next = min(next, end) }
    }
    return next
  }
}
