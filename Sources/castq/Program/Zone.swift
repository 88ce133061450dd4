import ArgumentParser
import CastqCore
import Glibc

/// A time zone: whose clocks times are written and read by.
enum Zone: Sendable {
  /// The zone of this computer, or the one that `TZ` names.
  case local
  case rules(TimeZoneRules)

  /// What the parser calls: `local`, `UTC`, or a name such as `Europe/Berlin`.
  init(_ argument: String) throws {
    switch argument {
    case "local": self = .local
    case "UTC": self = .rules(TimeZoneRules())
    default:
      guard let rules = Self.rules(named: argument) else {
        throw ValidationError(
          "\(Self.folder) has no such zone; write local, UTC or a name such as Europe/Berlin")
      }
      self = .rules(rules)
    }
  }

  /// Seconds that its clocks are ahead of UTC at a moment; east is positive.
  func utcOffset(at moment: WallTime) -> Int {
    switch self {
    case .rules(let rules): return rules.utcOffset(at: moment)
    case .local:
      var seconds = time_t(moment.milliseconds / 1000)
      var local = tm()
      localtime_r(&seconds, &local)
      return local.tm_gmtoff
    }
  }

  /// Date and time to the second, as `--since` and `--until` read them and as spreadsheets do.
  func text(_ time: WallTime) -> String {
    let text = RFC3339.text(time.adding(seconds: Double(utcOffset(at: time))))
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  /// A time zone of this computer by its name; nil when there is none.
  static func rules(named name: String) -> TimeZoneRules? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    // A name, and not a way to some other file.
    guard name.utf8.count <= 100, !name.utf8.contains(0),
      parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") })
    else { return nil }
    let descriptor = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return ConfigurationFile.bytes(of: descriptor, limit: 1 << 20).flatMap { TimeZoneRules(file: $0) }
  }

  private static var folder: String { Environment.value("TZDIR") ?? "/usr/share/zoneinfo" }
}
