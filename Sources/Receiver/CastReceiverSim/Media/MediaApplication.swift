import CastProtocol

/// The Default Media Receiver: handles media messages, and answers as in the recordings.
struct MediaApplication: Sendable {
  struct Held: Sendable {
    var body: JSONValue
    var requester: Requester
  }

  private struct UsedNumber: Hashable {
    var requester: Requester
    var number: Int
  }

  /// Most messages held during a load: a hostile peer must not exhaust memory.
  static let heldLimit = 1000
  /// Longest queue.
  static let itemLimit = 5000

  let configuration: ReceiverConfiguration
  var generator: SeededGenerator
  var sessionCounter = 0
  var itemCounter = 0
  var volumeLevel = 1.0
  var isMuted = false
  /// The user's credentials, as received from senders.
  var credentials: String?
  /// Kept for later items and loads (protocol 21.12).
  var playbackRate = 1.0
  var session: MediaSession?
  var transition: Transition?
  /// Failures since something last played: when every item of a queue has failed, it ends.
  var failuresInARow = 0
  var shuffles = 0
  /// The earliest time of a pending status for all senders; every broadcast postpones it (recordings, protocol 21.1).
  var statusDue: Tick?
  var lastBroadcast: Tick?
  /// When the last edge of an embedded break was reported.
  var embeddedToldAt: Tick?
  /// Since when nothing has been playing.
  var inactiveSince: Tick
  /// The item that failed silently, until another one is requested (protocol 21.25).
  var deadItem: Int?
  /// The faults about requests and addresses.
  var faultCounts = FaultCounts()
  private var fetchCounter: Int
  private var held: [Held] = []
  /// Numbers of state changes to confirm after the held messages; nil while none are released.
  private var confirmations: [Int]?
  private var outputs: [MediaOutput] = []
  private var armedFor: Tick?
  private var usedNumbers: Set<UsedNumber> = []
  /// The requester of each number, where only the requester sees it.
  private var askers: [Int: Requester] = [:]
  let isAndroid: Bool

  init(configuration: ReceiverConfiguration, seed: UInt64, isAndroid: Bool, at now: Tick) {
    self.configuration = configuration
    self.isAndroid = isAndroid
    generator = SeededGenerator(seed: seed)
    inactiveSince = now
    // Fetch numbers must differ from those of an earlier application.
    fetchCounter = Int(truncatingIfNeeded: seed >> 16)
  }

  mutating func takeOutputs() -> [MediaOutput] {
    defer { outputs = [] }
    return outputs
  }

  mutating func emit(_ output: MediaOutput) { outputs.append(output) }

  mutating func nextFetch() -> SimFetchID {
    fetchCounter += 1
    return SimFetchID(fetchCounter)
  }

  func has(_ fault: Fault.Kind) -> Bool { configuration.faults.contains { $0.kind == fault } }

  // MARK: messages

  mutating func receive(_ body: JSONValue, from requester: Requester, at now: Tick) {
    // A requestId that is not an integer is ignored in silence (protocol 21.11).
    guard let type = body["type"]?.string, let number = body["requestId"]?.int else { return }
    if configuration.media.refusesRepeatedRequestIDs, usedNumbers.count < 100_000,
      !usedNumbers.insert(UsedNumber(requester: requester, number: number)).inserted
    {
      let old = configuration.media.spellsRepeatedOldWay
      return refuse(old ? "DUPLICATE_REQUESTID" : "DUPLICATE_REQUEST_ID", number, to: requester)
    }
    if configuration.media.repliesApart {
      if askers.count >= Self.heldLimit { askers = [:] }
      askers[number] = requester
    }
    if let reason = refusal(of: type) { return refuse(reason, number, to: requester) }
    let waits = type == "QUEUE_LOAD" && transition != nil && configuration.media.queueLoadsWait
    if type == "LOAD" || type == "QUEUE_LOAD", !waits {
      return load(body, type: type, number, from: requester, at: now)
    }
    guard transition == nil else {
      if held.count < Self.heldLimit { held.append(Held(body: body, requester: requester)) }
      return
    }
    perform(type, body, number, from: requester, at: now)
  }

  /// Refuses the held requests to an older session when another load replaces the current one; the others stay held (recording
  /// `never_answers`).
  mutating func refuseHeldOfEarlierSessions(at now: Tick) {
    let waiting = held
    held = []
    for message in waiting {
      // A load starts a session of its own, whichever it names.
      if message.body["type"] != "QUEUE_LOAD", let wanted = message.body["mediaSessionId"]?.int,
        wanted != session?.id
      {
        receiveAgain(message, at: now)
      } else {
        held.append(message)
      }
    }
  }

  /// Answers the held GET_STATUS requests with the item that loads.
  mutating func answerHeldQuestions() {
    guard let session else { return }
    let asked = held.filter { $0.body["type"] == "GET_STATUS" }
    held.removeAll { $0.body["type"] == "GET_STATUS" }
    for message in asked {
      guard let number = message.body["requestId"]?.int else { continue }
      var entry = loadingEntry(session, activeTrackIDs: nil, rate: playbackRate, completesMedia: true)
      entry["items"] = itemsText(session.queue, .items)
      emit(.reply(MediaStatusText.message(entry, number), to: message.requester))
    }
  }

  /// Processes the messages held during a load; state changes are confirmed last (recording `repeat`).
  mutating func releaseHeld(at now: Tick) {
    confirmations = []
    while transition == nil, !held.isEmpty {
      let next = held.removeFirst()
      receiveAgain(next, at: now)
    }
    let numbers = confirmations ?? []
    confirmations = nil
    for number in numbers where session != nil { broadcastStatus(.sparse, number, at: now) }
  }

  private mutating func receiveAgain(_ message: Held, at now: Tick) {
    guard let type = message.body["type"]?.string, let number = message.body["requestId"]?.int else { return }
    perform(type, message.body, number, from: message.requester, at: now)
  }

  private mutating func perform(
    _ type: String, _ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick
  ) {
    if type == "QUEUE_LOAD" { return load(body, type: type, number, from: requester, at: now) }
    if type == "GET_STATUS", body["mediaSessionId"] == nil || body["mediaSessionId"]?.int == session?.id {
      return answerStatus(options: body["options"]?.int ?? 0, number, to: requester, at: now)
    }
    if sessionlessRequest(type, body, number, from: requester, at: now) { return }
    guard let session, body["mediaSessionId"]?.int == session.id,
      !has(.refuseControl) || requester == .nobody
    else {
      guard session == nil, configuration.media.refusesByPlayerState else {
        return refuse("INVALID_MEDIA_SESSION_ID", number, to: requester)
      }
      return refuse(nil, number, as: "INVALID_PLAYER_STATE", to: requester)
    }
    // The status a second after an item's start has not been sent yet (protocol 18, quirk 3).
    if type.hasPrefix("QUEUE_GET_"), has(.earlyQueueFetch), statusDue != nil {
      return refuse("INVALID_MEDIA_SESSION_ID", number, to: requester)
    }
    if configuration.media.enforcesCommands, let bit = Self.command(of: type, body),
      (activeEntry(.sparse, at: now)?["supportedMediaCommands"]?.int ?? 0) & bit == 0
    {
      return refuse("NOT_SUPPORTED", number, to: requester)
    }
    if deadItem != nil, ["PLAY", "PAUSE", "SEEK"].contains(type) {
      return refuse(nil, number, as: "INVALID_PLAYER_STATE", to: requester)
    }
    if type.hasPrefix("QUEUE_") {
      queueRequest(type, body, number, from: requester, at: now)
    } else {
      playbackRequest(type, body, number, from: requester, at: now)
    }
  }

  /// The reason with which a fault refuses a request; counts the occurrences.
  private mutating func refusal(of type: String) -> String? {
    var reason: String?
    for (index, fault) in configuration.faults.enumerated() where fault.kind == .refuse {
      let parts = (fault.value ?? "").split(separator: "/")
      guard parts.count == 2, parts[0] == type, faultCounts.strikes(fault, at: index) else { continue }
      reason = reason ?? String(parts[1])
    }
    return reason
  }

  // MARK: answers

  /// Refuses for a reason; a reason that is a message type of the protocol becomes the type (protocol 6.6).
  mutating func refuse(
    _ reason: String?, _ number: Int, as type: String = "INVALID_REQUEST", to requester: Requester
  ) {
    let isType = reason.map(["INVALID_PLAYER_STATE", "LOAD_FAILED", "LOAD_CANCELLED"].contains) ?? false
    let body: JSONValue = .members([
      "requestId": JSONValue(number), "type": .string(isType ? reason ?? type : type),
      "reason": isType ? nil : JSONValue(reason),
    ])
    emit(.reply(body, to: requester))
  }

  /// Handles a key of the remote control like a request, but without an answer.
  mutating func pressed(_ key: SimControl.Key, at now: Tick) {
    guard let session, transition == nil else { return }
    let type =
      switch key {
      case .play: "PLAY"
      case .pause: "PAUSE"
      case .stop: "STOP"
      case .next: "QUEUE_NEXT"
      case .previous: "QUEUE_PREV"
      }
    perform(type, .members(["mediaSessionId": JSONValue(session.id)]), 0, from: .nobody, at: now)
  }

  /// Broadcasts the state after a change with the request's number, at once or after the held messages.
  mutating func confirm(_ number: Int, at now: Tick) {
    if confirmations == nil {
      broadcastStatus(.sparse, number, at: now)
    } else {
      confirmations?.append(number)
    }
  }

  /// Broadcasts one status entry, which postpones a pending status.
  mutating func broadcastEntry(_ entry: [String: JSONValue], _ number: Int = 0, at now: Tick) {
    if number != 0, let asker = askers.removeValue(forKey: number) {
      emit(.reply(MediaStatusText.message(entry, number), to: asker))
      emit(.broadcast(MediaStatusText.message(entry, 0)))
    } else {
      emit(.broadcast(MediaStatusText.message(entry, number)))
    }
    lastBroadcast = now
    if statusDue != nil { statusDue = now + MediaStatusText.spacing }
  }

  mutating func broadcastStatus(_ parts: MediaStatusText.Parts, _ number: Int = 0, at now: Tick) {
    guard let entry = deadEntry ?? activeEntry(parts, at: now) else { return }
    broadcastEntry(entry, number, at: now)
  }

  mutating func answerStatus(options: Int, _ number: Int, to requester: Requester, at now: Tick) {
    guard var entry = deadEntry ?? activeEntry(.full, at: now) else {
      let body: JSONValue = ["type": "MEDIA_STATUS", "status": [], "requestId": .integer(Int64(number))]
      return emit(.reply(body, to: requester))
    }
    if options & 1 != 0, case .object(var media)? = entry["media"] {
      media["metadata"] = nil
      entry["media"] = .object(media)
    }
    if options & 2 != 0 { entry["items"] = nil }
    emit(.reply(MediaStatusText.message(entry, number), to: requester))
  }

  // MARK: time

  private enum Due {
    case status, end, flaw, preload, breakStart(AdBreaks.Break), embeddedEdge, clipEnd, skippable, growth,
      exit
    case failure(Transition)
  }

  /// Sets the device's timer for the next thing to do, if that has changed.
  mutating func arm(at now: Tick) {
    let next = nextDue?.tick
    guard next != armedFor else { return }
    armedFor = next
    if let next { emit(.startTimer(max(.zero, next - now))) } else { emit(.cancelTimer) }
  }

  mutating func timerFired(at now: Tick) {
    armedFor = nil
    // Each step moves its own deadline; the bound guards against bugs.
    for _ in 0..<100 {
      guard let (tick, due) = nextDue, tick <= now else { return }
      perform(due, at: now)
    }
  }

  /// Stops everything: the application is closing.
  mutating func shutDown() {
    if let transition { emit(.cancelFetch(transition.fetch)) }
    if let fetch = session?.breakRun?.fetch { emit(.cancelFetch(fetch)) }
    transition = nil
    session = nil
  }

  private var nextDue: (tick: Tick, due: Due)? {
    if let transition { return transition.failure.map { ($0.told, .failure(transition)) } }
    guard let session else { return (inactiveSince + configuration.idleTimeout, .exit) }
    var all: [(tick: Tick, due: Due)] = []
    if let statusDue { all.append((statusDue, .status)) }
    if let growth = session.growth { all.append((growth.next, .growth)) }
    if let run = session.breakRun {
      if let duration = run.clipDuration, let end = run.clock.reaches(duration) {
        all.append((end, .clipEnd))
      }
      if !run.announcedSkip, let skip = skippableFrom(run), let tick = run.clock.reaches(skip + 0.2) {
        all.append((tick, .skippable))
      }
    } else if session.isPaused && !(session.isImage && session.limit != nil) {
      let image = session.isImage ? configuration.imageTimeout : nil
      all.append((inactiveSince + (image ?? configuration.pausedTimeout), .exit))
    } else {
      if let end = session.endPosition, let tick = session.clock.reaches(end) { all.append((tick, .end)) }
      if let tick = nextFlaw(session) { all.append((tick, .flaw)) }
      if let tick = nextEmbeddedEdge(session) { all.append((tick, .embeddedEdge)) }
      if let (tick, found) = nextBreak(session) { all.append((tick, .breakStart(found))) }
      if let tick = preloadTick(session) { all.append((tick, .preload)) }
    }
    return all.min { $0.tick < $1.tick }
  }

  private mutating func perform(_ due: Due, at now: Tick) {
    switch due {
    case .status:
      statusDue = nil
      broadcastStatus(.sparse, at: now)
    case .end: itemEnded(at: now)
    case .flaw: meetFlaw(at: now)
    case .preload: announcePreload(at: now)
    case .breakStart(let found):
      session?.clock.halt(at: now)
      let place = session?.timeline.place(of: found.position) ?? found.position
      beginBreak(found, id: found.id, returnsTo: place, at: now)
    case .embeddedEdge: tellEmbeddedEdge(at: now)
    case .growth: grow(at: now)
    case .failure(let transition): tellFailure(transition, at: now)
    case .clipEnd: clipEnded(at: now)
    case .skippable:
      session?.breakRun?.announcedSkip = true
      broadcastStatus(.sparse, at: now)
    case .exit:
      inactiveSince = now
      emit(.exit)
    }
  }

  /// When the next item's preload is announced; nil when it is not, or has been (protocol 21.18).
  private func preloadTick(_ session: MediaSession) -> Tick? {
    guard session.preloadedItemID == nil, let end = session.endPosition,
      case .item(let next) = session.queue.following, session.queue.items.indices.contains(next),
      let lead = session.queue.items[next].body["preloadTime"]?.double, lead > 0
    else { return nil }
    // Not before it has played a second (recordings `decode_error`, `ad_404`).
    return session.clock.reaches(max(session.clock.base + 1, end - lead))
  }

  /// The announcement keeps its distance from the status before it.
  private mutating func announcePreload(at now: Tick) {
    guard case .item(let next)? = session?.queue.following, let items = session?.queue.items else { return }
    session?.preloadedItemID = items[next].id
    let earliest = (lastBroadcast ?? .zero) + MediaStatusText.spacing
    statusDue = max(now, earliest)
  }
}
