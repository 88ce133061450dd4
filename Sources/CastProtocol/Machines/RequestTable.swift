/// Every request that waits for an answer: its number, what would answer it, and until when.
///
/// Numbers are never reused, not even over several connections, so an answer that comes too late can never be taken for the
/// answer to something else. A request leaves the table exactly once, and who takes it out completes it.
package struct RequestTable: Sendable {
  /// What answers a request; an answer of another kind under the same number is not ours: receivers tell the outcome of a load
  /// to every sender, under the number of the one who asked (protocol 21.21).
  package enum Expectation: Sendable, Hashable {
    case receiverStatus
    /// A receiver status or a launch error (protocol 5.4).
    case launch
    /// A receiver status without the application (protocol 5.6).
    case stop
    case mediaStatus
    /// A media status that lists all media sessions.
    case wholeMediaStatus
    /// A media status that is not loading any more (protocol 21.17).
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

  /// Requests of which only the newest counts: it takes the place of one that is still open (protocol 17.6).
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
    /// Nil when the machine asked for itself.
    package let token: RequestToken?
    package let expectation: Expectation
    /// For people, such as `PLAY #12`.
    package let name: String
    package let deadline: Tick
    /// Nil for requests that all count.
    package let kind: Kind?
    /// What to ask again when the connection is lost before the answer; nil for what must not be done twice.
    package var repeatable: SenderRequest?
    /// The media session that a load of ours was seen to begin.
    package var loadingSession: MediaSessionID?
  }

  /// Requests that may wait at the same time. More than that are a loop gone wild, and each may hold 64 KiB in a socket's buffer.
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
  package var isFull: Bool { entries.count >= Self.limit }
  /// The number the next request will get.
  package var nextID: RequestID { RequestID(next) }

  /// Whether this number was given to a request of ours, open or not.
  package func wasIssued(_ id: RequestID) -> Bool { id.rawValue >= first && id.rawValue < next }

  /// Takes up a request and gives it a number.
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

  /// The open request of a kind of which only the newest counts.
  package func id(of kind: Kind) -> RequestID? { entries.values.first { $0.kind == kind }?.id }

  /// Takes a request out; nil when it is not open, so that nothing is completed twice.
  package mutating func close(_ id: RequestID) -> Entry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if let token = entry.token { tokens[token] = nil }
    return entry
  }

  /// Takes out every request that matches, oldest first.
  package mutating func closeAll(where matches: (Entry) -> Bool = { _ in true }) -> [Entry] {
    let closed = entries.values.filter(matches).sorted { $0.id < $1.id }
    for entry in closed { _ = close(entry.id) }
    return closed
  }

  /// Remembers which media session a load has begun.
  package mutating func setLoadingSession(_ session: MediaSessionID, of id: RequestID) {
    entries[id]?.loadingSession = session
  }

  /// The load that has begun this media session; nil when it is not one of ours, or over.
  package func load(of session: MediaSessionID) -> Entry? {
    entries.values.first { $0.loadingSession == session }
  }
}
