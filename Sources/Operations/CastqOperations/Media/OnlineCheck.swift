import CastGuard
import CastHTTP
import CastProtocol
import CastqDaemon
import CastqPlaylists
import CastqText

/// Asks the servers of a list whether they have what it names.
struct OnlineCheck {
  /// Servers asked at the same time.
  private static let servers = 8

  /// Requests to one server at the same time.
  let perServer: Int
  /// Pages that are resolved when they are played are no media to be asked for.
  let resolvers: ResolverRules
  /// Places that may be asked whoever names them.
  let allowed: LocalPlaces
  /// The language of subtitles that viewers prefer.
  let language: String?

  /// - Parameter progress: called with the number of answers, and of all addresses.
  func issues(of drafts: [EntryDraft], progress: @escaping @Sendable (Int, Int) -> Void) async
    -> [PlaylistIssue]
  {
    let needs = WebNeed.all(of: drafts, besides: resolvers)
    let tracks = Self.subtitles(of: drafts)
    var lanes = WebNeed.lanes(needs, perServer: perServer).map { $0[...] }[...]
    var found: [(index: Int, issues: [PlaylistIssue])] = []
    var done = 0
    await withTaskGroup(of: (rest: ArraySlice<Int>, index: Int, issues: [PlaylistIssue]).self) { group in
      func ask(_ lane: ArraySlice<Int>) {
        guard let index = lane.first else { return }
        group.addTask {
          (lane.dropFirst(), index, await issues(of: needs[index], tracks[needs[index].address]))
        }
      }
      for lane in lanes.prefix(Self.servers * perServer) { ask(lane) }
      lanes = lanes.dropFirst(Self.servers * perServer)
      while let result = await group.next() {
        done += 1
        progress(done, needs.count)
        found.append((result.index, result.issues))
        if !result.rest.isEmpty { ask(result.rest) } else if let next = lanes.popFirst() { ask(next) }
      }
    }
    return found.sorted { $0.index < $1.index }.flatMap(\.issues)
  }

  /// Subtitles that castq fetches and converts when a device asks for them, by their addresses.
  private static func subtitles(of drafts: [EntryDraft]) -> [String: MediaTrack] {
    let tracks = drafts.lazy.flatMap { $0.media.mediaTracks }.filter { $0.kind == .text }
    return Dictionary(tracks.map { ($0.contentIdentifier ?? "", $0) }) { first, _ in first }
  }

  private func issues(of need: WebNeed, _ track: MediaTrack?) async -> [PlaylistIssue] {
    let issues = need.issues(await answer(need))
    guard issues.isEmpty, let track else { return issues }
    return await SubtitleLook.issues(
      ofWeb: track, hint: language, under: FetchGuard(need.origin, allowing: allowed))
  }

  private func answer(_ need: WebNeed) async -> Result<WebAnswer, PlaylistLoadError> {
    do throws(HTTPFetchError) {
      return .success(
        try await MediaLook.answer(at: need.address, under: FetchGuard(need.origin, allowing: allowed)))
    } catch {
      return .failure(error.kind == .refused ? .refused(error.reason) : .failed(error.reason))
    }
  }
}
