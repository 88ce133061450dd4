import CastProtocol

/// The members of MEDIA_STATUS entries: which appear when is copied from the recordings (protocol 6.5).
enum MediaStatusText {
  /// What an entry shows besides state, position, volume, current item, tracks and repeat mode.
  struct Parts: OptionSet, Sendable {
    let rawValue: Int
    static let media = Parts(rawValue: 1)
    static let queueData = Parts(rawValue: 2)
    static let items = Parts(rawValue: 4)
    /// Items without `media` and `orderId`, as after a change of their order.
    static let strippedItems = Parts(rawValue: 8)

    static let sparse: Parts = []
    static let full: Parts = [.media, .queueData, .items]
  }

  /// Time between an unsolicited status and the one before: a second, and the few milliseconds that the framework takes to answer
  /// anything (recordings).
  static let spacing = Duration.milliseconds(1003)
  static let seekCommand = 2
  static let skipCommand = 512

  static func message(_ entry: [String: JSONValue], _ number: Int) -> JSONValue {
    ["type": "MEDIA_STATUS", "status": [.object(entry)], "requestId": .integer(Int64(number))]
  }

  /// Seconds with the six decimals of the wire.
  static func seconds(_ value: Double) -> JSONValue {
    let rounded = (value * 1_000_000).rounded() / 1_000_000
    return JSONValue(rounded) ?? 0
  }
}

extension MediaApplication {
  var volumeText: JSONValue {
    ["level": JSONValue(PlatformState.rounded(volumeLevel)) ?? 1, "muted": .bool(isMuted)]
  }

  private func base(_ session: MediaSession, state: String, time: Double, commands: Int) -> [String:
    JSONValue]
  {
    [
      "mediaSessionId": .integer(Int64(session.id)), "playerState": .string(state),
      "currentTime": MediaStatusText.seconds(time), "supportedMediaCommands": .integer(Int64(commands)),
      "playbackRate": JSONValue(playbackRate) ?? 1, "volume": volumeText,
      "currentItemId": .integer(Int64(session.currentItemID)),
    ]
  }

  /// The entry of the current session; nil when there is none.
  func activeEntry(_ parts: MediaStatusText.Parts, at now: Tick) -> [String: JSONValue]? {
    guard let session else { return nil }
    let run = session.breakRun
    let canSkip =
      run.map { run in skippableFrom(run).map { run.clock.position(at: now) >= $0 } ?? false }
      ?? (skippableEmbedded(session, at: now) != nil)
    let commands =
      (run == nil ? commands : configuration.media.commands & ~MediaStatusText.seekCommand)
      | (canSkip ? MediaStatusText.skipCommand : 0)
    var entry = base(
      session, state: session.playerState(at: now), time: session.currentTime(at: now), commands: commands)
    if run != nil { entry["playbackRate"] = 0 }
    entry["activeTrackIds"] = .array(session.activeTrackIDs.map { .integer(Int64($0)) })
    entry["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    entry["preloadedItemId"] = JSONValue(session.preloadedItemID)
    if parts.contains(.media) { entry["media"] = mediaText(session) }
    if parts.contains(.queueData) { entry["queueData"] = queueData(of: session.queue) }
    if let items = itemsText(session.queue, parts) { entry["items"] = items }
    if AdBreaks.has(in: session.media) { entry["breakStatus"] = breakStatus(of: session, at: now) }
    entry["liveSeekableRange"] = liveRange(of: session, at: now)
    if let video = session.video ?? configuration.video, !session.isImage {
      entry["videoInfo"] = [
        "width": .integer(Int64(video.width)), "height": .integer(Int64(video.height)),
        "hdrType": .string(video.hdrType),
      ]
    }
    return entry
  }

  /// The medium; during a break perhaps with fewer clips (protocol 9).
  private func mediaText(_ session: MediaSession) -> JSONValue {
    guard configuration.ads.trimsClips, let run = session.breakRun else { return .object(session.media) }
    var media = session.media
    let shown = run.clipIDs.dropFirst(run.clip).prefix(2)
    media["breakClips"] = media["breakClips"]?.array.map { clips in
      .array(clips.filter { clip in clip["id"]?.string.map(shown.contains) ?? false })
    }
    return .object(media)
  }

  /// `queueData`; nil after a plain LOAD.
  func queueData(of queue: MediaQueueModel) -> JSONValue? {
    guard var data = queue.data else { return nil }
    data["repeatMode"] = .string(queue.repeatMode.rawValue)
    data["shuffle"] = .bool(queue.isShuffled)
    data["startIndex"] = .integer(Int64(queue.startIndex))
    return .object(data)
  }

  func itemsText(_ queue: MediaQueueModel, _ parts: MediaStatusText.Parts) -> JSONValue? {
    let window = queue.window(before: configuration.itemsBefore, after: configuration.itemsAfter)
    if parts.contains(.items) { return .array(window.map(\.json)) }
    return parts.contains(.strippedItems) ? .array(window.map(\.stripped)) : nil
  }

  /// The status of an end: IDLE with a reason, and nothing of what follows (protocol 21.5).
  func endEntry(_ session: MediaSession, reason: String, time: Double) -> [String: JSONValue] {
    var entry = base(session, state: "IDLE", time: time, commands: configuration.media.commands)
    entry["idleReason"] = .string(reason)
    if AdBreaks.has(in: session.media) { entry["breakStatus"] = [:] }
    return entry
  }

  /// The status between two items: IDLE for the old one, LOADING for the new one (protocol 21.4).
  func changeEntry(
    _ session: MediaSession, reason: String, time: Double, parts: MediaStatusText.Parts
  ) -> [String: JSONValue] {
    var entry = endEntry(session, reason: reason, time: time)
    entry["breakStatus"] = nil
    entry["preloadedItemId"] = JSONValue(session.preloadedItemID)
    entry["loadingItemId"] = JSONValue(session.queue.current?.id)
    entry["extendedStatus"] = loadingText(session.queue.current, sessionID: session.id)
    entry["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    if parts.contains(.media) { entry["media"] = .object(session.media) }
    if let items = itemsText(session.queue, parts) { entry["items"] = items }
    return entry
  }

  /// The first status of a load when nothing was playing (recording `basic`).
  ///
  /// - Parameter completesMedia: whether the lists of breaks are present even if empty, as when the previous load was still in
  ///   progress (recording `never_answers`).
  func loadingEntry(
    _ session: MediaSession, activeTrackIDs: [Int]?, rate: Double, completesMedia: Bool = false
  ) -> [String: JSONValue] {
    var media = session.queue.current?.body["media"]?.object
    if completesMedia { media = media?.merging(["breakClips": [], "breaks": []]) { found, _ in found } }
    var entry = base(session, state: "IDLE", time: 0, commands: configuration.media.commands)
    entry["playbackRate"] = JSONValue(rate)
    entry["activeTrackIds"] = activeTrackIDs.map { .array($0.map { .integer(Int64($0)) }) }
    entry["media"] = media.map(JSONValue.object)
    entry["queueData"] = queueData(of: session.queue)
    entry["extendedStatus"] = loadingText(media.map(JSONValue.object), sessionID: session.id)
    entry["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    return entry
  }

  /// The second status after a buffering item was left: it reports the next one as IDLE before that is shown (protocol 21.23).
  func interruptedEntry(_ session: MediaSession) -> [String: JSONValue] {
    var entry = endEntry(session, reason: "INTERRUPTED", time: 0)
    entry["extendedStatus"] = loadingText(session.queue.current, sessionID: session.id)
    entry["repeatMode"] = .string(session.queue.repeatMode.rawValue)
    return entry
  }

  func loadingText(_ item: MediaQueueModel.Item?, sessionID: Int) -> JSONValue {
    loadingText(item?.body["media"], sessionID: sessionID)
  }

  private func loadingText(_ media: JSONValue?, sessionID: Int) -> JSONValue {
    .members([
      "playerState": "LOADING", "media": media, "mediaSessionId": .integer(Int64(sessionID)),
    ])
  }

  private func breakStatus(of session: MediaSession, at now: Tick) -> JSONValue {
    guard let run = session.breakRun else { return embeddedStatus(of: session, at: now) ?? [:] }
    let clipTime = run.clipTime(at: now)
    return .members([
      "breakId": .string(run.id), "breakClipId": JSONValue(run.clipID),
      "currentBreakTime": MediaStatusText.seconds(run.elapsed + clipTime),
      "currentBreakClipTime": MediaStatusText.seconds(clipTime),
      "whenSkippable": JSONValue(skippableFrom(run)),
      "numberBreakClips": configuration.ads.countsClips ? JSONValue(run.clipIDs.count) : nil,
    ])
  }

  /// Seconds into the current clip after which it may be skipped; nil when never (protocol 9).
  func skippableFrom(_ run: BreakRun) -> Double? {
    session.flatMap { AdBreaks.clip(run.clipID, in: $0.media)?["whenSkippable"]?.double }
  }
}
