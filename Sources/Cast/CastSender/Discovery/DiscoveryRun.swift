import CastMulticast
import CastProtocol
import Logging
import NIOCore
import Synchronization

/// One run of discovery: its sockets, its timers and the callers that wait for a device. The machine is passed from run to run,
/// with all records found so far.
actor DiscoveryRun {
  /// The events of a run for its manager.
  enum News: Sendable {
    case devices([Device], [DiscoveryMachine.Action])
    case problems([DiscoveryProblem])
  }

  private enum Input: Sendable {
    case datagram(MulticastDatagram)
    case undeliverable(MulticastLink, MulticastError)
    case timersDue
    case pace(DiscoveryPace)
    case stop
  }

  private enum Timer: Hashable, Sendable {
    case machine, interfaces
    case patience(Int)
  }

  /// A caller that waits for a device.
  private struct Waiter {
    let uniqueID: String
    /// Whether known records do not suffice.
    let wantsNews: Bool
    let continuation: CheckedContinuation<Device?, Never>
  }

  /// Interval at which interfaces are listed: they change without a notification.
  private static let interfacePeriod = Duration.seconds(5)

  private let options: DiscoveryOptions
  /// The initial pace.
  private let pace: DiscoveryPace
  private let services: [DNSName]
  private let group: any EventLoopGroup
  private let time: TimeSource
  private let logger: Logger
  private let report: @Sendable (News) -> Void
  /// In bytes, which determine the cost of parsing: a flood must not delay timers by more than a fraction of a second.
  private let inboxLimit = InboxLimit(limit: 512 * 1024)
  /// Datagrams that are still queued when discovery stops are dropped.
  private let isStopped = Atomic(false)
  private let inputs: AsyncStream<Input>
  private nonisolated let inbox: AsyncStream<Input>.Continuation

  private var machine = DiscoveryMachine()
  private var hasEnded = false
  private var timers: TimerSet<Timer>
  private var transport: MulticastTransport?
  private var links = DiscoveryLinks()
  private var listening: [MulticastLink: MulticastError] = [:]
  private var sending: [MulticastLink: MulticastError] = [:]
  private var problems: [DiscoveryProblem] = []
  private var waiters: [Int: Waiter] = [:]
  private var lastWaiter = 0

  init(
    options: DiscoveryOptions, pace: DiscoveryPace, services: [DNSName], group: any EventLoopGroup,
    time: TimeSource,
    logger: Logger, report: @escaping @Sendable (News) -> Void
  ) {
    self.options = options
    self.pace = pace
    self.services = services
    self.group = group
    self.time = time
    self.logger = logger
    self.report = report
    let (inputs, inbox) = AsyncStream.makeStream(of: Input.self)
    self.inputs = inputs
    self.inbox = inbox
    timers = TimerSet(time: time) { inbox.yield(.timersDue) }
  }

  /// Runs until `stop()`; returns the machine when all sockets are closed.
  func run(_ machine: DiscoveryMachine) async -> DiscoveryMachine {
    self.machine = machine
    let (transport, _) = await MulticastTransport.open(links: [], port: options.port, group: group) {
      [inbox, inboxLimit] in
      if inboxLimit.admit(Self.weight(of: $0)) { inbox.yield(.datagram($0)) }
    } report: { [inbox, inboxLimit] in
      if inboxLimit.admit(Self.leastWeight) { inbox.yield(.undeliverable($0, $1)) }
    }
    self.transport = transport
    handle(.start(services: services, pace: pace))
    await readInterfaces()
    for waiter in waiters.values {
      if let device = fresh(waiter.uniqueID) {
        answer(device, isNews: false)
      }
      handle(.lookFor(uniqueID: waiter.uniqueID))
    }
    loop: for await input in inputs {
      switch input {
      case .datagram(let datagram):
        inboxLimit.release(Self.weight(of: datagram))
        guard !isStopped.load(ordering: .relaxed) else { continue }
        receive(datagram)
        // Calls of `find` get a turn even while datagrams arrive without end.
        await Task.yield()
      case .undeliverable(let link, let error):
        inboxLimit.release(Self.leastWeight)
        cannotSend(link, error)
      case .timersDue: for timer in timers.takeDue() { await fired(timer) }
      case .pace(let pace): handle(.start(services: services, pace: pace))
      case .stop: break loop
      }
    }
    handle(.stop)
    hasEnded = true
    for number in waiters.keys { finish(number, with: nil) }
    let sleeper = timers.end()
    await transport.close()
    await sleeper?.value
    return self.machine
  }

  nonisolated func setPace(_ pace: DiscoveryPace) { inbox.yield(.pace(pace)) }

  nonisolated func stop() {
    isStopped.store(true, ordering: .relaxed)
    inbox.yield(.stop)
  }

  /// The weight of an empty datagram.
  private static let leastWeight = 256

  private static func weight(of datagram: MulticastDatagram) -> Int {
    leastWeight + datagram.bytes.count
  }

  /// Waits for a device.
  ///
  /// - Parameters:
  ///   - isNews: whether known records do not suffice: the device must answer again.
  ///   - timeout: time limit, after which the result is nil.
  func find(_ uniqueID: String, isNews: Bool, timeout: Duration) async -> Device? {
    guard !hasEnded else { return nil }
    if !isNews, let device = fresh(uniqueID) { return device }
    lastWaiter += 1
    let number = lastWaiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters[number] = Waiter(
          uniqueID: uniqueID, wantsNews: isNews, continuation: continuation)
        timers.start(.patience(number), after: timeout)
        if transport != nil { handle(.lookFor(uniqueID: uniqueID)) }
        if Task.isCancelled { finish(number, with: nil) }
      }
    } onCancel: {
      Task { await self.finish(number, with: nil) }
    }
  }

  /// The device, if its records are still valid; else nil.
  private func fresh(_ uniqueID: String) -> Device? {
    machine.freshDevice(withUniqueID: uniqueID, at: time.now())
  }

  // MARK: - Events

  private func receive(_ datagram: MulticastDatagram) {
    guard let link = links.link(datagram.link) else { return }
    handle(.received(datagram.bytes, on: link))
  }

  private func fired(_ timer: Timer) async {
    switch timer {
    case .machine: handle(.timerFired)
    case .interfaces: await readInterfaces()
    case .patience(let number): finish(number, with: nil)
    }
  }

  private func readInterfaces() async {
    timers.start(.interfaces, after: Self.interfacePeriod)
    let interfaces: [NetworkInterface]
    do throws(MulticastError) {
      interfaces = try NetworkInterface.all()
    } catch {
      logger.debug("interfaces unreadable", metadata: ["cast.error": "\(error)"])
      return
    }
    links = DiscoveryLinks(options, interfaces: interfaces)
    listening = await transport?.use(links.multicast) ?? [:]
    sending = sending.filter { links.multicast.contains($0.key) }
    handle(.linksChanged(links.discovery.filter { listening[$0.value] == nil }.map(\.key)))
    reportProblems()
  }

  private func cannotSend(_ link: MulticastLink, _ error: MulticastError) {
    guard sending[link] != error else { return }
    sending[link] = error
    reportProblems()
  }

  private func reportProblems() {
    // If one address family works, a problem of the other does not limit discovery.
    let working = Set(
      links.multicast.filter { listening[$0] == nil && sending[$0] == nil }.map(\.interfaceName))
    let new =
      links.problems
      + listening.filter { !working.contains($0.key.interfaceName) }
      .map { DiscoveryProblem.listening($0.value, on: $0.key) }
      .sorted { $0.description < $1.description }
      + sending.filter { !working.contains($0.key.interfaceName) }
      .map { DiscoveryProblem.sending($0.value, on: $0.key) }
      .sorted { $0.description < $1.description }
    guard new != problems else { return }
    problems = new
    report(.problems(new))
  }

  private func handle(_ event: DiscoveryMachine.Event) {
    var changes: [DiscoveryMachine.Action] = []
    var heard: [Device] = []
    for action in machine.handle(event, at: time.now()) {
      switch action {
      case .send(let bytes, let link):
        guard let way = links.discovery[link] else { continue }
        transport?.send(bytes, on: way)
      case .startTimer(let wait): timers.start(.machine, after: wait)
      case .stopTimer: timers.cancel(.machine)
      case .found, .changed, .lost: changes.append(action)
      case .heard(let device): heard.append(device)
      case .note(let note): logger.debug("discovery note", metadata: ["cast.note": "\(note)"])
      }
    }
    if !changes.isEmpty { report(.devices(machine.devices, changes)) }
    for device in heard { answer(device, isNews: true) }
    for case .found(let device) in changes { answer(device, isNews: true) }
    for case .changed(let device) in changes { answer(device, isNews: true) }
  }

  private func answer(_ device: Device, isNews: Bool) {
    for (number, waiter) in waiters where waiter.uniqueID == device.uniqueID && (isNews || !waiter.wantsNews)
    {
      finish(number, with: device)
    }
  }

  private func finish(_ number: Int, with device: Device?) {
    timers.cancel(.patience(number))
    waiters.removeValue(forKey: number)?.continuation.resume(returning: device)
  }
}
