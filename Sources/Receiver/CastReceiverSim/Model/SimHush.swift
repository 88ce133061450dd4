import CastProtocol

/// What an application withholds, and for how long.
package struct SimHush: Sendable, Hashable {
  package enum Extent: String, Sendable, CaseIterable {
    /// Unsolicited statuses.
    case own
    /// Everything about media.
    case all
  }

  package var extent: Extent
  /// Nil is until the application ends, or until `SimControl.speak`.
  package var duration: Duration?

  package init(_ extent: Extent, for duration: Duration? = nil) {
    self.extent = extent
    self.duration = duration
  }

  /// Reads `own`, `all`, or one of them with `/30s`.
  init?(parsing text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let extent = parts.first.flatMap({ Extent(rawValue: String($0)) }) else { return nil }
    self.extent = extent
    guard parts.count > 1 else { return }
    guard let duration = Duration(parsing: parts[1]) else { return nil }
    self.duration = duration
  }

  /// Whether a message is withheld.
  func holdsBack(_ body: JSONValue, _ namespace: Namespace) -> Bool {
    guard namespace == .media else { return false }
    return extent == .all || (body["type"] == "MEDIA_STATUS" && (body["requestId"]?.int ?? 0) == 0)
  }
}

/// Applications that do not report what they do.
extension ReceiverModel {
  mutating func fallSilent(_ hush: SimHush) {
    faults.hush = hush
    if let duration = hush.duration {
      actions.append(.startTimer(.hush, after: duration))
    } else {
      actions.append(.cancelTimer(.hush))
    }
  }

  mutating func speak() {
    guard faults.hush != nil else { return }
    faults.hush = nil
    actions.append(.cancelTimer(.hush))
  }

  /// Broadcasts that there is no media session, whatever plays.
  mutating func sendEmptyStatus() {
    guard let transport = platform.application?.transport else { return }
    broadcast(["type": "MEDIA_STATUS", "requestId": 0, "status": []], .media, from: transport)
  }

  /// Repeats the newest status, unchanged.
  mutating func repeatStatus() {
    guard let transport = platform.application?.transport, let body = faults.lastStatus else { return }
    broadcast(body, .media, from: transport)
  }
}
