import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import GRDB
import Testing
@testable import CastqStore

/// Progress of plays is committed with the next commit, or together after a while.
@Suite struct WaitingProgressTests {
  /// Devices that each play an entry, and another process that sees commits.
  private struct World {
    let fixture: StoreFixture
    let outside: DatabaseQueue
    let devices: [KnownDevice]
    var feeders: [FeederRows<StoredRows>]
    let turns: [EntryTurn]

    init(count: Int) throws {
      fixture = try StoreFixture()
      var (devices, turns): ([KnownDevice], [EntryTurn]) = ([], [])
      for number in 0..<count {
        let device = try fixture.devices.add(
          name: "tv \(number)", endpoint: DeviceEndpoint(host: "h\(number)"), at: moment(0))
        let entry = try fixture.queue.enqueue(
          [draft("film")], for: device.id, placement: .end, at: moment(0))[0].id
        let turn = EntryTurn(entry: entry, turn: 1)
        try fixture.queue.offer([OfferedTurn(turn: turn, round: 0)], for: device.id, at: moment(1))
        try fixture.history.record([RecordedFact(fact: started(turn, at: 2), effect: nil)], device: device)
        devices.append(device)
        turns.append(turn)
      }
      (self.devices, self.turns) = (devices, turns)
      feeders = devices.map { [fixture] in FeederRows<StoredRows>(device: $0, database: fixture.database) }
      outside = try fixture.outside()
    }

    mutating func progress(_ index: Int, _ seconds: Double, at now: Tick = .zero) throws {
      let play = ProgressedPlay(
        at: moment(2 + seconds), position: MediaTime(seconds: seconds), played: seconds, duration: nil)
      let fact = RecordedFact(fact: .progressed(turns[index], play), effect: nil)
      try feeders[index].write(.record([fact]), at: now)
    }

    /// What another process reads.
    func played() throws -> [Double] {
      try outside.read {
        try Double.fetchAll($0, sql: "SELECT coalesce(played_s, 0) FROM play ORDER BY device_id")
      }
    }

    /// Changes with each commit.
    func version() throws -> Int {
      try outside.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
  }

  @Test("the progress of many devices is one commit")
  func together() throws {
    var world = try World(count: 20)
    let before = try world.version()
    for index in 0..<20 {
      try world.progress(index, 3)
      try world.progress(index, 5)
    }
    #expect(try world.version() == before, "nothing waits for the disk")
    try world.feeders[7].commitProgress(at: .zero)
    #expect(try world.version() == before + 1)
    #expect(try world.played() == Array(repeating: 5, count: 20))
    try world.feeders[8].commitProgress(at: .zero)
    #expect(try world.version() == before + 1, "nothing is left")
  }

  @Test("devices that report one after another share a commit a second")
  func shared() throws {
    var world = try World(count: 20)
    let before = try world.version()
    var (commits, version) = (0, before)
    for step in 0..<100 {
      let now = Tick(.milliseconds(100 * step))
      try world.progress(step % 20, Double(step), at: now)
      for index in 0..<20 { _ = try world.feeders[index].work(at: now) }
      let newer = try world.version()
      if newer != version { commits += 1 }
      version = newer
    }
    #expect((8...10).contains(commits), "\(commits) commits in 10 s")
  }

  @Test("more progress does not postpone the commit, and there is none where nothing waits")
  func punctual() throws {
    var world = try World(count: 1)
    #expect(world.feeders[0].nextWork == nil)
    for tenth in 0..<9 { try world.progress(0, Double(tenth), at: Tick(.milliseconds(100 * tenth))) }
    #expect(world.feeders[0].nextWork == Tick(.seconds(1)))
    _ = try world.feeders[0].work(at: Tick(.milliseconds(999)))
    #expect(try world.played() == [0])
    _ = try world.feeders[0].work(at: Tick(.seconds(1)))
    #expect(try world.played() == [8] && world.feeders[0].nextWork == nil)
  }

  @Test("any commit takes the progress that waits with it, and an end comes after it")
  func takenAlong() throws {
    var world = try World(count: 2)
    try world.progress(0, 3)
    try world.progress(1, 4)
    let end = RecordedFact(fact: ended(world.turns[1], at: 12), effect: nil)
    try world.feeders[1].write(.record([end]), at: .zero)
    #expect(try world.played()[0] == 3)
    let plays = try world.fixture.history.plays(matching: HistoryStore.Filter())
    #expect(plays.map(\.outcome) == [nil, .finished])
    #expect(!world.devices.contains { world.fixture.database.progress.waits(for: $0.id) })
  }

  @Test("a run that ends leaves no progress behind")
  func finished() throws {
    var world = try World(count: 1)
    try world.progress(0, 3)
    #expect(world.feeders[0].finish(at: .zero) == nil)
    #expect(try world.played() == [3])
  }

  @Test("a run that ends and cannot commit its progress says so")
  func missing() throws {
    var world = try World(count: 1)
    try world.progress(0, 3)
    try world.outside.write { try $0.execute(sql: "ALTER TABLE play RENAME TO gone") }
    let finished = world.feeders[0].finish(at: .zero)
    let end = try #require(finished)
    #expect(end.missing == 1 && end.error?.code == "database")
  }

  @Test("progress that cannot be committed is an outage, waits for its end, and is written then")
  func outage() throws {
    var world = try World(count: 1)
    try world.progress(0, 3)
    try world.fixture.database.outsideTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 1") }
    try world.outside.writeWithoutTransaction { other in
      try other.inTransaction(.immediate) {
        try world.progress(0, 6)
        try world.feeders[0].commitProgress(at: .zero)
        #expect(world.feeders[0].takeNews() != nil)
        #expect(world.feeders[0].catchUp(at: .zero) == nil, "it has not ended")
        return .commit
      }
    }
    #expect(world.feeders[0].catchUp(at: .zero) != nil)
    #expect(try world.played() == [6])
  }

  @Test("a row that does not take its progress keeps no other back")
  func refusedRow() throws {
    var world = try World(count: 2)
    try world.fixture.database.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER no BEFORE UPDATE ON play WHEN new.device_id = \(world.devices[0].id.rawValue)
          BEGIN SELECT raise(ABORT, 'no'); END
          """)
    }
    try world.progress(0, 3)
    try world.progress(1, 4)
    try world.feeders[1].commitProgress(at: .zero)
    #expect(try world.played() == [0, 4])
    #expect(!world.devices.contains { world.fixture.database.progress.waits(for: $0.id) })
  }
}
