package import CastProtocol
package import CastqCore

/// What a device shows, as `state` has it: members of `castq status --json`, by the report of the daemon.
package enum LiveState {
  /// The document of a device.
  /// - Parameters:
  ///   - report: a document of the daemon's `watch`; nil while there is no daemon.
  ///   - site: the name of the site.
  ///   - title: that of the row that is on the screen, as other faces have it; nil takes the receiver's.
  ///   - url: the address of what is on the screen, as rows have it; nil for none that is anybody else's business.
  package static func document(
    _ device: String, site: String, report: JSONValue?, title: String?, url: String?, at now: WallTime
  ) -> JSONValue {
    let media = report?["media"]
    let information = media?["media"]
    let application = report?["application"]
    let volume = report?["receiver"]?["volume"]
    let outlook = report?["outlook"].map { Outlook(json: $0) } ?? Outlook()
    let isConnected = report?["connection"]?.string == "connected"
    // A broker keeps it for whoever may read there.
    return AddressText.withoutSecrets([
      "site": .string(site), "device": .string(device), "at": .string(RFC3339.text(now)),
      "feeding": report?["feeding"] ?? .null, "connection": report?["connection"] ?? .null,
      "application": text(application?["displayName"]),
      "player_state": isConnected ? text(media?["playerState"], or: "IDLE") : .null,
      "title": text(title.map { .string($0) } ?? information?["metadata"]?["title"]),
      "url": text(url.map { .string($0) }),
      "position_s": number(media?["currentTime"]), "duration_s": number(information?["duration"]),
      "volume": number(volume?["level"], times: 100), "muted": volume?["muted"] ?? .null,
      "waiting_for": outlook.waitingFor.map { .string($0) } ?? .null,
      "until": outlook.until.map { .string(RFC3339.text($0)) } ?? .null,
    ])
  }

  /// The address that a device was given; nil where nothing is on the screen.
  package static func givenAddress(_ report: JSONValue?) -> String? {
    let information = report?["media"]?["media"]
    return (information?["contentUrl"] ?? information?["contentId"])?.string
  }

  /// Whether commands for a device find it: it answers, or nobody calls it, because nothing is to be played, and it is not known to be away.
  package static func isAvailable(_ report: JSONValue?) -> Bool {
    guard let report else { return false }
    switch report["connection"]?.string {
    case "connected": return true
    case .some: return false
    case nil: return report["outlook"].flatMap { Outlook(json: $0).reason } != .unreachable
    }
  }

  private static func text(_ value: JSONValue?, or other: String? = nil) -> JSONValue {
    // What is cut off within a password has no sign of one any more.
    (value?.string ?? other).map { .string(String(AddressText.withoutSecrets($0).prefix(1000))) } ?? .null
  }

  private static func number(_ value: JSONValue?, times factor: Double = 1) -> JSONValue {
    guard let number = value?.double, number.isFinite else { return .null }
    let rounded = (number * factor * 1000).rounded() / 1000
    return factor == 1 ? .number(rounded) : .number(rounded.rounded())
  }
}
