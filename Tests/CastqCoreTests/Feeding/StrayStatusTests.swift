import CastProtocol
import CastqCore
import Testing

/// A status that cannot be ours proves nothing by itself.
@Suite struct StrayStatusTests {
  private func stray(_ state: MediaPlayerState, _ reason: MediaPlayerIdleReason? = nil) -> MediaStatus {
    var status = MediaStatus(mediaSessionID: MediaSessionID(77))
    status.playerState = state
    status.idleReason = reason
    status.currentItemID = MediaQueueItemID(1)
    status.mediaInformation = MediaInformation(contentID: "theirs", contentType: "video/mp4")
    return status
  }

  @Test(
    "one status of another media session is asked about, and nothing has happened when ours plays on",
    arguments: [(.playing, nil), (.paused, nil), (.idle, .finished), (.idle, .cancelled)]
      as [(MediaPlayerState, MediaPlayerIdleReason?)], [false, true])
  func stray(told: (MediaPlayerState, MediaPlayerIdleReason?), isMute: Bool) {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 12.5)
    bench.isMute = isMute
    let before = bench.actions.count { $0 == .requestStatus }
    bench.send(.mediaStatus(stray(told.0, told.1)))
    #expect(bench.actions.count { $0 == .requestStatus } == before + 1)
    bench.run(seconds: 6)
    bench.isMute = false
    bench.run(seconds: 100)
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.loads == 1)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
  }

  @Test(
    "statuses that say little, nothing, or the same again do not cut an item that plays on", arguments: 1...60
  )
  func partial(seed: Int) {
    var random = FeedingRandom(seed: UInt64(seed))
    let bench = FeederBench([seed.isMultiple(of: 3) ? picture("p1") : video("v1"), video("v2")])
    bench.begin()
    var last = bench.receiver.report(at: bench.now)
    for _ in 0..<Int.random(in: 3...12, using: &random) {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bench.send(.mediaStatus(nil))
      case 1: if let last { bench.send(.mediaStatus(last)) }
      case 2:
        // What is left of a status when the sender has forgotten everything before it.
        var status = MediaStatus(mediaSessionID: MediaSessionID(bench.receiver.session))
        status.playerState = Bool.random(using: &random) ? .playing : .paused
        if status.playerState == .playing {
          status.streamPosition = bench.receiver.report(at: bench.now)?.streamPosition
        }
        bench.send(.mediaStatus(status))
      case 3:
        last = bench.receiver.report(at: bench.now)
        bench.send(.mediaStatus(last))
      default: bench.run(seconds: Double.random(in: 0...1.5, using: &random))
      }
    }
    bench.send(.mediaStatus(bench.receiver.report(at: bench.now)))
    bench.run(seconds: 100)
    #expect(bench.end == .drained(failed: 0))
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(bench.loads == 1)
  }

  @Test("a pause in the first moment of an item, and what is said of it, does not cut it")
  func pausedAtStart() {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 0.2)
    var paused = bench.receiver.report(at: bench.now)
    paused?.playerState = .paused
    for status in [paused, paused, nil, paused] { bench.send(.mediaStatus(status)) }
    bench.run(seconds: 1)
    bench.send(.mediaStatus(nil), .mediaStatus(bench.receiver.report(at: bench.now)))
    bench.run(seconds: 100)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
  }
}
