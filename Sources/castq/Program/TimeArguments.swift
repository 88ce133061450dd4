import ArgumentParser
import CastProtocol
import CastqCore

/// A duration on the command line.
struct DurationArgument {
  /// Above 0.
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  /// What the parser calls; its message names the option and the value.
  init(_ argument: String) throws {
    do throws(TextError) { seconds = try DurationText.seconds(argument) } catch {
      throw ValidationError(error.advice)
    }
    guard seconds > 0 else { throw ValidationError("it has to be longer than nothing") }
  }

  var duration: Duration { .milliseconds(Int64(bounded: min(seconds, 1e9) * 1000)) }
}

/// A moment on the command line.
struct TimeArgument {
  let text: TimeText

  /// What the parser calls; its message names the option and the value.
  init(_ argument: String) throws {
    do throws(TextError) { text = try TimeText(argument) } catch { throw ValidationError(error.advice) }
  }

  /// The moment that is meant; a time of day alone is the next one.
  func next(in zone: Zone = .local) -> WallTime { resolved(.next, zone) }

  /// The moment that is meant; a time of day alone is the last one.
  func last(in zone: Zone = .local) -> WallTime { resolved(.last, zone) }

  private func resolved(_ sense: TimeText.Sense, _ zone: Zone) -> WallTime {
    text.resolved(now: .now, sense: sense, utcOffset: zone.utcOffset)
  }
}

extension TextError {
  /// What to write instead, where the message around it says already what is wrong.
  var advice: String { hint ?? message }

  /// What is wrong and what to write instead, in one line.
  var words: String { hint.map { "\(message): \($0)" } ?? message }
}

extension DurationArgument: ExpressibleByArgument {
  init?(argument: String) {
    guard let value = try? DurationArgument(argument) else { return nil }
    self = value
  }
}
