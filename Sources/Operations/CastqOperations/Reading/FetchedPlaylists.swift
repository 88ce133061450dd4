import CastGuard
import CastHTTP
import CastqDaemon
import CastqPlaylists

/// Documents of the web, each fetched once for a command. Begins with those that follow while one is awaited.
actor FetchedPlaylists {
  typealias Outcome = Result<FetchedPlaylist, PlaylistLoadError>
  typealias Answer = Result<WebAnswer, PlaylistLoadError>

  /// An address, and whose words it is: what one may have asked, another may not.
  private struct Named: Hashable {
    let address: String
    let origin: FetchOrigin

    init(_ request: WebRequest) { (address, origin) = (request.address, request.origin) }
  }

  private let client = HTTPClient()
  private let timeout: Duration
  private let allowed: LocalPlaces
  private var fetches: [Named: Task<Outcome, Never>] = [:]
  private var questions: [Named: Task<Answer, Never>] = [:]
  /// The answers of servers.
  private(set) var asked: AskedServers

  /// - Parameters:
  ///   - timeout: time limit for each list.
  ///   - asked: earlier answers of servers.
  ///   - allowed: places that may be asked whoever names them.
  init(timeout: Duration, asked: AskedServers, allowing allowed: LocalPlaces) {
    self.timeout = timeout
    self.allowed = allowed
    self.asked = asked
  }

  /// The list that a reading needs.
  func list(_ request: WebRequest, limit: Int) async -> Outcome {
    let wanted = fetch(Named(request), limit: limit)
    begin(request.following)
    return await wanted.value
  }

  /// What the server calls an address.
  func answer(_ request: WebRequest) async -> Answer {
    let wanted = ask(Named(request))
    begin(request.following)
    return await wanted.value
  }

  private func begin(_ requests: [WebRequest]) {
    for request in requests {
      switch request.kind {
      case .list(let limit): _ = fetch(Named(request), limit: limit)
      case .type: _ = ask(Named(request))
      }
    }
  }

  /// Ends what was begun and is not needed.
  func cancel() {
    for fetch in fetches.values { fetch.cancel() }
    for question in questions.values { question.cancel() }
  }

  private func rule(_ named: Named) -> FetchGuard { FetchGuard(named.origin, allowing: allowed) }

  private func ask(_ named: Named) -> Task<Answer, Never> {
    if let begun = questions[named] { return begun }
    let address = named.address
    let question = Task { () -> Answer in
      if let known = asked.known(address) { return known }
      do throws(HTTPFetchError) {
        let answer = try await MediaLook.answer(at: address, under: rule(named))
        asked.heard(answer, about: address)
        return .success(answer)
      } catch {
        return .failure(failed(error, at: address))
      }
    }
    questions[named] = question
    return question
  }

  private func fetch(_ named: Named, limit: Int) -> Task<Outcome, Never> {
    if let begun = fetches[named] { return begun }
    let fetch = Task { await download(named, limit: limit) }
    fetches[named] = fetch
    return fetch
  }

  private func failed(_ error: HTTPFetchError, at address: String) -> PlaylistLoadError {
    if case .tooLarge(let limit) = error.kind { return .tooLarge(limit: limit) }
    if error.kind == .refused { return .refused(error.reason) }
    let reason = PlaylistLoadError.failed(error.reason)
    let silence: [HTTPFetchError.Kind] = [.hostUnknown, .connectionRefused, .unreachable, .timeout]
    if silence.contains(error.kind) { asked.heardNothing(reason, about: address) }
    return reason
  }

  private func download(_ named: Named, limit: Int) async -> Outcome {
    let address = named.address
    // A list that was found by asking is on a server that answers; one that lets its bytes drip is left alone after the first.
    if questions[named] != nil, let error = asked.silence(of: address) { return .failure(error) }
    var fetch = HTTPFetch(address, under: rule(named), byteLimit: limit)
    fetch.timeout = timeout
    fetch.connectTimeout = timeout
    do throws(HTTPFetchError) {
      let fetched = try await client.fetch(fetch)
      // Without a redirection the address stays as it was written, including user and password.
      let final = fetched.redirections == 0 ? address : fetched.address
      return .success(
        FetchedPlaylist(
          bytes: fetched.body, address: final, contentType: fetched.contentType, peer: fetched.peer))
    } catch {
      return .failure(failed(error, at: address))
    }
  }
}
