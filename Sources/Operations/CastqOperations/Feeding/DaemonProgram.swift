import CastProtocol
import CastqFiles
import CastqPaths
package import CastqText
import Dispatch
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
    private let process: pid_t
    private let log: String
    /// Where its lines begin in the log.
    private let first: off_t

    fileprivate init(_ process: pid_t, _ log: String, _ first: off_t) {
      (self.process, self.log, self.first) = (process, log, first)
    }

    /// Waits until it has ended. Call once: until then its process stays in the system's list.
    /// - Returns: why.
    package func ending() async -> Failure {
      let status = await withCheckedContinuation { done in
        DispatchQueue(label: "castq.daemon").async {
          var status: Int32 = 0
          while waitpid(process, &status, 0) < 0, errno == EINTR {}
          done.resume(returning: status)
        }
      }
      let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
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
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, file, STDERR_FILENO)
    Self.keepFiles()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var own = sigset_t()
    sigemptyset(&own)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { sigaddset(&own, signal) }
    posix_spawnattr_setsigdefault(&attributes, &own)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([path] + words).map { strdup(PathText.system($0)) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, path, &actions, &attributes, &arguments, environ)
    guard result == 0 else {
      throw Failure(
        "unavailable", "castq cannot be started: \(path): \(String(cString: strerror(result)))",
        exit: .unreachable)
    }
    return Started(process, log, first)
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
