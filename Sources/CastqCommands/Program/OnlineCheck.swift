import CastGuard
import CastHTTP
import CastqCore
import CastqDaemon

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

  /// - Parameter progress: called with the number of answers, and of all addresses.
  func issues(of drafts: [EntryDraft], progress: @escaping @Sendable (Int, Int) -> Void) async
    -> [PlaylistIssue]
  {
    let needs = WebNeed.all(of: drafts, besides: resolvers)
    var lanes = WebNeed.lanes(needs, perServer: perServer).map { $0[...] }[...]
    var found: [(index: Int, issues: [PlaylistIssue])] = []
    var done = 0
    await withTaskGroup(of: (rest: ArraySlice<Int>, index: Int, issues: [PlaylistIssue]).self) { group in
      func ask(_ lane: ArraySlice<Int>) {
        guard let index = lane.first else { return }
        group.addTask {
          (lane.dropFirst(), index, needs[index].issues(await answer(needs[index])))
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

  private func answer(_ need: WebNeed) async -> Result<WebAnswer, PlaylistLoadError> {
    do throws(HTTPFetchError) {
      return .success(
        try await MediaLook.answer(at: need.address, under: FetchGuard(need.origin, allowing: allowed)))
    } catch {
      return .failure(error.kind == .refused ? .refused(error.reason) : .failed(error.reason))
    }
  }
}
