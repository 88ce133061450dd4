import ArgumentParser
import CastqCore
import Glibc

/// A duration on the command line.
struct DurationArgument: ExpressibleByArgument {
  /// Above 0.
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  init?(argument: String) {
    guard let seconds = try? DurationText.seconds(argument), seconds > 0 else { return nil }
    self.seconds = seconds
  }

  var duration: Duration { .milliseconds(Int64(min(seconds, 1e9) * 1000)) }
}

/// A moment on the command line: RFC 3339, `HH:MM`, `tomorrow 09:00`, `+2h`, or `-24h` for so long ago.
struct TimeArgument: ExpressibleByArgument {
  let time: WallTime

  init?(argument: String) {
    if argument.hasPrefix("-"), let seconds = try? DurationText.seconds(String(argument.dropFirst())) {
      time = WallTime.now.adding(seconds: -seconds)
    } else if let text = try? TimeText(argument) {
      time = text.resolved(now: .now, utcOffset: Self.utcOffset)
    } else {
      return nil
    }
  }

  /// Seconds east of Greenwich where this computer stands, at that moment.
  static func utcOffset(at moment: WallTime) -> Int {
    var seconds = time_t(moment.milliseconds / 1000)
    var local = tm()
    localtime_r(&seconds, &local)
    return local.tm_gmtoff
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
