import CastProtocol

/// Requests about the queue (protocol 7.5, 7.7; recordings `queue`, `repeat`, `live`).
extension MediaApplication {
  mutating func queueRequest(
    _ type: String, _ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick
  ) {
    switch type {
    case "QUEUE_GET_ITEM_IDS" where !has(.noQueueRequests): answerIDs(number, to: requester)
    case "QUEUE_GET_ITEMS" where !has(.noQueueRequests): answerItems(body, number, to: requester)
    case "QUEUE_GET_ITEM_RANGE" where !has(.noQueueRequests): answerRange(body, number, to: requester)
    case "QUEUE_INSERT": insert(body, number, from: requester, at: now)
    case "QUEUE_UPDATE": update(body, number, from: requester, at: now)
    case "QUEUE_REMOVE": remove(body, number, from: requester, at: now)
    case "QUEUE_REORDER": reorder(body, number, from: requester, at: now)
    case "QUEUE_NEXT": jump(by: 1, number, from: requester, at: now)
    case "QUEUE_PREV": jump(by: -1, number, from: requester, at: now)
    case "QUEUE_SHUFFLE": shuffleAround(number, at: now)
    default: refuse("INVALID_COMMAND", number, to: requester)
    }
  }

  private mutating func answerIDs(_ number: Int, to requester: Requester) {
    guard let queue = session?.queue else { return }
    let body: JSONValue = [
      "type": "QUEUE_ITEM_IDS", "requestId": .integer(Int64(number)), "itemIds": Self.numbers(queue.ids),
      "sequenceNumber": .integer(Int64(queue.sequenceNumber)),
    ]
    emit(.reply(body, to: requester))
  }

  private mutating func answerItems(_ body: JSONValue, _ number: Int, to requester: Requester) {
    guard let queue = session?.queue, let ids = body["itemIds"].flatMap(TrackSelection.integers) else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    let byID = Dictionary(queue.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    emitItems(ids.compactMap { byID[$0] }, number, to: requester)
  }

  mutating func emitItems(_ items: [MediaQueueModel.Item], _ number: Int, to requester: Requester) {
    guard let queue = session?.queue else { return }
    let shown = items.prefix(configuration.itemsPerAnswer ?? items.count).map(\.json)
    let answer: JSONValue = [
      "type": "QUEUE_ITEMS", "requestId": .integer(Int64(number)), "items": .array(Array(shown)),
      "sequenceNumber": .integer(Int64(queue.sequenceNumber)),
    ]
    emit(.reply(answer, to: requester))
  }

  private static func numbers(_ ids: [Int]) -> JSONValue { .array(ids.map { .integer(Int64($0)) }) }

  /// Broadcasts a change of the queue, without a request number (recording `queue`).
  private mutating func announce(
    _ change: String, _ ids: [Int], before: Int? = nil, reordered: [Int]? = nil
  ) {
    guard let sequence = session?.queue.nextSequence() else { return }
    emit(
      .broadcast(
        .members([
          "type": "QUEUE_CHANGE", "changeType": .string(change), "itemIds": Self.numbers(ids),
          "insertBefore": JSONValue(before), "reorderItemIds": reordered.map(Self.numbers),
          "sequenceNumber": .integer(Int64(sequence)),
        ])))
  }

  /// Broadcasts a new order that no QUEUE_UPDATE requested, if this receiver announces those.
  mutating func announceShuffle() {
    guard configuration.queue.announcesShuffles, let ids = session?.queue.ids else { return }
    announce("UPDATE", ids)
  }

  private mutating func insert(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    guard let playing = session, let given = body["items"]?.array, !given.isEmpty,
      playing.queue.items.count + given.count <= Self.itemLimit, !isTooMany(given.count)
    else { return refuse("INVALID_PARAMS", number, to: requester) }
    let bodies = given.compactMap(\.object)
    let chosen = body["currentItemIndex"]?.int
    guard bodies.count == given.count, bodies.allSatisfy(Self.isLoadable),
      chosen.map(bodies.indices.contains) ?? true
    else { return refuse("INVALID_PARAMS", number, to: requester) }
    let before = body["insertBefore"]?.int.flatMap { playing.queue.position(of: $0) == nil ? nil : $0 }
    let items = bodies.map { newItem($0) }
    let place = session?.queue.insert(items, before: before) ?? 0
    announce("INSERT", items.map(\.id), before: before)
    let existing = body["currentItemId"]?.int.flatMap { session?.queue.position(of: $0) }
    if let target = chosen.map({ place + $0 }) ?? existing {
      go(to: target, number, start: body["currentTime"]?.double, parts: [.media, .items], at: now)
    } else {
      broadcastStatus(.full, number, at: now)
    }
  }

  /// Interrupts playback for another item of the queue.
  private mutating func go(
    to index: Int, _ number: Int, start: Double? = nil, parts: MediaStatusText.Parts, at now: Tick
  ) {
    guard let playing = session else { return }
    let time = playing.timeline.shown(playing.position(at: now))
    change(to: index, reason: "INTERRUPTED", time: time, number, parts: parts, start: start, at: now)
  }

  private mutating func jump(
    by count: Int, _ number: Int, start: Double? = nil, from requester: Requester, at now: Tick
  ) {
    switch session?.queue.jump(by: count) {
    case .item(let target): go(to: target, number, start: start, parts: [.media, .items], at: now)
    case .reshuffle:
      shuffleQueue()
      announceShuffle()
      go(to: 0, number, start: start, parts: [.media, .items], at: now)
    case .end where configuration.queue.refusesPastEnd: refuse("END_OF_QUEUE", number, to: requester)
    case .end: endSession(reason: "INTERRUPTED", number, at: now)  // protocol 21.13
    case nil: break
    }
  }

  private mutating func update(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    guard let playing = session else { return }
    var mode: QueueRepeat?
    if let wanted = body["repeatMode"] {
      mode = wanted.string.flatMap(QueueRepeat.init(rawValue:))
      guard mode != nil else { return refuse("INVALID_PARAMS", number, to: requester) }
    }
    let given = body["items"]?.array
    let changed = (given ?? []).compactMap { item in item["itemId"]?.int.map { ($0, item.object ?? [:]) } }
    let needsMedia = !configuration.queue.mergesItems
    guard
      given == nil
        || (changed.count == given?.count
          && changed.allSatisfy { Self.url(of: $0.1) != nil || (!needsMedia && $0.1["media"] == nil) })
    else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    // A plain LOAD makes no queue whose mode could be set; the request gets no answer (protocol 21.8).
    if playing.queue.data == nil, mode != nil, given == nil, body["jump"] == nil,
      body["currentItemId"] == nil,
      body["shuffle"] == nil
    {
      return
    }
    if let mode { session?.queue.repeatMode = mode }
    let present = Set(playing.queue.ids)
    let known = changed.filter { present.contains($0.0) }
    for (id, item) in known {
      session?.queue.update(
        id, body: item.filter { $0.key != "itemId" }, merging: configuration.queue.mergesItems)
    }
    if !known.isEmpty { announce("ITEMS_CHANGE", known.map(\.0)) }
    let start = body["currentTime"]?.double
    if let shuffle = body["shuffle"]?.bool, reshuffle(shuffle) {
      guard configuration.queue.shuffleRestarts else {
        return broadcastStatus(.strippedItems, number, at: now)
      }
      go(to: playing.queue.index, number, start: start, parts: .sparse, at: now)
    } else if let count = body["jump"]?.int {
      jump(by: count, number, start: start, from: requester, at: now)
    } else if let id = body["currentItemId"]?.int, id != playing.currentItemID,
      let target = session?.queue.position(of: id)
    {
      go(to: target, number, start: start, parts: .sparse, at: now)
    } else {
      broadcastStatus(known.isEmpty ? .sparse : .full, number, at: now)
    }
  }

  /// Shuffles or unshuffles, and announces it; false when nothing changes. It requires three items (protocol 21.9).
  private mutating func reshuffle(_ on: Bool) -> Bool {
    guard var queue = session?.queue, queue.items.count >= 3, on || queue.isShuffled else { return false }
    if on { shuffle(&queue) } else { queue.unshuffle() }
    if !configuration.queue.shuffleRestarts, let playing = session?.currentItemID {
      queue.index = queue.position(of: playing) ?? queue.index
    }
    session?.queue = queue
    announce("UPDATE", queue.ids)
    return true
  }

  /// QUEUE_SHUFFLE changes the order around the item that plays, without an announcement (recording `queue`).
  private mutating func shuffleAround(_ number: Int, at now: Tick) {
    if let count = session?.queue.items.count, count >= 3 {
      shuffleQueue()
      announceShuffle()
    }
    broadcastStatus(.strippedItems, number, at: now)
  }

  private mutating func reorder(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    guard let playing = session, let ids = body["itemIds"].flatMap(TrackSelection.integers), !ids.isEmpty,
      Set(ids).count == ids.count
    else { return refuse("INVALID_PARAMS", number, to: requester) }
    let present = Set(playing.queue.ids)
    let known = ids.filter(present.contains)
    guard !known.isEmpty else { return }
    let before = body["insertBefore"]?.int.flatMap { playing.queue.position(of: $0) == nil ? nil : $0 }
    session?.queue.reorder(known, before: before, keeping: playing.currentItemID)
    announce("UPDATE", session?.queue.ids ?? [], before: before, reordered: known)
    broadcastStatus(.strippedItems, number, at: now)
  }

  private mutating func remove(_ body: JSONValue, _ number: Int, from requester: Requester, at now: Tick) {
    guard let playing = session, let ids = body["itemIds"].flatMap(TrackSelection.integers) else {
      return refuse("INVALID_PARAMS", number, to: requester)
    }
    let present = Set(playing.queue.ids)
    let known = ids.filter(present.contains)
    guard !known.isEmpty else { return }  // no answer (protocol 21.8)
    session?.queue.remove(Set(known))
    announce("REMOVE", known)
    let wanted = body["currentItemId"]?.int.flatMap { session?.queue.position(of: $0) }
    guard let queue = session?.queue, !queue.items.isEmpty else {
      return endSession(reason: "INTERRUPTED", number, at: now)
    }
    let lostCurrent = known.contains(playing.currentItemID)
    if let target = wanted ?? (lostCurrent ? follower(in: queue) : nil) {
      go(to: target, number, start: body["currentTime"]?.double, parts: .strippedItems, at: now)
    } else if lostCurrent {
      endSession(reason: "INTERRUPTED", number, at: now)
    } else {
      broadcastStatus(.strippedItems, number, at: now)
    }
  }

  /// The index of the item after a removed current one: the same, or the first when the queue wraps.
  private func follower(in queue: MediaQueueModel) -> Int? {
    if queue.items.indices.contains(queue.index) { return queue.index }
    return queue.repeatMode.wraps ? 0 : nil
  }
}
