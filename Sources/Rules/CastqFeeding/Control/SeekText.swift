import CastProtocol
package import CastqText

extension SeekGoal {
  /// Reads `90`, `1:30`, `1m30s`, `+10s`, `-1m` or `50%`.
  package init(_ text: String) throws(TextError) {
    let hint: FaceWords =
      "write a position such as 90 or 1:30, a step such as +10s or -1m, or a part such as 50%"
    func wrong() -> TextError {
      TextError("`\(TerminalText.excerpt(text))` is not a position to seek to", hint: hint)
    }
    if text.utf8.last == UInt8(ascii: "%") {
      guard let part = DecimalText(String(text.dropLast())), part.value <= 100 else { throw wrong() }
      self = .fraction(part.value / 100)
      return
    }
    let sign: Double? =
      text.utf8.first == UInt8(ascii: "+") ? 1 : text.utf8.first == UInt8(ascii: "-") ? -1 : nil
    let seconds: Double
    do {
      seconds = try DurationText.seconds(sign == nil ? text : String(text.unicodeScalars.dropFirst()))
    } catch {
      throw wrong()
    }
    guard seconds <= 1e7 else { throw wrong() }
    self = sign.map { .offset(MediaTime(seconds: $0 * seconds)) } ?? .position(MediaTime(seconds: seconds))
  }
}
