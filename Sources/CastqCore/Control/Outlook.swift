package import CastProtocol

/// Why nothing of a list is on the screen, and until when: what people want to know of a dark one.
package struct Outlook: Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Somebody else has the screen.
    case guest
    case quietHours = "quiet_hours"
    /// The next entry may not be shown yet.
    case notBefore = "not_before"
    /// A person has to start it.
    case stopped
    /// It does not answer, or refuses.
    case device
    case nothingDue = "nothing_due"
  }

  /// Nil when nothing stands in the way.
  package var reason: Reason?
  /// When that ends; nil when nobody knows.
  package var until: WallTime?
  /// Since when it is so; nil when nobody knows.
  package var since: WallTime?
  /// How often the device has been called in vain; nil when it is not being called.
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
  package var json: JSONValue {
    [
      "waiting_for": JSONValue(reason?.rawValue) ?? .null,
      "until": JSONValue(until.map(RFC3339.text)) ?? .null,
      "since": JSONValue(since.map(RFC3339.text)) ?? .null, "calls": JSONValue(calls) ?? .null,
    ]
  }

  /// Reads what `json` wrote; a reason of another version is none.
  package init(json: JSONValue) {
    func time(_ key: String) -> WallTime? { json[key]?.string.flatMap { try? RFC3339.parse($0) } }
    self.init(
      json["waiting_for"]?.string.flatMap(Reason.init(rawValue:)), until: time("until"), since: time("since"),
      calls: json["calls"]?.int)
  }
}
