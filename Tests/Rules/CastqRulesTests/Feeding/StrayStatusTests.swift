import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
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
    var random = SeededGenerator(seed: UInt64(seed))
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

  /// A machine whose load is on its way, without a word from the receiver yet.
  private func loading(_ machine: inout FeederMachine) -> [MediaQueueItem] {
    let places = (1...2).map {
      UpcomingEntry(entry: EntryID($0), turn: 0, round: 0, attempts: 0, draft: video("v\($0)"))
    }
    _ = machine.handle(.begin(nil), at: .zero, wall: WallTime(milliseconds: 0))
    return load(places, &machine)
  }

  private func load(_ places: [UpcomingEntry], _ machine: inout FeederMachine) -> [MediaQueueItem] {
    machine.handle(.upcoming(places), at: .zero, wall: WallTime(milliseconds: 0)).flatMap { action in
      if case .load(let items, _, _) = action { items } else { [MediaQueueItem]() }
    }
  }

  /// What a receiver says that plays the first of these items.
  private func playing(_ items: [MediaQueueItem], session: Int, hasTags: Bool) -> MediaStatus {
    var status = MediaStatus(mediaSessionID: MediaSessionID(session))
    status.playerState = .playing
    status.currentItemID = MediaQueueItemID(1)
    status.mediaInformation = items.first?.mediaInformation
    guard hasTags else { return status }
    status.queueItems = items.enumerated().map { index, item in
      var item = item
      item.itemID = MediaQueueItemID(index + 1)
      return item
    }
    return status
  }

  @Test(
    "while a load is on its way, a stranger's status begins nothing of ours", arguments: [true, false],
    [MediaPlayerState.playing, .paused, .buffering])
  func whileLoading(hasTags: Bool, state: MediaPlayerState) {
    var machine = FeederMachine(queue: "q")
    let items = loading(&machine)
    #expect(items.count == 2)
    let strange = machine.handle(.mediaStatus(stray(state)), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(strange.isEmpty, "\(strange)")
    #expect(!machine.isShowing)
    let ours = playing(items, session: 5, hasTags: hasTags)
    _ = machine.handle(.mediaStatus(ours), at: .zero, wall: WallTime(milliseconds: 0))
    _ = machine.handle(.edited(.done), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(machine.isShowing && machine.currentEntry == EntryID(1))
  }

  @Test("late words of a load that was given up are not taken for those of the next one")
  func givenUp() {
    var machine = FeederMachine(queue: "q")
    let items = loading(&machine)
    _ = machine.handle(.restart(from: EntryID(1)), at: .zero, wall: WallTime(milliseconds: 0))
    let again = load(
      [UpcomingEntry(entry: EntryID(1), turn: 1, round: 0, attempts: 0, draft: video("v1"))], &machine)
    #expect(again.count == 1)
    let late = playing(items, session: 4, hasTags: true)
    _ = machine.handle(.mediaStatus(late), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(!machine.isShowing)
    let ours = playing(again, session: 5, hasTags: true)
    _ = machine.handle(.mediaStatus(ours), at: .zero, wall: WallTime(milliseconds: 0))
    _ = machine.handle(.edited(.done), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(machine.isShowing && machine.current == EntryTurn(entry: EntryID(1), turn: 2))
  }

  @Test("a receiver that keeps no tags and changes addresses is believed once it has answered the load")
  func otherAddresses() {
    var machine = FeederMachine(queue: "q")
    let items = loading(&machine)
    var ours = playing(items, session: 5, hasTags: false)
    ours.mediaInformation?.contentID = "https://elsewhere/v1"
    _ = machine.handle(.mediaStatus(ours), at: .zero, wall: WallTime(milliseconds: 0))
    let answered = machine.handle(.edited(.done), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(answered.contains(.requestStatus))
    _ = machine.handle(.mediaStatus(ours), at: .zero, wall: WallTime(milliseconds: 0))
    #expect(machine.isShowing && machine.currentEntry == EntryID(1))
  }

  @Test(
    "while it is found out what a receiver holds, one stray or empty status cuts nothing",
    arguments: [true, false])
  func whileAdopting(isEmpty: Bool) {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 12)
    bench.send(.lost("gone"))
    let report = bench.receiver.report(at: bench.now)
    let began = bench.machine.handle(
      .begin(report, isSameApplication: true), at: bench.now, wall: bench.wall)
    #expect(began.contains(.fetchItemIDs))
    let asked = bench.machine.handle(
      .mediaStatus(isEmpty ? nil : stray(.playing)), at: bench.now, wall: bench.wall)
    #expect(
      asked.contains(.requestStatus) && !asked.contains { if case .release = $0 { true } else { false } })
    bench.send(
      .mediaStatus(report), .statusAnswered(.told),
      .edited(.itemIDs(bench.receiver.items.compactMap(\.itemID))))
    bench.run(seconds: 100)
    #expect(bench.loads == 1)
    #expect(bench.outcomes == ["e1.1 finished", "e2.1 finished"])
  }

  @Test(
    "what the answer confirms while it is found out what a receiver holds is believed",
    arguments: [true, false])
  func confirmedWhileAdopting(isEmpty: Bool) {
    let bench = FeederBench(count: 2)
    bench.begin()
    bench.run(seconds: 12)
    bench.send(.lost("gone"))
    let report = bench.receiver.report(at: bench.now)
    _ = bench.machine.handle(.begin(report, isSameApplication: true), at: bench.now, wall: bench.wall)
    if isEmpty {
      _ = bench.receiver.stop(.cancelled, at: bench.now)
      bench.send(.mediaStatus(nil))
    } else {
      _ = bench.receiver.takeOver(at: bench.now)
      bench.send(.mediaStatus(bench.receiver.report(at: bench.now)))
    }
    #expect(bench.outcomes == ["e1.1 interrupted"])
    // The question for its queue is answered as well.
    bench.send(.edited(.failed(EditFailure(kind: .noMediaSession, reason: PlayReason()))))
    #expect(bench.loads == 2)
  }
}
