import CastProtocol
import CastqFeeding

/// A receiver reduced to what a feeder sees of one: a queue that plays by the clock and dies with its last item.
struct FakeReceiver {
  /// How long everything plays that is no picture, in seconds.
  static let length = 30.0

  private(set) var items: [MediaQueueItem] = []
  private(set) var current: Int?
  private(set) var session = 0
  private var next = 1
  private var since = Tick.zero
  private var startPosition = 0.0
  /// Addresses that cannot be played.
  var dead: Set<String> = []
  /// Addresses that cannot be played once.
  var deadOnce: Set<String> = []
  /// Whether everything is over as soon as it plays, with an ad on the screen.
  var endsAtOnce = false
  /// Whether an item that fails is told by its error alone, and then the next one plays (protocol 21.6).
  var tellsErrorsAlone = false
  /// Addresses that never answer: everything but a load waits meanwhile (protocol 21.26).
  var unanswering: Set<String> = []
  /// Whether such an address is being loaded.
  var isLoading: Bool { current != nil && unanswering.contains(address) }
  /// Requests that got no answer.
  private(set) var unanswered = 0
  /// Addresses that buffer for ever.
  var stuck: Set<String> = []
  /// Addresses that are said to play, and do not move.
  var frozen: Set<String> = []
  /// What every insertion is refused with; nil takes them.
  var insertRefusal: EditFailure.Kind?
  /// Whether its session is about to end: it refuses every load at once.
  var isParting = false
  /// Addresses that make a receiver refuse the message they are in.
  var refused: Set<String> = []
  /// More items in one message are refused.
  var mostItems = 100
  /// Most items it ever held.
  private(set) var mostHeld = 0
  /// Sizes of the blocks it was sent.
  private(set) var blocks: [Int] = []

  /// When the item on the screen ends by itself; nil when it never does.
  var endsAt: Tick? {
    guard let current, !isPicture(items[current]), !stuck.contains(address), !frozen.contains(address),
      !isLoading
    else {
      return nil
    }
    if endsAtOnce { return since }
    return since + .milliseconds(Int64((Self.length - startPosition) * 1000))
  }

  private var address: String {
    current.flatMap { items[$0].mediaInformation?.contentID } ?? ""
  }

  private func isPicture(_ item: MediaQueueItem) -> Bool {
    item.mediaInformation?.contentType == "image/png"
  }

  func status(
    _ state: MediaPlayerState, _ reason: MediaPlayerIdleReason? = nil, loading: MediaQueueItemID? = nil,
    at now: Tick
  ) -> MediaStatus {
    var status = MediaStatus(mediaSessionID: MediaSessionID(session))
    status.playerState = state
    status.idleReason = reason
    status.loadingItemID = loading
    if endsAtOnce { status.adBreakStatus = AdBreakStatus(breakIdentifier: "ad", clipIdentifier: "clip") }
    if let current {
      status.currentItemID = items[current].itemID
      status.mediaInformation = items[current].mediaInformation
      if !isPicture(items[current]) { status.mediaInformation?.streamDuration = .init(seconds: Self.length) }
      status.streamPosition =
        frozen.contains(address)
        ? 1 : MediaTime(seconds: min(startPosition + (now - since).seconds, Self.length))
      status.queueItems = Array(items[max(current - 1, 0)..<min(current + 2, items.count)])
    }
    return status
  }

  /// What it says when asked.
  func report(at now: Tick) -> MediaStatus? {
    guard let current else { return nil }
    if isLoading {
      var status = status(.idle, at: now)
      status.extendedStatus = MediaExtendedStatus()
      return status
    }
    let shown: MediaPlayerState = stuck.contains(address) ? .buffering : .playing
    return status(isPicture(items[current]) ? .paused : shown, at: now)
  }

  mutating func load(
    _ new: [MediaQueueItem], startTime: MediaTime?, interrupts: Bool = false, at now: Tick
  ) -> [FeederMachine.Event] {
    blocks.append(new.count)
    if isParting { return [.edited(.failed(EditFailure(kind: .sessionEnded, reason: PlayReason())))] }
    if isLoading, !interrupts { return unansweredRequest() }
    guard new.count <= mostItems, !isRefused(new) else { return [.edited(refusal)] }
    session += 1
    items = number(new)
    current = nil
    let events = play(0, from: startTime?.seconds ?? 0, at: now)
    if isLoading { return events }
    let failure = EditFailure(kind: .loadFailed, reason: PlayReason(errorType: "LOAD_FAILED"))
    return current == nil
      ? events.dropLast() + [.edited(.failed(failure))] : events + [.edited(.done)]
  }

  mutating func insert(
    _ new: [MediaQueueItem], before id: MediaQueueItemID?
  ) -> [FeederMachine.Event] {
    blocks.append(new.count)
    if isLoading { return unansweredRequest() }
    if let kind = insertRefusal { return [.edited(.failed(EditFailure(kind: kind, reason: PlayReason())))] }
    guard new.count <= mostItems, !isRefused(new) else { return [.edited(refusal)] }
    guard let current else { return [.edited(gone)] }
    let numbered = number(new)
    let index = id.flatMap { id in items.firstIndex { $0.itemID == id } } ?? items.endIndex
    items.insert(contentsOf: numbered, at: index)
    if index <= current { self.current = current + numbered.count }
    mostHeld = max(mostHeld, items.count)
    return [.queueChange(.insert(numbered.compactMap(\.itemID), before: id)), .edited(.done)]
  }

  mutating func remove(_ ids: [MediaQueueItemID]) -> [FeederMachine.Event] {
    if isLoading { return unansweredRequest() }
    guard let current else { return [.edited(gone)] }
    let shown = items[current].itemID
    items.removeAll { $0.itemID.map(ids.contains) == true && $0.itemID != shown }
    self.current = items.firstIndex { $0.itemID == shown }
    return [.queueChange(.remove(ids)), .edited(.done)]
  }

  /// The item on the screen is over, by itself or by a command.
  mutating func advance(_ reason: MediaPlayerIdleReason, at now: Tick) -> [FeederMachine.Event] {
    if isLoading { return unansweredRequest() }
    guard let current else { return [] }
    guard current + 1 < items.count else { return stop(reason, at: now) }
    let over = status(.idle, reason, loading: items[current + 1].itemID, at: now)
    return [.mediaStatus(over)] + play(current + 1, from: 0, at: now)
  }

  /// Another item of its queue takes the screen.
  mutating func jump(to id: MediaQueueItemID, at now: Tick) -> [FeederMachine.Event] {
    if isLoading { return unansweredRequest() }
    guard current != nil, let target = items.firstIndex(where: { $0.itemID == id }) else { return [] }
    return [.mediaStatus(status(.idle, .interrupted, loading: id, at: now))] + play(target, from: 0, at: now)
  }

  mutating func stop(_ reason: MediaPlayerIdleReason, at now: Tick) -> [FeederMachine.Event] {
    if isLoading { return unansweredRequest() }
    guard current != nil else { return [] }
    let over = status(.idle, reason, at: now)
    items = []
    current = nil
    return [.mediaStatus(over)]
  }

  /// Its application ends.
  mutating func close() {
    items = []
    current = nil
  }

  /// What waits for a load that never ends.
  mutating func unansweredRequest() -> [FeederMachine.Event] {
    unanswered += 1
    return []
  }

  /// Somebody else's media takes the screen.
  mutating func takeOver(at now: Tick) -> [FeederMachine.Event] {
    session += 1
    items = number([MediaQueueItem(mediaInformation: .init(contentID: "theirs", contentType: "video/mp4"))])
    return play(0, from: 0, at: now)
  }

  /// Plays the first item from this one on that can be played.
  private mutating func play(_ index: Int, from start: Double, at now: Tick) -> [FeederMachine.Event] {
    mostHeld = max(mostHeld, items.count)
    var events: [FeederMachine.Event] = []
    for place in index..<items.count {
      current = place
      since = now
      startPosition = place == index ? start : 0
      let address = items[place].mediaInformation?.contentID ?? ""
      if deadOnce.remove(address) != nil || dead.contains(address), let id = items[place].itemID {
        events.append(.itemError(id, PlayReason(errorType: "ERROR", detailedCode: 104)))
        // The end of the last one is told below.
        guard !tellsErrorsAlone, items.indices.contains(place + 1) else { continue }
        var over = status(.idle, .error, loading: items[place + 1].itemID, at: now)
        over.extendedStatus = MediaExtendedStatus()
        events.append(.mediaStatus(over))
      } else {
        return events + [.mediaStatus(report(at: now))]
      }
    }
    return events + stop(.error, at: now)
  }

  private mutating func number(_ new: [MediaQueueItem]) -> [MediaQueueItem] {
    new.map { item in
      var item = item
      item.itemID = MediaQueueItemID(next)
      next += 1
      return item
    }
  }

  private func isRefused(_ items: [MediaQueueItem]) -> Bool {
    items.contains { refused.contains($0.mediaInformation?.contentID ?? "") }
  }

  private var refusal: EditOutcome {
    .failed(EditFailure(kind: .refused, reason: PlayReason(errorReason: "INVALID_PARAMS")))
  }
  private var gone: EditOutcome { .failed(EditFailure(kind: .noMediaSession, reason: PlayReason())) }
}
