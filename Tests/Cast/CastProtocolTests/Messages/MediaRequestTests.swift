import CastProtocol
import Testing

@Suite("Media requests")
struct MediaRequestTests {
  static let clip = MediaInformation(contentID: "http://h/3.mp3", contentType: "audio/mpeg")
  static let clipJSON = #"{"contentId":"http://h/3.mp3","contentType":"audio/mpeg","streamType":"BUFFERED"}"#
  /// An item as a status showed it: its id must not travel back in an insertion.
  static let numbered: MediaQueueItem = {
    var item = MediaQueueItem(mediaInformation: clip)
    item.itemID = MediaQueueItemID(9)
    return item
  }()
  static let style: MediaTextTrackStyle = {
    var style = MediaTextTrackStyle()
    style.fontScale = 1.2
    style.foregroundColor = "#FFFF00FF"
    return style
  }()
  static let credentialed: LoadRequest = {
    var load = LoadRequest(media: clip, autoplay: nil, customData: ["n": 1])
    load.filtersExplicitContent = true
    load.credentials = "c"
    load.credentialsType = "ios"
    load.atvCredentials = "a"
    load.atvCredentialsType = "atv"
    return load
  }()
  static func id(_ number: Int) -> MediaQueueItemID { MediaQueueItemID(number) }

  /// Every request with the text it is written as; `M` stands for the numbers of request and session.
  static let table: [(MediaRequest, String)] = [
    (.getStatus(), #"{R,"type":"GET_STATUS"}"#),
    (.getStatus([.noMetadata, .noQueueItems]), #"{"options":3,R,"type":"GET_STATUS"}"#),
    (.load(LoadRequest(media: clip)), #"{"autoplay":true,"media":\#(clipJSON),R,"type":"LOAD"}"#),
    (
      .load(
        LoadRequest(media: clip, autoplay: false, currentTime: 12.5, playbackRate: 1.5, activeTrackIDs: [])),
      #"{"activeTrackIds":[],"autoplay":false,"currentTime":12.5,"media":\#(clipJSON),"playbackRate":1.5,R,"#
        + #""type":"LOAD"}"#
    ),
    (
      .load(LoadRequest(queueData: MediaQueueData(items: [numbered], startIndex: 0, repeatMode: .all))),
      #"{"autoplay":true,"queueData":{"items":[{"autoplay":true,"media":\#(clipJSON)}],"#
        + #""repeatMode":"REPEAT_ALL","startIndex":0},R,"type":"LOAD"}"#
    ),
    (
      .load(credentialed),
      #"{"atvCredentials":"a","atvCredentialsType":"atv","credentials":"c","credentialsType":"ios","#
        + #""customData":{"n":1},"loadOptions":{"contentFilteringMode":"FILTER_EXPLICIT"},"media":\#(clipJSON),"#
        + #"R,"type":"LOAD"}"#
    ),
    (
      .load(LoadRequest(media: clip, currentTime: MediaTime(seconds: .infinity), playbackRate: .nan)),
      #"{"autoplay":true,"media":\#(clipJSON),R,"type":"LOAD"}"#
    ),
    (.play, #"{M,"type":"PLAY"}"#), (.pause, #"{M,"type":"PAUSE"}"#), (.stop, #"{M,"type":"STOP"}"#),
    (.seek(SeekOptions(.position(61))), #"{"currentTime":61,M,"type":"SEEK"}"#),
    (
      .seek(SeekOptions(.offset(-10), resumeState: .play)),
      #"{M,"relativeTime":-10,"resumeState":"PLAYBACK_START","type":"SEEK"}"#
    ),
    (
      .seek(SeekOptions(.liveEdge, resumeState: .pause)), #"{M,"resumeState":"PLAYBACK_PAUSE","type":"SEEK"}"#
    ),
    (.setVolume(Volume(level: 0.5)), #"{M,"type":"SET_VOLUME","volume":{"level":0.5}}"#),
    (.setVolume(Volume(isMuted: true)), #"{M,"type":"SET_VOLUME","volume":{"muted":true}}"#),
    (.setPlaybackRate(.rate(1.25)), #"{M,"playbackRate":1.25,"type":"SET_PLAYBACK_RATE"}"#),
    (.setPlaybackRate(.factor(2)), #"{M,"relativePlaybackRate":2,"type":"SET_PLAYBACK_RATE"}"#),
    (.skipAd, #"{M,"type":"SKIP_AD"}"#),
    (
      .editTracksInfo(TracksEdit(activeTrackIDs: [2])), #"{"activeTrackIds":[2],M,"type":"EDIT_TRACKS_INFO"}"#
    ),
    (
      .editTracksInfo(TracksEdit(activeTrackIDs: [], textTrackStyle: style)),
      ##"{"activeTrackIds":[],M,"textTrackStyle":{"fontScale":1.2,"foregroundColor":"#FFFF00FF"},"##
        + #""type":"EDIT_TRACKS_INFO"}"#
    ),
    (
      .editTracksInfo(TracksEdit(language: "de", enablesTextTracks: true, isSuggestedLanguage: false)),
      #"{"enableTextTracks":true,"isSuggestedLanguage":false,"language":"de",M,"type":"EDIT_TRACKS_INFO"}"#
    ),
    (
      .queueLoad(
        QueueLoad(items: [numbered], startIndex: 0, repeatMode: .off, currentTime: 3, customData: 1)),
      #"{"currentTime":3,"customData":1,"items":[{"autoplay":true,"media":\#(clipJSON)}],"#
        + #""repeatMode":"REPEAT_OFF",R,"startIndex":0,"type":"QUEUE_LOAD"}"#
    ),
    (
      .queueInsert(QueueInsert(items: [numbered], insertBefore: id(4))),
      #"{"insertBefore":4,"items":[{"autoplay":true,"media":\#(clipJSON)}],M,"type":"QUEUE_INSERT"}"#
    ),
    (
      .queueInsert(QueueInsert(items: [numbered], current: .inserted(index: 0), currentTime: 12)),
      #"{"currentItemIndex":0,"currentTime":12,"items":[{"autoplay":true,"media":\#(clipJSON)}],M,"#
        + #""type":"QUEUE_INSERT"}"#
    ),
    (
      .queueInsert(QueueInsert(items: [], current: .existing(id(2)))),
      #"{"currentItemId":2,"items":[],M,"type":"QUEUE_INSERT"}"#
    ),
    (.queueUpdate(QueueUpdate(jump: -1)), #"{"jump":-1,M,"type":"QUEUE_UPDATE"}"#),
    (
      .queueUpdate(QueueUpdate(currentItemID: id(7), currentTime: 0)),
      #"{"currentItemId":7,"currentTime":0,M,"type":"QUEUE_UPDATE"}"#
    ),
    (
      .queueUpdate(QueueUpdate(repeatMode: .single, shuffle: true)),
      #"{M,"repeatMode":"REPEAT_SINGLE","shuffle":true,"type":"QUEUE_UPDATE"}"#
    ),
    (
      .queueUpdate(QueueUpdate(items: [numbered])),
      #"{"items":[{"autoplay":true,"itemId":9,"media":\#(clipJSON)}],M,"type":"QUEUE_UPDATE"}"#
    ),
    (.queueRemove(QueueRemove(itemIDs: [id(3), id(4)])), #"{"itemIds":[3,4],M,"type":"QUEUE_REMOVE"}"#),
    (
      .queueRemove(QueueRemove(itemIDs: [id(3)], currentItemID: id(5), currentTime: 1.5)),
      #"{"currentItemId":5,"currentTime":1.5,"itemIds":[3],M,"type":"QUEUE_REMOVE"}"#
    ),
    (.queueReorder(QueueReorder(itemIDs: [id(9), id(2)])), #"{"itemIds":[9,2],M,"type":"QUEUE_REORDER"}"#),
    (
      .queueReorder(QueueReorder(itemIDs: [id(9)], insertBefore: id(5))),
      #"{"insertBefore":5,"itemIds":[9],M,"type":"QUEUE_REORDER"}"#
    ),
    (.queueGetItemIDs, #"{M,"type":"QUEUE_GET_ITEM_IDS"}"#),
    (.queueGetItems([id(2), id(3)]), #"{"itemIds":[2,3],M,"type":"QUEUE_GET_ITEMS"}"#),
    (.storeSession, #"{M,"type":"STORE_SESSION"}"#),
    (.resumeSession(["a": 1]), #"{R,"sessionState":{"a":1},"type":"RESUME_SESSION"}"#),
  ]

  @Test(
    "a media request is written as this text, with the media session where it belongs",
    arguments: table.indices)
  func writes(index: Int) throws {
    let (request, pattern) = Self.table[index]
    // M and R tell whether the session's number goes into the message; parsing sorts the keys of the pattern.
    let text = pattern.replacing("{M,", with: #"{"requestId":5,"mediaSessionId":2,"#)
      .replacing("{R,", with: #"{"requestId":5,"#)
      .replacing(",M,", with: #","requestId":5,"mediaSessionId":2,"#).replacing(
        ",R,", with: #","requestId":5,"#)
    let written = request.json(requestID: RequestID(5), mediaSessionID: MediaSessionID(2))
    #expect(written.text == (try JSONValue(parsing: text)).text)
    #expect(written["type"]?.string == request.type)
    if request.needsMediaSession { #expect(written["mediaSessionId"] == 2) }
    let bare = request.json(requestID: RequestID(5), mediaSessionID: nil)
    #expect(bare["mediaSessionId"] == nil)
    #expect(bare["requestId"] == 5)
  }

  @Test("added data goes on any request and wins over the request's own")
  func customData() {
    let play = MediaRequest.play.json(requestID: RequestID(1), mediaSessionID: nil, customData: ["a": 1])
    #expect(play.text == #"{"customData":{"a":1},"requestId":1,"type":"PLAY"}"#)
    let load = MediaRequest.load(LoadRequest(media: nil, autoplay: nil, customData: 1))
      .json(requestID: RequestID(1), mediaSessionID: nil, customData: 2)
    #expect(load.text == #"{"customData":2,"requestId":1,"type":"LOAD"}"#)
  }

  @Test("every type is in the table, and those that begin a session need none")
  func completeness() {
    #expect(Set(Self.table.map(\.0.type)).count == 19)
    let free = Set(Self.table.map(\.0).filter { !$0.needsMediaSession }.map(\.type))
    #expect(free == ["GET_STATUS", "LOAD", "QUEUE_LOAD", "RESUME_SESSION"])
  }
}
