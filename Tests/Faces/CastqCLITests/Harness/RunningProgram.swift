import Foundation
import Synchronization

/// How a program ended and what it said.
struct Ending: Sendable {
  /// Exit code, or 128 + the signal that killed it, as a shell reports it.
  var exit: Int32
  var stdout: String
  var stderr: String

  var outLines: [String] { stdout.split(separator: "\n").map(String.init) }
  var errorLines: [String] { stderr.split(separator: "\n").map(String.init) }
}

/// A program under way: its pipes, its end, and signals to it.
///
/// Foundation's `Process` hands its own signal mask to the child, in which a worker thread of the tests has blocked what
/// the tests want to send; hence `posix_spawn`.
final class RunningProgram: Sendable {
  /// A program that hangs is killed after this, so that a test fails instead of waiting for ever. Seconds; more than a slow
  /// machine takes for the longest test, less than a suite's own limit.
  static let patience = 900.0
  /// What serves others lives as long as its test, and ends with the object. Seconds.
  static let lifetime = 3600.0
  /// Between making a pipe and marking it, no other child may be born that would hold its end open.
  private static let birth = Mutex(())

  let process: pid_t
  let stdout = LineFeed()
  let stderr = LineFeed()
  private let status = Mutex<Status>(.running([]))

  private enum Status {
    case running([CheckedContinuation<Int32, Never>])
    case ended(Int32)
  }

  struct SpawnError: Error {
    var words: String
  }

  /// Starts a program. Its standard input is `input`; with a closed stdout it writes into a pipe nobody reads.
  init(
    _ path: String, _ arguments: [String], environment: [String: String], folder: String, input: String = "",
    hasClosedStdout: Bool = false, patience: Double = RunningProgram.patience
  ) throws {
    let inputFile = "\(folder)/stdin-\(UUID().uuidString)"
    try Data(input.utf8).write(to: URL(fileURLWithPath: inputFile))
    defer { unlink(inputFile) }
    process = try Self.birth.withLock { [stdout, stderr] _ -> pid_t in
      let (outRead, outWrite) = try Self.pipe()
      let (errorRead, errorWrite) = try Self.pipe()
      defer {
        close(outWrite)
        close(errorWrite)
      }
      let child = try Self.spawn(
        path, arguments, environment, folder, stdin: inputFile, stdout: outWrite, stderr: errorWrite)
      if hasClosedStdout {
        close(outRead)
        stdout.end()
      } else {
        stdout.read(outRead)
      }
      stderr.read(errorRead)
      return child
    }
    watch(patience)
  }

  func signal(_ number: Int32) {
    status.withLock { status in
      if case .running = status { kill(process, number) }
    }
  }

  /// Waits for the end of the program and of its pipes.
  func ended() async -> Ending {
    let exit = await withCheckedContinuation { continuation in
      let known: Int32? = status.withLock { status in
        switch status {
        case .ended(let exit): return exit
        case .running(let waiting):
          status = .running(waiting + [continuation])
          return nil
        }
      }
      if let known { continuation.resume(returning: known) }
    }
    await stdout.ended()
    await stderr.ended()
    return Ending(exit: exit, stdout: stdout.text, stderr: stderr.text)
  }

  private func watch(_ patience: Double) {
    // Nobody waits for this: it only sees to it that a program that hangs fails its test instead of the whole run.
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in self?.signal(SIGKILL)
    }
    Thread.detachNewThread { [self] in
      // Only looks, so that the number stays the child's until nobody can signal it any more.
      var information = siginfo_t()
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      reap()
    }
  }

  private func reap() {
    var waiting: [CheckedContinuation<Int32, Never>] = []
    var exit: Int32 = 0
    status.withLock { status in
      var word: Int32 = 0
      waitpid(process, &word, 0)
      exit = word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
      if case .running(let list) = status { waiting = list }
      status = .ended(exit)
    }
    for continuation in waiting { continuation.resume(returning: exit) }
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SpawnError(words: "pipe: \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String], _ folder: String, stdin: String,
    stdout: Int32, stderr: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, stdin, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, stdout, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, stderr, STDERR_FILENO)
    // Sockets of other tests are none of the child's: a listener that it kept open would hold its port.
    for descriptor in (STDERR_FILENO + 1)..<2048 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // Glibc's module cannot set the folder; env does, and becomes the program.
    let env = "/usr/bin/env"
    var words: [UnsafeMutablePointer<CChar>?] =
      ([env, "-C", folder, path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, env, &actions, &attributes, &words, &variables)
    guard result == 0 else { throw SpawnError(words: "\(path): \(String(cString: strerror(result)))") }
    return child
  }
}
