import CastProtocol
import CastqFeeding
import CastqPlaylists
import GRDB
import Testing
@testable import CastqStore

@Suite("History")
struct HistoryStoreTests {
  /// The facts of three plays: one to its end with an ad, one that failed at once, one that is cut.
  private func story(_ ids: [EntryID]) -> [RecordedFact] {
    let turns = ids.map { EntryTurn(entry: $0, turn: 1) }
    let ad = AdPlay(breakID: "b", clipID: "c", startedAt: moment(12), played: 4, isSkipped: true)
    let words = PlayReason(
      idleReason: "ERROR", errorType: "LOAD_FAILED", errorReason: "INVALID_PARAMS", detailedCode: 104,
      note: "n")
    let progress = ProgressedPlay(at: moment(11), position: 1, played: 1, duration: 31)
    return [
      RecordedFact(fact: started(turns[0], at: 10), effect: EntryEffect(state: .playing)),
      RecordedFact(fact: .progressed(turns[0], progress), effect: nil),
      RecordedFact(fact: .adEnded(turns[0], ad), effect: nil),
      RecordedFact(fact: ended(turns[0], at: 20), effect: EntryEffect(state: .finished, round: 1)),
      RecordedFact(
        fact: ended(turns[1], at: 21, .failed, reason: words),
        effect: EntryEffect(state: .pending, countsAttempt: true)),
      RecordedFact(fact: started(turns[2], at: 22), effect: EntryEffect(state: .playing)),
      RecordedFact(fact: ended(turns[2], at: 30, .interrupted), effect: EntryEffect(state: .pending)),
    ]
  }

  @Test("facts become rows and move their entries; told again, they change no row")
  func replay() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    for id in ids { try fixture.offer(id) }
    let story = story(ids)
    for prefix in 1...story.count {
      try fixture.history.record(Array(story.prefix(prefix)), device: fixture.device)
    }
    let rows = try fixture.dump()
    try fixture.history.record(story, device: fixture.device)
    try fixture.history.record(story.reversed(), device: fixture.device)
    #expect(try fixture.dump() == rows)
    #expect(try fixture.states() == [.finished, .pending, .pending])
    #expect(try fixture.queue.entries(for: fixture.id).map(\.attempts) == [0, 1, 0])
    let plays = try fixture.history.plays(matching: .init())
    #expect(plays.map(\.title) == ["a", "b", "c"])
    #expect(plays.map(\.outcome) == [.finished, .failed, .interrupted])
    #expect(plays.map(\.startedAt) == [moment(10), nil, moment(22)])
    #expect(plays.map(\.endedAt) == [moment(20), moment(21), moment(30)])
    #expect(plays.map(\.playedSeconds) == [5, 0, 5])
    #expect(plays.map(\.duration) == [30, 30, 30])
    #expect(
      plays[0].adPlays == [
        AdPlay(breakID: "b", clipID: "c", startedAt: moment(12), played: 4, isSkipped: true)
      ])
    #expect(plays[1].reason?.detailedCode == 104)
    #expect(plays[1].reason?.errorReason == "INVALID_PARAMS")
    #expect(plays[0].reason == nil)
  }

  @Test("facts are kept together or not at all")
  func together() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b"])
    try fixture.offer(ids[0])
    let before = try fixture.dump()
    let bad = EndedPlay(
      at: moment(3), position: 1, played: 1, duration: -1, outcome: .finished, evidence: .reported)
    let turn = EntryTurn(entry: ids[0], turn: 1)
    #expect(throws: StoreError.self) {
      try fixture.history.record(
        [
          RecordedFact(fact: started(turn, at: 1), effect: EntryEffect(state: .playing)),
          RecordedFact(fact: .ended(turn, bad), effect: EntryEffect(state: .finished)),
        ], device: fixture.device)
    }
    #expect(try fixture.dump() == before)
  }

  @Test("rows are chosen by device, time, outcome and number, the newest of them, oldest first")
  func filters() throws {
    let fixture = try StoreFixture()
    let hall = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    let ids = try fixture.enqueue(["a", "b", "c"])
    for id in ids { try fixture.offer(id) }
    try fixture.history.record(story(ids), device: fixture.device)
    let other = try fixture.queue.enqueue([draft("x")], for: hall.id, placement: .end, at: moment(0))[0].id
    try fixture.queue.offer(
      [OfferedTurn(turn: EntryTurn(entry: other, turn: 1), round: 0)], for: hall.id, at: moment(1))
    try fixture.history.record(
      [RecordedFact(fact: started(EntryTurn(entry: other, turn: 1), at: 40), effect: nil)], device: hall)
    func titles(_ change: (inout HistoryStore.Filter) -> Void) throws -> [String] {
      var filter = HistoryStore.Filter()
      change(&filter)
      return try fixture.history.plays(matching: filter).map(\.title)
    }
    #expect(try titles { _ in } == ["a", "b", "c", "x"])
    #expect(try titles { $0.device = hall.id } == ["x"])
    #expect(try titles { $0.since = moment(21) } == ["b", "c", "x"])
    #expect(try titles { $0.until = moment(22) } == ["a", "b"])
    #expect(try titles { $0.outcome = .failed } == ["b"])
    #expect(try titles { $0.limit = 2 } == ["c", "x"])
    #expect(try titles { $0.limit = 0 } == [])
    #expect(try titles { $0.afterPlay = 2 } == ["c", "x"])
    #expect(
      try titles {
        $0.device = fixture.id
        $0.since = moment(10)
        $0.until = moment(23)
        $0.limit = 1
      } == ["c"])
  }

  @Test("plays come as they began, the newest of them too; those who follow have them as they were written")
  func order() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["early", "late", "never"])
    for id in ids { try fixture.offer(id) }
    func write(_ index: Int, at time: Double, fails: Bool = false) throws {
      let turn = EntryTurn(entry: ids[index], turn: 1)
      let fact = fails ? ended(turn, at: time, .failed) : started(turn, at: time)
      try fixture.history.record([RecordedFact(fact: fact, effect: nil)], device: fixture.device)
    }
    // A database that could not be written for a while has them in the order in which it could.
    try write(1, at: 30)
    try write(2, at: 20, fails: true)
    try write(0, at: 10)
    func titles(_ order: HistoryStore.Order, _ limit: Int?) throws -> [String] {
      var filter = HistoryStore.Filter()
      (filter.order, filter.limit) = (order, limit)
      return try fixture.history.plays(matching: filter).map(\.title)
    }
    #expect(try titles(.begun, nil) == ["early", "never", "late"])
    #expect(try titles(.begun, 2) == ["never", "late"])
    #expect(try titles(.written, nil) == ["late", "never", "early"])
    #expect(try titles(.written, 1) == ["early"])
  }

  @Test("a window of time has every play of which a part lies in it, its end not included")
  func overlap() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c", "d"])
    for id in ids { try fixture.offer(id) }
    // 'a' plays from 10 to 20, 'b' fails at 21, 'c' plays from 22 to 30, 'd' plays on from 40.
    try fixture.history.record(story(Array(ids.prefix(3))), device: fixture.device)
    try fixture.history.record(
      [RecordedFact(fact: started(EntryTurn(entry: ids[3], turn: 1), at: 40), effect: nil)],
      device: fixture.device)
    func titles(_ since: Double?, _ until: Double?) throws -> String {
      var filter = HistoryStore.Filter()
      filter.since = since.map(moment)
      filter.until = until.map(moment)
      return try fixture.history.plays(matching: filter).map(\.title).joined()
    }
    #expect(try titles(15, nil) == "abcd")
    #expect(try titles(20, nil) == "bcd")
    #expect(try titles(21, 22) == "b")
    #expect(try titles(25, 26) == "c")
    #expect(try titles(30, 40) == "")
    #expect(try titles(1000, nil) == "d")
    #expect(try titles(nil, 10) == "")
    #expect(try titles(nil, 11) == "a")
  }

  @Test("a run counts the plays of its own list: not what rules showed meanwhile, nor what took its place")
  func tally() throws {
    let fixture = try StoreFixture()
    let before = try fixture.enqueue(["x"])
    try fixture.play(before[0])
    let mark = try fixture.history.lastPlay(of: fixture.id, isOver: false)
    func replace(_ names: [String]) throws -> [EntryID] {
      try fixture.queue.replace(
        with: Playlist(drafts: names.map { draft($0) }), for: fixture.id, seed: 1, at: moment(0)
      ).map(\.id)
    }
    let own = try replace(["a", "b", "c"])
    for id in own { try fixture.offer(id) }
    try fixture.history.record(story(own), device: fixture.device)
    let unseen = try fixture.enqueue(["d"])[0]
    try fixture.offer(unseen)
    let turn = EntryTurn(entry: unseen, turn: 1)
    try fixture.record(started(turn, at: 31), EntryEffect(state: .playing))
    try fixture.record(ended(turn, at: 40, .unknown), EntryEffect(state: .finished, round: 1))
    let rule = try fixture.enqueue(["r"])[0]
    try fixture.play(rule)
    try fixture.outside().write { db in
      try db.execute(sql: "UPDATE play SET kind = 'rule' WHERE entry_id = ?", arguments: [rule.rawValue])
    }
    func tally(_ first: EntryID?, isReplaced: Bool = false) throws -> HistoryStore.Tally {
      try fixture.history.tally(of: fixture.id, after: mark, from: first, isReplaced: isReplaced)
    }
    let whole = HistoryStore.Tally(finished: 1, failed: 1, skipped: 0, interrupted: 1, unknown: 1)
    #expect(try tally(own[0]) == whole)
    #expect(try tally(nil) == whole, "a run of what was queued")
    #expect(try tally(unseen).unknown == 1 && tally(unseen).finished == 0)
    let other = try replace(["z"])
    try fixture.play(other[0])
    #expect(try tally(own[0], isReplaced: true) == whole)
    #expect(try tally(nil, isReplaced: true) == whole)
    #expect(try tally(other[0]).finished == 1)
    // Its end is not known yet, and nobody else's.
    try fixture.offer(other[0])
    try fixture.record(started(EntryTurn(entry: other[0], turn: 2), at: 50), EntryEffect(state: .playing))
    #expect(try tally(other[0]).open == 1 && tally(own[0], isReplaced: true).open == 0)
    let last = try replace(["y"])
    #expect(try tally(other[0], isReplaced: true).open == 1 && tally(last[0]).open == 0)
  }

  @Test("a row keeps the words of its day")
  func snapshot() throws {
    let fixture = try StoreFixture()
    var entry = draft("id")
    entry.media.contentURL = "https://h/u"
    entry.media.metadata = MediaMetadata(values: ["title": "Title"])
    entry.source = SourceLocation(file: "list.m3u", line: 3)
    let id = try fixture.queue.enqueue([entry], for: fixture.id, placement: .end, at: moment(0))[0].id
    try fixture.play(id)
    try fixture.queue.clear(for: fixture.id)
    try fixture.devices.setAlias("foyer", of: fixture.id)
    let play = try #require(try fixture.history.plays(matching: .init()).first)
    #expect(play.title == "Title")
    #expect(play.url == "https://h/u")
    #expect(play.source == SourceLocation(file: "list.m3u", line: 3))
    #expect(play.device == "Lobby")
    #expect(play.turn == EntryTurn(entry: id, turn: 1))
  }

  @Test("gaps are those of one device's newest plays; plays that follow no other have none")
  func gaps() throws {
    let fixture = try StoreFixture()
    let other = try fixture.devices.add(name: "Hall", endpoint: DeviceEndpoint(host: "h"), at: moment(0))
    #expect(try fixture.history.gaps(of: fixture.id).count == 0)
    let ids = try fixture.enqueue(["a", "b"])
    func play(_ turn: Int, gap: Double?, on device: KnownDevice) throws {
      let start = StartedPlay(at: moment(Double(turn)), position: 0, duration: 30, gapBefore: gap)
      let id = device == other ? ids[1] : ids[0]
      try fixture.history.record(
        [RecordedFact(fact: .started(EntryTurn(entry: id, turn: turn), start), effect: nil)], device: device)
    }
    try play(1, gap: nil, on: fixture.device)
    for turn in 1...3 { try play(turn, gap: 9, on: other) }
    for turn in 2...(GapMeter.window + 11) { try play(turn, gap: turn < 12 ? 60 : 0.5, on: fixture.device) }
    let gaps = try fixture.history.gaps(of: fixture.id)
    #expect(gaps.count == GapMeter.window)
    #expect(gaps.p99 == 0.5, "the oldest ten do not count any more")
    #expect(try fixture.history.gaps(of: other.id).p50 == 9)
  }

  @Test("how long the media of a list were is told by the newest plays, and of no other address")
  func lengths() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.enqueue(["a", "b", "c"])
    let lengths: [Double?] = [20, 40, nil]
    for (number, length) in lengths.enumerated() {
      let turn = EntryTurn(entry: ids[0], turn: number + 1)
      let play = StartedPlay(
        at: moment(Double(number)), position: 0, duration: length.map { MediaTime(seconds: $0) },
        gapBefore: nil)
      try fixture.record(.started(turn, play), nil)
    }
    try fixture.play(ids[1])
    let hall = try fixture.devices.add(
      name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.2"), at: moment(0))
    _ = try fixture.queue.enqueue([draft("a")], for: hall.id, placement: .end, at: moment(0))
    #expect(try fixture.history.lengths(of: fixture.id) == ["a": 40, "b": 30])
    #expect(try fixture.history.lengths(of: hall.id) == ["a": 40], "whoever has played it")
    #expect(try fixture.history.lengths(of: ["b", "c", "z"]) == ["b": 30], "of some addresses alone")
    #expect(try fixture.history.lengths(of: []) == [:])
  }
}
