import CastqCore
import CastqPrograms
import CastqTerminal

/// Pictures in characters, drawn by `chafa` where it is installed.
enum ArtworkProgram {
  /// Where `chafa` is; nil when it is not installed.
  static let path = ProgramSearch.find("chafa", path: Environment.value("PATH") ?? ProgramSearch.systemPath)

  /// The picture at an address; nil when there is none that can be drawn in time.
  static func cells(of address: String, columns: Int, rows: Int) async -> [[Screen.Cell]]? { nil }
}
