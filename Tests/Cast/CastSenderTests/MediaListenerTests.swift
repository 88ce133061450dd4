import CastProtocol
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// Every method of `RemoteMediaClientListener`, each by a message of its own.
  @Suite(.timeLimit(.minutes(5))) struct MediaListenerTests {
    @Test(
      "what a receiver tells of its media reaches the listener's method for it",
      arguments: [
        (#"{"type":"QUEUE_ITEM_IDS","requestId":0,"itemIds":[1,2,9],"sequenceNumber":3}"#, "ids 1 2 9"),
        (
          #"{"type":"QUEUE_ITEMS","requestId":0,"items":[{"itemId":2,"media":{"contentId":"http://h/2"}}]}"#,
          "items 2"
        ),
        (
          #"{"type":"QUEUE_CHANGE","requestId":0,"changeType":"INSERT","itemIds":[10,11],"insertBefore":4}"#,
          "inserted 10 11 before 4"
        ),
        (
          #"{"type":"QUEUE_CHANGE","requestId":0,"changeType":"INSERT","itemIds":[12]}"#,
          "inserted 12 before -"
        ),
        (#"{"type":"QUEUE_CHANGE","requestId":0,"changeType":"REMOVE","itemIds":[3]}"#, "removed 3"),
        (#"{"type":"QUEUE_CHANGE","requestId":0,"changeType":"ITEMS_CHANGE","itemIds":[2]}"#, "updated 2"),
        (#"{"type":"QUEUE_CHANGE","requestId":0,"changeType":"UPDATE","itemIds":[3,1,2]}"#, "updated 3 1 2"),
        (#"{"type":"REFRESH_CREDENTIALS","requestId":5}"#, "credentials wanted"),
        (
          #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PLAYING","currentTime":10,"preloadedItemId":2}]}"#,
          "preload 2"
        ),
        (
          #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":7,"playerState":"BUFFERING","currentTime":0}]}"#,
          "media session 7"
        ),
        (
          #"{"type":"MEDIA_STATUS","requestId":0,"status":[{"mediaSessionId":1,"playerState":"PAUSED","currentTime":10}]}"#,
          "status PAUSED"
        ),
      ])
    func hears(message: String, word: String) async throws {
      let heard = try await Self.heard([message])
      #expect(heard.contains(word), "\(heard)")
    }

    @Test(
      "an item has failed when a status says so, and not when an error names it",
      arguments: [
        // A decode error in the middle of an item: the error comes twice, with the next item's id, too (protocol 21.22).
        (
          [
            #"{"type":"ERROR","detailedErrorCode":102,"itemId":1}"#,
            #"{"type":"ERROR","detailedErrorCode":102,"itemId":2}"#,
            status("IDLE", 1, reason: "ERROR", loading: 2), status("PLAYING", 2), status("PLAYING", 2),
          ], ["failed 1 load_failed"]
        ),
        // An ad clip that is not found: the error names the film, which plays.
        ([#"{"type":"ERROR","detailedErrorCode":104,"itemId":1}"#, status("PLAYING", 1)], []),
        // An item that is not found is passed over without a status of its own (protocol 21.6).
        (
          [
            status("IDLE", 1, reason: "FINISHED", loading: 2), #"{"type":"ERROR","itemId":2}"#,
            #"{"type":"LOAD_FAILED","requestId":0,"itemId":2}"#, status("PLAYING", 3), status("PLAYING", 3),
          ], ["failed 2 load_failed"]
        ),
        // In a queue of two that repeats, the item before is the item after.
        (
          [
            status("IDLE", 1, reason: "FINISHED", loading: 2), #"{"type":"ERROR","itemId":2}"#,
            status("PLAYING", 1),
          ], ["failed 2 load_failed"]
        ),
        // The status may come before the error.
        (
          [status("IDLE", 1, reason: "ERROR"), #"{"type":"ERROR","detailedErrorCode":104,"itemId":1}"#],
          ["failed 1 load_failed"]
        ),
        // What was said of another media session says nothing of this one.
        ([#"{"type":"ERROR","itemId":2}"#, status("PLAYING", 7, session: 2)], []),
      ] as [([String], [String])])
    func failures(messages: [String], words: [String]) async throws {
      let heard = try await Self.heard([Self.status("PLAYING", 1)] + messages)
      #expect(heard.filter { $0.hasPrefix("failed") } == words)
    }

    /// What a listener hears when the application broadcasts these messages.
    private static func heard(_ messages: [String]) async throws -> [String] {
      let transport = ScriptedTransport(script: ScriptedApplication.script())
      let session = ScriptedApplication.session(transport)
      try await session.start()
      let listener = MediaListener()
      session.remoteMediaClient.add(listener)
      for message in messages { transport.say(.message(ScriptedApplication.broadcast(message))) }
      await session.settle()
      await session.leave()
      return listener.heard
    }

    private static func status(
      _ state: String, _ item: Int, reason: String? = nil, loading: Int? = nil, session: Int = 1
    ) -> String {
      let entry: JSONValue = .members([
        "mediaSessionId": .integer(Int64(session)), "playerState": .string(state),
        "idleReason": reason.map { .string($0) }, "currentItemId": .integer(Int64(item)),
        "loadingItemId": loading.map { .integer(Int64($0)) },
      ])
      return JSONValue.object(["type": "MEDIA_STATUS", "requestId": 0, "status": [entry]]).text
    }

    @Test("the title and the queue are told when they change, and that they are gone with the session")
    func changes() async throws {
      let transport = ScriptedTransport(script: ScriptedApplication.script())
      let session = ScriptedApplication.session(transport)
      try await session.start()
      let listener = MediaListener()
      session.remoteMediaClient.add(listener)
      transport.say(.message(ScriptedApplication.mediaStatus(title: "Other", items: [1, 2])))
      await session.settle()
      #expect(listener.heard == ["status PLAYING", "title Other", "queue"])
      await session.leave()
      #expect(listener.heard.suffix(3) == ["status -", "title -", "queue"])
    }
  }
}

private final class MediaListener: RemoteMediaClientListener {
  private let words = Mutex<[String]>([])
  var heard: [String] { words.withLock { $0 } }
  private func note(_ word: String, _ ids: [MediaQueueItemID] = []) {
    words.withLock { $0.append(([word] + ids.map { "\($0)" }).joined(separator: " ")) }
  }

  func remoteMediaClient(_ client: RemoteMediaClient, didStartMediaSessionWithID id: MediaSessionID) {
    note("media session \(id)")
  }
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaStatus: MediaStatus?) {
    note("status \(mediaStatus.map { $0.playerState.word } ?? "-")")
  }
  func remoteMediaClient(_ client: RemoteMediaClient, didUpdate mediaMetadata: MediaMetadata?) {
    note("title \(mediaMetadata?.title ?? "-")")
  }
  func remoteMediaClientDidUpdateQueue(_ client: RemoteMediaClient) { note("queue") }
  func remoteMediaClientDidUpdatePreloadStatus(_ client: RemoteMediaClient) {
    note("preload \(client.mediaStatus?.preloadedItemID.map { "\($0)" } ?? "-")")
  }
  func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItemIDs ids: [MediaQueueItemID]) {
    note("ids", ids)
  }
  func remoteMediaClient(_ client: RemoteMediaClient, didReceiveQueueItems items: [MediaQueueItem]) {
    note("items", items.compactMap(\.itemID))
  }
  func remoteMediaClient(
    _ client: RemoteMediaClient, didInsertQueueItemsWithIDs ids: [MediaQueueItemID],
    beforeItemWithID: MediaQueueItemID?
  ) {
    note(
      "inserted \(ids.map { "\($0)" }.joined(separator: " ")) before \(beforeItemWithID.map { "\($0)" } ?? "-")"
    )
  }
  func remoteMediaClient(
    _ client: RemoteMediaClient, didUpdateQueueItemsWithIDs ids: [MediaQueueItemID]
  ) { note("updated", ids) }
  func remoteMediaClient(
    _ client: RemoteMediaClient, didRemoveQueueItemsWithIDs ids: [MediaQueueItemID]
  ) { note("removed", ids) }
  func remoteMediaClient(
    _ client: RemoteMediaClient, didFailToPlayQueueItemWithID id: MediaQueueItemID, error: CastError
  ) { note("failed \(id) \(error.code)") }
  func remoteMediaClient(_ client: RemoteMediaClient, wantsCredentials wish: CredentialsRefresh) {
    note("credentials wanted")
  }
}
