/// A volume on the command line: an integer from 0 to 100, or a fraction with a point; with a sign it is a change.
package enum VolumeText: Sendable, Hashable {
  /// A level from 0 to 1.
  case level(Double)
  /// A step from -1 to 1, relative to the present level.
  case change(Double)

  /// Parses `55`, `0.55`, `+5` or `-0.1`. `1` is one per cent and `1.0` is full: only a point makes a fraction.
  package init(_ text: String) throws(TextError) {
    let sign: Double? =
      text.utf8.first == UInt8(ascii: "+") ? 1 : text.utf8.first == UInt8(ascii: "-") ? -1 : nil
    guard let number = DecimalText(sign == nil ? text : String(text.unicodeScalars.dropFirst())) else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a volume",
        hint: "write an integer from 0 to 100, or a fraction with a point such as 0.55")
    }
    let level = number.hasPoint ? number.value : number.value / 100
    guard level <= 1 else {
      let excerpt = TerminalText.excerpt(text)
      guard sign != -1 else {
        throw TextError(
          "volume \(excerpt) is below the minimum",
          hint:
            "the minimum is 0; a number with a minus sign lowers the volume, by \(number.hasPoint ? "1.0" : "100") at most"
        )
      }
      throw TextError(
        "volume \(excerpt) is above the maximum",
        hint: number.hasPoint ? "a number with a point is a fraction up to 1.0" : "the maximum is 100")
    }
    self = sign.map { .change($0 * level) } ?? .level(level)
  }
}
