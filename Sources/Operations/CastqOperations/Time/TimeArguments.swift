import CastProtocol
import CastqSchedule
package import CastqText

/// A duration on the command line.
package struct DurationArgument {
  /// Above 0.
  package let seconds: Double

  package init(seconds: Double) { self.seconds = seconds }

  /// Parses an argument; the parser's message adds the option and the value.
  package init(_ argument: String) throws(UsageError) {
    do throws(TextError) { seconds = try DurationText.seconds(argument) } catch {
      throw UsageError(error.advice)
    }
    guard seconds > 0 else { throw UsageError("it must be greater than 0") }
  }

  package var duration: Duration { .milliseconds(Int64(bounded: min(seconds, 1e9) * 1000)) }
}

/// A point in time on the command line.
package struct TimeArgument {
  package let text: TimeText

  /// Parses an argument; the parser's message adds the option and the value.
  package init(_ argument: String) throws(UsageError) {
    do throws(TextError) { text = try TimeText(argument) } catch { throw UsageError(error.advice) }
  }

  /// The point in time; a time of day alone means the next one.
  package func next(in zone: Zone) -> WallTime { resolved(.next, zone) }

  /// The point in time; a time of day alone means the last one.
  package func last(in zone: Zone) -> WallTime { resolved(.last, zone) }

  /// The point in time, which must be to come; a time of day alone means the next one.
  /// - Parameter subject: what the message begins with, such as the option and a blank.
  package func toCome(_ subject: String, in zone: Zone) throws(Failure) -> WallTime {
    let moment = next(in: zone)
    guard moment > .now else { throw .passed(moment, subject, in: zone) }
    return moment
  }

  private func resolved(_ sense: TimeText.Sense, _ zone: Zone) -> WallTime {
    text.resolved(now: .now, sense: sense, utcOffset: zone.utcOffset)
  }
}

extension Failure {
  /// A time that had to be to come is over.
  /// - Parameter examples: times as they may be written instead.
  package static func passed(
    _ moment: WallTime, _ subject: String, in zone: Zone, such examples: String = "18:00 or +2h"
  ) -> Failure {
    Failure(
      "usage",
      "\(subject)\(zone.text(moment)) has passed; write a time that is to come, such as \(examples)",
      exit: .usage)
  }
}

extension DurationArgument: CustomStringConvertible {
  /// `5s`, in help.
  package var description: String { ScheduleRule.text(seconds: Int(bounded: seconds.rounded())) }
}
