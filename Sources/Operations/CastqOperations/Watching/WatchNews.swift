package import CastProtocol

/// Something that happened, for those who listen.
package enum WatchNews: Sendable {
  /// The status of a device: the document of `castq status --json`, with `at`, the moment of its position.
  case status(device: WatchedDevice, JSONValue)
  /// The queue of a device has another version.
  case queue(device: WatchedDevice, JSONValue)
  /// The rules have changed, or a device shows something by another rule.
  case plan(JSONValue)
  /// A play began or ended: a line of `castq history --jsonl`.
  case history(JSONValue)
  /// The daemon is there or gone.
  case health(JSONValue)
  /// What became of a request that was answered with 202.
  /// - Parameters:
  ///   - device: the device that it was for, by all names that are known of it; nil for none, or several.
  ///   - asker: the token of who asked, who alone gets it; nil for those of whom none is asked.
  case outcome(JSONValue, device: WatchedDevice?, asker: WebToken?)
  /// How far such a request is, for whoever made it.
  case progress(JSONValue, asker: WebToken?)
  /// A device was added or removed, or has another name: all that was said of devices is read again.
  case devices

  /// As `topics=` names it.
  package var topic: String {
    switch self {
    case .status: "status"
    case .queue: "queue"
    case .plan: "plan"
    case .history: "history"
    case .health: "health"
    case .outcome: "outcome"
    case .progress: "progress"
    case .devices: "devices"
    }
  }
}
