import CastqCore

/// A line with a title in its middle. On a narrow terminal the title is truncated before the text around it.
struct FittedLine {
  private var before: String
  private var title: String
  private var after: String

  init(_ before: String, _ title: String, _ after: String) {
    self.before = TerminalText.sanitized(before)
    self.title = TerminalText.sanitized(title)
    self.after = TerminalText.sanitized(after)
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
