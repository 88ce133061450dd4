import CastHTTP

/// Asks the server of an address, as a device would: receivers report the same error whatever is wrong.
package enum MediaLook {
  /// How long one may take: the end of a run waits for it.
  private static let patience = Duration.seconds(3)
  /// What servers say of things that no receiver plays; an error page among them.
  private static let foreign: Set = [
    "text/html", "text/plain", "text/xml", "application/json", "application/xml",
  ]
  /// The media receiver's own page.
  private static let receiver = "https://www.gstatic.com"

  /// Why media at an address do not play, as far as this computer can tell; nil for what is not on the web.
  package static func words(at address: String) async -> String? {
    guard isOnTheWeb(address) else { return nil }
    do throws(HTTPFetchError) {
      let answer = try await HTTPClient().fetch(probe(address))
      let type = (answer.contentType ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
      if foreign.contains(type) {
        return "asked from here, the server says that it is \(type), which is no media"
      }
      return "asked from here, the server has it: the device cannot reach it, or does not play its format"
    } catch {
      return "asked from here, \(error.reason)"
    }
  }

  /// Whether receivers are kept from showing subtitles at an address: a server on the web has to allow it (protocol 10).
  package static func forbidsReceivers(at address: String) async -> Bool {
    guard isOnTheWeb(address), let answer = try? await HTTPClient().fetch(probe(address)) else {
      return false
    }
    return answer.allowedOrigin != "*" && answer.allowedOrigin != receiver
  }

  private static func isOnTheWeb(_ address: String) -> Bool {
    let lower = address.prefix(8).lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
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
