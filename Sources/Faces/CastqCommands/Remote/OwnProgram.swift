import CastqOperations
import CastqPaths
import CastqPlaylists
import CastqStore
import CastqText
import Dispatch
import Glibc

/// Runs this program again, for commands that may leave a feeder behind: the feeder goes on when the remote has ended.
struct OwnProgram: Sendable {
  let global: CallOptions
  let workspace: Workspace
  let device: KnownDevice

  struct Ending: Sendable {
    var exit: Int32
    /// What it said, at most `Self.limit` bytes.
    var errors: String
  }

  /// Bytes that are read of what it says.
  private static let limit = 1 << 20

  /// Runs a command for the device to its end. It has the same database and configuration, and no terminal.
  func run(_ command: String, _ arguments: [String] = []) async -> Ending {
    let words = [command] + options + arguments
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Self.run(words)) }
    }
  }

  /// Runs a command for the device in place of this one: the same process, with nothing left of it that reads the terminal.
  /// - Returns: why that was impossible.
  func become(_ command: String) -> Failure {
    var arguments: [UnsafeMutablePointer<CChar>?] =
      (["castq", command] + options).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    // The mask would outlive this program.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    execv("/proc/self/exe", &arguments)
    return Failure(
      "exec", "'castq \(command)' cannot be started: \(String(cString: strerror(errno)))", exit: .inputOutput)
  }

  private var options: [String] {
    var words = ["--db", workspace.database.path]
    if device.id != DeviceID(0) { words += ["-d", device.handle] }
    if let config = global.config { words += ["--config", config] }
    if global.noDaemon { words.append("--no-daemon") }
    return words
  }

  private static func run(_ words: [String]) -> Ending {
    // A file and no pipe: a feeder that is left behind may outlive the command.
    guard let errors = tmpfile() else { return failed }
    defer { fclose(errors) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A group of its own: what the terminal sends to this one is not for the command.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] =
      (["castq"] + words).map { strdup(PathText.system($0)) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    guard posix_spawn(&child, "/proc/self/exe", &actions, &attributes, &arguments, environ) == 0 else {
      return failed
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let exit = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    return Ending(exit: exit, errors: text(of: errors))
  }

  private static var failed: Ending {
    Ending(exit: 74, errors: "castq: \(String(cString: strerror(errno)))")
  }

  private static func text(of file: UnsafeMutablePointer<FILE>) -> String {
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension OwnProgram.Ending {
  /// What went wrong, without the program's name; nil when nothing did.
  var failure: String? {
    guard exit != 0 else { return nil }
    let line = errors.split(separator: "\n").last.map(String.init) ?? "it ended with \(exit)"
    return line.hasPrefix("castq: ") ? String(line.dropFirst(7)) : line
  }
}
