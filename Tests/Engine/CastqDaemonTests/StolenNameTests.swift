import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqStore
import CastqText
import Foundation
import Synchronization
import Testing

extension DaemonTests {
  /// A stranger who announces the id of a pinned device.
  @Suite(.timeLimit(.minutes(2))) struct StolenNameTests {
    private static let id = String(repeating: "5", count: 32)

    private static func device(_ host: String = "127.0.0.1", _ port: Int = 8009) -> Device {
      Device(endpoint: DeviceEndpoint(host: host, port: port), friendlyName: "Lobby", uniqueID: id)
    }

    @Test(
      "a pinned device is back after it was off, although only a stranger is announced: he is called once")
    func comesBack() async throws {
      let stage = try await Stage(speed: 1) { $0.platform.authentication = .honest }
      let store = DeviceStore(stage.database)
      try store.remove(stage.device.id, at: .today)
      let home = Self.device("127.0.0.1", stage.server.port)
      let row = try #require(try store.found([home], adding: true, at: .today).first)
      _ = try stage.queue.enqueue(
        [Stage.draft(Stage.sample("welcome.mp4"), title: "film")], for: row.id, placement: .end, at: .today)
      let (finder, places) = (FakeFinder([home]), ProvedPlaces())
      var settings = DeviceSettings()
      settings.runner.reconnect = ReconnectPolicy(waits: [.milliseconds(50)], jitter: 0)
      settings.trust = LedgerTrust(
        store: store, places: places, logger: Session.silentLogger, start: .today, now: { .today })
      settings.resolver = LedgerResolver(
        store: store, finder: finder, places: places, logger: Session.silentLogger, now: { .today })
      let refusals = Mutex(0)
      let running = Running(
        feeder: try DeviceFeeder(device: row, database: stage.database, logger: Session.silentLogger),
        settings
      ) { report in
        guard case .retrying(let error, _, _) = report, Failure(error).exit == .notPermitted else {
          return
        }
        refusals.withLock { $0 += 1 }
      }
      #expect(await running.started("film"))
      let stranger = try await Stage.serve { $0.platform.authentication = .otherDevice }
      let stolen = Self.device("127.0.0.1", stranger.port)
      finder.put([stolen])
      try store.found([stolen], at: .today)
      #expect(try store.device(row.id)?.endpoint == stolen.endpoint)
      await stage.server.stop()
      // The stranger is called, and does not prove the key; then nobody answers.
      var isRefused = false
      _ = await running.next { report in
        guard case .retrying(let error, _, _) = report else { return false }
        defer { isRefused = isRefused || Failure(error).exit == .notPermitted }
        return isRefused
      }
      let back = try await Stage.serve(port: stage.server.port) { $0.platform.authentication = .honest }
      #expect(await running.outcome().drainedFailures == 0)
      #expect(try store.device(row.id)?.endpoint == home.endpoint)
      await back.stop()
      await stranger.stop()
      // One call is told twice: by its session, and by the run that gives the session up.
      #expect(refusals.withLock(\.self) == 2)
    }

    @Test(
      "after a restart the device is called where it proved its key, although only a stranger is announced")
    func afterRestart() async throws {
      let stage = try await Stage(speed: 1) { $0.platform.authentication = .honest }
      let store = DeviceStore(stage.database)
      try store.remove(stage.device.id, at: .today)
      let home = Self.device("127.0.0.1", stage.server.port)
      let row = try #require(try store.found([home], adding: true, at: .today).first)
      let finder = FakeFinder([home])
      let stranger = try await Stage.serve { $0.platform.authentication = .otherDevice }
      for run in ["before", "after"] {
        _ = try stage.queue.enqueue(
          [Stage.draft(Stage.sample("welcome.mp4"), title: run)], for: row.id, placement: .end, at: .today)
        // What a process has met goes with it.
        let places = ProvedPlaces()
        try places.remember(store)
        var settings = DeviceSettings()
        settings.runner.reconnect = ReconnectPolicy(waits: [.milliseconds(50)], jitter: 0)
        settings.trust = LedgerTrust(
          store: store, places: places, logger: Session.silentLogger, start: .today, now: { .today })
        settings.resolver = LedgerResolver(
          store: store, finder: finder, places: places, logger: Session.silentLogger, now: { .today })
        let device = try #require(try store.device(row.id))
        let running = Running(
          feeder: try DeviceFeeder(device: device, database: stage.database, logger: Session.silentLogger),
          settings)
        #expect(await running.started(run))
        #expect(await running.outcome().drainedFailures == 0)
        let stolen = Self.device("127.0.0.1", stranger.port)
        finder.put([stolen])
        try store.found([stolen], at: .today)
      }
      #expect(try store.provedPlace(of: row.id) == home.endpoint)
      await stranger.stop()
      await stage.server.stop()
    }

    @Test(
      "what did not prove the key is left alone for a minute, then two; the device itself is called meanwhile"
    )
    func leftAlone() async throws {
      let database = try Database(path: try Stage.makeFolder().appending(path: "queue.db").path)
      let store = DeviceStore(database)
      let (home, stolen, places) = (Self.device("192.0.2.1"), Self.device("192.0.2.66"), ProvedPlaces())
      let row = try #require(try store.found([home], adding: true, at: .today).first)
      try store.pin(String(repeating: "a", count: 64), of: row.id, at: .today)
      let clock = Mutex(WallTime.today)
      let now: @Sendable () -> WallTime = { clock.withLock(\.self) }
      let resolver = LedgerResolver(
        store: store, finder: FakeFinder([stolen, home]), places: places, logger: Session.silentLogger,
        now: now)
      places.proved(home)
      for minutes in [1.0, 2] {
        places.refused(stolen.endpoint, at: now())
        clock.withLock { $0 = $0.adding(seconds: minutes * 60 - 1) }
        #expect(await resolver.firstEndpoint(of: stolen) == home.endpoint)
        #expect(await resolver.locate(stolen).endpoint == home.endpoint, "both are heard")
        clock.withLock { $0 = $0.adding(seconds: 1) }
        #expect(await resolver.firstEndpoint(of: stolen) == nil, "after \(minutes) min")
      }
      places.refused(stolen.endpoint, at: now())
      clock.withLock { $0 = $0.adding(seconds: -10) }
      #expect(!places.isLeftAlone(stolen.endpoint, at: now()), "a clock that was set back ends it")
    }
  }
}
