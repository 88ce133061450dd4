import CastqPaths
package import CastqPlaylists
package import CastqPrograms
import CastqText
import Glibc

/// Asks `ffprobe` what a local file is made of.
package struct MediaProber: Sendable {
  /// Why nothing is known of a file.
  package enum Problem: Error, Sendable, Hashable {
    /// It is no media that the program reads, for this reason; asking again is useless.
    case notMedia(String)
    /// The program gave no usable answer, or the file is gone: asking again may succeed.
    case failed(String)

    /// In words.
    package var message: String {
      switch self {
      case .notMedia(let words), .failed(let words): words
      }
    }
  }

  private let program: ChildProgram
  private let time: Duration

  /// - Parameters:
  ///   - program: `ffprobe`.
  ///   - time: how long it may take for a file.
  package init(_ program: ChildProgram, time: Duration = .seconds(10)) {
    self.program = program
    self.time = time
  }

  /// - Parameters:
  ///   - path: absolute.
  ///   - isUrgent: whether a screen waits for the answer: then it stands back for nothing. On a busy computer others may get no turn for seconds.
  package func probe(_ path: String, isUrgent: Bool = false) async throws(Problem) -> MediaProbe {
    let input = MediaInput.arguments(path: path)
    let answer: [UInt8]
    do {
      answer = try await program.run(
        ["-v", "error", "-of", "json", "-show_format", "-show_streams"] + input.options + [input.name],
        limits: ProgramLimits(time: time, outputBytes: MediaProbe.Limits.bytes, niceness: isUrgent ? 0 : 10))
    } catch ProgramError.failed(_, let code, let words, _) {
      throw refusal(words, code: code, path: path)
    } catch {
      throw .failed(error is ProgramError ? "\(error)" : "\(program.name) was ended")
    }
    do throws(TextError) { return try MediaProbe(document: answer) } catch {
      throw .failed("\(program.name): \(error.message)")
    }
  }

  /// The code with which `ffprobe` ends when it does not read a file. The loader of programs, a shell and a limit have others.
  private static let verdictCode = 1

  /// The program fails both for what is no media and for what it cannot open. It also fails for want of memory, of a library or of an
  /// option that an old version does not know: that is no verdict on the file.
  private func refusal(_ words: String, code: Int, path: String) -> Problem {
    var status = stat()
    let name = PathText.system(path)
    guard stat(name, &status) == 0, access(name, R_OK) == 0 else {
      return .failed(String(cString: strerror(errno)))
    }
    if code == Self.verdictCode, words.contains("Format not on whitelist") {
      return .notMedia("it holds neither film nor sound of its own")
    }
    // The file's own name is known to the reader of the message.
    let reason = words.ranges(of: "file:\(path): ").last.map { words[$0.upperBound...] } ?? words[...]
    let clean = TerminalText.excerpt(String(reason), limit: 200)
    guard code == Self.verdictCode, !clean.isEmpty, !ProbeRefusal.isPassing(clean) else {
      let failure = ProgramError.failed(program: program.name, code: code, words: clean, output: [])
      return .failed("\(failure)")
    }
    return .notMedia(ProbeRefusal.plain(clean))
  }
}
