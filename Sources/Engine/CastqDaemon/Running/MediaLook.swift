package import CastGuard
package import CastHTTP
package import CastqFeeding
package import CastqPlaylists
import CastqText

/// Probes a media address as a device would fetch it, because receivers report the same error for every problem.
package enum MediaLook {
  /// Time limit of a probe; the end of a run waits for it.
  private static let patience = Duration.seconds(3)
  /// The origin of the default media receiver.
  private static let receiver = "https://www.gstatic.com"

  /// Why media at an address of the web fail, as far as this computer can find out; nil for other addresses.
  /// - Parameter rule: whose words name it.
  package static func failure(at address: String, under rule: FetchGuard) async -> FailedLoad? {
    guard WebAddress.isOnWeb(address) else { return nil }
    do throws(HTTPFetchError) {
      let answer = try await answer(at: address, under: rule)
      // Servers know little of manifests; a page in the place of one is none.
      if !answer.isShared, answer.needsSharing(at: address), answer.kind != .page { return .unshared }
      if answer.isForeign, let type = answer.contentType { return .foreign(contentType: type) }
      return .serverHasIt
    } catch {
      if error.kind == .refused { return .notAsked(reason: error.reason) }
      return error.certificateFlaw.map { .untrusted(flaw: $0) } ?? .unavailable(reason: error.reason)
    }
  }

  /// How the server of an `http` or `https` address answers a player.
  /// - Parameter rule: whose words name it.
  package static func answer(
    at address: String, under rule: FetchGuard
  ) async throws(HTTPFetchError) -> WebAnswer {
    let fetched = try await HTTPClient().fetch(probe(address, rule))
    let allowed = fetched.allowedOrigin?.lowercased()
    // Where it leads elsewhere, the name there may show more.
    let target = fetched.redirections == 0 ? nil : try? WebAddress(fetched.address)
    let name = fetched.disposition.flatMap(StatedFileName.name) ?? target.map { FilePath.name(of: $0.path) }
    return WebAnswer(
      contentType: fetched.contentType, fileName: name, head: fetched.body, isEndless: fetched.length == nil,
      isShared: allowed == "*" || allowed == receiver)
  }

  private static func probe(_ address: String, _ rule: FetchGuard) -> HTTPFetch {
    var fetch = HTTPFetch(address, under: rule, byteLimit: DocumentHead.size)
    fetch.method = .probe
    fetch.origin = receiver
    fetch.timeout = patience
    fetch.connectTimeout = patience
    return fetch
  }
}
