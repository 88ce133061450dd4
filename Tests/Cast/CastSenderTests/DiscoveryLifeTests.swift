import CastMulticast
import CastProtocol
import CastReceiverSim
import CastSender
import NIOCore
import NIOPosix
import Synchronization
import Testing

extension SenderTests {
  /// Whom discovery tells what, and when it ends. Real sockets on loopback, on ports of its own.
  @Suite(.timeLimit(.minutes(5))) struct DiscoveryLifeTests {
    /// A port that nobody has just now.
    static func freePort() async throws -> Int {
      let channel = try await DatagramBootstrap(group: SimulatedDevice.group).bind(host: "0.0.0.0", port: 0)
        .get()
      let port = channel.localAddress?.port
      try await channel.close()
      return try #require(port)
    }

    static func options(_ port: Int, criteria: DiscoveryCriteria = DiscoveryCriteria()) -> DiscoveryOptions {
      var options = DiscoveryOptions(criteria: criteria, interfaces: ["lo"])
      options.port = port
      return options
    }

    static func advertise(_ device: SimulatedDevice, on port: Int) async throws {
      var options = AdvertisingOptions()
      options.port = port
      try await device.server.advertise(options)
    }

    /// Reads on until a list is what is meant.
    static func wait(
      _ lists: inout AsyncStream<[Device]>.Iterator, until isMeant: ([Device]) -> Bool
    ) async -> [Device] {
      while let list = await lists.next() {
        if isMeant(list) { return list }
      }
      return []
    }

    @Test("a device comes, changes, moves and goes, and everybody is told")
    func life() async throws {
      let port = try await Self.freePort()
      let device = try await SimulatedDevice.start()
      let id = device.server.configuration.deviceID
      let manager = DiscoveryManager(options: Self.options(port))
      let listener = DeviceLife()
      manager.add(listener)
      var lists = manager.updates().makeAsyncIterator()
      #expect(await lists.next() == [])
      #expect(!manager.isDiscovering)
      manager.startDiscovery()
      manager.startDiscovery()
      #expect(manager.isDiscovering)
      try await Self.advertise(device, on: port)
      let first = await Self.wait(&lists) { !$0.isEmpty }
      #expect(first.map(\.endpoint) == [device.device.endpoint])
      #expect(first.map(\.uniqueID) == [id])
      #expect(manager.devices == first && manager.device(withUniqueID: id.uppercased()) == first.first)
      #expect(manager.device(withUniqueID: "nobody") == nil)
      #expect(manager.problems.isEmpty)

      try await device.server.control(.rename("Hall"))
      #expect(await Self.wait(&lists) { $0.first?.friendlyName == "Hall" }.count == 1)
      let moved = try await device.server.move()
      #expect(await Self.wait(&lists) { $0.first?.endpoint.port == moved }.count == 1)
      let later = manager.updates()
      await device.server.stop()
      _ = await Self.wait(&lists) { $0.isEmpty }
      // Readers are told one after the other: the slow one may look only when all have been.
      await manager.stopDiscovery()
      #expect(!manager.isDiscovering)
      var others = later.makeAsyncIterator()
      #expect(await others.next() == [], "a slow reader is told the newest alone")
      let heard = listener.heard
      #expect(heard.first == "insert Simulated receiver" && heard.last == "remove Hall")
      #expect(heard.dropFirst().dropLast().allSatisfy { $0.hasPrefix("update") })
      try await device.files.channel.close()
    }

    @Test(
      "criteria choose by application and by what the running application speaks",
      arguments: [
        (DiscoveryCriteria(applicationID: "CC1AD845"), true),
        (DiscoveryCriteria(applicationID: "00000000"), false),
        (DiscoveryCriteria(namespaces: ["urn:x-cast:com.google.cast.media"]), true),
      ])
    func criteria(criteria: DiscoveryCriteria, isFound: Bool) async throws {
      let port = try await Self.freePort()
      let device = try await SimulatedDevice.start()
      try await Self.advertise(device, on: port)
      let session = Session(device: device.device)
      try await session.start()
      let manager = DiscoveryManager(options: Self.options(port, criteria: criteria))
      let found = await manager.findDevice(
        withUniqueID: device.server.configuration.uuid, timeout: .seconds(isFound ? 30 : 2))
      #expect((found != nil) == isFound)
      await session.leave()
      try await device.stop()
    }

    @Test("a device is located where it is now; one that nobody knows stays what it is")
    func locates() async throws {
      let port = try await Self.freePort()
      let device = try await SimulatedDevice.start()
      try await Self.advertise(device, on: port)
      let manager = DiscoveryManager(options: Self.options(port))
      let old = Device(
        endpoint: DeviceEndpoint(host: "127.0.0.1", port: 1), uniqueID: device.server.configuration.deviceID)
      let nameless = Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: 1))
      #expect(await manager.locate(nameless) == nameless)
      manager.startDiscovery()
      var lists = manager.updates().makeAsyncIterator()
      _ = await Self.wait(&lists) { !$0.isEmpty }
      #expect(await manager.locate(old).endpoint == device.device.endpoint)
      let moved = try await device.server.move()
      _ = await Self.wait(&lists) { $0.first?.endpoint.port == moved }
      #expect(await manager.locate(old).endpoint.port == moved)
      var stranger = old
      stranger.uniqueID = String(repeating: "f", count: 32)
      #expect(await manager.locate(stranger) == stranger)
      await manager.stopDiscovery()
      try await device.stop()
    }

    @Test("a manager for which somebody waits from now on asks often, whatever its options say")
    func becomesActive() async throws {
      let port = try await Self.freePort()
      let (questions, asked) = AsyncStream.makeStream(of: Void.self)
      let loopback = try #require(try NetworkInterface.all().first { $0.isLoopback })
      let link = try #require(loopback.links.first { $0.family == .v4 })
      // A question has a 0 for the first bit of its flags (RFC 1035, 4.1.1).
      let (ear, _) = await MulticastTransport.open(
        links: [link], port: port, group: SimulatedDevice.group,
        deliver: { if $0.bytes.count > 2, $0.bytes[2] & 0x80 == 0 { asked.yield() } })
      var options = Self.options(port)
      options.isPassive = true
      // Passive questions come once an hour in the end, active ones every ten seconds, of a time that runs a thousandfold.
      let manager = DiscoveryManager(options: options, time: .continuous.hurried(by: 1000))
      #expect(manager.isPassive)
      manager.startDiscovery()
      var all = questions.makeAsyncIterator()
      #expect(await all.next() != nil)
      manager.isPassive = false
      #expect(!manager.isPassive)
      for _ in 0..<200 { #expect(await all.next() != nil) }
      await manager.stopDiscovery()
      await ear.close()
    }

    @Test("a manager that nobody holds ends its lists")
    func letGo() async throws {
      var lists = Self.letGo(Self.options(try await Self.freePort())).makeAsyncIterator()
      #expect(await lists.next() == [])
      while await lists.next() != nil {}
    }

    @Test("what strangers say too fast is left out, and there is room again when it was heard")
    func inboxLimit() {
      let inboxLimit = InboxLimit(limit: 2)
      #expect(
        [inboxLimit.admit(), inboxLimit.admit(), inboxLimit.admit(), inboxLimit.admit()] == [
          true, true, false, false,
        ])
      inboxLimit.release()
      #expect([inboxLimit.admit(), inboxLimit.admit()] == [true, false])
      // Long datagrams take their time to read: they count by their length.
      let bytes = InboxLimit(limit: 10_000)
      #expect([bytes.admit(9000), bytes.admit(9000), bytes.admit(1000)] == [true, false, true])
      bytes.release(9000)
      #expect(bytes.admit(9000))
    }

    /// The lists of a manager that nobody holds.
    static func letGo(_ options: DiscoveryOptions) -> AsyncStream<[Device]> {
      let manager = DiscoveryManager(options: options)
      manager.startDiscovery()
      return manager.updates()
    }
  }
}

private final class DeviceLife: DiscoveryManagerListener {
  private let lines = Mutex<[String]>([])
  var heard: [String] { lines.withLock { $0 } }

  func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device) { add("insert", device) }
  func discoveryManager(_ manager: DiscoveryManager, didUpdate device: Device) { add("update", device) }
  func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device) { add("remove", device) }

  private func add(_ what: String, _ device: Device) {
    lines.withLock { $0.append("\(what) \(device.friendlyName ?? "?")") }
  }
}
