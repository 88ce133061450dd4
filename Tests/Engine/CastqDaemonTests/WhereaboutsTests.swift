import CastProtocol
import CastReceiverSim
import CastSender
import CastqDaemon
import CastqFeeding
import CastqStore
import Foundation
import Testing

extension DaemonTests {
  /// Devices that are elsewhere, or known only on the network.
  @Suite struct WhereaboutsTests {
    private static let id = "0123456789abcdef0123456789abcdef"

    /// A ledger with one device, which was heard once.
    private final class Ledger {
      let folder: URL
      let store: DeviceStore

      init() throws {
        folder = try Stage.makeFolder()
        store = DeviceStore(try Database(path: folder.appending(path: "queue.db").path))
      }

      deinit { try? FileManager.default.removeItem(at: folder) }

      func resolver(_ finder: FakeFinder?) -> LedgerResolver {
        LedgerResolver(store: store, finder: finder, logger: Session.silentLogger, now: { .today })
      }
    }

    private static func device(_ host: String, _ name: String = "Lobby TV", id: String = id) -> Device {
      Device(endpoint: DeviceEndpoint(host: host), friendlyName: name, uniqueID: id)
    }

    /// Searches until it is cancelled.
    private struct OpenFinder: DeviceFinder {
      var devices: [Device]

      func scan(for duration: Duration, until isEnough: @escaping @Sendable ([Device]) -> Bool) async
        -> DeviceScan
      {
        for count in 0...devices.count { _ = isEnough(Array(devices.prefix(count))) }
        await WhereaboutsTests.untilCancelled()
        return DeviceScan(devices: devices)
      }
    }

    private static func untilCancelled() async {
      let (forever, end) = AsyncStream.makeStream(of: Never.self)
      for await _ in forever {}
      withExtendedLifetime(end) {}
    }

    @Test("a search for any device ends soon after the first answer, and at its limit without one")
    func firstAnswers() async {
      let (limit, rest) = (Duration.seconds(5), Duration.milliseconds(1500))
      // The other one never passes.
      func time(passing passed: Duration) -> TimeSource {
        var time = TimeSource.continuous
        time.sleep = { duration in if duration != passed { await Self.untilCancelled() } }
        return time
      }
      let two = [
        Self.device("192.0.2.1"), Self.device("192.0.2.2", "Other", id: String(repeating: "a", count: 32)),
      ]
      let found = await OpenFinder(devices: two).firstAnswers(
        within: limit, andFor: rest, time(passing: rest))
      #expect(found.devices == two)
      let none = await OpenFinder(devices: []).firstAnswers(within: limit, andFor: rest, time(passing: limit))
      #expect(none.devices.isEmpty)
      // One that cannot search ends at once.
      let problem = DeviceScan.Problem(code: "switched_off", message: "off")
      let off = await AbsentFinder(problem).firstAnswers(within: limit, andFor: rest, time(passing: .zero))
      #expect(off.problems == [problem])
    }

    @Test("a device that is heard elsewhere is called there, and the ledger keeps the place")
    func heard() async throws {
      let ledger = try Ledger()
      let row = try #require(
        try ledger.store.found([Self.device("192.0.2.1")], adding: true, at: .today).first)
      let finder = FakeFinder([Self.device("192.0.2.9", "Other", id: String(repeating: "a", count: 32))])
      let resolver = ledger.resolver(finder)
      #expect(await resolver.locate(row.castDevice) == row.castDevice, "nobody else is taken for it")
      finder.put([Self.device("192.0.2.7", "Renamed")])
      let found = await resolver.locate(row.castDevice)
      #expect(found.endpoint == DeviceEndpoint(host: "192.0.2.7"))
      #expect(found.friendlyName == "Lobby TV", "messages go on to use the name of the ledger")
      #expect(try ledger.store.device(row.id)?.endpoint == found.endpoint)
      #expect(finder.looks.allSatisfy { $0 <= .seconds(2) })
    }

    @Test("without multicast the last good address and the given one are tried in turn")
    func unheard() async throws {
      let ledger = try Ledger()
      let row = try ledger.store.add(name: "Hall", endpoint: DeviceEndpoint(host: "tv.example"), at: .today)
      try ledger.store.found([Self.device("tv.example")], at: .today)
      try ledger.store.seen(row.id, at: .today, endpoint: DeviceEndpoint(host: "192.0.2.5"))
      for finder in [nil, FakeFinder()] {
        let resolver = ledger.resolver(finder)
        var device = try #require(try ledger.store.device(row.id)).castDevice
        var tried: [String] = []
        for _ in 0..<4 {
          tried.append(device.endpoint.host)
          device = await resolver.locate(device)
        }
        #expect(tried == ["192.0.2.5", "tv.example", "192.0.2.5", "tv.example"])
      }
    }

    @Test("what is announced at an address that a person gave leads nobody away from it")
    func announcedThere() async throws {
      let ledger = try Ledger()
      let row = try ledger.store.add(name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.1"), at: .today)
      try ledger.store.found([Self.device("192.0.2.1")], at: .today)
      try ledger.store.found([Self.device("192.0.2.66")], adding: true, at: .today)
      let finder = FakeFinder([Self.device("192.0.2.66")])
      let resolver = ledger.resolver(finder)
      let device = try #require(try ledger.store.device(row.id)).castDevice
      #expect(await resolver.firstEndpoint(of: device) == row.endpoint)
      #expect(await resolver.locate(device).endpoint == row.endpoint)
      #expect(finder.looks.isEmpty)
      #expect(await resolver.firstEndpoint(of: Self.device("192.0.2.66")) == nil, "nobody gave that address")
    }

    @Test("an address that a person gave comes first, and a sighting after it has not answered")
    func givenFirst() async throws {
      let ledger = try Ledger()
      let given = DeviceEndpoint(host: "192.0.2.1")
      try ledger.store.found([Self.device("192.0.2.1")], adding: true, at: .today)
      _ = try ledger.store.add(name: "Hall", endpoint: given, at: .today)
      let row = try #require(try ledger.store.found([Self.device("192.0.2.66")], at: .today).first)
      let resolver = ledger.resolver(FakeFinder([Self.device("192.0.2.66")]))
      #expect(row.castDevice.endpoint.host == "192.0.2.66")
      #expect(await resolver.firstEndpoint(of: row.castDevice) == given)
      var device = row.castDevice
      device.endpoint = given
      #expect(await resolver.locate(device).endpoint.host == "192.0.2.66")
    }

    @Test(
      "a pinned device that does not prove its key where it is heard is called where a person gave its address"
    )
    func wrongKey() async throws {
      let ledger = try Ledger()
      let given = DeviceEndpoint(host: "192.0.2.1")
      let row = try ledger.store.add(name: "Hall", endpoint: given, at: .today)
      try ledger.store.pin(String(repeating: "a", count: 64), of: row.id, at: .today)
      try ledger.store.found([Self.device("192.0.2.1")], at: .today)
      try ledger.store.seen(row.id, at: .today, endpoint: DeviceEndpoint(host: "192.0.2.66"))
      let resolver = ledger.resolver(FakeFinder([Self.device("192.0.2.66")]))
      let device = try #require(try ledger.store.device(row.id)).castDevice
      #expect(await resolver.firstEndpoint(of: device)?.host == "192.0.2.66", "it has proved its key there")
      #expect(await resolver.locate(device).endpoint == given)
    }

    @Test("a device at an address alone is looked for nowhere, and stays where it is")
    func addressAlone() async throws {
      let ledger = try Ledger()
      let finder = FakeFinder([Self.device("192.0.2.7")])
      let row = try ledger.store.add(name: "Hall", endpoint: DeviceEndpoint(host: "192.0.2.1"), at: .today)
      #expect(await ledger.resolver(finder).locate(row.castDevice) == row.castDevice)
      let stranger = Device(endpoint: DeviceEndpoint(host: "192.0.2.3"))
      #expect(await ledger.resolver(finder).locate(stranger) == stranger)
      #expect(finder.looks.isEmpty)
    }

    @Test(
      "a device that nobody knows is found by its name or UUID, and is known from then on",
      arguments: [
        "Lobby TV", "lobby tv", "01234567-89AB-CDEF-0123-456789ABCDEF", id, "lob",
      ])
    func lookup(selector: String) async throws {
      let ledger = try Ledger()
      let other = Self.device("192.0.2.2", "Bar TV", id: String(repeating: "a", count: 32))
      let finder = FakeFinder([other, Self.device("192.0.2.1")])
      let lookup = DeviceLookup(store: ledger.store, finder: finder, now: { .today })
      let found = try await lookup.find(selector, within: .seconds(3))
      #expect(found.name == "Lobby TV" && found.isPicked)
      #expect(try ledger.store.all() == [found], "others that answered are not kept")
      #expect(try ledger.store.device(matching: selector).id == found.id)
    }

    @Test("a UUID is not found by a device that calls itself so")
    func impostor() async throws {
      let ledger = try Ledger()
      let impostor = Self.device("192.0.2.66", Self.id, id: String(repeating: "a", count: 32))
      let lookup = DeviceLookup(store: ledger.store, finder: FakeFinder([impostor]), now: { .today })
      let miss = await #expect(throws: DeviceLookup.Miss.self) {
        try await lookup.find(Self.id, within: .seconds(3))
      }
      #expect(miss?.error == .unknownDevice(Self.id, known: []))
    }

    @Test("a name that nobody has, or several have, is told as such")
    func noLookup() async throws {
      let ledger = try Ledger()
      let problem = DeviceScan.Problem(code: "no_interface", message: "none")
      let twins = [
        Self.device("192.0.2.1"), Self.device("192.0.2.2", id: String(repeating: "a", count: 32)),
      ]
      let lookup = DeviceLookup(
        store: ledger.store, finder: FakeFinder(twins, problems: [problem]), now: { .today })
      let nobody = await #expect(throws: DeviceLookup.Miss.self) {
        try await lookup.find("cellar", within: .seconds(3))
      }
      #expect(nobody?.error == .unknownDevice("cellar", known: []))
      #expect(nobody?.problems == [problem])
      let several = await #expect(throws: DeviceLookup.Miss.self) {
        try await lookup.find("Lob", within: .seconds(3))
      }
      #expect(
        several?.error
          == .ambiguousDevice(
            "Lob", candidates: ["Lobby TV (192.0.2.1:8009)", "Lobby TV (192.0.2.2:8009)"]))
      #expect(try ledger.store.all().isEmpty)
    }

    @Test("a run finds a device that moved before it began, and one that moves while it plays")
    func moves() async throws {
      let wire = try await Wire()
      let stage = try await Stage(speed: 1, wire: wire)
      let store = DeviceStore(stage.database)
      // Where the ledger says it is, nobody listens.
      let nowhere = try await Stage.serve()
      await nowhere.stop()
      let home = DeviceEndpoint(host: "127.0.0.1", port: stage.server.port)
      func device(_ endpoint: DeviceEndpoint) -> Device {
        Device(endpoint: endpoint, friendlyName: "Lobby", uniqueID: Self.id)
      }
      let stale = DeviceEndpoint(host: "127.0.0.1", port: nowhere.port)
      // Only a device that must prove its key is followed from an address that a person gave.
      try store.pin(String(repeating: "a", count: 64), of: stage.device.id, at: .today)
      try store.found([device(home)], at: .today)
      try store.found([device(stale)], at: .today)
      let row = try #require(try store.device(stage.device.id))
      #expect(row.endpoint == stale)
      try stage.enqueue([Stage.draft(Stage.sample("welcome.mp4"), title: "film")])
      let finder = FakeFinder([device(home)])
      var settings = DeviceSettings()
      settings.runner.feeder.statusInterval = .milliseconds(400)
      settings.runner.reconnect = ReconnectPolicy(waits: [.milliseconds(50)], jitter: 0)
      settings.resolver = LedgerResolver(
        store: store, finder: finder, logger: Session.silentLogger, now: { .today })
      let running = Running(
        feeder: try DeviceFeeder(device: row, database: stage.database, logger: Session.silentLogger),
        settings)
      for await report in running.reports {
        if case .status(let status) = report, (status.streamPosition?.seconds ?? 0) > 0.3 { break }
      }
      #expect(try store.device(row.id)?.endpoint == home, "where it answered is kept")
      let elsewhere = try await Stage.serve(speed: 1, wire: wire)
      let newHome = DeviceEndpoint(host: "127.0.0.1", port: elsewhere.port)
      finder.put([device(newHome)])
      await stage.server.stop()
      #expect(await running.outcome().drainedFailures == 0)
      #expect(try store.device(row.id)?.endpoint == newHome)
      #expect(try stage.plays().map(\.outcome) == [.interrupted, .finished])
      await elsewhere.stop()
    }

    @Test("no announcement leads a run away from the address that a person gave")
    func stays() async throws {
      let stage = try await Stage()
      let store = DeviceStore(stage.database)
      let other = try await Stage.serve()
      let home = DeviceEndpoint(host: "127.0.0.1", port: stage.server.port)
      func device(_ endpoint: DeviceEndpoint) -> Device {
        Device(endpoint: endpoint, friendlyName: "Lobby", uniqueID: Self.id)
      }
      let elsewhere = device(DeviceEndpoint(host: "127.0.0.1", port: other.port))
      // Known by a scan before a person gave the address, so that it has a UUID.
      try store.remove(stage.device.id, at: .today)
      try store.found([device(home)], adding: true, at: .today)
      let row = try store.add(name: "Hall", endpoint: home, at: .today)
      try store.found([elsewhere], at: .today)
      let moved = try #require(try store.device(row.id))
      #expect(moved.endpoint == elsewhere.endpoint)
      _ = try stage.queue.enqueue(
        [Stage.draft(Stage.sample("welcome.mp4"), title: "film")], for: row.id, placement: .end, at: .today)
      var settings = DeviceSettings()
      settings.resolver = LedgerResolver(
        store: store, finder: FakeFinder([elsewhere]), logger: Session.silentLogger, now: { .today })
      let running = Running(
        feeder: try DeviceFeeder(device: moved, database: stage.database, logger: Session.silentLogger),
        settings)
      #expect(await running.outcome().drainedFailures == 0)
      #expect(try store.device(row.id)?.endpoint == home)
      await stage.server.stop()
      await other.stop()
    }
  }
}
