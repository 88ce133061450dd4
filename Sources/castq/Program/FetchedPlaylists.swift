import CastHTTP
import CastqCore

/// Lists of the web, each fetched once for a command. Begins with those that follow while one is awaited.
actor FetchedPlaylists {
  typealias Outcome = Result<FetchedPlaylist, PlaylistLoadError>

  private let client = HTTPClient()
  private let timeout: Duration
  private var fetches: [String: Task<Outcome, Never>] = [:]

  /// - Parameter timeout: time limit for each list.
  init(timeout: Duration) { self.timeout = timeout }

  /// The list that a reading needs.
  func list(_ request: WebListRequest) async -> Outcome {
    let wanted = fetch(request.address, limit: request.limit)
    for address in request.following { _ = fetch(address, limit: request.limit) }
    return await wanted.value
  }

  /// Ends what was begun and is not needed.
  func cancel() { for fetch in fetches.values { fetch.cancel() } }

  private func fetch(_ address: String, limit: Int) -> Task<Outcome, Never> {
    if let begun = fetches[address] { return begun }
    let fetch = Task { [client, timeout] in
      await Self.fetch(address, limit: limit, timeout: timeout, by: client)
    }
    fetches[address] = fetch
    return fetch
  }

  private static func fetch(
    _ address: String, limit: Int, timeout: Duration, by client: HTTPClient
  ) async -> Outcome {
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
