package import CastqFeeding
import CastqPrograms
package import CastqText

extension ProgramFinding {
  /// Looks for each program where the rest of castq does, and asks it for its version.
  /// - Parameters:
  ///   - choices: of the configuration.
  ///   - environment: reads a variable, as `MediaPrograms` does.
  package static func all(
    _ choices: ProgramChoices, environment: (String) -> String?, now: WallTime
  ) async -> [ProgramFinding] {
    let media = MediaPrograms(choices, environment: environment)
    func absence(_ name: String, _ choice: ProgramChoice) -> Answer {
      let variable = "CASTQ_\(name.uppercased())"
      if let problem = media.problems.first(where: { $0.hasPrefix("\(name):") || $0.hasPrefix(variable) }) {
        return .misnamed(problem)
      }
      return environment(variable).map { $0 == "off" } ?? (choice == .off) ? .switchedOff : .notFound
    }
    let path = environment("PATH") ?? ProgramSearch.systemPath
    let ytDlp = ProgramSearch.find(Program.ytDlp.rawValue, path: path).map { ChildProgram(path: $0) }
    let wanted: [(Program, ChildProgram?, otherwise: Answer)] = [
      (.ffprobe, media.ffprobe, absence("ffprobe", choices.ffprobe)),
      (.ffmpeg, media.ffmpeg, absence("ffmpeg", choices.ffmpeg)), (.ytDlp, ytDlp, .notFound),
    ]
    return await withTaskGroup(of: ProgramFinding.self) { group in
      for (program, file, otherwise) in wanted {
        group.addTask {
          guard let file else { return ProgramFinding(program, otherwise, now: now) }
          return ProgramFinding(program, await answer(of: file, to: program.versionArgument), now: now)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func answer(of program: ChildProgram, to argument: String) async -> Answer {
    do {
      // yt-dlp is Python, which needs a while to start on a small computer.
      let output = try await program.run(
        [argument], limits: ProgramLimits(time: .seconds(8), outputBytes: 64 << 10))
      let line = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).first
      return .line(line.map(String.init) ?? "")
    } catch {
      return .failed("\(error)")
    }
  }
}
