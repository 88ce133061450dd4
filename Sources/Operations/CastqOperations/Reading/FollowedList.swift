package import CastGuard
import CastProtocol
import CastSender
package import CastqPlaylists
package import CastqStore
import CastqText
import Logging

/// The active list while its files are watched, and what has been reported about newer versions: good lines are taken and bad ones
/// named, and a version of which nothing can be played is not taken up.
struct FollowedList {
  /// The errors that were named last.
  private var told: Set<String>
  /// Whether the newest version is the active list.
  private var isActive = true
  /// The files that contain its entries, and those of earlier versions.
  private(set) var sources: Set<String>
  /// What people call the list, and the device that plays it.
  private let (name, device): (String, String)

  init(_ list: SourceList, name: String, on device: String) {
    told = Self.errors(of: list)
    sources = Self.sources(of: list)
    (self.name, self.device) = (name, device)
  }

  /// Whether a reloaded list is taken up.
  /// - Parameter messages: receives the messages to print; each problem is reported once.
  mutating func takes(_ list: SourceList, reporting messages: inout [String]) -> Bool {
    let errors = Self.errors(of: list)
    let isNew = !errors.isSubset(of: told)
    if isNew { messages += list.errors.filter { !told.contains(Self.key($0)) }.map { "\($0)" } }
    told = errors
    guard !list.drafts.isEmpty else {
      if isActive || isNew {
        let reason = errors.isEmpty ? "it is empty" : "nothing of it can be played"
        messages.append("castq: \(name): not taken up, because \(reason); \(device) keeps the list it has")
      }
      isActive = false
      return false
    }
    if !isActive { messages.append("castq: \(name): taken up again") }
    isActive = true
    sources.formUnion(Self.sources(of: list))
    return true
  }

  /// Errors without line numbers, so that edits above an error do not make it a new one.
  private static func errors(of list: SourceList) -> Set<String> { Set(list.errors.map(key)) }

  private static func key(_ issue: PlaylistIssue) -> String { "\(issue.file): \(issue.message)" }

  private static func sources(of list: SourceList) -> Set<String> {
    Set(list.drafts.compactMap { $0.source?.file })
  }
}

extension Workspace {
  /// Applies edits of playlist files from the next entry on, until the task is cancelled. Good lines are taken, bad ones are named once.
  /// - Parameters:
  ///   - list: the list in the device's queue.
  ///   - resolvers: which addresses are resolved when they are played.
  ///   - allowed: places that may be asked whoever names them.
  ///   - say: hears of what is taken up, and of what is not.
  ///   - changed: called when rows have changed.
  package func follow(
    _ input: SourceRequest, _ list: SourceList, resolvers: ResolverRules, allowing allowed: LocalPlaces,
    music: MusicFolders, for device: KnownDevice,
    timeout: Duration, say: @Sendable (String) -> Void, _ changed: () async -> Void
  ) async {
    let follower = PlaylistFollower(
      read: { asked in
        await SourceList(
          input, resolvers: resolvers, allowing: allowed, music: music, timeout: timeout, asked: asked)
      },
      files: list.files, asked: list.asked)
    let logger = CastLogger.shared.logger(for: "PlaylistFollower")
    let name = input.sources.map { TerminalText.sanitized(AddressText.withoutSecrets($0)) }
    var followed = FollowedList(list, name: name.joined(separator: ", "), on: device.label)
    for await list in follower.changes() {
      var messages: [String] = []
      let isTaken = followed.takes(list, reporting: &messages)
      for line in messages { say(line) }
      guard isTaken else { continue }
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
        say("castq: the edited playlist was not applied: \(error.shownMessage)")
      }
    }
  }
}
