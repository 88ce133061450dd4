import CastProtocol
import Testing

@Suite("Media replies")
struct MediaReplyTests {
  static func update(_ json: JSONValue) -> MediaReply.Content {
    .status(MediaStatusUpdate(json: json).map { [$0] } ?? [])
  }
  static func ids(_ numbers: Int...) -> [MediaQueueItemID] { numbers.map(MediaQueueItemID.init) }
  static let item = MediaQueueItem(json: ["itemId": 2, "media": ["contentId": "http://h/2.mp3"]])

  @Test("a receiver's reason has the length of a sentence")
  func longReason() throws {
    let json = #"{"type":"ERROR","itemId":1,"reason":""# + String(repeating: "é", count: 55_000) + #""}"#
    guard case .failure(let failure) = MediaReply.decode(try JSONValue(parsing: json)).content else {
      Issue.record("no failure")
      return
    }
    #expect(failure.reason == String(repeating: "é", count: 500) + "…")
  }

  static let table: [(text: String, requestID: Int?, content: MediaReply.Content)] = [
    // MEDIA_STATUS and its oddities (protocol 6.5)
    (
      #"{"type":"MEDIA_STATUS","requestId":21,"status":[{"mediaSessionId":1,"playerState":"PLAYING"}]}"#, 21,
      update(["mediaSessionId": 1, "playerState": "PLAYING"])
    ),
    (
      #"{"type":"MEDIA_STATUS","status":[{"mediaSessionId":1.0,"media":null}],"requestId":0}"#, nil,
      update(["mediaSessionId": 1.0, "media": nil])
    ),
    (
      #"{"responseType":"MEDIA_STATUS","requestId":2.0,"status":{"mediaSessionId":3}}"#, 2,
      update(["mediaSessionId": 3])
    ),
    (
      #"{"type":"MEDIA_STATUS","requestId":2,"mediaSessionId":3,"playerState":"IDLE"}"#, 2,
      update(["mediaSessionId": 3, "playerState": "IDLE"])
    ),
    (
      #"{"type":"MEDIA_STATUS","requestId":2,"status":null,"mediaSessionId":3}"#, 2,
      update(["mediaSessionId": 3])
    ),
    (
      #"{"responseType":"MEDIA_STATUS","requestId":2,"mediaSessionId":0,"playerState":"IDLE"}"#, 2,
      .status([])
    ),
    (#"{"type":"MEDIA_STATUS","requestId":2,"status":[]}"#, 2, .status([])),
    (#"{"type":"MEDIA_STATUS","requestId":2,"status":[null,7,{},{"mediaSessionId":0}]}"#, 2, .status([])),
    (#"{"type":"MEDIA_STATUS","requestId":2,"status":{}}"#, 2, .status([])),
    (
      #"{"type":"MEDIA_STATUS","requestId":2}"#, 2,
      .unknown(type: "MEDIA_STATUS", ["type": "MEDIA_STATUS", "requestId": 2])
    ),
    (
      #"{"type":"MEDIA_STATUS","status":"none"}"#, nil,
      .unknown(type: "MEDIA_STATUS", ["type": "MEDIA_STATUS", "status": "none"])
    ),
    // the queue (protocol 7.7)
    (
      #"{"type":"QUEUE_ITEM_IDS","requestId":70,"itemIds":[1,2.0,3,0,-4,"5",null],"sequenceNumber":3}"#, 70,
      .queueItemIDs(ids(1, 2, 3), sequenceNumber: 3)
    ),
    (#"{"type":"QUEUE_ITEM_IDS","requestId":70,"itemIds":[]}"#, 70, .queueItemIDs([], sequenceNumber: nil)),
    (
      #"{"type":"QUEUE_ITEM_IDS","requestId":70}"#, 70,
      .unknown(type: "QUEUE_ITEM_IDS", ["type": "QUEUE_ITEM_IDS", "requestId": 70])
    ),
    (
      #"{"type":"QUEUE_ITEMS","requestId":71,"items":[{"itemId":2,"media":{"contentId":"http://h/2.mp3"}},3]}"#,
      71, .queueItems([item].compactMap(\.self), sequenceNumber: nil)
    ),
    (
      #"{"type":"QUEUE_CHANGE","requestId":0,"changeType":"INSERT","insertBefore":4,"itemIds":[10,11],"#
        + #""sequenceNumber":4}"#, nil,
      .queueChange(
        MediaQueueChange(
          kind: .insert, itemIDs: ids(10, 11), insertBefore: MediaQueueItemID(4), sequenceNumber: 4))
    ),
    (
      #"{"type":"QUEUE_CHANGE","changeType":"UPDATE","insertBefore":null}"#, nil,
      .queueChange(MediaQueueChange(kind: .update, itemIDs: []))
    ),
    (
      #"{"type":"QUEUE_CHANGE","changeType":"SWAP","itemIds":[1]}"#, nil,
      .queueChange(MediaQueueChange(kind: .unknown("SWAP"), itemIDs: ids(1)))
    ),
    (#"{"type":"QUEUE_CHANGE"}"#, nil, .unknown(type: "QUEUE_CHANGE", ["type": "QUEUE_CHANGE"])),
    // sessions (protocol 6.9)
    (
      #"{"type":"SESSION_STATE","requestId":40,"sessionState":{"loadRequestData":{"currentTime":33.1}}}"#, 40,
      .sessionState(["loadRequestData": ["currentTime": 33.1]])
    ),
    (
      #"{"type":"SESSION_STATE","sessionState":null}"#, nil,
      .unknown(type: "SESSION_STATE", ["type": "SESSION_STATE", "sessionState": nil])
    ),
    // failures, in the receiver's words (protocol 6.6)
    (
      #"{"type":"LOAD_FAILED","requestId":21,"itemId":1,"detailedErrorCode":104,"reason":"GENERIC_LOAD_ERROR","#
        + #""customData":null}"#, 21,
      .failure(
        MediaFailure(
          kind: .loadFailed, reason: "GENERIC_LOAD_ERROR", detailedErrorCode: 104, itemID: MediaQueueItemID(1)
        ))
    ),
    (
      #"{"type":"LOAD_CANCELLED","requestId":21,"itemId":0}"#, 21,
      .failure(MediaFailure(kind: .loadCancelled))
    ),
    (
      #"{"type":"INVALID_PLAYER_STATE","requestId":3,"customData":{"a":[1]}}"#, 3,
      .failure(MediaFailure(kind: .invalidPlayerState, customData: ["a": [1]]))
    ),
    (
      #"{"type":"INVALID_REQUEST","requestId":30,"reason":"INVALID_MEDIA_SESSION_ID"}"#, 30,
      .failure(MediaFailure(kind: .invalidRequest, reason: "INVALID_MEDIA_SESSION_ID"))
    ),
    (
      #"{"type":"INVALID_REQUEST","requestId":30,"reason":{"why":4}}"#, 30,
      .failure(MediaFailure(kind: .invalidRequest, reason: #"{"why":4}"#))
    ),
    (#"{"type":"ERROR","itemId":4}"#, nil, .failure(MediaFailure(kind: .error, itemID: MediaQueueItemID(4)))),
    // tomorrow's words
    (
      #"{"type":"MEDIA_SRC_NOT_SUPPORTED","requestId":9}"#, 9,
      .unknown(type: "MEDIA_SRC_NOT_SUPPORTED", ["type": "MEDIA_SRC_NOT_SUPPORTED", "requestId": 9])
    ),
    (#"{"type":7,"requestId":true}"#, nil, .unknown(type: "", ["type": 7, "requestId": true])),
    (
      #"{"type":"ERROR","requestId":1e300,"detailedErrorCode":1.5}"#, nil,
      .failure(MediaFailure(kind: .error))
    ),
    (#""MEDIA_STATUS""#, nil, .unknown(type: "", "MEDIA_STATUS")),
  ]

  @Test("a media reply is read as this value", arguments: table.indices)
  func reads(index: Int) throws {
    let (text, requestID, content) = Self.table[index]
    let reply = MediaReply.decode(try JSONValue(parsing: text))
    #expect(reply == MediaReply(requestID: requestID.map(RequestID.init), content: content))
  }

  @Test("lower-case words of old receivers mean the same in the merged status")
  func lowerCase() throws {
    let text = #"""
      {"type":"MEDIA_STATUS","requestId":1,"status":[{"mediaSessionId":1,"playerState":"playing",
      "media":{"contentId":"a","contentType":null,"streamType":"buffered","duration":-1,"metadata":{"metadataType":103}}}]}
      """#
    guard case .status(let updates) = MediaReply.decode(try JSONValue(parsing: text)).content else {
      Issue.record("no status")
      return
    }
    let status = MediaStatusReducer.merge(try #require(updates.first), into: nil)
    #expect(status.playerState == .playing)
    #expect(status.mediaInformation?.streamType == .buffered)
    #expect(status.mediaInformation?.streamDuration == nil)
    #expect(status.mediaInformation?.contentType == nil)
  }

  @Test("damaged messages are read as something, and what is read never carries a number below 1")
  func hostile() throws {
    var generator = SeededGenerator(seed: 7)
    var unknown = 0
    for _ in 0..<6_000 {
      let entry = Self.table.randomElement(using: &generator)?.text ?? ""
      var bytes = Array(entry.utf8)
      generator.mutate(&bytes)
      guard let json = try? JSONValue(parsing: bytes) else { continue }
      let reply = MediaReply.decode(json)
      #expect((reply.requestID?.rawValue ?? 1) > 0)
      switch reply.content {
      case .status(let updates):
        for update in updates {
          #expect(MediaStatusReducer.merge(update, into: nil).mediaSessionID.rawValue > 0)
        }
      case .queueItemIDs(let ids, _): #expect(ids.allSatisfy { $0.rawValue > 0 })
      case .unknown: unknown += 1
      case .queueItems, .queueChange, .sessionState, .refreshCredentials, .failure: break
      }
      // The other readers meet the same peer.
      _ = ReceiverReply.decode(json)
      _ = ConnectionMessage.decode(json)
      _ = HeartbeatMessage.decode(json)
    }
    #expect(unknown > 50)
  }

  @Test(
    "an error number has the name of the table; others have none",
    arguments: [
      (104, "MEDIA_SRC_NOT_SUPPORTED"), (321, "DASH_NETWORK"), (905, "LOAD_FAILED"), (909, "GENERIC"),
      (999, "GENERIC"), (0, nil), (907, nil), (-1, nil),
    ])
  func detailedErrorCodes(code: Int, name: String?) {
    #expect(DetailedErrorCode.name(of: code) == name)
  }
}
