import CastqDaemon
import CastqOperations
import CastqPrograms
import Dispatch
import Glibc

/// A program that runs as long as this box feeds: it has this program's output, and its environment with more in it.
struct ChildService: Sendable {
  private let path: String
  private let words: [String]

  /// - Parameter command: a program and its words; nil for a program that is not there.
  init?(_ command: [String]) {
    guard let name = command.first,
      let path = ProgramSearch.find(name, path: Environment.value("PATH") ?? ProgramSearch.systemPath)
    else { return nil }
    self.path = path
    words = command
  }

  /// The number that the descriptor of its lease has.
  private static let leaseDescriptor: Int32 = 3

  /// Starts it.
  /// - Parameter lease: says how long it may go on; it inherits that, and nothing else.
  /// - Returns: its number; nil where the system refuses.
  func start(_ variables: [String: String], _ lease: LeaseWriter) -> pid_t? {
    var descriptors = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&descriptors)
    defer { posix_spawn_file_actions_destroy(&descriptors) }
    posix_spawn_file_actions_adddup2(&descriptors, lease.inherited, Self.leaseDescriptor)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // What this program handles or ignores, the other one handles by itself.
    var own = sigset_t()
    sigemptyset(&own)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { sigaddset(&own, signal) }
    posix_spawnattr_setsigdefault(&attributes, &own)
    // A group of its own: what a terminal sends to this program reaches it once.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var environment: [UnsafeMutablePointer<CChar>?] =
      Self.environment(
        with: variables.merging([LeaseLine.variable: "\(Self.leaseDescriptor)"]) { $1 }
      ).map { strdup($0) } + [nil]
    defer { environment.forEach { free($0) } }
    var child: pid_t = 0
    guard posix_spawn(&child, path, &descriptors, &attributes, &arguments, &environment) == 0 else {
      return nil
    }
    return child
  }

  /// Waits until it has ended.
  /// - Returns: its exit code; 128 and the signal when one ended it.
  static func ending(of child: pid_t) async -> Int {
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        done.resume(returning: Int(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)))
      }
    }
  }

  private static func environment(with variables: [String: String]) -> [String] {
    var lines: [String] = []
    var entry = environ
    while let line = entry.pointee.map({ String(cString: $0) }) {
      let name = line.prefix { $0 != "=" }
      if variables[String(name)] == nil { lines.append(line) }
      entry += 1
    }
    return lines + variables.map { "\($0.key)=\($0.value)" }
  }
}
