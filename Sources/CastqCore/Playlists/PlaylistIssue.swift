/// One thing that is wrong in a playlist or with a source, said so that a person can go there and repair it.
package struct PlaylistIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether something was left out or refused, or only looks doubtful.
  package enum Severity: String, Sendable, Hashable {
    case error
    case warning
  }

  /// What kind of trouble it is, for exit codes.
  package enum Kind: Sendable, Hashable {
    /// A source that was named does not exist.
    case missingSource
    /// Something that exists could not be read.
    case unreadable
    /// A format this version does not read.
    case unsupportedFormat
    /// A line is wrong, or what it names cannot be used.
    case content
    /// A limit was reached.
    case limit
  }

  package var severity: Severity
  package var kind: Kind
  /// The file as the user named it, or an address without what may be secret in it, or `-`.
  package var file: String
  /// From 1; 1 when the file as a whole is meant.
  package var line: Int
  /// In Unicode scalars, from 1.
  package var column: Int
  package var message: String
  /// What to do about it; nil when the message says it all.
  package var hint: String?

  package init(
    _ severity: Severity, _ kind: Kind = .content, file: String, line: Int = 1, column: Int = 1,
    message: String, hint: String? = nil
  ) {
    self.severity = severity
    self.kind = kind
    self.file = AddressText.withoutSecrets(file)
    self.line = max(1, line)
    self.column = max(1, column)
    self.message = AddressText.withoutSecrets(message)
    self.hint = hint.map(AddressText.withoutSecrets)
  }

  /// `file:line:column: message; hint` on one line that is safe to show.
  package var description: String {
    let label = severity == .warning ? "warning: " : ""
    let advice = hint.map { "; \($0)" } ?? ""
    return TerminalText.sanitized("\(file):\(line):\(column): \(label)\(message)\(advice)")
  }
}

/// Collects issues, and only counts them once there are more than anybody will read: a list of a million bad lines must
/// not become a million messages.
struct IssueLog: Sendable {
  private(set) var issues: [PlaylistIssue] = []
  private let limit: Int
  private var unlistedErrors = 0
  private var unlistedWarnings = 0
  private var firstUnlisted: PlaylistIssue?

  init(limit: Int) { self.limit = limit }

  mutating func add(_ issue: PlaylistIssue) {
    if issues.count < limit {
      issues.append(issue)
      return
    }
    if issue.severity == .error { unlistedErrors += 1 } else { unlistedWarnings += 1 }
    if firstUnlisted == nil { firstUnlisted = issue }
  }

  /// Counts what another log has only counted.
  mutating func addUnlisted(of other: IssueLog) {
    unlistedErrors += other.unlistedErrors
    unlistedWarnings += other.unlistedWarnings
    if firstUnlisted == nil { firstUnlisted = other.firstUnlisted }
  }

  /// The listed issues, by line and column.
  var byLine: [PlaylistIssue] {
    issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  /// The issues, with one more at the place where listing stopped when some are not listed.
  var complete: [PlaylistIssue] {
    guard let firstUnlisted else { return issues }
    let more = PlaylistIssue(
      unlistedErrors > 0 ? .error : .warning, .limit, file: firstUnlisted.file, line: firstUnlisted.line,
      column: firstUnlisted.column,
      message:
        "\(unlistedErrors) more errors and \(unlistedWarnings) more warnings from here on are not listed")
    return issues + [more]
  }
}
