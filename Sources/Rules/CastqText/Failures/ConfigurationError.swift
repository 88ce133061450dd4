/// Why a configuration was rejected.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Ordered by place; at least one.
  package var issues: [PlaylistIssue]

  /// - Parameter issues: at least one.
  package init(issues: [PlaylistIssue]) {
    self.issues = issues
  }

  /// The first issue in full, as `file:line:column: message; hint`, and the number of further ones.
  package var description: String {
    let more = issues.count > 1 ? " (and \(issues.count - 1) more)" : ""
    return "\(issues.first?.description ?? "")\(more)"
  }
}
