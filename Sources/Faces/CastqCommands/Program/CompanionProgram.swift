import CastqPaths
import CastqText
import Dispatch
import Glibc

/// A program of castq's own that runs beside others in the process group of this one. It has this one's terminal and output.
struct CompanionProgram: Sendable {
  /// What people call it.
  let name: String
  private let process: pid_t

  /// The descriptor on which it reports that it is ready.
  static let readyDescriptor: Int32 = 3

  /// Starts a program.
  /// - Parameters:
  ///   - ready: what it inherits as `readyDescriptor`; nil is nothing.
  /// - Throws: `unavailable` where the system refuses.
  static func start(
    _ name: String, _ path: String, _ words: [String], ready: Int32? = nil
  ) throws(Failure) -> CompanionProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // What is typed is for nobody.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if let ready { posix_spawn_file_actions_adddup2(&actions, ready, readyDescriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // What this program traps, the other one handles by itself.
    var own = sigset_t()
    sigemptyset(&own)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { sigaddset(&own, signal) }
    posix_spawnattr_setsigdefault(&attributes, &own)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([path] + words).map { strdup(PathText.system($0)) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, path, &actions, &attributes, &arguments, environ)
    guard result == 0 else {
      throw Failure(
        "unavailable", "\(name) cannot be started: \(path): \(String(cString: strerror(result)))",
        exit: .unreachable)
    }
    return CompanionProgram(name: name, process: child)
  }

  /// Sends it a signal. Not after `ending()`.
  func signal(_ number: Int32) { kill(process, number) }

  /// Waits until it has ended. Call once.
  /// - Returns: its exit code; 128 and the signal when one ended it.
  func ending() async -> Int32 {
    await withCheckedContinuation { done in
      DispatchQueue(label: "castq.companion").async {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        done.resume(returning: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
      }
    }
  }
}
