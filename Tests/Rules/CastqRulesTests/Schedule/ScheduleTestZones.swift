import CastqSchedule
import CastqText
import Foundation

/// Zones of the system's database, for tests; their names are those of the zones that schedules are hard in.
enum TestZone {
  static let folder = "/usr/share/zoneinfo"
  static let isThere = FileManager.default.fileExists(atPath: "\(folder)/Europe/Berlin")
  static let missing = "there is no zone database here; Debian has it in the package tzdata"

  static let names = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca",
    "Pacific/Apia",
  ]

  /// UTC when there is no such zone here: tests of zones are enabled by `isThere`.
  static func rules(_ name: String) -> TimeZoneRules {
    guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
      return TimeZoneRules()
    }
    return TimeZoneRules(file: Array(bytes)) ?? TimeZoneRules()
  }

  /// The clocks of a site, and of every zone of the database.
  static func clocks(_ site: String) -> CalendarClocks {
    CalendarClocks(site: site == "UTC" ? TimeZoneRules() : rules(site), name: Bench.zone(site)) { name in
      guard let zone = try? ZoneName(name), isThere,
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)"),
        let rules = TimeZoneRules(file: Array(bytes))
      else { return name == "UTC" ? (.utc, TimeZoneRules()) : nil }
      return (zone, rules)
    }
  }

  /// The moments at which clocks are changed, in seconds since 1970.
  static func changes(_ rules: TimeZoneRules, from first: Int64, to last: Int64) -> [Int64] {
    var changes: [Int64] = []
    var time = first
    while let next = rules.span(at: time).end, next < last {
      if rules.span(at: next).offset != rules.span(at: next - 1).offset { changes.append(next) }
      time = next
    }
    return changes
  }
}

/// How much a test does in `make test`, and in `make endurance`, where CASTQ_STORMS is set.
func scheduleRuns(_ few: Int, _ many: Int) -> Int {
  ProcessInfo.processInfo.environment["CASTQ_STORMS"] == nil ? few : many
}

/// Files of this machine, for tests that damage them.
enum FoundationFile {
  static func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { Array($0) }
  }
}

extension CalendarClocks {
  /// A site that knows no zone but UTC.
  static let utc = CalendarClocks(site: TimeZoneRules()) { _ in nil }
}
