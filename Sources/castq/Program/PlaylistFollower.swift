import CastSender
import CastqCore
import Glibc

/// Reads sources again whenever one of their files has changed: written in place, or replaced by renaming.
struct PlaylistFollower: Sendable {
  let input: SourceOptions
  /// For each list that is fetched.
  let timeout: Duration

  /// A person who saves a file does not notice a second, and a kiosk does not notice the look.
  private static let interval: Duration = .seconds(1)

  /// The list anew after each change, for as long as somebody listens.
  func changes() -> AsyncStream<SourceList> {
    AsyncStream { continuation in
      let task = Task { [input, timeout] in
        var known = Self.versions(input.sources)
        while (try? await TimeSource.continuous.sleep(Self.interval)) != nil {
          let versions = Self.versions(input.sources)
          guard versions != known else { continue }
          known = versions
          continuation.yield(await SourceList(input, timeout: timeout))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// What tells one version of a file from another; nil for a file that is not there.
  private struct Version: Hashable {
    var device: UInt
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  private static func versions(_ sources: [String]) -> [Version?] {
    sources.map { source in
      var status = stat()
      guard stat(source, &status) == 0 else { return nil }
      return Version(
        device: status.st_dev, inode: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
        nanoseconds: status.st_mtim.tv_nsec)
    }
  }
}
