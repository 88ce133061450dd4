import CastProtocol
import CastReceiverSim
import CastSender
import Glibc
import Synchronization
import Testing

extension SenderTests {
  /// Devices are found over real multicast on loopback, where the simulator announces itself.
  @Suite(.timeLimit(.minutes(5))) struct DiscoveryTests {
    @Test("a device is found with all it says of itself, changes in place, and is gone when it says goodbye")
    func findsDevice() async throws {
      let device = try await Self.announced("Found TV", seed: 41)
      let id = device.server.configuration.deviceID
      let manager = Self.manager()
      let ear = Ear()
      manager.add(ear)
      var updates = manager.updates().makeAsyncIterator()
      #expect(await updates.next() == [])
      manager.startDiscovery()
      #expect(manager.isDiscovering)
      func next(_ isReached: (Device?) -> Bool) async -> Device? {
        while let list = await updates.next() {
          let device = list.first { $0.uniqueID == id }
          if isReached(device) { return device }
        }
        return nil
      }
      let found = try #require(await next { $0 != nil })
      #expect(found.endpoint == DeviceEndpoint(host: "127.0.0.1", port: device.server.port))
      #expect(found.friendlyName == "Found TV" && found.modelName == "Chromecast" && found.type == .tv)
      #expect(found.status == .idle && manager.device(withUniqueID: id.uppercased()) == found)
      let session = Session(device: found)
      try await session.start()
      #expect(await next { $0?.status == .busy }?.statusText?.isEmpty == false)
      await session.end(.stopApplication)
      try await device.stop()
      #expect(await next { $0 == nil } == nil)
      await manager.stopDiscovery()
      #expect(!manager.isDiscovering && manager.problems.isEmpty)
      #expect(ear.words.first == "found Found TV" && ear.words.last == "lost Found TV")
    }

    @Test(
      "one device is found by its identity, also where nobody looks; one that is not there is waited for in vain"
    )
    func findsByIdentity() async throws {
      let device = try await Self.announced("Wanted", seed: 42)
      let manager = Self.manager()
      let id = device.server.configuration.uuid
      let found = try #require(await manager.findDevice(withUniqueID: id, timeout: .seconds(120)))
      #expect(found.friendlyName == "Wanted" && !manager.isDiscovering)
      let nobody = String(repeating: "0", count: 32)
      #expect(await manager.findDevice(withUniqueID: nobody, timeout: .milliseconds(100)) == nil)
      let old = Device(endpoint: DeviceEndpoint(host: "192.0.2.1"), uniqueID: found.uniqueID)
      #expect(await manager.locate(old) == found)
      #expect(await manager.locate(found) == found)
      try await device.stop()
    }

    @Test("an interface that is not there is told as what it is")
    func tellsProblems() async throws {
      let manager = DiscoveryManager(options: DiscoveryOptions(interfaces: ["nowhere0"]))
      let ear = Ear()
      manager.add(ear)
      manager.startDiscovery()
      for await _ in ear.problems { break }
      #expect(manager.problems.first?.reason == .noInterface)
      #expect(manager.problems.first?.description.contains("nowhere0") == true)
      await manager.stopDiscovery()
    }

    /// Apart from what else announces itself on this computer.
    static let port = 25_353

    private static func manager() -> DiscoveryManager {
      var options = DiscoveryOptions(interfaces: ["127.0.0.1"])
      options.port = port
      return DiscoveryManager(options: options)
    }

    static func announced(_ name: String, seed: UInt64, port: Int = Self.port) async throws -> SimulatedDevice
    {
      let device = try await SimulatedDevice.start {
        $0.friendlyName = name
        $0.seed = seed
        $0.uuid = ReceiverConfiguration.uuid(seed: seed, index: Int(getpid()))
      }
      var options = AdvertisingOptions()
      options.interfaces = ["127.0.0.1"]
      options.port = port
      try await device.server.advertise(options)
      return device
    }
  }
}

/// Writes down which devices come and go.
private final class Ear: DiscoveryManagerListener {
  private let log: AsyncStream<Void>.Continuation
  let problems: AsyncStream<Void>
  private let notes = Mutex<[String]>([])
  var words: [String] { notes.withLock { $0 } }
  private func note(_ word: String, _ device: Device) {
    notes.withLock { $0.append("\(word) \(device.friendlyName ?? "-")") }
  }

  init() { (problems, log) = AsyncStream.makeStream() }

  func discoveryManager(_ manager: DiscoveryManager, didInsert device: Device) { note("found", device) }
  func discoveryManager(_ manager: DiscoveryManager, didUpdate device: Device) { note("changed", device) }
  func discoveryManager(_ manager: DiscoveryManager, didRemove device: Device) { note("lost", device) }
  func discoveryManager(_ manager: DiscoveryManager, didUpdate problems: [DiscoveryProblem]) { log.yield() }
}
