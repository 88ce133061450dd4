import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
import CastqText
import Foundation
import Testing

/// What the program reports of a week that the daemon's stores have written.
extension ShopSite {
  /// A row of `report adherence --by rule`.
  struct Adherence {
    let occurrences: Int
    /// Seconds.
    let planned, shown: Double
  }

  /// Writes a week into the database, through the stores of the daemon and in the order in which it happened: the lists of programmes,
  /// what came on the screen, and what was seen of it. A day of the week is written in some dozen transactions.
  func record(_ feed: VirtualFeed, until end: WallTime) throws {
    let (schedule, now) = (try read().schedule, ShopWeekTests.start)
    let database = try Database(path: path)
    let device = try DeviceStore(database).device(matching: "lobby")
    // Announcements start at moments of their own.
    let starts = Set(schedule.book.rules.filter { $0.kind == .trigger }.map(\.programme))
    let queues = QueueStore(database)
    for programme in schedule.programmes.sorted(by: { $0.name < $1.name }) {
      let list = Playlist(drafts: try files(of: programme).map { FeedFixture.draft($0) })
      let isStart = starts.contains(programme.name)
      try queues.take(
        list, of: programme.name, for: isStart ? [] : [device.id], starts: isStart ? [device.id] : [], at: now
      )
    }
    let (decisions, plays) = (ScheduleStore(database), HistoryStore(database))
    var waiting = feed.rows.facts[...]
    func write(before moment: WallTime) throws {
      let next = waiting.firstIndex { fact in
        guard case .started(_, let play) = fact else { return false }
        return play.at >= moment
      }
      let facts = waiting[..<(next ?? waiting.endIndex)]
      try plays.record(facts.map { RecordedFact(fact: $0, effect: nil) }, device: device)
      waiting = waiting[facts.endIndex...]
    }
    for decision in feed.rows.decisions {
      try write(before: decision.at)
      try decisions.record(decision, device: device)
    }
    try write(before: .latest)
    #expect(waiting.isEmpty)
    let over = ScheduleDecision(
      at: end, kind: .base, onAir: nil, planned: nil, reason: "the week is over", beneath: [])
    // For the program the week is to come, and a decision that holds has no time yet.
    try decisions.record(over, device: device)
  }

  /// What the program says of each rule.
  func adherence(_ range: Range<WallTime>) throws -> [String: Adherence] {
    let printed = try castq(
      "report", "adherence", "--since", RFC3339.text(range.lowerBound), "--until",
      RFC3339.text(range.upperBound), "--json")
    let rows = try JSONValue(parsing: printed)["rows"]?.array ?? []
    return try rows.reduce(into: [:]) { sums, row in
      sums[try #require(row["rule"]?.string)] = Adherence(
        occurrences: try #require(row["occurrences"]?.int), planned: try #require(row["planned_s"]?.double),
        shown: try #require(row["shown_s"]?.double))
    }
  }
}
