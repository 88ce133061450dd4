package import CastGuard
package import CastqFeeding
package import CastqPlaylists
import CastqText

/// Reads the source of a programme, and again after each edit of its files. Good lines are played and bad ones named; a version of which
/// nothing can be played changes nothing.
package enum ProgrammeSource {
  /// - Parameters:
  ///   - source: what `enqueue` takes; a file by its absolute path.
  ///   - refresh: how often a list on the web is read again; nil reads it once.
  package static func lists(
    _ source: String, refresh: Duration?, resolvers: ResolverRules, allowing allowed: LocalPlaces,
    music: MusicFolders, timeout: Duration
  ) -> AsyncStream<ProgrammeList> {
    AsyncStream { continuation in
      let task = Task {
        let read: @Sendable (AskedServers) async -> SourceList = { asked in
          await SourceList(
            [source], format: nil, resolvers: resolvers, allowing: allowed, music: music, timeout: timeout,
            asked: asked)
        }
        let first = await read(AskedServers())
        continuation.yield(Self.list(first, source))
        let follower = PlaylistFollower(
          read: read, files: first.files, asked: first.asked,
          rereads: WebAddress.isOnWeb(source) ? refresh : nil)
        for await list in follower.changes() {
          continuation.yield(Self.list(list, source))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func list(_ read: SourceList, _ source: String) -> ProgrammeList {
    guard read.drafts.isEmpty else {
      return .list(
        read.playlist, problems: read.errors.map { ListProblem($0, in: source, isWhole: false) })
    }
    let more = read.errors.count > 1 ? " (and \(read.errors.count - 1) more)" : ""
    let words = read.errors.first.map { ListProblem($0, in: source, isWhole: true).words + more }
    return .problem(words ?? "the list is empty")
  }
}
