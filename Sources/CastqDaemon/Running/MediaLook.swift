package import CastHTTP
package import CastqCore

/// Probes a media address as a device would fetch it, because receivers report the same error for every problem.
package enum MediaLook {
  /// Time limit of a probe; the end of a run waits for it.
  private static let patience = Duration.seconds(3)
  /// The origin of the default media receiver.
  private static let receiver = "https://www.gstatic.com"

  /// Why media at an address of the web fail, as far as this computer can find out; nil for other addresses.
  package static func failure(at address: String) async -> FailedLoad? {
    guard WebAddress.isOnWeb(address) else { return nil }
    do throws(HTTPFetchError) {
      let answer = try await answer(at: address)
      // Servers know little of manifests; a page in the place of one is none.
      if !answer.isShared, answer.needsSharing(at: address), answer.kind != .page { return .unshared }
      if answer.isForeign, let type = answer.contentType { return .foreign(contentType: type) }
      return .serverHasIt
    } catch {
      return error.certificateFlaw.map { .untrusted(flaw: $0) } ?? .unavailable(reason: error.reason)
    }
  }

  /// How the server of an `http` or `https` address answers a player.
  package static func answer(at address: String) async throws(HTTPFetchError) -> WebAnswer {
    let fetched = try await HTTPClient().fetch(probe(address))
    let allowed = fetched.allowedOrigin?.lowercased()
    return WebAnswer(
      contentType: fetched.contentType, isEndless: fetched.length == nil,
      isShared: allowed == "*" || allowed == receiver)
  }

  private static func probe(_ address: String) -> HTTPFetch {
    var fetch = HTTPFetch(address, byteLimit: 0)
    fetch.method = .probe
    fetch.origin = receiver
    fetch.timeout = patience
    fetch.connectTimeout = patience
    return fetch
  }
}
