package import CastqFeeding
package import CastqPrograms
import CastqText

/// The programs of other people that castq starts for local files, where they are installed.
package struct MediaPrograms: Sendable, Hashable {
  /// Reads what files are made of; nil without it.
  package var ffprobe: ChildProgram?
  /// Makes pictures and other media of files; nil without it.
  package var ffmpeg: ChildProgram?
  /// What was asked for by name and is unavailable, as messages.
  package private(set) var problems: [String] = []

  /// None.
  package init() {}

  /// Looks for them on the search path, or where they are said to be.
  /// - Parameters:
  ///   - choices: of the configuration.
  ///   - environment: reads a variable: `CASTQ_FFPROBE` and `CASTQ_FFMPEG` take precedence over the choices, `PATH` says where to look.
  package init(_ choices: ProgramChoices, environment: (String) -> String?) {
    let path = environment("PATH") ?? ProgramSearch.systemPath
    ffprobe = find("ffprobe", choices.ffprobe, environment("CASTQ_FFPROBE"), path)
    ffmpeg = find("ffmpeg", choices.ffmpeg, environment("CASTQ_FFMPEG"), path)
  }

  private mutating func find(
    _ name: String, _ configured: ProgramChoice, _ variable: String?, _ path: String
  ) -> ChildProgram? {
    var choice = configured
    if let variable {
      do throws(TextError) { choice = try ProgramChoice(variable) } catch {
        problems.append("CASTQ_\(name.uppercased()): \(error.message)")
        return nil
      }
    }
    switch choice {
    case .off: return nil
    case .installed: return ProgramSearch.find(name, path: path).map { ChildProgram(path: $0) }
    case .path(let file):
      guard let found = ProgramSearch.find(file, path: path) else {
        problems.append("\(name): \(TerminalText.sanitized(file)) is no program that may be executed")
        return nil
      }
      return ChildProgram(path: found)
    }
  }
}
