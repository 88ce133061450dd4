import CastqText
import Foundation
import Testing

/// The zone database, read by our own reader and by Foundation's.
@Suite struct TimeZoneRulesTests {
  private static func file(_ zone: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)")))
  }

  @Test(
    "clocks show what Foundation says, from the beginning of zones until long after the tables end",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin"),
      "there is no zone database here; Debian has it in the package tzdata"),
    arguments: [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu",
      "America/Sao_Paulo", "Pacific/Apia", "Africa/Casablanca", "UTC", "Asia/Tehran", "America/Santiago",
    ])
  func sameAsFoundation(zone: String) throws {
    let rules = try #require(TimeZoneRules(file: Self.file(zone)))
    let other = try #require(TimeZone(identifier: zone))
    // From 1975 to 2150, in steps that meet each day of the week at each hour.
    var differences: [Int] = []
    for time in stride(from: 157_766_400, to: 5_680_281_600, by: 86_400 * 3 + 3601) {
      let ours = rules.utcOffset(at: WallTime(milliseconds: Int64(time) * 1000))
      let theirs = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
      if ours != theirs { differences.append(time) }
    }
    #expect(differences.isEmpty, "\(differences.count), the first at \(differences[0])")
  }

  @Test(
    "the second in which clocks are changed is the right one",
    arguments: [
      // Europe: 2026-03-29 01:00 UTC, 2026-10-25 01:00 UTC; and so in 2099, which only the rule knows.
      ("Europe/Berlin", 1_774_746_000, 3600, 7200), ("Europe/Berlin", 1_792_890_000, 7200, 3600),
      ("Europe/Berlin", 4_078_429_200, 3600, 7200),
    ])
  func seconds(zone: String, time: Int64, before: Int, after: Int) throws {
    let rules = try #require(TimeZoneRules(file: Self.file(zone)))
    #expect(rules.utcOffset(at: WallTime(milliseconds: time * 1000 - 1)) == before)
    #expect(rules.utcOffset(at: WallTime(milliseconds: time * 1000)) == after)
  }

  @Test("any moment has an offset", arguments: [Int64.min, -1, 0, 1, Int64.max])
  func anyMoment(milliseconds: Int64) throws {
    let rules = try #require(TimeZoneRules(file: Self.file("Europe/Berlin")))
    #expect(abs(rules.utcOffset(at: WallTime(milliseconds: milliseconds))) <= 7200)
    #expect(TimeZoneRules().utcOffset(at: WallTime(milliseconds: milliseconds)) == 0)
  }

  @Test("a file that is cut or damaged anywhere is refused or read, and never more")
  func hostile() throws {
    let good = try Self.file("Europe/Berlin")
    #expect(TimeZoneRules(file: []) == nil)
    #expect(TimeZoneRules(file: Array("TZif1".utf8)) == nil)
    for length in stride(from: 0, to: good.count, by: 7) {
      #expect(TimeZoneRules(file: Array(good.prefix(length))) == nil, "cut at \(length)")
    }
    for index in good.indices {
      var bytes = good
      bytes[index] ^= 0xFF
      _ = TimeZoneRules(file: bytes)?.utcOffset(at: WallTime(milliseconds: 1_774_746_000_000))
    }
  }
}
