package import CastProtocol
package import CastqText

/// Why no entry is on the screen, and until when.
package struct Outlook: Sendable, Hashable {
  /// Nil when nothing prevents playback.
  package var reason: DarkReason?
  /// When the reason ends; nil when unknown.
  package var until: WallTime?
  /// When the reason began; nil when unknown.
  package var since: WallTime?
  /// Failed attempts to connect, or to play something of the list; nil when there are none.
  package var calls: Int?
  /// Whether a rule begins when it ends, and not the list itself; known to what feeds the device.
  package var isOfRule = false

  package init(
    _ reason: DarkReason? = nil, until: WallTime? = nil, since: WallTime? = nil, calls: Int? = nil
  ) {
    self.reason = reason
    self.until = until
    self.since = since
    self.calls = calls
  }
}

extension Outlook {
  /// Whether it is so at a moment from now on.
  package func lasts(at moment: WallTime) -> Bool { until.map { moment < $0 } ?? true }

  /// What a feeder without a session does about it.
  package enum Connection: String, Sendable {
    case connecting
    /// The device does not answer, or refuses; it is called again.
    case offline
    /// There is none on purpose: nothing is to be shown now.
    case idle
  }

  /// The connection of a feeder that has no session.
  package var connection: Connection { reason?.words.connection ?? .connecting }

  /// The same outlook where somebody has looked at the device, and nothing feeds it: rows and daemons that wait say what the list has,
  /// and do not look. A person's stop, quiet hours and a device that does not answer come first.
  /// - Parameter hasGuest: whether another sender's application is on the screen.
  package func seen(hasGuest: Bool) -> Outlook {
    var seen = self
    guard hasGuest else {
      if reason == .guest { seen.reason = .guestGone }
      return seen
    }
    if reason?.words.isOfList ?? true { return Outlook(.guest) }
    if isYielded { seen.reason = .guest }
    return seen
  }

  /// Whether castq leaves the screen to another sender, or to the person who stopped it there.
  package var isYielded: Bool { waitingFor == DarkReason.guest.words.waiting }

  /// What documents call the reason; nil when nothing prevents playback.
  package var waitingFor: String? { reason?.words.waiting }

  package var json: JSONValue {
    [
      "reason": JSONValue(reason?.rawValue) ?? .null,
      "until": JSONValue(until.map(RFC3339.text)) ?? .null,
      "since": JSONValue(since.map(RFC3339.text)) ?? .null, "calls": JSONValue(calls) ?? .null,
    ]
  }

  /// Reads what `json` wrote; an unknown reason is nil.
  package init(json: JSONValue) {
    func time(_ key: String) -> WallTime? { json[key]?.string.flatMap { try? RFC3339.parse($0) } }
    self.init(
      json["reason"]?.string.flatMap(DarkReason.init(rawValue:)), until: time("until"), since: time("since"),
      calls: json["calls"]?.int)
  }
}
