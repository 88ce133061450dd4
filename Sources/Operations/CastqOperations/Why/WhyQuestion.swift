package import CastqPlaylists
package import CastqText

/// What somebody asks the reason of.
package enum WhyQuestion {
  case moment(TimeText)
  case entry(EntryID)
  case play(Int64)

  /// Reads `play:17`, an entry number, or a time.
  package init(reading text: String) throws(TextError) {
    if text.hasPrefix("play:") {
      guard let number = Int64(text.dropFirst(5)), number > 0 else {
        throw TextError("write play: and the number of a play, as a history in JSON has it")
      }
      self = .play(number)
    } else if let number = Int64(text), number > 0 {
      self = .entry(EntryID(number))
    } else {
      self = .moment(try TimeText(text))
    }
  }
}
