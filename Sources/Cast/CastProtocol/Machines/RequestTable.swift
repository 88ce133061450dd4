/// All requests that wait for a reply: their numbers, the replies that complete them, and their deadlines.
///
/// Numbers are never reused, not even over several connections, so a late reply can never complete another request. A request
/// leaves the table exactly once, and the code that removes it completes it.
package struct RequestTable: Sendable {
  /// The reply that completes a request; a reply of another kind with the same number belongs to another sender: receivers
  /// broadcast the outcome of a load with the number of its sender (protocol 21.21).
  package enum Expectation: Sendable, Hashable {
    case receiverStatus
    /// A receiver status or a launch error (protocol 5.4).
    case launch
    /// A receiver status without the application (protocol 5.6).
    case stop
    case mediaStatus
    /// A media status that lists all media sessions.
    case wholeMediaStatus
    /// A media status that is no longer loading (protocol 21.17).
    case load
    case queueItemIDs
    case queueItems
    case sessionState
    case appAvailability
    case multizoneStatus
    case castingGroups
    case deviceInformation
    case setupInformation
  }

  /// Requests of which only the newest counts: it replaces one that is still open (protocol 17.6).
  package enum Kind: Sendable, Hashable {
    case seek
    case streamVolume
    case streamMute
    case deviceVolume
    case deviceMute
  }

  /// One request.
  package struct Entry: Sendable, Hashable {
    package let id: RequestID
    /// Nil for a request of the machine itself.
    package let token: RequestToken?
    package let expectation: Expectation
    /// A name for messages, such as `PLAY #12`.
    package let name: String
    package let deadline: Tick
    /// Nil for requests that are never replaced.
    package let kind: Kind?
    /// The request to repeat if the connection is lost before the reply; nil if it must not be carried out twice.
    package var repeatable: SenderRequest?
    /// The media session that this load has started.
    package var loadingSession: MediaSessionID?
  }

  /// Maximum number of waiting requests. More indicate a runaway loop, and each may occupy 64 KiB in a socket's buffer.
  package static let limit = 256

  private var next: Int
  private let first: Int
  private var entries: [RequestID: Entry] = [:]
  private var tokens: [RequestToken: RequestID] = [:]

  /// - Parameter first: the number of the first request, 1 or more.
  package init(first: Int = 1) {
    self.first = max(first, 1)
    next = self.first
  }

  package var count: Int { entries.count }
  /// The requests that no longer wait, whether they were answered or not.
  package var closed: Int { next - first - entries.count }
  package var isFull: Bool { entries.count >= Self.limit }
  /// The number of the next request.
  package var nextID: RequestID { RequestID(next) }

  /// Whether this number belongs to a request of this session, open or not.
  package func wasIssued(_ id: RequestID) -> Bool { id.rawValue >= first && id.rawValue < next }

  /// Adds a request and assigns a number.
  package mutating func open(
    _ expectation: Expectation, name: String, token: RequestToken?, deadline: Tick, kind: Kind? = nil,
    repeatable: SenderRequest? = nil
  ) -> Entry {
    let id = nextID
    next += 1
    let entry = Entry(
      id: id, token: token, expectation: expectation, name: "\(name) \(id)", deadline: deadline,
      kind: kind, repeatable: repeatable)
    entries[id] = entry
    if let token { tokens[token] = id }
    return entry
  }

  /// The open request with this number.
  package subscript(id: RequestID) -> Entry? { entries[id] }

  /// The open request of this caller.
  package func id(of token: RequestToken) -> RequestID? { tokens[token] }

  /// The open request of a replaceable kind.
  package func id(of kind: Kind) -> RequestID? { entries.values.first { $0.kind == kind }?.id }

  /// Whether the machine itself waits for a media status, with a request other than the one with this number.
  package func hasOwnMediaStatus(besides id: RequestID? = nil) -> Bool {
    entries.values.contains { $0.token == nil && $0.expectation == .wholeMediaStatus && $0.id != id }
  }

  /// Removes a request; nil when it is not open, so that nothing is completed twice.
  package mutating func close(_ id: RequestID) -> Entry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if let token = entry.token { tokens[token] = nil }
    return entry
  }

  /// Removes all matching requests, oldest first.
  package mutating func closeAll(where matches: (Entry) -> Bool = { _ in true }) -> [Entry] {
    let closed = entries.values.filter(matches).sorted { $0.id < $1.id }
    for entry in closed { _ = close(entry.id) }
    return closed
  }

  /// Records the media session that a load has started.
  package mutating func setLoadingSession(_ session: MediaSessionID, of id: RequestID) {
    entries[id]?.loadingSession = session
  }

  /// The load that started this media session; nil when it belongs to another sender, or has completed.
  package func load(of session: MediaSessionID) -> Entry? {
    entries.values.first { $0.loadingSession == session }
  }
}
