import CastProtocol
import CastSender
import Synchronization
import Testing

extension SenderTests {
  /// What callers hold in their hands.
  @Suite(.timeLimit(.minutes(5))) struct RequestTests {
    private static func active(answering types: Set<String> = ["GET_STATUS"]) async throws
      -> (Session, ScriptedTransport)
    {
      let transport = ScriptedTransport(script: ScriptedApplication.script(answering: types))
      let session = ScriptedApplication.session(transport)
      try await session.start()
      return (session, transport)
    }

    @Test("a request tells its number, then its end, and is over")
    func tellsItsLife() async throws {
      let (session, _) = try await Self.active(answering: ["GET_STATUS", "PLAY"])
      let request = session.remoteMediaClient.play()
      var seen: [String] = []
      for await event in request.events {
        switch event {
        case .sent(let id):
          seen.append("sent")
          #expect(id > 0)
        case .finished(.completed(let status)): seen.append("\(status?.playerState == .playing)")
        case .finished: seen.append("failed")
        }
      }
      #expect(seen == ["sent", "true"])
      #expect(request.requestID != nil && !request.isInProgress && request.name == "PLAY")
      // Who comes late sees the same.
      #expect(try await request.value?.playerState == .playing)
      await session.leave()
    }

    @Test("a newer seek ends an older one as replaced; both go out, in order")
    func replaces() async throws {
      let (session, transport) = try await Self.active()
      let (first, second) = (
        session.remoteMediaClient.seek(to: 10), session.remoteMediaClient.seek(to: 20)
      )
      guard case .aborted(.replaced) = await first.outcome else { throw CastError(.invalidState, "") }
      await #expect(throws: CastError(.replaced, "")) { try await first.value }
      #expect(second.isInProgress)
      await session.leave()
      await #expect(throws: CastError.self) { try await second.value }
      #expect(transport.sentTypes.filter { $0 == "SEEK" }.count == 2)
    }

    @Test("a thousand pairs of edits reach the device in the order in which they were submitted")
    func keepsOrder() async throws {
      let transport = ScriptedTransport(
        script: ScriptedApplication.script(answering: ["GET_STATUS", "QUEUE_INSERT", "QUEUE_REMOVE"]))
      let session = ScriptedApplication.session(transport)
      try await session.start()
      let item = MediaQueueItem(
        mediaInformation: MediaInformation(contentID: "http://h/b.mp4", contentType: "video/mp4"))
      let edits: [MediaRequest] = [
        .queueInsert(QueueInsert(items: [item])), .queueRemove(QueueRemove(itemIDs: [MediaQueueItemID(2)])),
      ]
      let before = transport.sentNumbers.count
      for _ in 0..<10 {
        // A session has so many requests open at most.
        let submitted = (0..<100).flatMap { _ in edits.map { session.submit(.media($0)) } }
        for edit in submitted { _ = try await edit.value }
      }
      let types = transport.sentTypes.filter { $0.hasPrefix("QUEUE_") }
      #expect(types == (0..<1000).flatMap { _ in ["QUEUE_INSERT", "QUEUE_REMOVE"] })
      let numbers = transport.sentNumbers.dropFirst(before)
      #expect(numbers.count == 2000 && zip(numbers, numbers.dropFirst()).allSatisfy(<))
      await session.leave()
    }

    @Test("cancelling ends the waiting at once; the number is never used again")
    func cancels() async throws {
      let (session, transport) = try await Self.active(answering: ["GET_STATUS", "PLAY"])
      let request = session.remoteMediaClient.pause()
      request.cancel()
      guard case .aborted(.cancelled) = await request.outcome else { throw CastError(.invalidState, "") }
      let status = try await session.remoteMediaClient.play().value
      #expect(status != nil)
      let ids = transport.sentNumbers
      #expect(Set(ids).count == ids.count)
      await session.leave()
    }

    @Test("cancelling the task that waits cancels the request")
    func cancelsWithTheTask() async throws {
      let (session, _) = try await Self.active()
      let request = session.remoteMediaClient.pause()
      let waiting = Task { await request.outcome }
      waiting.cancel()
      guard case .aborted(.cancelled) = await waiting.value else { throw CastError(.invalidState, "") }
      await session.leave()
    }

    @Test("delegates hear how each request ends, also when they come late")
    func tellsDelegates() async throws {
      let (session, _) = try await Self.active(answering: ["GET_STATUS", "PLAY"])
      let ends = Ends()
      let (play, seek, newer, none) = (
        session.remoteMediaClient.play(), session.remoteMediaClient.seek(to: 1),
        session.remoteMediaClient.seek(to: 2), session.remoteMediaClient.load(nil)
      )
      for request in [play, seek, newer] { request.delegate = ends }
      none.delegate = ends
      _ = await play.outcome
      _ = await seek.outcome
      newer.cancel()
      #expect(
        ends.heard.sorted() == ["LOAD invalid_request", "PLAY", "SEEK cancelled", "SEEK replaced"])
      await session.leave()
    }

    @Test("every request of a session that ends is over, exactly once")
    func endsWithTheSession() async throws {
      let (session, _) = try await Self.active()
      let requests = (0..<50).map { _ in session.remoteMediaClient.pause() }
      await session.leave()
      for request in requests {
        guard case .failed(let error) = await request.outcome else { throw CastError(.invalidState, "") }
        #expect([.cancelled, .sessionIsNotActive].contains(error.code))
      }
      #expect(!session.remoteMediaClient.play().isInProgress)
    }
  }
}

private final class Ends: RequestDelegate {
  private let ends = Mutex<[String]>([])
  var heard: [String] { ends.withLock { $0 } }

  func requestDidComplete(_ request: any CastRequest) { ends.withLock { $0.append(request.name) } }
  func request(_ request: any CastRequest, didFailWith error: CastError) {
    ends.withLock { $0.append("\(request.name) \(error.code)") }
  }
  func request(_ request: any CastRequest, didAbortWith reason: RequestAbortReason) {
    ends.withLock { $0.append("\(request.name) \(reason)") }
  }
}
