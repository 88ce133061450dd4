import CastProtocol

/// One problem of a playlist or a source, with the place where a person can fix it.
package struct PlaylistIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// `error` if something was left out or refused, `warning` if it is only doubtful, `note` if it is an answer to a question.
  package enum Severity: String, Sendable, Hashable {
    case error
    case warning
    case note
  }

  /// The kind of problem, for exit codes.
  package enum Kind: Sendable, Hashable {
    /// A named source does not exist.
    case missingSource
    /// An existing file or address could not be read.
    case unreadable
    /// A line is invalid, or what it names is unusable.
    case content
    /// A limit was reached.
    case limit
  }

  package var severity: Severity
  package var kind: Kind
  /// The file as the user named it, or an address without possible secrets, or `-`.
  package var file: String
  /// From 1; 1 also stands for the whole file.
  package var line: Int
  /// In Unicode scalars, from 1.
  package var column: Int
  package var message: String
  /// What to do; nil when the message is sufficient.
  package var hint: FaceWords?
  /// Whether it is of an argument, which has no line and no column, and is named in the message.
  package var isOfArgument = false

  package init(
    _ severity: Severity, _ kind: Kind = .content, file: String, line: Int = 1, column: Int = 1,
    message: String, hint: FaceWords? = nil
  ) {
    self.severity = severity
    self.kind = kind
    self.file = AddressText.withoutSecrets(file)
    self.line = max(1, line)
    self.column = max(1, column)
    self.message = AddressText.withoutSecrets(message)
    self.hint = hint?.map { AddressText.withoutSecrets($0) }
  }

  package init(
    _ severity: Severity, _ kind: Kind = .content, file: String, at place: DocumentPlace, _ error: TextError
  ) {
    self.init(
      severity, kind, file: file, line: place.line, column: place.column, message: error.message,
      hint: error.hint)
  }

  /// `file:line:column: message; hint` on one line, sanitised; without a place where there is none.
  package var description: String {
    isOfArgument ? TerminalText.sanitized(words) : located
  }

  /// The same, with a place in any case.
  package var located: String { TerminalText.sanitized("\(file):\(line):\(column): \(words)") }

  private var words: String {
    let label = severity == .error ? "" : "\(severity.rawValue): "
    return "\(label)\(message)" + (hint.map { "; \($0.typed)" } ?? "")
  }
}

/// Collects issues up to a limit and counts further ones, so that a list of a million bad lines does not produce a million
/// messages.
package struct IssueLog: Sendable {
  package private(set) var issues: [PlaylistIssue] = []
  private let limit: Int
  private var unlistedErrors = 0
  private var unlistedWarnings = 0
  private var firstUnlisted: PlaylistIssue?

  package init(limit: Int) { self.limit = limit }

  package mutating func add(_ issue: PlaylistIssue) {
    if issues.count < limit {
      issues.append(issue)
      return
    }
    if issue.severity == .error { unlistedErrors += 1 } else { unlistedWarnings += 1 }
    if firstUnlisted == nil { firstUnlisted = issue }
  }

  /// Adds the unlisted issues of another log to the counts.
  package mutating func addUnlisted(of other: IssueLog) {
    unlistedErrors += other.unlistedErrors
    unlistedWarnings += other.unlistedWarnings
    if firstUnlisted == nil { firstUnlisted = other.firstUnlisted }
  }

  /// The number of all, listed or not.
  package var count: Int { issues.count + unlistedErrors + unlistedWarnings }

  /// The listed issues, by line and column.
  package var byLine: [PlaylistIssue] {
    issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  /// The issues; when some are not listed, one more that counts them, at the place where the listing stopped.
  package var complete: [PlaylistIssue] {
    guard let firstUnlisted else { return issues }
    let more = PlaylistIssue(
      unlistedErrors > 0 ? .error : .warning, .limit, file: firstUnlisted.file, line: firstUnlisted.line,
      column: firstUnlisted.column,
      message:
        "\(unlistedErrors) more errors and \(unlistedWarnings) more warnings from here on are not listed")
    return issues + [more]
  }
}
