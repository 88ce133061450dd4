import CastSender
import CastqCore
import CastqStore
import Logging

/// The list that is in force while its files are followed, and what has been said of newer ones.
struct FollowedList {
  /// What is to be done with a list that was read again.
  enum Verdict: Equatable {
    /// It is as good as the one in force.
    case take
    /// It is damaged: the one in force plays on.
    case refuse
  }

  /// Errors of the list in force: what was taken with them is not refused for them.
  private var accepted: Set<String>
  /// What was said last of a list that was refused; empty when the last one was taken.
  private var refused: Set<String> = []
  /// The files its entries stand in, and those that entries of earlier ones stood in.
  private(set) var sources: Set<String>

  init(_ list: SourceList) {
    accepted = Self.errors(of: list)
    sources = Self.sources(of: list)
  }

  /// - Parameter words: gets what is to be said, each thing once and not at every look.
  mutating func judge(_ list: SourceList, saying words: inout [String]) -> Verdict {
    let errors = Self.errors(of: list)
    let isEmpty = list.drafts.isEmpty
    guard !isEmpty, errors.isSubset(of: accepted) else {
      var damage = errors
      if errors.isEmpty { damage.insert("castq: the playlist is empty") }
      let isNew = !damage.isSubset(of: refused)
      if isNew {
        words += list.issues.map { "\($0)" }
        if errors.isEmpty { words.append("castq: the playlist is empty") }
        words.append("castq: the list as it was plays on until the playlist is right again")
      }
      refused = isNew ? damage : refused
      return .refuse
    }
    if !refused.isEmpty { words.append("castq: the playlist is right again, and followed") }
    refused = []
    accepted = errors
    sources.formUnion(Self.sources(of: list))
    return .take
  }

  /// A mistake stays the same one when lines above it come and go.
  private static func errors(of list: SourceList) -> Set<String> {
    Set(list.errors.map { "\($0.file): \($0.message)" })
  }

  private static func sources(of list: SourceList) -> Set<String> {
    Set(list.drafts.compactMap { $0.source?.file })
  }
}

extension Workspace {
  /// Applies edits of playlist files from the next entry on, until the task is cancelled. What is damaged changes nothing and is
  /// said once.
  /// - Parameters:
  ///   - list: what the device's queue was replaced by.
  ///   - changed: called when rows have changed.
  func follow(
    _ input: SourceOptions, _ list: SourceList, for device: KnownDevice, timeout: Duration,
    _ changed: () async -> Void
  ) async {
    let follower = PlaylistFollower(input: input, timeout: timeout, files: list.files)
    let logger = CastLogger.shared.logger(for: "PlaylistFollower")
    var followed = FollowedList(list)
    for await list in follower.changes() {
      var words: [String] = []
      let verdict = followed.judge(list, saying: &words)
      for line in words { Console.say(line) }
      guard verdict == .take else { continue }
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
        Console.say("castq: the edited playlist could not be used: \(error.shownMessage)")
      }
    }
  }
}
