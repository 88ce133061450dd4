import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore
import Glibc

/// The feeder that outlives the command: the daemon or, if none runs, a `castq run` in a process of its own. Reports the outcome of
/// its first item.
struct BackgroundFeeder {
  let workspace: Workspace
  let global: GlobalOptions
  let device: KnownDevice
  /// The entry to start with; nil means the first that is due.
  var first: EntryID?
  /// The start position in that entry, in seconds; nil means its beginning.
  var position: Double?
  /// The entry whose outcome is awaited; nil means the first one.
  var awaited: EntryID?

  /// Starts the feeder and waits until the first item plays or has failed.
  ///
  /// - Returns: the reported outcome.
  func start() async throws(Failure) -> JSONValue {
    if let daemon = try await DaemonCall(workspace, device, global) {
      let place = position.map(MediaTime.init(seconds:))
      return try await daemon.feed(FeedRequest(first: first, position: place))
    }
    let reader = try spawn()
    defer { close(reader) }
    let words = Self.line(from: reader)
    guard let announced = try? JSONValue(parsing: words) else {
      throw Failure(
        "ended",
        "\(device.label): the background feeder ended before anything was shown; start it again",
        exit: .tryAgain)
    }
    guard let error = announced["error"] else { return announced }
    throw Failure(
      ControlFailure(json: error)
        ?? ControlFailure("failed", "the first item could not be played", exit: .bug),
      device: device, global)
  }

  /// Spawns a child in its own session, with standard streams on `/dev/null`; it inherits only the pipe.
  private func spawn() throws(Failure) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.failure("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], Announcer.inheritedDescriptor)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Self.ownSession)
    var arguments = [
      "castq", "run", "--db", global.databasePath, "--device=\(device.handle)", "--announce",
      "\(Announcer.inheritedDescriptor)",
    ]
    // The default timeout is not passed on: only a timeout that was given can expire.
    if let timeout = global.timeout { arguments += ["--timeout", "\(timeout.duration.wholeMilliseconds)ms"] }
    if let path = global.config { arguments += ["--config", path] }
    if let id = global.app { arguments += ["--app=\(id)"] }
    if let awaited = awaited ?? first { arguments += ["--await", "\(awaited.rawValue)"] }
    if let first { arguments += ["--from", "\(first.rawValue)"] }
    if let position, position > 0 {
      arguments += ["--position", "\(Int(bounded: (position * 1000).rounded()))ms"]
    }
    var pointers = arguments.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    var process: pid_t = 0
    let result = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, pointers, environ)
    guard result == 0 else {
      close(ends[0])
      throw Failure(
        "spawn", "cannot start a feeder: \(String(cString: strerror(result)))", exit: .inputOutput)
    }
    return ends[0]
  }

  /// POSIX_SPAWN_SETSID, a GNU extension that the Glibc module leaves out.
  private static let ownSession: Int16 = 0x80

  private static func line(from descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 65_536 {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    return bytes
  }

  private static func failure(_ what: String) -> Failure {
    Failure(
      "spawn", "cannot start a feeder: \(what): \(String(cString: strerror(errno)))", exit: .inputOutput)
  }
}
