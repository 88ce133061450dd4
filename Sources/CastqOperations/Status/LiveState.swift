package import CastProtocol
package import CastqCore
package import CastqStore

/// What a broker has of a device: members of `castq status --json`, without secrets, because a broker keeps it for whoever may read there.
package struct LiveState {
  /// What is seen, and what the rows say; nil while there is no daemon, and where the rows cannot be read.
  private let screen: ScreenState?
  private let report: JSONValue?

  /// Characters of a text, at most.
  private static let longest = 1000

  /// - Parameter report: a document of the daemon's `watch`; nil while there is no daemon.
  package init(of device: KnownDevice, report: JSONValue?, in workspace: Workspace) {
    self.report = report
    screen = report.flatMap { try? workspace.state(of: device, SeenStatus(watched: $0)) }
  }

  /// - Parameter now: the moment of a document that nothing was seen for.
  package func document(_ device: String, site: String, at now: WallTime) -> JSONValue {
    let status = screen?.json
    let volume = status?["volume"]
    var document: [String: JSONValue] = [
      "site": .string(site), "device": .string(device),
      "at": .string(RFC3339.text(screen?.seen.at ?? now)),
      "feeding": report?["feeding"] ?? .null, "connection": report?["connection"] ?? .null,
      "application": status?["application"]?["name"] ?? .null,
      "volume": volume?["level"] ?? .null, "muted": volume?["muted"] ?? .null,
    ]
    for name in ["player_state", "title", "url", "position_s", "duration_s", "waiting_for", "until"] {
      document[name] = status?[name] ?? .null
    }
    // What is cut off within a password has no sign of one any more.
    let texts = AddressText.withoutSecrets(.object(document)).object ?? [:]
    return .object(texts.mapValues { $0.string.map { .string(String($0.prefix(Self.longest))) } ?? $0 })
  }

  /// Whether commands for the device find it: it answers, or nobody calls it, because nothing is to be played, and it is not known to be
  /// away.
  package var isAvailable: Bool {
    guard let report else { return false }
    switch report["connection"]?.string {
    case "connected": return true
    case .some: return false
    case nil: return report["outlook"].flatMap { Outlook(json: $0).reason } != .unreachable
    }
  }
}
