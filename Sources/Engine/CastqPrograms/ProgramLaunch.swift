import CastqPaths
import Glibc

/// How a program begins that runs beside this one: without a shell, with this one's environment, and with the signals of a program that
/// is new. What castq only asks something is a `ChildProgram`.
public struct ProgramLaunch: Sendable {
  /// What the program has under one of its descriptors.
  public enum Descriptor: Sendable, Hashable {
    /// `/dev/null`: reads end at once, and writes are dropped.
    case nothing
    /// A descriptor of this program, under another number.
    case own(Int32)
  }

  /// The path of its file.
  public let path: String
  /// Passed unchanged, a path as its bytes (`PathText`).
  public let arguments: [String]
  /// What it is called by, its argument before the first.
  public let name: String
  /// Variables beside those of this program; these may be replaced, too.
  public let variables: [String: String]
  /// What it has under which number. It inherits standard input, output and errors where they are not named.
  public let descriptors: [Int32: Descriptor]
  /// Whether what a terminal sends to this program does not reach it.
  public let hasOwnGroup: Bool

  /// - Parameters:
  ///   - name: nil is its path.
  ///   - descriptors: no number of this program is also one of the new one.
  public init(
    _ path: String, _ arguments: [String], name: String? = nil, variables: [String: String] = [:],
    descriptors: [Int32: Descriptor] = [:], hasOwnGroup: Bool = false
  ) {
    (self.path, self.arguments, self.name) = (path, arguments, name ?? path)
    (self.variables, self.descriptors, self.hasOwnGroup) = (variables, descriptors, hasOwnGroup)
  }

  /// Starts it.
  /// - Throws: `unavailable` where the system refuses.
  public func start() throws(ProgramError) -> StartedProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors {
      switch descriptor {
      case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .own(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = Self.noSignals
    posix_spawnattr_setsigmask(&attributes, &none)
    // What this program traps or ignores, the other one handles by itself.
    var own = Self.noSignals
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { sigaddset(&own, signal) }
    posix_spawnattr_setsigdefault(&attributes, &own)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    var words = words
    let added = variables.map { strdup("\($0.key)=\($0.value)") }
    var environment = keptVariables + added + [nil]
    defer { (words + added).forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, path, &actions, &attributes, &words, &environment)
    guard error == 0 else {
      throw .unavailable(program: path, reason: String(cString: strerror(error)))
    }
    return StartedProgram(process, hasOwnGroup: hasOwnGroup)
  }

  /// Becomes the program: the same process, with the environment and the descriptors that it has.
  /// - Returns: the system's number of what prevented it.
  public func become() -> Int32 {
    var words = words
    defer { words.forEach { free($0) } }
    // The mask would outlive this program.
    var none = Self.noSignals
    pthread_sigmask(SIG_SETMASK, &none, nil)
    execv(path, &words)
    return errno
  }

  private var words: [UnsafeMutablePointer<CChar>?] {
    ([name] + arguments).map { strdup(PathText.system($0)) } + [nil]
  }

  /// The variables of this program that are not replaced, as the system has them.
  private var keptVariables: [UnsafeMutablePointer<CChar>?] {
    var kept: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let line = entry.pointee {
      let name = String(cString: line).prefix { $0 != "=" }
      if variables[String(name)] == nil { kept.append(line) }
      entry += 1
    }
    return kept
  }

  private static var noSignals: sigset_t {
    var none = sigset_t()
    sigemptyset(&none)
    return none
  }
}
