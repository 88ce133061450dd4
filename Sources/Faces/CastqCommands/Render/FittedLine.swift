import CastProtocol
import CastqText

/// A line with a title in its middle, without the secrets of addresses. On a narrow terminal the title is truncated before the text around it.
struct FittedLine {
  private var before: String
  private var title: String
  private var after: String

  init(_ before: String, _ title: String, _ after: String) {
    self.before = Self.shown(before)
    self.title = Self.shown(title)
    self.after = Self.shown(after)
  }

  private static func shown(_ text: String) -> String {
    TerminalText.sanitized(AddressText.withoutSecrets(text))
  }

  /// The line with a prefix.
  func prefixed(_ text: String) -> FittedLine { FittedLine(text + before, title, after) }

  /// The line with something at its end that may have half of it and is cut before the line's own words are.
  func text(columns: Int, end: String) -> String {
    let end = DisplayWidth.fitted(TerminalText.sanitized(end), columns: max(columns / 2, 0))
    let line = text(columns: columns - DisplayWidth.columns(end))
    return line + end
  }

  /// The line, at most so many columns wide.
  func text(columns: Int) -> String {
    let rest = columns - DisplayWidth.columns(before) - DisplayWidth.columns(after)
    return DisplayWidth.fitted(
      before + DisplayWidth.fitted(title, columns: max(rest, 1)) + after, columns: columns)
  }
}
