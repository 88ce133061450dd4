import Glibc

/// Where the programs that castq starts are found.
public enum ProgramSearch {
  /// The search path of a system whose environment has none, as `getconf PATH` answers.
  public static let systemPath = "/usr/local/bin:/usr/bin:/bin"

  /// The path of an executable file of this name.
  ///
  /// - Parameters:
  ///   - name: a name, which is looked for in `path`; or a path with a slash, which is taken as it is.
  ///   - path: folders, separated by colons. Folders that do not begin with a slash are left out, so that where castq was started does
  ///     not decide which program runs.
  /// - Returns: nil when there is none that may be executed.
  public static func find(_ name: String, path: String) -> String? {
    if name.contains("/") { return isExecutable(name) ? name : nil }
    guard !name.isEmpty else { return nil }
    return path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(
      where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
