import Foundation

/// Where the programs of the build are.
enum Programs {
  struct NotFound: Error {
    var path: String
  }

  /// The clone that the tests were built from.
  static let clone = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// In `$CASTQ_BIN`, else beside the tests themselves.
  static func path(_ name: String) throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["CASTQ_BIN"]
      ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    let path = URL(fileURLWithPath: folder).appendingPathComponent(name).path
    guard access(path, X_OK) == 0 else { throw NotFound(path: path) }
    return path
  }
}
