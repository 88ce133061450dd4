import CastProtocol

/// Requests of every kind with members that come and go, as a program full of mistakes might ask for.
struct RandomRequests {
  var random: SeededGenerator

  private mutating func chance(_ count: Int = 2) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
  private mutating func pick<Value>(_ values: [Value], or value: Value) -> Value {
    values.randomElement(using: &random) ?? value
  }
  private mutating func id() -> MediaQueueItemID { MediaQueueItemID(Int.random(in: 1...12, using: &random)) }
  private mutating func time() -> MediaTime {
    MediaTime(seconds: Double.random(in: -5...100, using: &random))
  }
  private mutating func mode() -> MediaRepeatMode { pick([.off, .all, .single, .allAndShuffle], or: .off) }

  private mutating func media() -> MediaInformation {
    var media = MediaInformation(
      contentID: "http://media/\(pick(["v4.mp4", "v9.mp4", "dead.mp4", "p.jpg"], or: "v4.mp4"))",
      contentType: "video/mp4")
    media.streamType = pick([.buffered, .live, .none], or: .buffered)
    if chance() { media.streamDuration = time() }
    if chance(3) {
      media.metadata = MediaMetadata(
        kind: .movie, images: [Image(url: "http://media/p.jpg", width: 64, height: 36)])
    }
    if chance(3) {
      media.mediaTracks = [
        MediaTrack(identifier: 1, kind: .text, textSubtype: .subtitles, languageCode: "en")
      ]
    }
    if chance(4) {
      media.adBreaks = [AdBreakInfo(identifier: "b", clipIdentifiers: ["c"], position: .postroll)]
      media.adBreakClips = [AdBreakClipInfo(identifier: "c")]
    }
    if chance(4) { media.customData = ["itemId": "ours", "list": [nil, 1.5]] }
    return media
  }

  /// Items as statuses show them: with ids that must not travel back in an insertion.
  private mutating func items() -> [MediaQueueItem] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      var item = MediaQueueItem(mediaInformation: media(), autoplay: chance())
      item.itemID = id()
      if chance(3) { item.startTime = time() }
      if chance(3) { item.preloadTime = 8 }
      if chance(3) { item.activeTrackIDs = [] }
      return item
    }
  }

  private mutating func load() -> LoadRequest {
    var queue: MediaQueueData?
    if chance() {
      queue = MediaQueueData(items: items(), startIndex: 0, repeatMode: mode())
      queue?.queueType = pick([.album, .playlist, .liveTV], or: .movie)
      queue?.shuffle = chance()
    }
    var load = LoadRequest(media: media(), queueData: queue, autoplay: chance() ? nil : chance())
    if chance() { load.currentTime = time() }
    if chance(3) { load.playbackRate = chance() ? .nan : 1.5 }
    load.filtersExplicitContent = chance(3)
    if chance(3) { load.credentials = "secret" }
    return load
  }

  private mutating func update() -> QueueUpdate {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: QueueUpdate(items: items())
    case 1: QueueUpdate(currentItemID: id(), currentTime: chance() ? time() : nil)
    case 2: QueueUpdate(jump: Int.random(in: -2...2, using: &random))
    case 3: QueueUpdate(repeatMode: mode())
    default: QueueUpdate(shuffle: chance())
    }
  }

  private mutating func tracks() -> TracksEdit {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return TracksEdit(activeTrackIDs: chance() ? [] : [1])
    case 1: return TracksEdit(language: "en", isSuggestedLanguage: chance())
    case 2: return TracksEdit(enablesTextTracks: chance())
    default:
      var style = MediaTextTrackStyle()
      style.fontScale = 1.2
      style.edgeType = pick([.outline, .raised], or: .depressed)
      style.windowType = pick([.normal, .roundedCorners], or: .normal)
      style.fontStyle = pick([.bold, .boldItalic], or: .italic)
      return TracksEdit(textTrackStyle: style)
    }
  }

  private mutating func seek() -> SeekOptions {
    SeekOptions(
      pick([.position(time()), .offset(time()), .liveEdge], or: .liveEdge),
      resumeState: pick([nil, .play, .pause], or: nil))
  }

  mutating func next() -> SenderRequest {
    if chance(6) { return device() }
    let data: JSONValue? = chance(4) ? ["requestId": "not ours"] : nil
    return .media(media(Int.random(in: 0..<27, using: &random)), customData: data)
  }

  private mutating func device() -> SenderRequest {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .receiver(.getStatus)
    case 1: .receiver(.getAppAvailability(["CC1AD845", "0F5096E8"]))
    case 2: .receiver(.setVolume(.level(Double.random(in: -1...2, using: &random))))
    case 3: .receiver(.setVolume(.muted(chance())))
    case 4: .platform(.multizoneStatus)
    case 5: .platform(.castingGroups)
    case 6: .platform(.deviceInformation)
    default: .platform(.setupInformation)
    }
  }

  private mutating func media(_ number: Int) -> MediaRequest {
    switch number {
    case 0: .getStatus(chance() ? [] : [.noMetadata])
    case 1: .play
    case 2: .pause
    case 3: chance(3) ? .stop : .play
    case 4: .seek(seek())
    case 5: .setVolume(chance() ? Volume(level: 0.5) : Volume(isMuted: chance()))
    case 6: .setPlaybackRate(chance() ? .rate(1.5) : .factor(2))
    case 7: .skipAd
    case 8: .editTracksInfo(tracks())
    case 9: .editAudioTracks(language: chance() ? "en" : nil)
    case 10: .queueLoad(QueueLoad(items: items(), startIndex: 0, repeatMode: mode(), currentTime: time()))
    case 11, 12:
      .queueInsert(
        QueueInsert(
          items: items(), insertBefore: chance() ? id() : nil,
          current: pick([nil, .inserted(index: 0), .existing(id())], or: nil)))
    case 13, 14: .queueUpdate(update())
    case 15: .queueRemove(QueueRemove(itemIDs: [id()], currentItemID: chance() ? id() : nil))
    case 16: .queueReorder(QueueReorder(itemIDs: [id()], insertBefore: chance() ? id() : nil))
    case 17: chance() ? .queueNext : .queuePrevious
    case 18: .queueShuffle
    case 19: .queueGetItemIDs
    case 20: .queueGetItems([id(), id()])
    case 21: .queueGetItemRange(id(), nextCount: 3, previousCount: 2)
    case 22: chance() ? .precache(load(), data: "fetch") : .preload(load(), itemID: id())
    case 23: .userAction(UserActionRequest(chance() ? .like : .flag, context: .movie, clears: chance()))
    case 24: chance() ? .setCredentials(CredentialsAnswer(credentials: "who")) : .storeSession
    case 25: .resumeSession(["loadRequestData": ["media": ["contentId": "http://media/v4.mp4"]]])
    default: .load(load())
    }
  }
}
