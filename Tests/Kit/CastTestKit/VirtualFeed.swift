package import CastProtocol
package import CastReceiverSim
package import CastqFeeding
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// A runner's machine, its session and a receiver in virtual time: a day of playback takes milliseconds, and runs with the same
/// seed are identical. It does the work of `QueueRunner`, with rows in memory and messages that take their time.
package struct VirtualFeed: Sendable {
  package private(set) var now = Tick.zero
  /// The layer between the runner and its rows, as in the product.
  var feederRows: FeederRows<VirtualRows>
  package internal(set) var receiver: VirtualReceiver
  package internal(set) var runner: RunnerMachine
  package internal(set) var session = SessionMachine()
  /// How the run ended; nil while it continues.
  package internal(set) var end: RunEnd?
  /// Largest frame body either side sent.
  package private(set) var largestFrame = 0
  /// Notable events, for the transcript of a failed run.
  package internal(set) var log: [String] = []
  /// Most lines kept, the newest; nil keeps all.
  package var logLimit: Int?
  /// The runner's events and actions as text; nil when it is not recorded.
  package var story: RunStory?
  /// What people in front of the device have seen.
  package var watch = ScreenWatch()
  /// How often the device was lost or found, and feeders began or ended: the changes that an operator's log reports.
  package internal(set) var stateChanges = 0
  /// When a lost device is called again.
  package var reconnect = ReconnectPolicy(waits: [0, 1, 2, 4, 5].map { .seconds($0) }, jitter: 0.2)
  /// How long another sender may have the screen before it is reclaimed; nil ends the run instead.
  package var lease: Duration?
  /// What its site has not heard yet; nil for a feed that supervises itself.
  var told: [VirtualSite.Told]?
  /// Whether the present run only ends what an earlier one has left on the screen.
  var isClearing = false
  /// Offset of the wall clock from the elapsed time.
  var wallOffset: Duration = .zero

  /// The rules of the device; nil obeys none. A new book is read with the next `poke`.
  package var book: ScheduleBook? { didSet { hasReadBook = false } }
  /// The device, as rules name it.
  package var screen = ScheduleDevice(id: "1", name: "virtual")
  var hasReadBook = false

  /// Which pages are resolved; heeded by runs that begin afterwards.
  package var resolvers = ResolverRules()
  /// What finds out what is behind them.
  package var resolver = VirtualResolver()
  /// Files that the device refuses as they are.
  package var files = VirtualFiles()
  /// Answers of programs under way.
  var resolving: [(at: Tick, event: RunnerMachine.Event)] = []

  let configuration: FeederConfiguration
  let latency: Duration
  var connection: SimConnectionID?
  var connections = 0
  var call: VirtualCall?
  var leaseEndsAt: Tick?
  var toReceiver: [(at: Tick, message: CastMessage, connection: SimConnectionID)] = []
  var toSender: [(at: Tick, output: VirtualReceiver.Output)] = []
  var sessionTimers: [TimerID: Tick] = [:]
  var runnerTimers: [RunnerTimer: Tick] = [:]
  /// Results of requests reach the runner a moment after the statuses they came with, as between real tasks.
  var replies: [(at: Tick, token: RequestToken, result: Result<Reply, CastError>)] = []
  /// The session in use, or ending; nil for none.
  var number: SessionNumber?
  var isEnding = false
  /// When the next run begins.
  var startsAt: Tick?
  /// When failing rows recover.
  var rowsWorkAt: Tick?
  /// Events that arrive while the runner handles another one.
  private var inbox: [RunnerMachine.Event] = []
  private var isHandling = false
  /// How many actions of runners were done.
  package private(set) var actionCount = 0
  /// The feeder is killed when so many actions were done: before the next one, with all that was still to be done. Nil is never.
  package var killBefore: Int?
  private var tickets = 0
  /// The answers to the live commands.
  package internal(set) var answers: [TicketID: ControlReply] = [:]
  /// The newest media status of the session; nil before the first.
  var mediaStatus: MediaStatus?
  /// The page last sent to the page application, and its turn.
  var page: (url: String, turn: EntryTurn)?

  /// - Parameters:
  ///   - latency: transit time of a message.
  ///   - isOfSite: whether it waits until a site has it begin; otherwise it begins at once.
  package init(
    rows: VirtualRows, receiver: VirtualReceiver, configuration: FeederConfiguration = FeederConfiguration(),
    latency: Duration = .milliseconds(5), isOfSite: Bool = false
  ) {
    feederRows = FeederRows(rows)
    self.receiver = receiver
    self.configuration = configuration
    self.latency = latency
    runner = Self.runner(RunnerConfiguration(feeder: configuration))
    startsAt = isOfSite ? nil : now
    told = isOfSite ? [] : nil
  }

  /// The list that a person edits, and the history.
  package var rows: VirtualRows {
    get { feederRows.store }
    _modify { yield &feederRows.store }
  }

  package var wall: WallTime {
    WallTime(milliseconds: 1_000_000 + Int64(bounded: (now.sinceStart + wallOffset).seconds * 1000))
  }

  /// The runner's view of what the receiver holds.
  package var feeder: FeederMachine { runner.feeder }

  static func runner(_ configuration: RunnerConfiguration) -> RunnerMachine {
    RunnerMachine(
      device: Device(endpoint: DeviceEndpoint(host: "virtual")), label: "virtual", queue: "virtual",
      configuration: configuration)
  }

  // MARK: - Time

  /// Advances the time until the feeder has ended or the limit is reached.
  package mutating func run(until limit: Tick) {
    while end == nil, let next = nextTick, next <= limit { step(to: next) }
    guard end == nil else { return }
    now = max(now, limit)
    receiver.advance(to: now)
    watch.see(receiver.model, page: page, at: now)
  }

  var nextTick: Tick? {
    // Without a list of them all: this is asked at every step.
    var earliest = receiver.nextTick
    func note(_ tick: Tick?) {
      guard let tick else { return }
      if let known = earliest, known <= tick { return }
      earliest = tick
    }
    note(toReceiver.first?.at)
    note(toSender.first?.at)
    note(replies.first?.at)
    note(startsAt)
    note(call?.due)
    note(leaseEndsAt)
    note(feederRows.nextWork)
    note(rowsWorkAt)
    note(receiver.model.firstFrame(after: now))
    for answer in resolving { note(answer.at) }
    for tick in sessionTimers.values { note(tick) }
    for tick in runnerTimers.values { note(tick) }
    return earliest
  }

  mutating func step(to tick: Tick) {
    now = max(now, tick)
    receiver.advance(to: now)
    collect()
    if let end = rowsWorkAt, end <= now {
      rowsWorkAt = nil
      rows.isFailing = false
    }
    if let due = call?.due, due <= now { answerCall() }
    while let first = toReceiver.first, first.at <= now {
      toReceiver.removeFirst()
      largestFrame = max(largestFrame, FrameCodec.bodyLength(of: first.message))
      receiver.handle(.received(first.message, from: first.connection))
      collect()
    }
    while let first = toSender.first, first.at <= now {
      toSender.removeFirst()
      deliver(first.output)
    }
    while let first = replies.first, first.at <= now {
      replies.removeFirst()
      tell(.completed(first.token, first.result))
    }
    while let index = resolving.firstIndex(where: { $0.at <= now }) {
      tell(resolving.remove(at: index).event)
    }
    for (timer, at) in sessionTimers.sorted(by: { $0.value < $1.value }) where at <= now {
      sessionTimers[timer] = nil
      tell(session: .timerFired(timer))
    }
    for (timer, at) in runnerTimers.sorted(by: { $0.value < $1.value }) where at <= now {
      runnerTimers[timer] = nil
      tell(.timerFired(timer))
    }
    if let start = startsAt, start <= now { startRun(usual) }
    if let end = leaseEndsAt, end <= now { takeBack() }
    workOnRows()
    watch.see(receiver.model, page: page, at: now)
  }

  mutating func note(_ line: String) {
    log.append("\(now.sinceStart) \(line)")
    if let logLimit, log.count > logLimit * 2 { log.removeFirst(log.count - logLimit) }
  }

  mutating func collect() {
    for output in receiver.takeOutputs() {
      if let message = output.message { largestFrame = max(largestFrame, FrameCodec.bodyLength(of: message)) }
      toSender.append((output.tick + latency, output))
    }
  }

  private mutating func deliver(_ output: VirtualReceiver.Output) {
    guard output.connection == connection else { return }
    if let message = output.message {
      tell(session: .received(message))
    } else {
      connection = nil
      tell(session: .transportClosed(.closedByPeer))
    }
  }

  // MARK: - Outside events

  /// Breaks the connection, as a network does.
  package mutating func cutConnection() {
    guard let broken = connection else { return }
    note("cut")
    connection = nil
    receiver.handle(.connectionClosed(broken))
    collect()
    tell(session: .transportClosed(.failed(CastError(.networkError, "cut"))))
  }

  /// Kills the feeder without notice and starts another one on the same rows after the pause.
  package mutating func killFeeder(restartAfter pause: Duration = .milliseconds(500)) {
    note("killed")
    dropSession()
    leaseEndsAt = nil
    watch.excuse(until: now + pause)
    runner = Self.runner(RunnerConfiguration(feeder: configuration))
    feederRows = FeederRows(rows)
    end = nil
    startsAt = now + pause
  }

  /// Sends a message of another sender to the application.
  package mutating func stranger(_ body: JSONValue) {
    guard let transport = transport, let connection else { return }
    note("stranger \(body.text)")
    let source: EndpointID = "sender-stranger"
    receiver.send(["type": "CONNECT"], .connection, from: source, to: transport, over: connection)
    var body = body
    if let id = mediaStatus?.mediaSessionID, body["mediaSessionId"] == nil {
      body = body.keeping(["mediaSessionId": .integer(Int64(id.rawValue))])
    }
    receiver.send(body, .media, from: source, to: transport, over: connection)
    collect()
  }

  /// Notifies the runner that the user has written to the list.
  package mutating func poke() { tell(.rowsChanged) }

  /// Executes a person's command; the answer will be in `answers`.
  @discardableResult
  package mutating func ask(_ command: ControlCommand) -> TicketID {
    tickets += 1
    tell(.command(command, TicketID(tickets)))
    return TicketID(tickets)
  }

  /// Ends castq and leaves the screen as it is.
  package mutating func leave() { tell(.leave) }

  /// Stops castq.
  package mutating func stop(_ reason: PlayEnding) { tell(.stop(reason)) }

  var transport: EndpointID?

  // MARK: - The session

  mutating func tell(session event: SessionMachine.Event) {
    for action in session.handle(event, at: now) {
      switch action {
      case .openTransport: call = VirtualCall(began: now, due: now + latency)
      case .closeTransport: hangUp()
      case .send(let message):
        if message.namespace == .media { transport = message.destination }
        if let connection { toReceiver.append((now + latency, message, connection)) }
      case .startTimer(let timer, let delay): sessionTimers[timer] = now + delay
      case .cancelTimer(let timer): sessionTimers[timer] = nil
      case .complete(let token, let result): completed(token, result)
      case .publish(let event): published(event)
      case .note: break
      }
    }
  }

  private mutating func published(_ event: SessionEvent) {
    guard let number else { return }
    if case .mediaStatus(let status) = event { mediaStatus = status }
    switch event {
    case .active, .resumed, .suspended:
      stateChanges += 1
      note("session \(event)".prefix { $0 != "(" }.description)
    case .ended, .connecting, .launching, .waitingForConsent, .retrying, .resuming, .foreignAction,
      .receiverStatus, .mediaStatus, .queueItemIDs, .queueItems, .queueChange, .queueItemError,
      .queueItemFailed, .channelMessage, .multizone, .credentialsWanted:
      break
    }
    let isLast = if case .ended = event { true } else { false }
    if isLast { self.number = nil }
    if isEnding {
      // Of a session that is ending, only the end counts.
      guard case .ended(let error) = event else { return }
      isEnding = false
      return tell(.sessionClosed(number, error))
    }
    if case .ended(let error) = event {
      note("session ended: \(error.map { "\($0)" } ?? "by us")")
      // A call that failed like the one before is no change.
      if runner.outlook.calls == nil { stateChanges += 1 }
    }
    tell(.session(number, event, seenUntil: session.seenUntil))
  }

  private mutating func completed(_ token: RequestToken, _ result: Result<Reply, CastError>) {
    replies.append((now + latency, token, result))
  }

  // MARK: - The runner

  /// Passes an event to the runner; what follows from it is handled after all of its current actions.
  mutating func tell(_ event: RunnerMachine.Event) {
    inbox.append(event)
    guard !isHandling else { return }
    isHandling = true
    while !inbox.isEmpty {
      var events = [inbox.removeFirst()]
      while !events.isEmpty {
        let event = events.removeFirst()
        let seen = isEnding ? nil : session.presence.seenUntil(at: now)
        let actions = runner.handle(event, at: now, wall: wall, seenUntil: seen)
        story?.tell(event, actions, at: now)
        do throws(VirtualRows.Outage) {
          for action in actions {
            if actionCount == killBefore {
              (events, killBefore) = ([], nil)
              killFeeder()
              break
            }
            actionCount += 1
            try perform(action, answers: &events)
          }
        } catch {
          events = [.storeBroken(error.failure)]
        }
        noticeOutage()
      }
    }
    isHandling = false
  }

  /// Discards the events that have not reached the runner.
  mutating func emptyInbox() { inbox = [] }
}
