import CastSender
import CastqCore
import CastqStore
import Logging

/// The active list while its files are watched, and what has been reported about newer versions.
struct FollowedList {
  /// The decision about a reloaded list.
  enum Verdict: Equatable {
    /// It has no new errors.
    case accept
    /// It is empty or has new errors: the active list stays.
    case reject
  }

  /// Errors of the active list. A newer list is not rejected because of them.
  private var accepted: Set<String>
  /// The errors reported for the last rejected list; empty once a list is accepted.
  private var rejected: Set<String> = []
  /// The files that contain its entries, and those of earlier versions.
  private(set) var sources: Set<String>

  init(_ list: SourceList) {
    accepted = Self.errors(of: list)
    sources = Self.sources(of: list)
  }

  /// Accepts or rejects a reloaded list.
  /// - Parameter messages: receives the messages to print; each problem is reported once.
  mutating func judge(_ list: SourceList, reporting messages: inout [String]) -> Verdict {
    let errors = Self.errors(of: list)
    let isEmpty = list.drafts.isEmpty
    guard !isEmpty, errors.isSubset(of: accepted) else {
      var damage = errors
      if errors.isEmpty { damage.insert("castq: the playlist is empty") }
      let isNew = !damage.isSubset(of: rejected)
      if isNew {
        messages += list.issues.map { "\($0)" }
        if errors.isEmpty { messages.append("castq: the playlist is empty") }
        messages.append("castq: the previous version keeps playing until the playlist is fixed")
      }
      rejected = isNew ? damage : rejected
      return .reject
    }
    if !rejected.isEmpty { messages.append("castq: the playlist is valid again and in use") }
    rejected = []
    accepted = errors
    sources.formUnion(Self.sources(of: list))
    return .accept
  }

  /// Errors without line numbers, so that edits above an error do not make it a new one.
  private static func errors(of list: SourceList) -> Set<String> {
    Set(list.errors.map { "\($0.file): \($0.message)" })
  }

  private static func sources(of list: SourceList) -> Set<String> {
    Set(list.drafts.compactMap { $0.source?.file })
  }
}

extension Workspace {
  /// Applies edits of playlist files from the next entry on, until the task is cancelled. A damaged list changes nothing and is
  /// reported once.
  /// - Parameters:
  ///   - list: the list in the device's queue.
  ///   - resolvers: which addresses are resolved when they are played.
  ///   - changed: called when rows have changed.
  func follow(
    _ input: SourceOptions, _ list: SourceList, resolvers: ResolverRules, for device: KnownDevice,
    timeout: Duration, _ changed: () async -> Void
  ) async {
    let follower = PlaylistFollower(
      read: { asked in await SourceList(input, resolvers: resolvers, timeout: timeout, asked: asked) },
      files: list.files, asked: list.asked)
    let logger = CastLogger.shared.logger(for: "PlaylistFollower")
    var followed = FollowedList(list)
    for await list in follower.changes() {
      var messages: [String] = []
      let verdict = followed.judge(list, reporting: &messages)
      for line in messages { Console.say(line) }
      guard verdict == .accept else { continue }
      do throws(Failure) {
        let isChanged = try await database.executor.run {
          [self, sources = followed.sources] () throws(Failure) in
          try ask { (here) throws(StoreError) in
            try here.queue.revise(to: list.playlist, for: device.id, at: .now) { place in
              place.map { sources.contains($0.file) } ?? false
            }
          }
        }
        if isChanged { await changed() }
        logger.debug("playlist taken", metadata: ["castq.changed": "\(isChanged)"])
      } catch {
        Console.say("castq: the edited playlist was not applied: \(error.shownMessage)")
      }
    }
  }
}
