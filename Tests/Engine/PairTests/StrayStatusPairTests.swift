import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import Testing

/// A status of a media session that is not there, through the session and the feeder.
@Suite struct StrayStatusPairTests {
  @Test(
    "one stray status never makes a feeder load anew, whenever it comes and whatever it shows",
    arguments: [nil, "http://media/theirs.mp4"], [0.5, 3, 5.5, 7.9])
  func feeder(url: String?, seconds: Double) {
    var feed = FeedFixture.feed(["v8.mp4", "v6.mp4", "v4.mp4"])
    feed.run(until: Tick(.seconds(seconds)))
    feed.control(.strayStatus(SimStray(url: url)))
    feed.run(until: Tick(.seconds(90)))
    let story = feed.log.joined(separator: "\n")
    #expect(feed.log.count { $0.hasSuffix(" LOAD") || $0.hasSuffix(" QUEUE_LOAD") } == 1, "\(story)")
    #expect(feed.end == .drained(failed: 0), "\(story)")
    #expect(feed.rows.entries(.finished) == [1, 2, 3], "\(story)")
  }

  @Test("the answer to a question for the status puts a wrong media session right", arguments: [false, true])
  func session(isOver: Bool) throws {
    var session = VirtualSession()
    let target = SessionTarget(
      endpoint: DeviceEndpoint(host: "tv"), purpose: .play(applicationID: "CC1AD845"))
    session.tell(.start(target))
    session.run(for: .seconds(2))
    let media = MediaInformation(contentID: "http://media/v60.mp4", contentType: "video/mp4")
    _ = session.outcome(of: .load(LoadRequest(media: media)), 1)
    if isOver { _ = session.outcome(of: .stop, 2) }
    session.hear(["type": "MEDIA_STATUS", "requestId": 0, "status": [Self.stray]])
    #expect(session.mediaSessionID == MediaSessionID(99))
    let answer = session.outcome(of: .getStatus(), 3)
    #expect((try? answer?.get()) != nil)
    #expect(session.mediaSessionID == (isOver ? nil : MediaSessionID(1)))
    // What is asked for now is about what is there.
    let pause = session.outcome(of: .pause, 4)
    #expect(((try? pause?.get()) != nil) == !isOver, "\(String(describing: pause))")
  }

  private static let stray: JSONValue = [
    "mediaSessionId": 99, "playerState": "PLAYING", "media": ["contentId": "theirs"],
  ]
}

extension VirtualSession {
  fileprivate var mediaSessionID: MediaSessionID? {
    let statuses = events.compactMap { event -> MediaStatus?? in
      if case .mediaStatus(let status) = event { .some(status) } else { nil }
    }
    return statuses.last?.map(\.mediaSessionID)
  }

  /// Asks, and gives the receiver time to answer.
  fileprivate mutating func outcome(of request: MediaRequest, _ number: Int) -> Result<Reply, CastError>? {
    tell(.request(RequestToken(number), .media(request, customData: nil)))
    run(for: .seconds(2))
    return outcomes[RequestToken(number)]
  }

  /// A message of the application to everybody.
  fileprivate mutating func hear(_ body: JSONValue) {
    guard let application = sent.last(where: { $0.namespace == .media })?.destination else { return }
    tell(
      .received(
        CastMessage(source: application, destination: .broadcast, namespace: .media, json: body)))
  }
}
