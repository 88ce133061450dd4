import CastProtocol
import CastReceiverSim
import CastSender
import Glibc
import NIOCore
import Synchronization
import Testing

extension SenderTests {
  /// What a session's life looks like to a program: suspended, resumed, taken up by a later process, moved to another device.
  @Suite(.timeLimit(.minutes(5))) struct SessionLifeTests {
    @Test(
      "a lost connection is suspended, found where the device is now, and resumed; channels and listeners hear of it"
    )
    func resumes() async throws {
      let device = try await SimulatedDevice.start { $0.applications = [Self.echo] }
      var options = SessionOptions(applicationID: "ECEC0001")
      options.requiredNamespaces = []
      options.reconnection = ReconnectPolicy(waits: [.zero], jitter: 0)
      let transport = FragileTransport()
      let elsewhere = Device(
        endpoint: DeviceEndpoint(host: "localhost", port: device.server.port), friendlyName: "Moved TV")
      let session = Session(
        device: device.device, options: options, transport: transport, resolver: Fixed(elsewhere),
        time: .continuous)
      let life = SessionEar()
      session.add(life)
      let events = session.events()
      try await session.start()
      #expect(session.device.friendlyName == "Test TV")
      transport.breakConnections()
      for await event in events {
        if case .resumed(let application, let isSame) = event {
          #expect(isSame && application?.applicationID == "ECEC0001")
          break
        }
      }
      #expect(session.state == .active && session.device.friendlyName == "Moved TV")
      await session.leave()
      #expect(
        life.heard == [
          "starting", "active", "suspended", "connection lost", "device Moved TV", "will resume", "active",
          "did resume same", "ending", "ended",
        ])
      #expect(try SimulatorTests.socketsToPort(device.server.port) == 0)
      try await device.stop()
    }

    @Test("the endpoint that comes first is called at each attempt, and another one when it does not answer")
    func callsFirst() async throws {
      let given = try await SimulatedDevice.start { $0.applications = [Self.echo] }
      let other = try await SimulatedDevice.start()
      let resolver = Fixed(other.device, first: given.device.endpoint)
      var options = SessionOptions(applicationID: "ECEC0001")
      options.requiredNamespaces = []
      options.reconnection = ReconnectPolicy(waits: [.zero], jitter: 0)
      let transport = FragileTransport()
      let session = Session(
        device: other.device, options: options, transport: transport, resolver: resolver, time: .continuous)
      let events = session.events()
      try await session.start()
      #expect(session.device.endpoint == given.device.endpoint)
      transport.breakConnections()
      for await event in events {
        if case .resumed = event { break }
      }
      #expect(session.device.endpoint == given.device.endpoint, "a lost connection leads nowhere else")
      await session.leave()
      let endpoint = given.device.endpoint
      try await given.stop()
      let late = Session(
        device: Device(endpoint: endpoint), options: SessionOptions(purpose: .device), resolver: resolver)
      try await late.start()
      #expect(late.device.endpoint == other.device.endpoint)
      await late.leave()
      try await other.stop()
    }

    @Test("a later process takes up the session that an earlier one left, and forgets one that was ended")
    func takesUpSaved() async throws {
      let device = try await SimulatedDevice.start()
      let path = "/tmp/castsender-session-\(getpid())"
      defer { unlink(path) }
      let store = FileSessionStore(path: path)
      #expect(store.load() == nil)
      var options = CastOptions()
      options.startsDiscoveryAutomatically = false
      // All listeners are there before anything is taken up.
      options.resumesSessionsAutomatically = false
      options.sessionStore = store
      let first = CastContext(options: options).sessionManager
      let started = try await first.startSession(with: device.device)
      _ = try await started.remoteMediaClient.load(device.media("film")).value
      let saved = try #require(store.load())
      #expect(saved == started.saved)
      var info = stat()
      #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)

      // What a crash leaves: the file, and a device that plays on.
      await started.leave()
      store.save(saved)
      let second = CastContext(options: options).sessionManager
      let life = ManagerEar()
      second.add(life)
      let resumed = try #require(try await second.resumeSavedSession())
      #expect(resumed.mediaStatus?.mediaInformation?.contentID == device.media("film").contentID)
      #expect(life.heard == ["will resume", "did resume same"])
      try await second.endSession(stoppingCasting: true)
      #expect(store.load() == nil)
      #expect(try await second.resumeSavedSession() == nil)
      try await device.stop()
    }

    @Test(
      "a file that is none of ours is no session", arguments: ["", "{", "{\"host\":\"h\",\"port\":0}", "[1]"])
    func refusesRubbish(_ text: String) throws {
      let path = "/tmp/castsender-rubbish-\(getpid())"
      defer { unlink(path) }
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      _ = text.withCString { write(file, $0, strlen($0)) }
      close(file)
      #expect(FileSessionStore(path: path).load() == nil)
    }

    @Test("a saved session knows what kind of device it had; an older file without that is read")
    func keepsCapabilities() throws {
      let path = "/tmp/castsender-capabilities-\(getpid())"
      defer { unlink(path) }
      let store = FileSessionStore(path: path)
      let group: DeviceCapabilities = [.multizoneGroup, .audioOut]
      for capabilities in [group, DeviceCapabilities(rawValue: .max), nil] {
        let saved = SavedSession(
          device: Device(endpoint: DeviceEndpoint(host: "192.0.2.1"), capabilities: capabilities),
          applicationID: "CC1AD845", applicationSessionID: "s1")
        store.save(saved)
        #expect(store.load() == saved)
      }
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      let old = #"{"host":"192.0.2.1","port":8009,"application":"CC1AD845","session":"s1"}"#
      _ = old.withCString { write(file, $0, strlen($0)) }
      close(file)
      let read = try #require(store.load())
      #expect(read.device.capabilities == nil && read.applicationSessionID == "s1")
    }

    private static let echo = ReceiverConfiguration.Application(
      appID: "ECEC0001", displayName: "Echo", namespaces: ["urn:x-cast:echo"])
  }
}

/// Says the same place whatever is asked, and the same one that comes first.
struct Fixed: DeviceResolver {
  let device: Device
  let first: DeviceEndpoint?
  init(_ device: Device, first: DeviceEndpoint? = nil) { (self.device, self.first) = (device, first) }
  func locate(_ device: Device) async -> Device { self.device }
  func firstEndpoint(of device: Device) async -> DeviceEndpoint? { first }
}

/// Real connections that can be cut as a network cuts them.
final class FragileTransport: Transport {
  private let inner = TLSTransport(group: SimulatedDevice.group)
  private let open = Mutex<[@Sendable () -> Void]>([])

  func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration, early: EarlyLaunch?,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection {
    let connection = try await inner.open(
      endpoint, name: name, timeout: timeout, early: early, deliver: deliver)
    open.withLock { $0.append { deliver(.closed(.failed(CastError(.networkError, "cut")))) } }
    return connection
  }

  func breakConnections() {
    let cuts = open.withLock { cuts in
      defer { cuts = [] }
      return cuts
    }
    for cut in cuts { cut() }
  }
}

/// Writes down what a session says.
private final class SessionEar: SessionListener {
  private let words = Mutex<[String]>([])
  var heard: [String] { words.withLock { $0 } }
  private func note(_ word: String) { words.withLock { $0.append(word) } }

  func session(_ session: Session, didChange state: SessionState) { note("\(state)") }
  func session(_ session: Session, didSuspendFor reason: SessionSuspendReason) {
    let word = if case .connectionLost = reason { "connection lost" } else { "\(reason)" }
    note(word)
  }
  func sessionWillResume(_ session: Session) { note("will resume") }
  func session(_ session: Session, didResumeInSameApplicationSession isSame: Bool) {
    note("did resume \(isSame ? "same" : "anew")")
  }
  func session(_ session: Session, didUpdate device: Device) { note("device \(device.friendlyName ?? "-")") }
}

/// Writes down what a manager says of resuming.
private final class ManagerEar: SessionManagerListener {
  private let words = Mutex<[String]>([])
  var heard: [String] { words.withLock { $0 } }
  private func note(_ word: String) { words.withLock { $0.append(word) } }

  func sessionManager(_ manager: SessionManager, willStart session: Session) { note("will start") }
  func sessionManager(_ manager: SessionManager, didStart session: Session) { note("did start") }
  func sessionManager(_ manager: SessionManager, willResume session: Session) { note("will resume") }
  func sessionManager(
    _ manager: SessionManager, didResume session: Session, inSameApplicationSession isSame: Bool
  ) { note("did resume \(isSame ? "same" : "anew")") }
}
