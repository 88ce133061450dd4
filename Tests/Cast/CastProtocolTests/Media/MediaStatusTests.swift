import CastProtocol
import Testing

@Suite("Statuses of media")
struct MediaStatusTests {
  private func merge(_ json: JSONValue, into previous: MediaStatus? = nil) throws -> MediaStatus {
    MediaStatusReducer.merge(try #require(MediaStatusUpdate(json: json)), into: previous)
  }

  @Test("members nobody knows are kept, each as it was last told, and never too many")
  func unknownMembers() throws {
    var status = try merge(["mediaSessionId": 1, "future": [1], "other": true])
    #expect(status.unknownMembers == ["future": [1], "other": true])
    status = try merge(
      ["mediaSessionId": 1, "future": 2, "other": nil, "playerState": "PLAYING"], into: status)
    #expect(status.unknownMembers == ["future": 2, "other": true])
    for number in 0..<1000 {
      status = try merge(["mediaSessionId": 1, "key\(number)": 0], into: status)
      #expect(status.unknownMembers.count <= 64)
    }
    #expect(status.unknownMembers["key999"] == 0)
    #expect(try merge(status.json) == status)
    #expect(try merge(["mediaSessionId": 2], into: status).unknownMembers.isEmpty)
  }

  @Test("a receiver's status survives as JSON", arguments: [false, true])
  func receiverStatus(isFull: Bool) {
    let application: JSONValue = [
      "appId": "CC1AD845", "universalAppId": "CC1AD845", "displayName": "Default Media Receiver",
      "statusText": "Now casting", "namespaces": [["name": "urn:x-cast:a"], ["name": "urn:x-cast:b"]],
      "sessionId": "s", "transportId": "t", "isIdleScreen": false, "iconUrl": "http://h/i.png",
    ]
    let json: JSONValue =
      isFull
      ? [
        "applications": [application, ["appId": "E8C28D3C", "sessionId": "i", "isIdleScreen": true]],
        "volume": ["level": 0.5, "muted": true, "controlType": "master", "stepInterval": 0.05],
        "isActiveInput": true, "isStandBy": false,
      ] : [:]
    let status = ReceiverStatus(json: json)
    #expect(status.applications.count == (isFull ? 2 : 0))
    #expect(ReceiverStatus(json: status.json) == status)
  }

  @Test("no known member counts as unknown")
  func knownMembers() throws {
    let status = try merge([
      "mediaSessionId": 1, "playerState": "IDLE", "idleReason": "FINISHED", "currentTime": 1,
      "playbackRate": 1,
      "supportedMediaCommands": 274_447, "volume": ["level": 1], "activeTrackIds": [1], "currentItemId": 1,
      "loadingItemId": 2, "preloadedItemId": 3, "queueData": [:], "repeatMode": "REPEAT_OFF",
      "extendedStatus": ["playerState": "LOADING", "media": ["contentId": "next"], "mediaSessionId": 2],
      "breakStatus": ["breakId": "b"], "liveSeekableRange": ["start": 0, "end": 1],
      "videoInfo": ["width": 1, "height": 1], "customData": 1, "items": [], "media": ["contentId": "x"],
    ])
    #expect(status.unknownMembers.isEmpty)
    #expect(try merge(status.json) == status, "as JSON it is complete")
    #expect(status.supportedMediaCommands == [.allBasicMedia, .streamTransfer])
    #expect(status.isLoading && status.loadingMedia?.contentID == "next")
    #expect(status.extendedStatus?.mediaSessionID == MediaSessionID(2))
    #expect(!status.isEnded)
    #expect(try merge(["mediaSessionId": 1, "playerState": "PLAYING"], into: status).extendedStatus == nil)
  }

  @Test(
    "the queue has neighbours as far as the window shows them",
    arguments: [
      ([1, 2, 3], 2, 1, 3), ([1, 2, 3], 1, nil, 2), ([1, 2, 3], 3, 2, nil), ([4], 4, nil, nil),
      ([], 4, nil, nil),
      ([1, 2], 9, nil, nil), ([1, 2], nil, nil, nil),
    ] as [([Int], Int?, Int?, Int?)])
  func window(ids: [Int], current: Int?, previous: Int?, next: Int?) throws {
    let items = ids.map { JSONValue.object(["itemId": .integer(Int64($0))]) }
    var json: [String: JSONValue] = ["mediaSessionId": 1, "items": .array(items), "loadingItemId": 2]
    json["currentItemId"] = current.map { .integer(Int64($0)) }
    let status = try merge(.object(json))
    #expect(status.previousQueueItem?.itemID?.rawValue == previous)
    #expect(status.nextQueueItem?.itemID?.rawValue == next)
    #expect(status.queueHasPreviousItem == (previous != nil) && status.queueHasNextItem == (next != nil))
    #expect(status.queueHasLoadingItem && status.queueItemCount == ids.count)
    #expect(status.loadingQueueItem?.itemID?.rawValue == (ids.contains(2) ? 2 : nil))
    #expect(status.currentQueueItem?.itemID?.rawValue == (ids.contains(current ?? 0) ? current : nil))
  }

  @Test("an item the status gave twice is found once, and one without an id never")
  func oddWindow() throws {
    let status = try merge([
      "mediaSessionId": 1, "currentItemId": 5,
      "items": [["media": [:]], ["itemId": 5], ["itemId": 5], nil, 7],
    ])
    #expect(status.queueItemCount == 3)
    #expect(status.queueItem(nil) == nil)
    #expect(status.previousQueueItem?.itemID == nil && status.queueHasPreviousItem)
  }

  static let playing: JSONValue = [
    "mediaSessionId": 1, "playerState": "PLAYING", "currentTime": 10, "playbackRate": 2,
    "media": [
      "contentId": "x", "duration": 60,
      "breaks": [["id": "in", "isEmbedded": true], ["id": "between"]],
    ],
  ]

  @Test(
    "a position moves on while the content plays, and never past its end",
    arguments: [
      ([:], 5, 20), ([:], -5, 10), ([:], 1000, 60), (["playerState": "PAUSED"], 5, 10),
      (["playerState": "BUFFERING"], 5, 10), (["breakStatus": ["breakId": "between"]], 5, 10),
      (["breakStatus": ["breakId": "unheard of"]], 5, 10), (["breakStatus": ["breakId": "in"]], 5, 20),
      (["currentTime": 70], 5, 80), (["playbackRate": -4], 5, 0), (["playbackRate": 1e308], 1000, 60),
      (["playbackRate": 0], 5, 10), (["currentTime": -1, "mediaSessionId": 2], 5, nil),
    ] as [(JSONValue, Double, Double?)])
  func position(change: JSONValue, elapsed: Double, expected: Double?) throws {
    let status = try merge(change.keeping(Self.playing.object ?? [:]))
    #expect(status.streamPosition(after: .seconds(elapsed))?.seconds == expected)
  }

  @Test(
    "a live range moves, grows or stays",
    arguments: [
      (true, false, 15.0, 105.0), (false, false, 10, 105), (true, true, 10, 100), (false, true, 10, 100),
    ])
  func liveRange(isMoving: Bool, isDone: Bool, start: Double, end: Double) {
    let told = MediaLiveSeekableRange(
      startTime: 10, endTime: 100, isMovingWindow: isMoving, isLiveDone: isDone)
    let range = told.range(after: .seconds(5))
    #expect(range.startTime.seconds == start && range.endTime.seconds == end)
    #expect(told.range(after: .seconds(-5)) == told)
    #expect(range.contains(MediaTime(seconds: start)) && range.contains(MediaTime(seconds: end)))
    #expect(
      !range.contains(MediaTime(seconds: end + 0.1)) && !range.contains(MediaTime(seconds: start - 0.1)))
  }
}
