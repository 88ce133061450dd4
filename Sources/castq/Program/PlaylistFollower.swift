import CastSender
import CastqCore
import Glibc
import Logging

/// Reads sources again whenever one of their files has changed: written in place, replaced by renaming, gone or back. Lists that
/// a list names are followed like the list itself, and so are files that it misses.
struct PlaylistFollower: Sendable {
  let input: SourceOptions
  /// For each list that is fetched.
  let timeout: Duration
  /// What the list that is in force was read from.
  let files: [String: FileVersion?]

  /// A person who saves a file does not notice a second, and a kiosk does not notice the look.
  private static let interval: Duration = .seconds(1)
  /// Looks after which a file that somebody holds open, and does not write to, is taken as it is.
  private static let patience = 30

  /// The list anew after each change, for as long as somebody listens.
  func changes() -> AsyncStream<SourceList> {
    AsyncStream { continuation in
      let logger = CastLogger.shared.logger(for: "PlaylistFollower")
      let task = Task { [input, timeout, files] in
        var known = files
        var seen = known
        var quiet = 0
        while (try? await TimeSource.continuous.sleep(Self.interval)) != nil {
          let versions = Self.versions(known.keys)
          guard versions != known else {
            seen = known
            continue
          }
          quiet = versions == seen ? quiet + 1 : 0
          seen = versions
          // A file that is being written may look like a shorter list.
          let changed = known.keys.filter { versions[$0] != known[$0] }
          guard quiet > 0, quiet >= Self.patience || !changed.contains(where: Self.isBeingWritten) else {
            logger.debug("playlist is being written", metadata: ["castq.files": "\(changed.sorted())"])
            continue
          }
          let list = await SourceList(input, timeout: timeout)
          logger.debug("playlist read again", metadata: ["castq.files": "\(changed.sorted())"])
          // What a damaged list does not name any more may be what it is damaged without.
          known = list.failure == nil ? list.files : versions.merging(list.files) { $1 }
          quiet = 0
          continuation.yield(list)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func versions(_ files: some Sequence<String>) -> [String: FileVersion?] {
    Dictionary(files.map { ($0, FileVersion(path: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a process has the file open for writing. The kernel lends a file for reading only while none has; where it does not
  /// lend to us, or at all, nobody is said to write.
  private static func isBeingWritten(_ file: String) -> Bool {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // Whoever wants to write meanwhile waits for us, of which a signal would tell us that ends programs unless it is this one.
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
