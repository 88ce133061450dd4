package import CastProtocol
import CastqSchedule
package import CastqStore
package import CastqText

/// The state of a screen as castq-link publishes it: members of `castq status --json`. It has no secrets, because a broker shows it to
/// everybody who may read there.
package struct LiveState {
  private let device: KnownDevice
  /// Nil while there is no daemon.
  private let screen: ScreenState?
  private let report: JSONValue?

  /// Characters of a text, at most.
  private static let longest = 1000

  /// - Parameter report: a document of the daemon's `watch`; nil while there is no daemon.
  package init(of device: KnownDevice, report: JSONValue?, in workspace: Workspace) {
    (self.device, self.report) = (device, report)
    screen = report.map { report in
      let seen = SeenStatus(watched: report)
      // What the daemon sees is true while the rows cannot be read, too.
      let rows = try? workspace.screenRows(device, status: seen.picture?.media)
      return ScreenState(device: device, seen: seen, rows: rows ?? ScreenRows(), hasDaemon: true)
    }
  }

  /// - Parameter now: the moment of the document while there is no daemon.
  package func document(site: String, at now: WallTime) -> JSONValue {
    let status = screen?.json
    let volume = status?["volume"]
    var document: [String: JSONValue] = [
      "site": .string(site), "device": .string(device.label),
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

  /// Whether commands reach the device: it is connected, or it has nothing to play and did not fail to answer.
  package var isAvailable: Bool {
    guard let report else { return false }
    switch report["connection"]?.string {
    case "connected": return true
    case .some: return false
    case nil: return report["outlook"].flatMap { Outlook(json: $0).reason } != .unreachable
    }
  }
}
