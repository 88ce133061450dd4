import CastSender

/// What a caller asks for in order to have each golden request sent.
enum GoldenRequests {
  /// By folder, type and note of the example.
  static let all: [String: SenderRequest] = {
    var all: [String: SenderRequest] = [
      "multizone GET_STATUS: the members": .platform(.multizoneStatus),
      "multizone GET_CASTING_GROUPS: the groups of a device": .platform(.castingGroups),
      "discovery GET_DEVICE_INFO: what the device is": .platform(.deviceInformation),
      "setup eureka_info: snake case, the number too": .platform(.setupInformation),
      "custom text: JSON by convention":
        .message(
          ChannelMessage(
            namespace: "urn:x-cast:org.castq.echo", payload: .text(#"{"requestId":1,"type":"HELLO"}"#))),
    ]
    for (note, request) in receiver { all["receiver \(request.type): \(note)"] = .receiver(request) }
    for (note, request) in media + GoldenQueueRequests.all {
      let isOurs = note == "with the application's own data"
      all["media \(request.type): \(note)"] = .media(request, customData: isOurs ? ["why": "test"] : nil)
    }
    return all
  }()

  private static let receiver: [(String, ReceiverRequest)] = [
    ("what runs, and how loud", .getStatus),
    ("the answer's type stands in responseType", .getAppAvailability(["CC1AD845", "0F5096E8"])),
    ("the smallest one of ours", .launch(LaunchRequest(applicationID: "CC1AD845"))),
    (
      "with everything",
      .launch(
        LaunchRequest(
          applicationID: "CC1AD845", language: "en-US", supportedTypes: [.web, .androidTV],
          credentials: #"{"user":1}"#, credentialsType: "ios"))
    ),
    ("an application nobody knows", .launch(LaunchRequest(applicationID: "00000000"))),
    ("level", .setVolume(.level(0.35))), ("mute", .setVolume(.muted(true))),
    ("what runs, whatever it is", .stop(nil)),
    ("a session that does not run", .stop(ApplicationSessionID("9f1f"))),
  ]

  private static let media: [(String, MediaRequest)] = [
    ("all sessions", .getStatus()),
    (
      "all sessions, without what people read and without the queue",
      .getStatus([.noMetadata, .noQueueItems])
    ),
    ("a film", .load(LoadRequest(media: film, currentTime: 0))),
    ("every load option", .load(everyOption)), ("a queue in one go", .load(queue)),
    ("ad breaks, before and after", .load(LoadRequest(media: filmWithAds))),
    ("an address that is not there", .load(LoadRequest(media: video("nope")))),
    ("nothing but the session", .play), ("with the application's own data", .play),
    ("nothing but the session", .pause), ("with the application's own data", .pause),
    ("nothing but the session", .stop), ("with the application's own data", .stop),
    ("to a position", .seek(SeekOptions(.position(3)))),
    ("forward, and play then", .seek(SeekOptions(.offset(2.5), resumeState: .play))),
    ("back, and pause then", .seek(SeekOptions(.offset(-1), resumeState: .pause))),
    ("to the live edge", .seek(SeekOptions(.liveEdge))),
    ("a rate", .setPlaybackRate(.rate(1.25))), ("a factor", .setPlaybackRate(.factor(0.5))),
    ("of the stream", .setVolume(Volume(level: 0.25))),
    ("mute the stream", .setVolume(Volume(isMuted: true))),
    ("the clip may be skipped", .skipAd), ("outside of a break", .skipAd),
    ("these tracks and no others", .editTracksInfo(TracksEdit(activeTrackIDs: [2]))),
    ("no tracks, another style", .editTracksInfo(TracksEdit(activeTrackIDs: [], textTrackStyle: style))),
    ("a language", .editTracksInfo(TracksEdit(language: "de"))),
    ("all text off", .editTracksInfo(TracksEdit(enablesTextTracks: false))),
    ("a track that is not there", .editTracksInfo(TracksEdit(activeTrackIDs: [99]))),
    ("a language", .editAudioTracks(language: "fr")), ("the default sound", .editAudioTracks(language: nil)),
    (
      "media and the application's own words",
      .precache(LoadRequest(media: video("a"), autoplay: nil), data: "soon")
    ),
    (
      "an item of the queue",
      .preload(LoadRequest(media: video("a"), autoplay: nil), itemID: MediaQueueItemID(2))
    ),
    ("likes it", .userAction(UserActionRequest(.like, context: .track))),
    ("takes it back", .userAction(UserActionRequest(.like, clears: true, source: "app"))),
    (
      "answers a wish",
      .setCredentials(CredentialsAnswer(credentials: "{}", forRequestID: 71, source: "app"))
    ),
    ("what is needed to go on elsewhere", .storeSession),
    (
      "go on with it",
      .resumeSession(["loadRequestData": ["media": video("a").json, "currentTime": 3.1]])
    ),
  ]

  static func video(_ name: String) -> MediaInformation {
    MediaInformation(contentID: "http://h/\(name).mp4", contentType: "video/mp4")
  }

  private static let film: MediaInformation = {
    var film = video("a")
    film.streamDuration = 61.2
    film.metadata = MediaMetadata(images: [Image(url: "http://h/a.jpg", width: 640, height: 360)])
    film.metadata?.title = "Clip A"
    return film
  }()

  private static let filmWithAds: MediaInformation = {
    var clips = ["c1", "c2", "c3"].map(AdBreakClipInfo.init(identifier:))
    for (index, number) in [(0, 1), (1, 2)] {
      clips[index].title = "Ad \(number)"
      clips[index].contentID = "http://h/ad\(number).mp4"
      clips[index].contentType = "video/mp4"
    }
    clips[0].duration = 15
    clips[0].whenSkippable = 5
    clips[2].vastAdsRequest = VASTAdsRequest(adTagURL: "http://h/vast.xml")
    var film = video("main")
    film.adBreakClips = clips
    film.adBreaks = [
      AdBreakInfo(identifier: "b0", clipIdentifiers: ["c1", "c2"], position: .at(0)),
      AdBreakInfo(identifier: "b9", clipIdentifiers: ["c3"], position: .postroll),
    ]
    return film
  }()

  private static let everyOption: LoadRequest = {
    var load = LoadRequest(
      media: video("a"), autoplay: false, currentTime: 12.5, playbackRate: 1.5, activeTrackIDs: [],
      customData: ["k": [1, nil, "x"]])
    load.filtersExplicitContent = true
    load.credentials = "{}"
    load.credentialsType = "ios"
    load.atvCredentials = "{}"
    load.atvCredentialsType = "android"
    return load
  }()

  private static let queue: LoadRequest = {
    var items = ["v1", "v2"].map { MediaQueueItem(mediaInformation: video($0), preloadTime: 20) }
    items[1].startTime = 5
    var queue = MediaQueueData(items: items, startIndex: 1, repeatMode: .all)
    queue.queueType = .playlist
    queue.name = "Morning"
    queue.startTime = 0
    return LoadRequest(queueData: queue, currentTime: 0)
  }()

  private static let style: MediaTextTrackStyle = {
    var style = MediaTextTrackStyle()
    style.fontScale = 1.2
    style.foregroundColor = "#FFFF00FF"
    style.edgeType = .dropShadow
    style.windowType = .roundedCorners
    style.fontGenericFamily = .sansSerif
    style.fontStyle = .boldItalic
    return style
  }()
}

/// Those about the queue.
enum GoldenQueueRequests {
  static let all: [(String, MediaRequest)] = [
    (
      "the classic form",
      .queueLoad(
        QueueLoad(items: [numbered("v1"), numbered("v2")], startIndex: 1, repeatMode: .off, currentTime: 0))
    ),
    ("before an item", .queueInsert(QueueInsert(items: [numbered("v3")], insertBefore: id(2)))),
    (
      "insert and play",
      .queueInsert(QueueInsert(items: [numbered("v4")], current: .inserted(index: 0), currentTime: 1))
    ),
    (
      "append, and go to one that is there",
      .queueInsert(QueueInsert(items: [numbered("v5")], current: .existing(id(2))))
    ),
    ("jump", .queueUpdate(QueueUpdate(jump: 1))),
    ("to an item", .queueUpdate(QueueUpdate(currentItemID: id(3), currentTime: 0))),
    ("repeat", .queueUpdate(QueueUpdate(repeatMode: .single))),
    ("shuffle", .queueUpdate(QueueUpdate(shuffle: true))),
    ("an item", .queueUpdate(QueueUpdate(items: [changed]))),
    ("two items", .queueRemove(QueueRemove(itemIDs: [id(2), id(3)]))),
    ("a block before an item", .queueReorder(QueueReorder(itemIDs: [id(3), id(2)], insertBefore: id(1)))),
    ("to the end", .queueReorder(QueueReorder(itemIDs: [id(1)]))),
    ("nothing but the session", .queueNext), ("nothing but the session", .queuePrevious),
    ("nothing but the session", .queueShuffle), ("the whole queue", .queueGetItemIDs),
    ("two items", .queueGetItems([id(2), id(3)])),
    ("neighbours", .queueGetItemRange(id(3), nextCount: 5, previousCount: 2)),
    ("as most receivers answer (21.8)", .queueGetItemRange(id(3), nextCount: 5, previousCount: 2)),
  ]

  private static func id(_ number: Int) -> MediaQueueItemID { MediaQueueItemID(number) }

  /// An item as a status shows it: its id must not travel back in a load or an insertion.
  private static func numbered(_ name: String) -> MediaQueueItem {
    var item = MediaQueueItem(mediaInformation: GoldenRequests.video(name))
    item.itemID = id(7)
    return item
  }

  private static let changed: MediaQueueItem = {
    var item = MediaQueueItem(
      mediaInformation: GoldenRequests.video("v3"), autoplay: false, preloadTime: 5)
    item.itemID = id(3)
    return item
  }()
}
