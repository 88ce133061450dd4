import CastProtocol
package import CastqText

/// Why a list, or a line of it, was not taken up.
package struct ListProblem: Sendable, Hashable {
  /// The line in its file; nil when it is about the whole list.
  package let line: Int?
  package let message: String

  package init(line: Int? = nil, message: String) {
    self.line = line.map { max($0, 1) }
    self.message = TerminalText.sanitized(message)
  }

  /// What an error in a list means for it.
  /// - Parameters:
  ///   - source: the list; problems in lists that it names say which one they are in.
  ///   - isWhole: whether nothing of the list is left.
  package init(_ issue: PlaylistIssue, in source: String, isWhole: Bool) {
    let isNested = issue.file != AddressText.withoutSecrets(source)
    self.init(
      line: isWhole && issue.line == 1 ? nil : issue.line,
      message: isNested ? "\(issue.file): \(issue.message)" : issue.message)
  }

  /// The problem with its line.
  package var words: String { (line.map { "line \($0): " } ?? "") + message }
}
