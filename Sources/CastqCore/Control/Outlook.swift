package import CastProtocol

/// Why no entry is on the screen, and until when.
package struct Outlook: Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Another sender uses the screen.
    case guest
    case quietHours = "quiet_hours"
    /// The time window of the next entry has not opened.
    case notBefore = "not_before"
    /// The list is stopped until a person starts it.
    case stopped
    /// The device does not answer, or refuses.
    case device
    /// Nothing is left to play; with a number of calls: nothing of the list can be played, and it is tried again.
    case nothingDue = "nothing_due"
  }

  /// Nil when nothing prevents playback.
  package var reason: Reason?
  /// When the reason ends; nil when unknown.
  package var until: WallTime?
  /// When the reason began; nil when unknown.
  package var since: WallTime?
  /// Failed attempts to connect, or to play something of the list; nil when there are none.
  package var calls: Int?

  package init(
    _ reason: Reason? = nil, until: WallTime? = nil, since: WallTime? = nil, calls: Int? = nil
  ) {
    self.reason = reason
    self.until = until
    self.since = since
    self.calls = calls
  }
}

extension Outlook {
  /// What a feeder without a session does about it.
  package enum Connection: String, Sendable {
    case connecting
    /// The device does not answer, or refuses; it is called again.
    case offline
    /// There is none on purpose: nothing is to be shown now.
    case idle
  }

  /// The connection of a feeder that has no session.
  package var connection: Connection {
    switch reason {
    case .device: .offline
    case .nothingDue, .notBefore, .quietHours, .stopped: .idle
    case .guest, nil: .connecting
    }
  }

  /// The same outlook where another sender's application is on the screen, and nothing feeds the device: rows and daemons that wait say
  /// what the list has, and do not look. A person's stop, quiet hours and a device that does not answer come first.
  package func besideGuest() -> Outlook {
    switch reason {
    case nil, .nothingDue, .notBefore: Outlook(.guest)
    case .guest, .quietHours, .stopped, .device: self
    }
  }

  package var json: JSONValue {
    [
      "waiting_for": JSONValue(reason?.rawValue) ?? .null,
      "until": JSONValue(until.map(RFC3339.text)) ?? .null,
      "since": JSONValue(since.map(RFC3339.text)) ?? .null, "calls": JSONValue(calls) ?? .null,
    ]
  }

  /// Reads what `json` wrote; an unknown reason is nil.
  package init(json: JSONValue) {
    func time(_ key: String) -> WallTime? { json[key]?.string.flatMap { try? RFC3339.parse($0) } }
    self.init(
      json["waiting_for"]?.string.flatMap(Reason.init(rawValue:)), until: time("until"), since: time("since"),
      calls: json["calls"]?.int)
  }
}
