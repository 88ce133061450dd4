import CastProtocol
import CastqCore
import CastqDaemon
import CastqStore
import Glibc

/// A `castq daemon --until-idle` for one device in a process of its own, which outlives the command. Until it has a request, it ends
/// when this object does.
final class BackgroundDaemon: Sendable {
  /// The descriptor at which the daemon inherits its end of the link.
  private static let inheritedDescriptor: Int32 = 3

  private let link: Int32

  /// Starts it, and waits until it holds the device's lock and answers.
  /// - Throws: why it could not start; `busy` if another process feeds the device.
  init(_ device: KnownDevice, _ workspace: Workspace, _ global: GlobalOptions) throws(Failure) {
    link = try Self.spawn(device, global)
    do throws(ControlFailure) {
      _ = try ControlReply(parsing: try Self.line(from: link, within: global.timeout?.duration)).get()
    } catch {
      throw Failure(error, device: device, global)
    }
  }

  deinit { close(link) }

  /// Spawns it in its own session, with standard streams on `/dev/null`. What else it inherits it closes itself.
  private static func spawn(_ device: KnownDevice, _ global: GlobalOptions) throws(Failure) -> Int32 {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure("socketpair", errno) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], inheritedDescriptor)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, ownSession)
    var pointers = arguments(device, global).map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    pointers.append(nil)
    var process: pid_t = 0
    let error = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, pointers, environ)
    guard error == 0 else {
      close(ends[0])
      throw failure("posix_spawn", error)
    }
    return ends[0]
  }

  /// Closes what the command had inherited itself and an exec leaves open, such as the lock file of a cron job: the daemon outlives
  /// the job.
  static func closeInherited() {
    guard let folder = opendir("/proc/self/fd") else { return }
    var descriptors: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if let descriptor = Int32(name), descriptor > inheritedDescriptor { descriptors.append(descriptor) }
    }
    closedir(folder)
    for descriptor in descriptors {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0 { close(descriptor) }
    }
  }

  private static func arguments(_ device: KnownDevice, _ global: GlobalOptions) -> [String] {
    var arguments = [
      "castq", "daemon", "--until-idle", "--db=\(global.databasePath)", "--device=\(device.handle)",
      "--parent=\(inheritedDescriptor)",
    ]
    // The default timeout is not passed on: only a timeout that was given can expire.
    if let timeout = global.timeout { arguments += ["--timeout", "\(timeout.duration.wholeMilliseconds)ms"] }
    if let path = global.config { arguments += ["--config=\(path)"] }
    if let id = global.app { arguments += ["--app=\(id)"] }
    return arguments
  }

  /// POSIX_SPAWN_SETSID, a GNU extension that the Glibc module leaves out.
  private static let ownSession: Int16 = 0x80

  /// The line that the daemon sends when it is ready, or could not start.
  /// - Parameter timeout: how long to wait; nil waits as long as it lives.
  private static func line(from descriptor: Int32, within timeout: Duration?) throws(ControlFailure)
    -> [UInt8]
  {
    if let timeout {
      var link = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&link, 1, Int32(clamping: timeout.wholeMilliseconds)) != 0 else {
        throw ControlFailure(
          "timeout", "the feeder was not ready within \(Int(bounded: timeout.seconds)) s", exit: .timeout)
      }
    }
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 65_536 {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
    }
    guard !bytes.isEmpty else {
      throw ControlFailure(
        "ended", "the background feeder ended before it was ready; start it again", exit: .tryAgain)
    }
    return bytes
  }

  private static func failure(_ call: String, _ error: Int32) -> Failure {
    Failure(
      "spawn", "cannot start a feeder: \(call): \(String(cString: strerror(error)))", exit: .inputOutput)
  }
}
