import ArgumentParser
import CastProtocol
import CastqCore

/// What `castq why` is asked about.
enum WhyQuestion {
  case moment(TimeArgument)
  case entry(EntryID)
  case play(Int64)

  /// Parses `play:17`, an entry number, or a time.
  init(_ argument: String) throws {
    if argument.hasPrefix("play:") {
      guard let number = Int64(argument.dropFirst(5)), number > 0 else {
        throw ValidationError("write play: and the number of a play, as 'castq history --json' has it")
      }
      self = .play(number)
    } else if let number = Int64(argument), number > 0 {
      self = .entry(EntryID(number))
    } else {
      self = .moment(try TimeArgument(argument))
    }
  }
}
