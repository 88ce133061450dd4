import CastHTTP
import CastqCore
import Synchronization

/// Playlists from the network: pending requests and results.
final class FetchedPlaylists: Sendable {
  private typealias Outcome = Result<FetchedPlaylist, PlaylistLoadError>

  private struct State {
    var known: [String: Outcome] = [:]
    /// Addresses still to fetch, in order of request, each with its limit in bytes.
    var missing: [(address: String, limit: Int)] = []
    /// Total size of all fetched lists.
    var bytes = 0
  }
  private let state = Mutex(State())
  private let client = HTTPClient()
  /// Maximum number of lists fetched in total.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Concurrent fetches: lists are small and often come from one server.
  private static let width = 4

  /// The list at an address if it has been fetched. Otherwise queues the address for `fetchMissing` and throws.
  func playlist(at address: String, limit: Int) throws(PlaylistLoadError) -> FetchedPlaylist {
    let outcome: Outcome = state.withLock { state in
      if let outcome = state.known[address] { return outcome }
      if state.missing.contains(where: { $0.address == address }) { return Self.notFetched }
      guard state.known.count + state.missing.count < self.limit else {
        return .failure(.failed("more than \(self.limit) playlists would have to be fetched"))
      }
      state.missing.append((address, limit))
      return Self.notFetched
    }
    return try outcome.get()
  }

  private static let notFetched = Outcome.failure(.failed("it has not been fetched"))

  /// Fetches all queued addresses.
  /// - Returns: false if none was queued.
  func fetchMissing(limits: PlaylistLimits, timeout: Duration) async -> Bool {
    let missing = state.withLock { state in
      defer { state.missing = [] }
      return state.missing
    }
    var rest = missing[...]
    while !rest.isEmpty {
      let isFull = state.withLock { $0.bytes > limits.totalBytes }
      let now = rest.prefix(Self.width)
      rest = rest.dropFirst(Self.width)
      await withTaskGroup(of: (String, Outcome).self) { group in
        for (address, limit) in now {
          group.addTask {
            if isFull { return (address, .failure(.failed("the playlists fetched before it are too large"))) }
            return (address, await self.fetch(address, limit: limit, timeout: timeout))
          }
        }
        for await (address, outcome) in group {
          state.withLock { state in
            state.known[address] = outcome
            if case .success(let list) = outcome { state.bytes += list.bytes.count }
          }
        }
      }
    }
    return !missing.isEmpty
  }

  private func fetch(_ address: String, limit: Int, timeout: Duration) async -> Outcome {
    var fetch = HTTPFetch(address, byteLimit: limit)
    fetch.timeout = timeout
    fetch.connectTimeout = timeout
    do throws(HTTPFetchError) {
      let fetched = try await client.fetch(fetch)
      let isPage = fetched.contentType?.lowercased().hasPrefix("text/html") == true
      // Many servers call everything text/html.
      if isPage, fetched.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
        return .failure(.failed("it is a web page, not a playlist"))
      }
      // Without a redirection the address stays as it was written, including user and password.
      let final = fetched.redirections == 0 ? address : fetched.address
      return .success(FetchedPlaylist(bytes: fetched.body, address: final, contentType: fetched.contentType))
    } catch {
      if case .tooLarge(let limit) = error.kind { return .failure(.tooLarge(limit: limit)) }
      return .failure(.failed(error.reason))
    }
  }
}
