public import CastProtocol
import CastTLS
public import Logging
public import NIOCore
import NIOPosix
import Synchronization

/// Finds the Cast devices of the local networks and keeps their list up to date (protocol 13, 17.5).
///
/// Devices appear as soon as they answer: read `updates()`, or add a listener. Networks that block multicast, such as those of
/// containers and separate VLANs, show no devices: connect to a device by its address there, without discovery.
///
/// Deallocating a manager stops discovery and ends its `updates()`.
public final class DiscoveryManager: Sendable {
  /// The devices to find, and the interfaces to use.
  public let options: DiscoveryOptions
  private let group: any EventLoopGroup
  private let time: TimeSource
  private let logger: Logger
  private let listeners = ListenerSet<any DiscoveryManagerListener>()
  private let streams = UpdateStreams<[Device]>()

  private struct State {
    var devices: [Device] = []
    var problems: [DiscoveryProblem] = []
    /// Whether discovery was started by `startDiscovery()`.
    var isStarted = false
    /// Whether queries are rare, unless a list is on a screen.
    var isPassive: Bool
    /// Number of lists of devices on screens.
    var lists = 0
    var pace: DiscoveryPace { isPassive && lists == 0 ? .passive : .active }
    /// Number of callers that wait for a device.
    var finders = 0
    var run: DiscoveryRun?
    var task: Task<Void, Never>?
    /// The records that earlier runs have found.
    var machine = DiscoveryMachine()
  }
  private let state: Mutex<State>

  /// Creates a manager; discovery does not start yet.
  /// - Parameters:
  ///   - options: the devices to find and the interfaces to use; by default all devices on all interfaces.
  ///   - eventLoopGroup: runs the sockets; nil uses the process-wide group.
  ///   - logger: the manager's logger; by default that of `CastLogger.shared`, which is silent until configured.
  ///   - time: the source of time.
  public init(
    options: DiscoveryOptions = DiscoveryOptions(), eventLoopGroup: (any EventLoopGroup)? = nil,
    logger: Logger = CastLogger.shared.logger(for: .discoveryManager),
    time: TimeSource = .continuous
  ) {
    self.options = options
    state = Mutex(State(isPassive: options.isPassive))
    group = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
    self.time = time
    self.logger = logger
  }

  deinit {
    state.withLock(\.run)?.stop()
    streams.finish()
  }

  /// The known devices, by friendly name. Those of an earlier run remain until their records expire.
  public var devices: [Device] { state.withLock(\.devices) }

  /// The problems that limit discovery, as far as this computer can detect them; empty when there are none.
  public var problems: [DiscoveryProblem] { state.withLock(\.problems) }

  /// Whether discovery is running.
  public var isDiscovering: Bool { state.withLock { $0.isStarted } }

  /// The device with this identity, in any spelling; nil if it has not been found.
  public func device(withUniqueID id: String) -> Device? {
    let id = Device.normalizedID(id) ?? id
    return devices.first { $0.uniqueID == id }
  }

  /// Whether discovery queries rarely, for programs that show no list; devices that announce themselves are still found. Initially
  /// `DiscoveryOptions.isPassive`; a change takes effect at once (protocol 13.5). While a dialog of
  /// `CastPresentation` lists devices this is false, and what is set takes effect when the last one has closed.
  public var isPassive: Bool {
    get { state.withLock { $0.pace == .passive } }
    set {
      // Under the lock, so that the run receives changes in order.
      state.withLock { state in
        let before = state.pace
        state.isPassive = newValue
        if state.pace != before { state.run?.setPace(state.pace) }
      }
    }
  }

  /// A list of devices has appeared on a screen; each of these calls needs one of `listDisappeared()`.
  package func listAppeared() { changeLists(by: 1) }

  /// A list has disappeared.
  package func listDisappeared() { changeLists(by: -1) }

  private func changeLists(by change: Int) {
    state.withLock { state in
      let before = state.pace
      state.lists += change
      if state.pace != before { state.run?.setPace(state.pace) }
    }
  }

  /// Starts discovery; does nothing if it is running.
  public func startDiscovery() {
    state.withLock { state in
      state.isStarted = true
      begin(&state)
    }
  }

  /// Stops discovery, and returns when all its sockets are closed.
  public func stopDiscovery() async {
    state.withLock { $0.isStarted = false }
    await endIfUnused()
  }

  /// The current list, then each change of it. A slow reader gets the newest list.
  public func updates() -> AsyncStream<[Device]> {
    // Under the lock, so that no newer list can precede this one.
    state.withLock { streams.add(first: $0.devices) }
  }

  /// Adds a listener; it is held weakly, and may be added or removed at any time.
  public func add(_ listener: any DiscoveryManagerListener) {
    listeners.add(ObjectIdentifier(listener)) { [weak listener] in listener }
  }

  /// Removes a listener; does nothing if it was not added.
  public func remove(_ listener: any DiscoveryManagerListener) {
    listeners.remove(ObjectIdentifier(listener))
  }

  /// Finds one device: a known one whose records are still valid, or one that answers in time. Runs discovery for the duration of
  /// the call if it is stopped.
  /// - Parameters:
  ///   - id: the device's identity, in any spelling.
  ///   - timeout: time limit for an answer.
  /// - Returns: nil when no such device has answered in time.
  public func findDevice(withUniqueID id: String, timeout: Duration) async -> Device? {
    // A malformed identity belongs to no device.
    guard let id = Device.normalizedID(id) else { return nil }
    return await find(id, isNews: false, timeout: timeout)
  }

  private func find(_ id: String, isNews: Bool, timeout: Duration) async -> Device? {
    let run = state.withLock { state in
      state.finders += 1
      return begin(&state)
    }
    let device = await run.find(id, isNews: isNews, timeout: timeout)
    state.withLock { $0.finders -= 1 }
    await endIfUnused()
    return device
  }

  // MARK: - Runs

  @discardableResult
  private func begin(_ state: inout State) -> DiscoveryRun {
    if let run = state.run { return run }
    let run = DiscoveryRun(
      options: options, pace: state.pace, services: services, group: group,
      time: time, logger: logger
    ) { [weak self] in self?.handle($0) }
    state.run = run
    state.task = Task { [previous = state.task, weak self] in
      await previous?.value
      guard let machine = self?.state.withLock({ $0.machine }) else { return }
      let result = await run.run(machine)
      self?.state.withLock { $0.machine = result }
    }
    return run
  }

  private func endIfUnused() async {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard !state.isStarted, state.finders == 0, let run = state.run else { return state.task }
      run.stop()
      state.run = nil
      return state.task
    }
    guard state.withLock({ $0.run == nil }) else { return }
    await task?.value
  }

  private func handle(_ news: DiscoveryRun.News) {
    switch news {
    case .devices(let devices, let changes):
      state.withLock { $0.devices = devices }
      for change in changes { reportChange(change) }
      streams.yield(devices)
    case .problems(let problems):
      state.withLock { $0.problems = problems }
      for problem in problems {
        logger.warning("discovery is limited", metadata: ["cast.problem": "\(problem)"])
      }
      listeners.notify { $0.discoveryManager(self, didUpdate: problems) }
    }
  }

  private func reportChange(_ change: DiscoveryMachine.Action) {
    switch change {
    case .found(let device):
      logger.info("device found", metadata: metadata(device))
      listeners.notify { $0.discoveryManager(self, didInsert: device) }
    case .changed(let device):
      logger.debug("device changed", metadata: metadata(device))
      listeners.notify { $0.discoveryManager(self, didUpdate: device) }
    case .lost(let device):
      logger.info("device lost", metadata: metadata(device))
      listeners.notify { $0.discoveryManager(self, didRemove: device) }
    case .send, .startTimer, .stopTimer, .heard, .note: break
    }
  }

  private func metadata(_ device: Device) -> Logger.Metadata {
    ["cast.device": "\(device.friendlyName ?? "-")", "cast.address": "\(device.endpoint)"]
  }

  /// The service names for the criteria (protocol 13.4).
  private var services: [DNSName] {
    let criteria = options.criteria
    var names = criteria.applicationIDs.sorted().map { CastServiceRecord.subtype(applicationID: $0) }
    for namespace in criteria.namespaces.sorted() {
      do throws(TLSError) {
        names.append(CastServiceRecord.subtype(namespaceHash: try SHA1.text(of: namespace.utf8)))
      } catch {
        logger.warning(
          "devices cannot be filtered by namespace",
          metadata: ["cast.namespace": "\(namespace)", "cast.error": "\(error)"])
      }
    }
    return names.isEmpty ? [CastServiceRecord.serviceType] : names
  }
}

extension DiscoveryManager: DeviceResolver {
  /// The device's current endpoint. A newer known endpoint is returned if it is still valid; otherwise the device is queried again,
  /// because groups and devices move without an announcement (protocol 13.5).
  public func locate(_ device: Device) async -> Device {
    guard let id = device.uniqueID else { return device }
    if let known = self.device(withUniqueID: id), known.endpoint != device.endpoint,
      let fresh = await findDevice(withUniqueID: id, timeout: .seconds(1))
    {
      return fresh
    }
    let asked = await find(id, isNews: true, timeout: .seconds(1))
    return asked ?? self.device(withUniqueID: id) ?? device
  }
}
