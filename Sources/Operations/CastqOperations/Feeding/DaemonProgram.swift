import CastProtocol
import CastqFiles
import CastqPrograms
package import CastqText
import Glibc

/// `castq daemon` as somebody who has no terminal starts it: it outlives the program that started it, and keeps a log beside its database.
package struct DaemonProgram: Sendable {
  /// The program.
  let path: String
  /// What follows its name: the database and the configuration of whoever starts it.
  let words: [String]
  /// Where its lines go.
  package let log: String

  /// - Parameter options: those that it shares with the program that starts it.
  package init(_ path: String, options: [String], database: String) {
    self.path = path
    // What it fails with is a document, whose advice a page words for its people.
    words = ["daemon", "--json"] + options
    log = "\(database).daemon.log"
  }

  /// A daemon that was started.
  package struct Started: Sendable {
    private let program: StartedProgram
    private let log: String
    /// Where its lines begin in the log.
    private let first: off_t

    fileprivate init(_ program: StartedProgram, _ log: String, _ first: off_t) {
      (self.program, self.log, self.first) = (program, log, first)
    }

    /// Waits until it has ended. Until then its process stays in the system's list.
    /// - Returns: why.
    package func ending() async -> Failure {
      let code = await program.ending()
      let line = lastLine
      if let failure = Failure(json: (try? JSONValue(parsing: line))?["error"]) { return failure }
      let words = line.isEmpty ? "it ended with \(code)" : TerminalText.excerpt(line)
      return Failure("daemon_ended", words, exit: ExitStatus(rawValue: code) ?? .bug)
    }

    /// The last of its lines; empty without one.
    private var lastLine: String {
      guard let file = try? OwnFile.open(log, for: .reading) else { return "" }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let end = lseek(file, 0, SEEK_END)
      let count = pread(file, &bytes, bytes.count, max(first, end - off_t(bytes.count)))
      let lines = bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n"))
      return lines.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// Bytes of a log to which more is added; a longer one begins anew.
  private static let longestLog: off_t = 1 << 20

  /// Starts it, in a process group of its own: what a terminal sends to this program does not reach it.
  /// - Throws: `unavailable` where the system refuses, `io` where there can be no log.
  package func start() throws(Failure) -> Started {
    let file: Int32
    do throws(OwnFileError) { file = try OwnFile.open(log, for: .keeping) } catch {
      throw Failure("io", "castq cannot be started: no log can be written to \(log)", exit: .inputOutput)
    }
    defer { close(file) }
    var first = lseek(file, 0, SEEK_END)
    if first > Self.longestLog, ftruncate(file, 0) == 0 { first = 0 }
    // Each line goes to the end, whoever else writes.
    _ = fcntl(file, F_SETFL, O_APPEND)
    Self.keepFiles()
    let launch = ProgramLaunch(
      path, words,
      descriptors: [STDIN_FILENO: .nothing, STDOUT_FILENO: .own(file), STDERR_FILENO: .own(file)],
      hasOwnGroup: true)
    do throws(ProgramError) { return Started(try launch.start(), log, first) } catch {
      throw Failure("unavailable", "\(error)", exit: .unreachable)
    }
  }

  /// Has no file of this program open in those that it starts: the port of a page must be free again when the page has ended.
  private static func keepFiles() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let file = Int32(name), file > STDERR_FILENO { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    }
  }
}
