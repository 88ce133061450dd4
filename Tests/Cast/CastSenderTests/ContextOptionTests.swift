import CastProtocol
import CastReceiverSim
import CastSender
import Dispatch
import Logging
import Synchronization
import Testing

extension SenderTests {
  /// Every option of a context, by what it does.
  @Suite(.timeLimit(.minutes(5))) struct ContextOptionTests {
    private static let echo = ReceiverConfiguration.Application(
      appID: "AAAA0001", displayName: "Game", namespaces: ["urn:x-cast:echo"])

    private static func runs(on device: SimulatedDevice) async throws -> ApplicationMetadata? {
      let options = SessionOptions(purpose: .observe(applicationID: nil), requiredNamespaces: [])
      let observer = Session(device: device.device, options: options)
      let application = try await observer.start()
      await observer.leave()
      return application
    }

    @Test("devices are looked for from the beginning, at the pace and in the places that the options say")
    func discovery() async throws {
      let defaults = CastContext()
      #expect(defaults.discoveryManager.isDiscovering && !defaults.discoveryManager.isPassive)
      await defaults.discoveryManager.stopDiscovery()
      let context = CastContext.quiet {
        $0.isDiscoveryPassive = true
        $0.discoveryInterfaces = ["nowhere0"]
        $0.discoveryCriteria = DiscoveryCriteria(namespaces: ["urn:x-cast:echo"])
      }
      let manager = context.discoveryManager
      #expect(!manager.isDiscovering && manager.isPassive)
      #expect(manager.options.criteria.namespaces == ["urn:x-cast:echo"])
      let listener = ProblemListener()
      manager.add(listener)
      manager.startDiscovery()
      for await problem in listener.problems {
        #expect(problem.description.contains("nowhere0"))
        break
      }
      await manager.stopDiscovery()
    }

    @Test("the application, and the namespaces it needs, are the options'")
    func application() async throws {
      let device = try await SimulatedDevice.start { $0.applications = [Self.echo] }
      let manager = CastContext.quiet {
        $0.receiverApplicationID = "AAAA0001"
        $0.requiredNamespaces = ["urn:x-cast:echo"]
      }.sessionManager
      let session = try await manager.startSession(with: device.device)
      #expect(session.application?.applicationID == "AAAA0001")
      try await manager.endSession()
      let impatient = CastContext.quiet {
        $0.receiverApplicationID = "AAAA0001"
        $0.sessionOptions.launchTimeout = .milliseconds(200)
      }.sessionManager
      await #expect(throws: CastError(.applicationNotRunningWithNamespaceMismatched, "")) {
        try await impatient.startSession(with: device.device)
      }
      try await device.stop()
    }

    @Test(
      "what runs already is joined, or launched anew when the options say so",
      arguments: [
        (SessionResumePolicy.join, false, false), (.relaunch, false, true), (.join, true, true),
      ])
    func relaunches(policy: SessionResumePolicy, launch: Bool, isNew: Bool) async throws {
      let device = try await SimulatedDevice.start()
      let first = Session(device: device.device)
      let old = try await first.start()?.sessionID
      await first.leave()
      let manager = CastContext.quiet {
        $0.resumePolicy = policy
        $0.launchOptions.relaunchIfRunning = launch
      }.sessionManager
      let session = try await manager.startSession(with: device.device)
      #expect((session.application?.sessionID != old) == isNew)
      try await manager.endSession()
      try await device.stop()
    }

    @Test("the end of a session stops the application when the options say so", arguments: [false, true])
    func stops(isStopped: Bool) async throws {
      let device = try await SimulatedDevice.start()
      let context = CastContext.quiet { $0.stopsReceiverApplicationWhenEndingSession = isStopped }
      let manager = context.sessionManager
      try await manager.startSession(with: device.device)
      try await manager.endSession()
      #expect((try await Self.runs(on: device) == nil) == isStopped)
      try await device.stop()
    }

    @Test("sessions behave as the session options say")
    func sessionOptions() async throws {
      let device = try await SimulatedDevice.start { $0.platform.authentication = .honest }
      let reports = Reports()
      let manager = CastContext.quiet {
        $0.sessionOptions.trust = DeviceTrust(.pin(nil)) { reports.add($1) }
      }.sessionManager
      try await manager.startSession(with: device.device)
      try await manager.endSession(stoppingCasting: true)
      guard case .proved? = reports.all.first else { throw TestFailure("\(reports.all)") }
      try await device.stop()
    }

    @Test("one session has options of its own, and the next one those of the context again")
    func ownOptions() async throws {
      let device = try await SimulatedDevice.start { $0.applications = [Self.echo] }
      let manager = CastContext.quiet().sessionManager
      var options = SessionOptions(applicationID: "AAAA0001")
      options.requiredNamespaces = ["urn:x-cast:echo"]
      let session = try await manager.startSession(with: device.device, options: options)
      #expect(session.application?.applicationID == "AAAA0001")
      try await manager.endSession()
      let next = try await manager.startSession(with: device.device)
      #expect(next.application?.applicationID == "CC1AD845")
      try await manager.endSession(stoppingCasting: true)
      try await device.stop()
    }

    @Test("a session that the store remembers is resumed by itself, and once")
    func resumes() async throws {
      let device = try await SimulatedDevice.start()
      let first = Session(device: device.device)
      try await first.start()
      let store = MemoryStore(first.saved)
      await first.leave()
      let context = CastContext.quiet { $0.sessionStore = store }
      let manager = context.sessionManager
      let session = try #require(try await manager.resumeSavedSession())
      #expect(session === manager.currentSession && session.state == .active)
      #expect(try await manager.resumeSavedSession() === session, "it is the same one")
      #expect(store.loads == 1)
      try await manager.endSession(stoppingCasting: true)
      #expect(store.load() == nil)
      try await device.stop()
    }

    @Test("a context resumes what was left, unless the options say otherwise", arguments: [true, false])
    func resumesNot(isAutomatic: Bool) {
      let store = MemoryStore(
        SavedSession(
          device: Device(endpoint: DeviceEndpoint(host: "192.0.2.1")), applicationID: "CC1AD845",
          applicationSessionID: "s"))
      let context = CastContext.quiet {
        $0.sessionStore = store
        $0.resumesSessionsAutomatically = isAutomatic
      }
      #expect(context.sessionManager.isResuming == isAutomatic)
      withExtendedLifetime(context) {}
    }

    @Test("a caller that waits in vain for a session to resume can stop waiting, and it stays remembered")
    func cancelsResuming() async throws {
      let store = Self.away()
      let context = CastContext.quiet {
        $0.sessionStore = store
        $0.resumesSessionsAutomatically = false
      }
      let manager = context.sessionManager
      let listener = SuspensionListener()
      manager.add(listener)
      let waiting = Task { try await manager.resumeSavedSession() }
      for await _ in listener.suspensions { break }
      let another = Task { try await manager.resumeSavedSession() }
      another.cancel()
      await #expect(throws: CastError(.cancelled, "")) { try await another.value }
      #expect(manager.isResuming, "somebody still waits")
      waiting.cancel()
      await #expect(throws: CastError.self) { try await waiting.value }
      #expect(!manager.isResuming && manager.currentSession == nil)
      #expect(store.load() != nil)
    }

    @Test("a context that is deallocated aborts what it was resuming")
    func dropped() async throws {
      let store = Self.away()
      // Nothing is resumed before somebody listens: what is lost is lost once.
      store.hold()
      let listener = SuspensionListener()
      var context: CastContext? = CastContext.quiet { $0.sessionStore = store }
      let manager = try #require(context?.sessionManager)
      manager.add(listener)
      store.release()
      for await _ in listener.suspensions { break }
      context = nil
      for await _ in listener.ends { break }
      #expect(manager.currentSession == nil && store.load() != nil)
    }

    @Test(
      "a session can be started right after a context was made that resumes another one", arguments: 0..<20)
    func startsAtOnce(_ round: Int) async throws {
      let device = try await SimulatedDevice.start()
      let context = CastContext.quiet { $0.sessionStore = Self.away() }
      let session = try await context.sessionManager.startSession(with: device.device)
      #expect(context.sessionManager.currentSession === session && !context.sessionManager.isResuming)
      await #expect(throws: CastError(.invalidState, "")) {
        try await context.sessionManager.startSession(with: device.device)
      }
      #expect(session.state == .active)
      try await context.sessionManager.endSession(stoppingCasting: true)
      try await device.stop()
    }

    @Test("a context that is released with a session says so once in its log")
    func releasedWithSession() async throws {
      let device = try await SimulatedDevice.start()
      let book = LogBook()
      var context: CastContext? = CastContext.quiet(logger: Logger(label: "own") { _ in book })
      let session = try #require(try await context?.sessionManager.startSession(with: device.device))
      let events = session.events()
      context = nil
      for await _ in events {}
      #expect(book.messages.count { $0.contains("released") } == 1, "\(book.messages)")
      let tidy = CastContext.quiet(logger: Logger(label: "own") { _ in book })
      try await tidy.sessionManager.withSession(with: device.device) { _ in }
      #expect(book.messages.count { $0.contains("released") } == 1)
      try await device.stop()
    }

    @Test("a context's own logger hears its manager, too, and its records are left as they are")
    func logs() async throws {
      let book = LogBook()
      let context = CastContext.quiet(logger: Logger(label: "mine", factory: { _ in book })) {
        $0.sessionStore = Self.away()
        $0.resumesSessionsAutomatically = false
        $0.sessionOptions.reconnection = nil
      }
      await #expect(throws: CastError.self) { try await context.sessionManager.resumeSavedSession() }
      #expect(book.messages.contains("no session was resumed"), "\(book.messages)")
      #expect(!book.keys.contains("class"))
    }

    /// A store that remembers a device that is off.
    private static func away() -> MemoryStore {
      let nowhere = Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: 1), friendlyName: "Gone TV")
      return MemoryStore(SavedSession(device: nowhere, applicationID: "CC1AD845", applicationSessionID: "s"))
    }

    @Test("an attempt to resume a session is aborted for one that the program starts")
    func givesUpResuming() async throws {
      let device = try await SimulatedDevice.start()
      let context = CastContext.quiet {
        $0.sessionStore = Self.away()
        $0.resumesSessionsAutomatically = false
      }
      let manager = context.sessionManager
      let listener = SuspensionListener()
      manager.add(listener)
      let resumed = Task { try await manager.resumeSavedSession() }
      for await _ in listener.suspensions { break }
      let session = try await manager.startSession(with: device.device)
      #expect(manager.currentSession === session && session.device.friendlyName == "Test TV")
      await #expect(throws: CastError.self) { try await resumed.value }
      try await manager.endSession(stoppingCasting: true)
      try await device.stop()
    }
  }
}

/// Remembers in memory, and how often it was asked.
private final class MemoryStore: SessionStore {
  private let state: Mutex<(saved: SavedSession?, loads: Int)>
  init(_ saved: SavedSession?) { state = Mutex((saved, 0)) }
  var loads: Int { state.withLock { $0.loads } }

  /// Held, it answers only when it is released.
  private let gate = DispatchSemaphore(value: 1)
  func hold() { gate.wait() }
  func release() { gate.signal() }

  func load() -> SavedSession? {
    gate.wait()
    defer { gate.signal() }
    return state.withLock { state in
      state.loads += 1
      return state.saved
    }
  }
  func save(_ session: SavedSession?) { state.withLock { $0.saved = session } }
}

private final class SuspensionListener: SessionManagerListener {
  let suspensions: AsyncStream<Void>
  private let sink: AsyncStream<Void>.Continuation
  let ends: AsyncStream<Void>
  private let endSink: AsyncStream<Void>.Continuation
  init() {
    (suspensions, sink) = AsyncStream.makeStream(of: Void.self)
    (ends, endSink) = AsyncStream.makeStream(of: Void.self)
  }
  func sessionManager(_ manager: SessionManager, didEnd session: Session, with error: CastError?) {
    endSink.yield()
  }
  func sessionManager(
    _ manager: SessionManager, didSuspend session: Session, for reason: SessionSuspendReason
  ) { sink.yield() }
}

private final class ProblemListener: DiscoveryManagerListener {
  let problems: AsyncStream<DiscoveryProblem>
  private let sink: AsyncStream<DiscoveryProblem>.Continuation
  init() { (problems, sink) = AsyncStream.makeStream(of: DiscoveryProblem.self) }
  func discoveryManager(_ manager: DiscoveryManager, didUpdate problems: [DiscoveryProblem]) {
    for problem in problems { sink.yield(problem) }
  }
}

/// What a logger of the program's own was told.
private final class LogBook: LogHandler {
  private struct Entry { let message: String, keys: Set<String> }
  private let entries = Mutex<[Entry]>([])
  var messages: [String] { entries.withLock { $0.map(\.message) } }
  var keys: Set<String> { entries.withLock { $0.reduce(into: []) { $0.formUnion($1.keys) } } }
  private let facts = Mutex<Logger.Metadata>([:])

  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
  var metadata: Logger.Metadata {
    get { facts.withLock { $0 } }
    set { facts.withLock { $0 = newValue } }
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
  func log(event: LogEvent) {
    let keys = Set(metadata.keys).union((event.metadata ?? [:]).keys)
    entries.withLock { $0.append(Entry(message: "\(event.message)", keys: keys)) }
  }
}
