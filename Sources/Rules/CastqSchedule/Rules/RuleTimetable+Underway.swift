import CastProtocol
import CastqText

/// Of what lasts as long as its programme no row has an end: by the expected length of the programme a plan
/// knows what goes on when it begins.
extension RuleTimetable {
  /// Seconds that are looked back at most: a week.
  private static let reach = 7 * 86_400
  /// The most of one rule that may go on at once. What began last is on the screen, and announcements nest to
  /// a smaller depth.
  private static let most = 64

  /// What began before a moment and goes on then, by the expected lengths of its programmes, by their starts;
  /// the last 64 at most. Looks back further and further, so that a rule with many starts costs no more than
  /// one with few.
  /// - Parameter lengths: seconds of one pass through a programme, by its name; what is not in it is not
  ///   known to go on.
  func underway(at moment: WallTime, lengths: [String: Int]) -> [Occurrence] {
    guard rule.form.hasOnlyStarts, rule.length == nil,
      let longest = rule.programmes.compactMap({ lengths[$0] }).max(), longest > 0
    else { return [] }
    let earliest = moment.adding(seconds: -Double(min(longest, Self.reach)))
    for seconds in [3600, 86_400, Self.reach] {
      let from = max(earliest, moment.adding(seconds: -Double(seconds)))
      guard from < moment else { return [] }
      var found: [Occurrence] = []
      for occurrence in occurrences(in: from..<moment) where occurrence.start < moment {
        guard let end = expectedEnd(of: occurrence, lengths: lengths), end > moment else { continue }
        found.append(occurrence)
        if found.count > Self.most { found.removeFirst() }
      }
      if found.count == Self.most || from == earliest { return found }
    }
    return []
  }

  /// The end of an occurrence; where it lasts as long as its programme the expected one, and nil when that is
  /// not known.
  func expectedEnd(of occurrence: Occurrence, lengths: [String: Int]) -> WallTime? {
    if let end = occurrence.end { return end }
    guard let length = lengths[occurrence.replacement ?? rule.programme] else { return nil }
    return occurrence.start.adding(seconds: Double(min(max(length, 0), ScheduleRule.longest)))
  }
}
