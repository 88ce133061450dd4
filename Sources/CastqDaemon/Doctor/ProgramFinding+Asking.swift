package import CastqCore
import CastqPrograms

extension ProgramFinding {
  /// Looks for a program and asks for its version.
  /// - Parameters:
  ///   - path: folders to search, separated by colons.
  package static func asking(_ program: Program, path: String, now: WallTime) async -> ProgramFinding {
    guard let file = ProgramSearch.find(program.rawValue, path: path) else {
      return ProgramFinding(program, .notFound, now: now)
    }
    do {
      // yt-dlp is Python, which needs a while to start on a small computer.
      let output = try await ChildProgram(path: file).run(
        [program.versionArgument], limits: ProgramLimits(time: .seconds(8), outputBytes: 64 << 10))
      let line = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).first
      return ProgramFinding(program, .line(line.map(String.init) ?? ""), now: now)
    } catch {
      return ProgramFinding(program, .failed("\(error)"), now: now)
    }
  }
}
