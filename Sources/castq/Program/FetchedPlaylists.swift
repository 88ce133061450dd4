import CastHTTP
import CastqCore
import CastqDaemon

/// Documents of the web, each fetched once for a command. Begins with those that follow while one is awaited.
actor FetchedPlaylists {
  typealias Outcome = Result<FetchedPlaylist, PlaylistLoadError>
  typealias Answer = Result<WebAnswer, PlaylistLoadError>

  private let client = HTTPClient()
  private let timeout: Duration
  private var fetches: [String: Task<Outcome, Never>] = [:]
  private var questions: [String: Task<Answer, Never>] = [:]
  /// Servers that gave no answer, and why: they are not asked again.
  private var silent: [String: PlaylistLoadError] = [:]

  /// - Parameter timeout: time limit for each list.
  init(timeout: Duration) { self.timeout = timeout }

  /// The list that a reading needs.
  func list(_ request: WebRequest, limit: Int) async -> Outcome {
    let wanted = fetch(request.address, limit: limit)
    begin(request.following)
    return await wanted.value
  }

  /// What the server calls an address.
  func answer(_ request: WebRequest) async -> Answer {
    let wanted = ask(request.address)
    begin(request.following)
    return await wanted.value
  }

  private func begin(_ requests: [WebRequest]) {
    for request in requests {
      switch request.kind {
      case .list(let limit): _ = fetch(request.address, limit: limit)
      case .type: _ = ask(request.address)
      }
    }
  }

  /// Ends what was begun and is not needed.
  func cancel() {
    for fetch in fetches.values { fetch.cancel() }
    for question in questions.values { question.cancel() }
  }

  private func ask(_ address: String) -> Task<Answer, Never> {
    if let begun = questions[address] { return begun }
    let server = WebNeed.server(of: address)
    let question = Task {
      if let error = silent[server] {
        return Answer.failure(
          .failed("not asked, because of another address of its server: \(error.message)"))
      }
      do throws(HTTPFetchError) { return .success(try await MediaLook.answer(at: address)) } catch {
        let reason = PlaylistLoadError.failed(error.reason)
        if Self.isSilence(error.kind) { silent[server] = reason }
        return .failure(reason)
      }
    }
    questions[address] = question
    return question
  }

  private func fetch(_ address: String, limit: Int) -> Task<Outcome, Never> {
    if let begun = fetches[address] { return begun }
    let fetch = Task { [client, timeout] in
      await Self.fetch(address, limit: limit, timeout: timeout, by: client)
    }
    fetches[address] = fetch
    return fetch
  }

  private static func isSilence(_ kind: HTTPFetchError.Kind) -> Bool {
    [.hostUnknown, .connectionRefused, .unreachable, .timeout].contains(kind)
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
