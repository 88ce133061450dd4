import CastProtocol

/// A parsed load request.
private struct LoadPlan {
  var items: [[String: JSONValue]]
  var startIndex = 0
  var repeatMode = QueueRepeat.off
  var isShuffled = false
  /// Nil for a plain LOAD.
  var queueData: [String: JSONValue]?
  /// Nil is the beginning, or the live edge.
  var start: Double?
  var autoplay: Bool
  var activeTrackIDs: [Int]?
  var rate: Double?

  /// Nil when a member is missing or wrong: the receiver answers INVALID_PARAMS.
  init?(_ body: JSONValue, type: String) {
    rate = body["playbackRate"]?.double
    if let rate, !(0.5...2).contains(rate) { return nil }
    if type == "LOAD", body["queueData"]?["items"]?.array?.isEmpty != false {
      guard let media = body["media"]?.object else { return nil }
      var item: [String: JSONValue] = ["media": .object(media)]
      for key in ["autoplay", "customData", "activeTrackIds"] { item[key] = body[key] }
      items = [item]
      start = body["currentTime"]?.double
      autoplay = body["autoplay"]?.bool ?? true
    } else {
      let source = type == "LOAD" ? body["queueData"] ?? [:] : body
      items = (source["items"]?.array ?? []).compactMap(\.object)
      startIndex = source["startIndex"]?.int ?? 0
      guard items.count == source["items"]?.array?.count, items.indices.contains(startIndex) else {
        return nil
      }
      if let mode = source["repeatMode"] {
        guard let known = mode.string.flatMap(QueueRepeat.init(rawValue:)) else { return nil }
        repeatMode = known
      }
      let first = items[startIndex]
      if type == "LOAD" {
        // The LOAD's own fields count, not the first item's nor queueData.startTime (protocol 21.14).
        start = body["currentTime"]?.double
        autoplay = body["autoplay"]?.bool ?? true
        isShuffled = source["shuffle"]?.bool ?? false
        queueData = (source.object ?? [:]).filter { !["items", "startTime"].contains($0.key) }
      } else {
        start = body["currentTime"]?.double ?? first["startTime"]?.double
        autoplay = first["autoplay"]?.bool ?? true
        queueData = [:]
      }
    }
    guard items.count <= MediaApplication.itemLimit, items.allSatisfy({ MediaApplication.isLoadable($0) })
    else {
      return nil
    }
    if let wanted = body["activeTrackIds"] ?? items[startIndex]["activeTrackIds"] {
      guard let ids = TrackSelection.integers(wanted) else { return nil }
      let tracks = items[startIndex]["media"]?["tracks"]?.array ?? []
      guard TrackSelection.isCompatible(ids, tracks) else { return nil }
      activeTrackIDs = ids
    }
  }
}

extension MediaApplication {
  /// Whether a sender may load an item: it names a medium and has no id (protocol 7.3).
  static func isLoadable(_ item: [String: JSONValue]) -> Bool {
    item["itemId"] == nil && url(of: item) != nil
  }

  /// The address of an item's medium; `contentUrl` takes precedence (protocol 6.8).
  static func url(of item: [String: JSONValue]) -> String? {
    item["media"].flatMap { $0["contentUrl"]?.string ?? $0["contentId"]?.string }
  }

  /// Whether there are more items than the configured fault allows in one request.
  func isTooMany(_ count: Int) -> Bool {
    let limit = configuration.faults.first { $0.kind == .refuseLargeQueue }?.value.flatMap { Int($0) }
    return limit.map { count > $0 } ?? false
  }

  /// LOAD and QUEUE_LOAD: the old session ends, the new one begins to load (protocol 6.4).
  mutating func load(_ body: JSONValue, type: String, _ number: Int, from requester: Requester, at now: Tick)
  {
    guard let plan = LoadPlan(withAddresses(body), type: type), !isTooMany(plan.items.count) else {
      // Some receivers never answer what they do not understand (protocol 18, quirk 17).
      if has(.ignoreInvalidLoad) { return }
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    // An Android TV application has credentials of its own (protocol 6.4).
    credentials =
      (isAndroid ? body["atvCredentials"] : nil)?.string ?? body["credentials"]?.string ?? credentials
    // An item that still loads was never shown: replacing it interrupts nothing.
    let replacesItem = transition.map { $0.request == nil } ?? false
    let wasShown = session != nil && transition == nil && deadItem == nil
    deadItem = nil
    if let transition {
      if let earlier = transition.request {
        emit(
          .reply(
            ["requestId": .integer(Int64(earlier.number)), "type": "LOAD_CANCELLED"], to: earlier.requester))
      }
      emit(.cancelFetch(transition.fetch))
    }
    if let fetch = session?.breakRun?.fetch { emit(.cancelFetch(fetch)) }
    let old = wasShown ? session : nil
    sessionCounter += 1
    let items = plan.items.map { newItem($0, isPlainLoad: plan.queueData == nil) }
    var queue = MediaQueueModel(
      items: items, index: plan.startIndex, repeatMode: plan.repeatMode, data: plan.queueData)
    if plan.isShuffled { shuffle(&queue) }
    var new = MediaSession(id: sessionCounter, queue: queue, currentItemID: queue.current?.id ?? 1)
    annotate(&new.queue)
    session = new
    statusDue = nil
    failuresInARow = 0
    if replacesItem { refuseHeldOfEarlierSessions(at: now) }
    if let old {
      var entry = endEntry(old, reason: "INTERRUPTED", time: 0)
      entry["extendedStatus"] = loadingText(new.queue.current, sessionID: new.id)
      broadcastEntry(entry, configuration.media.numbersLoadingStatus ? number : 0, at: now)
    } else {
      let entry = loadingEntry(
        new, activeTrackIDs: plan.activeTrackIDs, rate: plan.rate ?? 1, completesMedia: replacesItem)
      broadcastEntry(entry, configuration.media.numbersLoadingStatus ? number : 0, at: now)
    }
    if replacesItem { answerHeldQuestions() }
    if let rate = plan.rate { playbackRate = rate }
    beginTransition(
      request: LoadRequest(number: number, requester: requester), start: plan.start, autoplay: plan.autoplay,
      activeTrackIDs: plan.activeTrackIDs ?? [])
  }

  /// The request with addresses for media that are named by an entity this receiver knows (protocol 6.8).
  private func withAddresses(_ body: JSONValue) -> JSONValue {
    guard !configuration.media.entities.isEmpty else { return body }
    switch body {
    case .array(let elements): return .array(elements.map(withAddresses))
    case .object(var members):
      for key in ["media", "items", "queueData"] { members[key] = members[key].map(withAddresses) }
      if members["contentId"] == nil, members["contentUrl"] == nil,
        let url = members["entity"]?.string.flatMap({ configuration.media.entities[$0] })
      {
        members["contentUrl"] = .string(url)
      }
      return .object(members)
    default: return body
    }
  }

  /// Numbers an item. A plain LOAD's item is always 1, yet uses up a number (recording `live`).
  mutating func newItem(_ body: [String: JSONValue], isPlainLoad: Bool = false) -> MediaQueueModel.Item {
    itemCounter += 1
    return MediaQueueModel.Item(id: isPlainLoad ? 1 : itemCounter, body: body)
  }

  /// Adds the media category to the item that loads; statuses report it from then on.
  private func annotate(_ queue: inout MediaQueueModel) {
    queue.amend(queue.index) { body in
      guard case .object(var media)? = body["media"],
        let category = MediaFormats.category(of: media["contentType"]?.string)
      else { return }
      media["mediaCategory"] = .string(category)
      body["media"] = .object(media)
    }
  }

  private mutating func beginTransition(
    request: LoadRequest?, start: Double?, autoplay: Bool, activeTrackIDs: [Int]
  ) {
    guard let item = session?.queue.current, let url = Self.url(of: item.body) else { return }
    let fetch = nextFetch()
    let fate = fate(of: url)
    transition = Transition(
      fetch: fetch, request: request, start: start, autoplay: autoplay, activeTrackIDs: activeTrackIDs,
      fate: fate)
    if fate == .neverAnswered { return }
    emit(.fetch(fetch, url: url, contentType: item.body["media"]?["contentType"]?.string))
  }

  /// Changes to another item of the queue: broadcasts the change, then loads the item (protocol 21.4).
  mutating func change(
    to index: Int, reason: String, time: Double, _ number: Int = 0, parts: MediaStatusText.Parts = .sparse,
    request: LoadRequest? = nil, start: Double? = nil, at now: Tick
  ) {
    if let fetch = session?.breakRun?.fetch { emit(.cancelFetch(fetch)) }
    guard var changing = session else { return }
    let buffered = changing.playerState(at: now) == "BUFFERING" && deadItem == nil
    deadItem = nil
    changing.flaw = nil
    changing.stall = nil
    changing.queue.index = index
    annotate(&changing.queue)
    changing.breakRun = nil
    session = changing
    statusDue = nil
    broadcastEntry(changeEntry(changing, reason: reason, time: time, parts: parts), number, at: now)
    if buffered, reason == "INTERRUPTED", configuration.media.interruptsNextItem,
      let next = changing.queue.current
    {
      changing.currentItemID = next.id
      broadcastEntry(interruptedEntry(changing), at: now)
    }
    let item = changing.queue.current?.body ?? [:]
    beginTransition(
      request: request, start: start ?? item["startTime"]?.double,
      autoplay: item["autoplay"]?.bool ?? true,
      activeTrackIDs: item["activeTrackIds"].flatMap(TrackSelection.integers) ?? [])
  }

  /// Ends the media session; later requests with its id are refused (protocol 21.5).
  mutating func endSession(reason: String, time: Double = 0, _ number: Int = 0, at now: Tick) {
    if let fetch = session?.breakRun?.fetch { emit(.cancelFetch(fetch)) }
    guard let ending = session else { return }
    session = nil
    transition = nil
    deadItem = nil
    statusDue = nil
    inactiveSince = now
    broadcastEntry(endEntry(ending, reason: reason, time: time), number, at: now)
  }

  /// Plays the break after an item that has ended, or finishes the item.
  mutating func itemEnded(at now: Tick) {
    guard let ended = session else { return }
    if let post = pendingBreaks(ended.media).first(where: { $0.position < 0 }), ended.live == nil {
      session?.clock.halt(at: now)
      return beginBreak(post, id: post.id, returnsTo: ended.duration ?? 0, at: now)
    }
    finish(at: now)
  }

  /// Finishes an ended item: continues with the next, or ends the session.
  mutating func finish(at now: Tick) {
    guard let ended = session else { return }
    let time = AdBreaks.has(in: ended.media) ? ended.timeline.shown(ended.duration ?? 0) : 0
    switch ended.queue.following {
    case .item(let next): change(to: next, reason: "FINISHED", time: time, at: now)
    case .reshuffle:
      shuffleQueue()
      announceShuffle()
      change(to: 0, reason: "FINISHED", time: time, parts: .strippedItems, at: now)
    case .end: endSession(reason: "FINISHED", time: time, at: now)
    }
  }

  /// Shuffles the queue that plays.
  mutating func shuffleQueue() {
    guard var queue = session?.queue else { return }
    shuffle(&queue)
    session?.queue = queue
  }

  /// Shuffles by the script of a replay, or randomly.
  mutating func shuffle(_ queue: inout MediaQueueModel) {
    if case .scripted(let orders) = configuration.shuffleOrder, shuffles < orders.count {
      shuffles += 1
      if queue.shuffle(to: orders[shuffles - 1]) { return }
    }
    queue.shuffle(using: &generator)
  }
}
