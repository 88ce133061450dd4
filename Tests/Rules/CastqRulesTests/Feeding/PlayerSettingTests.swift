import CastProtocol
import Testing
@testable import CastqFeeding
@testable import CastqPlaylists
@testable import CastqSchedule
@testable import CastqText

/// How a player was set when another list took the screen.
@Suite struct PlayerSettingTests {
  private let turn = EntryTurn(entry: EntryID(1), turn: 1)

  private var place: UpcomingEntry {
    var draft = video("v1")
    draft.media.mediaTracks = [1, 2].map { MediaTrack(identifier: $0, kind: .text) }
    draft.activeTrackIDs = [1]
    return UpcomingEntry(entry: turn.entry, turn: 0, round: 0, attempts: 0, draft: draft)
  }

  private func status(_ state: MediaPlayerState, rate: Double, tracks: [Int]?) -> MediaStatus {
    var status = MediaStatus(mediaSessionID: MediaSessionID(1))
    status.currentItemID = MediaQueueItemID(1)
    status.playerState = state
    status.playbackRate = rate
    status.activeTrackIDs = tracks
    return status
  }

  @Test(
    "pause, speed and tracks come back; a pause has no speed, and only tracks that the entry names are sent")
  func applied() {
    var feeder = FeederMachine(queue: "q")
    feeder.phase = .feeding(Holding())
    let item = FeedWindow.Item(turn: turn, place: place, attempts: 0)
    feeder.held.observePlayer(status(.playing, rate: 1.25, tracks: [2, 7]), of: item)
    feeder.held.observePlayer(status(.paused, rate: 0, tracks: nil), of: item)
    feeder.keepPlayer(of: turn)
    var place = place
    #expect(feeder.restored(place) == place, "it does not continue where it was cut")
    place.isContinued = true
    let restored = feeder.restored(place).draft
    #expect(!restored.autoplay && restored.playbackRate == 1.25 && restored.activeTrackIDs == [2])
  }

  @Test("entries that never come back do not fill the memory")
  func bounded() {
    var feeder = FeederMachine(queue: "q")
    feeder.phase = .feeding(Holding())
    for number in 1...1000 {
      let turn = EntryTurn(entry: EntryID(Int64(number)), turn: 1)
      feeder.held.observePlayer(
        status(.playing, rate: 1, tracks: nil), of: FeedWindow.Item(turn: turn, place: place, attempts: 0))
      feeder.keepPlayer(of: turn)
    }
    #expect((1...32).contains(feeder.interrupted.count) && feeder.interrupted[EntryID(1000)] != nil)
  }

  @Test("a run that waits until something is due keeps how players were set")
  func keptWhileWaiting() {
    var runner = RunnerMachine(device: RunnerBench.device, label: "lobby", queue: "lobby")
    let setting = PlayerSetting(of: FeedWindow.Item(turn: turn, place: place, attempts: 0))
    runner.feeder.interrupted[turn.entry] = setting
    let wall = WallTime(milliseconds: 0)
    _ = runner.handle(.begin, at: .zero, wall: wall)
    _ = runner.handle(.first(UpcomingList([], until: wall.adding(seconds: 90))), at: .zero, wall: wall)
    #expect(runner.outlook.reason == .notYet)
    #expect(runner.feeder.interrupted[turn.entry] == setting)
  }

  @Test("what was sent without autoplay has started when it is reported paused, and nothing else has")
  func startsPaused() {
    for startsPaused in [true, false] {
      var ledger = PlaybackLedger()
      let facts = ledger.observe(
        status(.paused, rate: 1, tracks: nil), turn: { _ in turn }, startsPaused: startsPaused, at: .zero,
        wall: WallTime(milliseconds: 0))
      #expect(facts.count == (startsPaused ? 1 : 0))
      #expect(ledger.shown(at: Tick(.seconds(60))) == (startsPaused ? 0 : nil))
    }
  }
}
