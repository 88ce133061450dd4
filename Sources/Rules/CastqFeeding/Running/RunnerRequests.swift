import CastProtocol

/// What a runner has asked for and not been answered yet, and the numbers of sessions and requests.
struct RunnerRequests: Sendable {
  private var sessions = 0
  private var tokens = 0
  /// What the requests that are not over were made for.
  private var purposes: [RequestToken: RunnerRequest] = [:]
  /// Reads whose answers are due before the next event.
  private(set) var reads = 0
  /// The media that is being stopped; nil when none is.
  var stop: MediaStop?

  mutating func nextSession() -> SessionNumber {
    sessions += 1
    return SessionNumber(sessions)
  }

  mutating func add(_ purpose: RunnerRequest) -> RequestToken {
    tokens += 1
    purposes[RequestToken(tokens)] = purpose
    return RequestToken(tokens)
  }

  /// - Returns: what the request was made for; nil when nobody waits for it any more.
  mutating func finish(_ token: RequestToken) -> RunnerRequest? { purposes.removeValue(forKey: token) }

  /// The session is gone: only those that a person waits for are still answered.
  mutating func abandon() { purposes = purposes.filter { $0.value.isAwaited } }

  mutating func beginRead() { reads += 1 }
  mutating func finishRead() { reads -= 1 }
}
