import CastSender
import CastqPaths
import CastqPlaylists
import Glibc
import Logging

/// Reloads sources whenever one of their files changes: written in place, replaced by renaming, removed or restored. Nested lists
/// and missing files are watched, too.
struct PlaylistFollower: Sendable {
  /// Reads the sources; what servers have answered is not asked again.
  let read: @Sendable (AskedServers) async -> SourceList
  /// The files of the active list.
  let files: [String: FileVersion?]
  /// The answers of servers about its addresses.
  let asked: AskedServers
  /// After which time a list is read again though no file has changed, because it is on the web; nil never does.
  var rereads: Duration?

  /// The reloaded list after each change.
  func changes() -> AsyncStream<SourceList> {
    AsyncStream { continuation in
      let logger = CastLogger.shared.logger(for: "PlaylistFollower")
      let task = Task { [read, files, asked, rereads] in
        let time = TimeSource.continuous
        var asked = asked
        var watch = ListWatch(files: files, rereads: rereads, at: time.now())
        while (try? await time.sleep(watch.wait(at: time.now()))) != nil {
          switch watch.look(
            Self.versions(watch.files), at: time.now(), isBeingWritten: Self.isBeingWritten)
          {
          case .nothing: break
          case .unsettled(let changed):
            logger.debug("playlist is being written", metadata: ["castq.files": "\(changed.sorted())"])
          case .read(let changed):
            let list = await read(asked)
            asked = list.asked
            logger.debug("playlist read again", metadata: ["castq.files": "\(changed.sorted())"])
            watch.read(list.files, isWhole: list.failure == nil, at: time.now())
            continuation.yield(list)
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func versions(_ files: some Sequence<String>) -> [String: FileVersion?] {
    Dictionary(files.map { ($0, FileVersion(path: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a process has the file open for writing: the kernel then refuses a read lease. False where leases are unavailable.
  private static func isBeingWritten(_ file: String) -> Bool {
    let descriptor = open(PathText.system(file), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A writer blocks until the lease is released. The kernel signals that, by default with SIGIO, which ends the program.
    _ = fcntl(descriptor, setSignal, SIGURG)
    if fcntl(descriptor, setLease, F_RDLCK) == 0 {
      _ = fcntl(descriptor, setLease, F_UNLCK)
      return false
    }
    return errno == EAGAIN
  }

  /// F_SETLEASE and F_SETSIG, GNU extensions that the Glibc module leaves out.
  private static let (setLease, setSignal): (Int32, Int32) = (1024, 10)
}
