import CastProtocol
import CastqText

/// The occurrences of all rules in a range, as devices of one zone see them, by their starts.
struct PlannerTable: Sendable {
  var contenders: [Contender] = []
  /// By the index of the rule.
  var occurrences: [[Occurrence]] = []
  /// By the index of the rule; what is wrong with it on any device.
  var issues: [[PlanIssue]] = []

  /// The most occurrences of one rule, and of all rules together, in one plan. A rule that fires each second for two weeks has a
  /// million of them.
  private static let limits = (rule: 20_000, all: 400_000)

  init(_ book: ScheduleBook, ranks: PlannerRanks, device: ScheduleDevice, range: Range<WallTime>) {
    var left = Self.limits.all
    for (index, rule) in book.rules.enumerated() {
      occurrences.append([])
      issues.append([])
      guard rule.isEnabled else { continue }
      do throws(RuleFault) {
        let timetable = try RuleTimetable(rule, zone: book.zone(of: rule, on: device), in: book)
        let limit = min(Self.limits.rule, left)
        // What has begun and lasts as long as its programme has no part in the range but by its expected
        // length.
        for occurrence in timetable.underway(at: range.lowerBound, lengths: book.lengths) {
          add(occurrence, of: timetable, at: index, in: book, ranks)
        }
        for occurrence in timetable.occurrences(in: range) {
          guard occurrences[index].count < limit else {
            issues[index].append(.tooOften(rule.id, from: occurrence.start))
            break
          }
          add(occurrence, of: timetable, at: index, in: book, ranks)
        }
        left -= occurrences[index].count
      } catch {
        issues[index].append(.broken(rule.id, error))
      }
    }
    contenders.sort { $0.start < $1.start }
  }

  private mutating func add(
    _ occurrence: Occurrence, of timetable: RuleTimetable, at index: Int, in book: ScheduleBook,
    _ ranks: PlannerRanks
  ) {
    let end = timetable.expectedEnd(of: occurrence, lengths: book.lengths)
    if occurrence.isCollapsed { issues[index].append(.collapsed(occurrence)) }
    contenders.append(
      Contender(
        start: occurrence.start.milliseconds, end: (end ?? occurrence.start).milliseconds,
        rank: ranks.rank[index],
        name: ranks.name[index], rule: Int32(truncatingIfNeeded: index),
        index: Int32(truncatingIfNeeded: occurrences[index].count)))
    occurrences[index].append(occurrence)
  }
}

/// The places of the rules of a book by rank and by name.
struct PlannerRanks: Sendable {
  let rank: [Int32]
  let name: [Int32]

  init(_ rules: [ScheduleRule]) {
    let ranks = rules.map { RuleRank($0) }
    let places = Dictionary(
      Set(ranks).sorted().enumerated().map { ($1, Int32(truncatingIfNeeded: $0)) }, uniquingKeysWith: { $1 })
    rank = ranks.map { places[$0] ?? 0 }
    var names = [Int32](repeating: 0, count: rules.count)
    for (place, index) in rules.indices.sorted(by: { (rules[$0].name, $0) < (rules[$1].name, $1) })
      .enumerated()
    {
      names[index] = Int32(truncatingIfNeeded: place)
    }
    name = names
  }
}
