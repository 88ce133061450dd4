import CastProtocol
package import CastqSchedule
package import CastqText

/// Reads the value of an option; an error names the option, and the column where there is one.
package enum OptionText {
  package static func parse<Value>(
    _ option: String, _ text: String, _ parse: (String) throws(TextError) -> Value
  ) throws(UsageError) -> Value {
    do throws(TextError) { return try parse(text) } catch {
      throw UsageError(words(option, error))
    }
  }

  /// What is wrong with a text, with its column.
  package static func words(_ option: String, _ error: TextError) -> String {
    let column = error.offset > 0 ? " column \(error.offset + 1)" : ""
    return "\(option)\(column): \(error.words)"
  }
}

/// The terms of a rule as options have them.
package enum RuleTermText {
  package static func start(_ text: String) throws(UsageError) -> StartMode {
    switch text {
    case "hard": return .hard
    case "next": return .next
    default:
      guard let seconds = try seconds(text, after: "wait=") else {
        throw UsageError("write hard, next or wait=90s")
      }
      return .wait(seconds: seconds)
    }
  }

  package static func end(_ text: String) throws(UsageError) -> EndMode {
    switch text {
    case "cut": return .cut
    case "finish": return .finish
    default: throw UsageError("write cut or finish")
    }
  }

  package static func resume(_ text: String) throws(UsageError) -> ResumeMode {
    guard let resume = ResumeMode(word: text) else {
      throw UsageError("write second, item or restart")
    }
    return resume
  }

  package static func missed(_ text: String) throws(UsageError) -> MissedPolicy {
    switch text {
    case "skip": return .skip
    case "run": return .run
    default:
      guard let seconds = try seconds(text, after: "within=") else {
        throw UsageError("write skip, run or within=15m")
      }
      return .within(seconds: seconds)
    }
  }

  package static func priority(_ text: String) throws(UsageError) -> Int {
    let range = ScheduleRule.priorities
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A level from 0 to 1.
  package static func volume(_ text: String) throws(UsageError) -> Double {
    let volume: VolumeText
    do throws(TextError) { volume = try VolumeText(text) } catch { throw UsageError(error.advice) }
    guard case .level(let level) = volume else {
      throw UsageError("a rule has a level, not a step: write an integer from 0 to 100")
    }
    return level
  }

  /// `120s` or `5%` of an hour, in seconds from 1 to 3,600.
  package static func perHour(_ text: String) throws(UsageError) -> Int {
    var seconds: Double?
    if text.utf8.last == UInt8(ascii: "%") {
      seconds = DecimalText(String(text.unicodeScalars.dropLast())).map { $0.value * 36 }
    } else {
      seconds = try? DurationText.seconds(text)
    }
    guard let seconds, seconds <= 3600, seconds.rounded() >= 1 else {
      throw UsageError("write a part of an hour, such as 120s or 5%")
    }
    return Int(bounded: seconds.rounded())
  }

  private static func seconds(_ text: String, after prefix: String) throws(UsageError) -> Int? {
    guard text.hasPrefix(prefix) else { return nil }
    let rest = String(text.dropFirst(prefix.count))
    let seconds: Double
    do throws(TextError) { seconds = try DurationText.seconds(rest) } catch {
      throw UsageError(error.advice)
    }
    return min(Int(bounded: seconds.rounded()), ScheduleRule.longest)
  }
}

extension TimeText {
  /// What the clocks of a zone show at this time. One that was written as a local time stays as it was written, also when clocks
  /// skip it.
  package func local(in zone: Zone) -> LocalTime {
    if case .civil(let civil) = self { return LocalTime(civil) }
    let moment = resolved(now: .now, sense: .next, utcOffset: zone.utcOffset)
    return LocalTime(seconds: Int(moment.wholeSeconds) + zone.utcOffset(at: moment))
  }
}

extension LocalTime {
  package init(_ civil: CivilTime) {
    self.init(
      LocalDate(number: civil.daysSinceEpoch), second: civil.hour * 3600 + civil.minute * 60 + civil.second)
  }
}
