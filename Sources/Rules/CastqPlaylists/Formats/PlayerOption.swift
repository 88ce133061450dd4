import CastqText

/// An option of VLC for one entry, such as `start-time=12.5`. M3U has it in `#EXTVLCOPT`, XSPF in an extension.
enum PlayerOption {
  /// Sets what the option says.
  /// - Returns: false for options that have no meaning here, such as those for VLC's own network and screen.
  static func apply(
    _ text: String, line: Int, column: Int, to attributes: inout EntryAttributes
  ) throws(TextError) -> Bool {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let key = text[..<equals].trimmingBlanks.lowercased()
    guard key == "start-time" || key == "stop-time" else { return false }
    guard let seconds = DecimalText(text[text.utf8.index(after: equals)...].trimmingBlanks)?.value else {
      throw TextError("\(key) is not a number of seconds")
    }
    if key == "start-time" {
      attributes.start = seconds
    } else {
      attributes.end = Located(seconds, line: line, column: column)
    }
    return true
  }
}
