import CastProtocol
import Testing

/// Requests that a session does not send, and what it says instead.
@Suite struct RefusedRequestTests {
  private static func failure(_ actions: [SessionMachine.Action]) -> CastError? {
    for case .complete(_, .failure(let error)) in actions { return error }
    return nil
  }

  @Test(
    "a seek to what is no number is not sent, and leaves an earlier one alone",
    arguments: [
      SeekOptions.Target.position(MediaTime(seconds: .nan)), .position(MediaTime(seconds: .infinity)),
      .offset(MediaTime(seconds: .nan)),
    ])
  func seeksNowhere(target: SeekOptions.Target) {
    var machine = Stage.active.machine()
    let now = Tick(.seconds(2))
    _ = machine.handle(.request(RequestToken(1), .media(.seek(SeekOptions(.position(30))))), at: now)
    let actions = machine.handle(.request(RequestToken(2), .media(.seek(SeekOptions(target)))), at: now)
    #expect(actions == [.complete(RequestToken(2), .failure(CastError(.invalidRequest, "")))])
    #expect(machine.requestID(of: RequestToken(1)) != nil)
  }

  private static func requests(_ number: Double) -> [SenderRequest] {
    let time = MediaTime(seconds: number)
    let media = MediaInformation(contentID: "http://media/a.mp4", contentType: "video/mp4")
    let items = [nil, time].map { MediaQueueItem(mediaInformation: media, startTime: $0) }
    let id = MediaQueueItemID(1)
    let requests: [MediaRequest] = [
      .setPlaybackRate(.rate(number)), .setPlaybackRate(.factor(number)), .setVolume(Volume(level: number)),
      .load(LoadRequest(media: media, currentTime: time)),
      .load(LoadRequest(media: media, playbackRate: number)),
      .load(LoadRequest(queueData: MediaQueueData(items: items))),
      .load(LoadRequest(queueData: MediaQueueData(items: [items[0]], startTime: time))),
      .queueLoad(QueueLoad(items: items)), .queueLoad(QueueLoad(items: [items[0]], currentTime: time)),
      .queueInsert(QueueInsert(items: items)),
      .queueInsert(QueueInsert(items: [items[0]], current: .inserted(index: 0), currentTime: time)),
      .queueUpdate(QueueUpdate(items: items)),
      .queueUpdate(QueueUpdate(currentItemID: id, currentTime: time)),
      .queueRemove(QueueRemove(itemIDs: [], currentItemID: id, currentTime: time)),
    ]
    return requests.map { SenderRequest.media($0) } + [.receiver(.setVolume(.level(number)))]
  }

  @Test(
    "a speed, a volume or a position that is no number is not sent, and the words name it",
    arguments: [Double.nan, .infinity, -.infinity])
  func noNumbers(number: Double) {
    for request in Self.requests(number) {
      var machine = Stage.active.machine()
      let actions = machine.handle(.request(RequestToken(1), request), at: Tick(.seconds(2)))
      #expect(
        actions == [.complete(RequestToken(1), .failure(CastError(.invalidRequest, "")))], "\(request)")
      #expect(Self.failure(actions)?.message.hasSuffix(" is no number; give a finite one") == true)
    }
    for request in Self.requests(1) {
      var machine = Stage.active.machine()
      let actions = machine.handle(.request(RequestToken(1), request), at: Tick(.seconds(2)))
      #expect(Self.failure(actions)?.message.contains("no number") != true, "\(request)")
    }
  }

  @Test("while it is unknown whether the application still runs, the session is not said to have ended")
  func parting() throws {
    var machine = Stage.parting.machine()
    let now = Tick(.seconds(2))
    let actions = machine.handle(.request(RequestToken(1), .media(.play)), at: now)
    let refused = try #require(Self.failure(actions))
    #expect(refused.code == .sessionIsNotActive && refused.message.contains("closed the connection"))
    #expect(!machine.isEnded)
    // It still runs: the session joins it again.
    _ = machine.handle(Conversation.platform(Conversation.running), at: now)
    let rejoined = Conversation.playing.replacing(#""requestId":2"#, with: #""requestId":4"#)
    _ = machine.handle(Conversation.media(rejoined), at: now)
    #expect(machine.isInApplication)
  }
}
