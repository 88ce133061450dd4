import CastqCore
import CastqDaemon

/// Reads the source of a programme, and again after each edit of its files. A damaged edit changes nothing and is reported once.
enum ProgrammeSource {
  /// - Parameters:
  ///   - source: what `enqueue` takes; a file by its absolute path.
  ///   - refresh: how often a list on the web is read again; nil reads it once.
  static func lists(
    _ source: String, refresh: Duration?, resolvers: ResolverRules, timeout: Duration
  ) -> AsyncStream<ProgrammeList> {
    AsyncStream { continuation in
      let task = Task {
        let read: @Sendable (AskedServers) async -> SourceList = { asked in
          await SourceList([source], format: nil, resolvers: resolvers, timeout: timeout, asked: asked)
        }
        let first = await read(AskedServers())
        for issue in first.issues { Console.say("\(issue)") }
        var followed = FollowedList(first)
        continuation.yield(Self.list(first))
        let follower = PlaylistFollower(
          read: read, files: first.files, asked: first.asked,
          rereads: WebAddress.isOnWeb(source) ? refresh : nil)
        for await list in follower.changes() {
          var messages: [String] = []
          let verdict = followed.judge(list, reporting: &messages)
          for line in messages { Console.say(line) }
          if verdict == .accept { continuation.yield(Self.list(list)) }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func list(_ read: SourceList) -> ProgrammeList {
    guard read.drafts.isEmpty else { return .list(read.playlist) }
    return .problem(read.failure?.message ?? "its list is empty")
  }
}
