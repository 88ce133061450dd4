package import CastProtocol
package import CastReceiverSim
package import CastqCore

/// A feeder, a session and a receiver in one virtual world: a day of playback takes milliseconds, and every run with the same
/// seed is the same.
package struct VirtualFeed: Sendable {
  package private(set) var now = Tick.zero
  package var rows: VirtualRows
  package internal(set) var receiver: VirtualReceiver
  package internal(set) var feeder: FeederMachine
  package internal(set) var session = SessionMachine()
  /// How the feeder ended; nil while it goes on.
  package internal(set) var end: RunEnd?
  /// Largest frame body either side sent.
  package private(set) var largestFrame = 0
  /// Notable moments, for the transcript of a run that went wrong.
  package internal(set) var log: [String] = []
  /// More lines than this are not kept, the oldest go first; nil keeps all.
  package var logLimit: Int?
  /// What people in front of the device have seen.
  package var watch = ScreenWatch()
  /// How often the device was lost or found, and feeders began or ended: what deserves a line in a log of operations.
  package internal(set) var stateChanges = 0
  /// When a device that is gone is called again.
  package var reconnect = ReconnectPolicy(waits: [0, 1, 2, 4, 5].map { .seconds($0) }, jitter: 0.2)
  /// How long a guest may have the screen before it is taken back; nil ends the run instead.
  package var lease: Duration?
  /// What the wall clock shows besides the time that has passed.
  var wallOffset: Duration = .zero

  let configuration: FeederConfiguration
  let latency: Duration
  var connection: SimConnectionID?
  var connections = 0
  var call: VirtualCall?
  /// Calls in a row after which nothing was shown.
  var failures = 0
  var leaseEndsAt: Tick?
  var toReceiver: [(at: Tick, message: CastMessage, connection: SimConnectionID)] = []
  var toSender: [(at: Tick, output: VirtualReceiver.Output)] = []
  var sessionTimers: [TimerID: Tick] = [:]
  var feederTimers: [FeederTimer: Tick] = [:]
  /// Outcomes of edits reach the feeder a moment after the statuses they came with, as they do between real tasks.
  var outcomes: [(at: Tick, outcome: EditOutcome, edit: Int, session: Int)] = []
  var sessions = 0
  var reopenAt: Tick?
  var tokens = 0
  /// Edits under way, with the feeder's number of each.
  var edits: [RequestToken: Int] = [:]
  /// Questions for a status that are not answered yet.
  private var questions: Set<RequestToken> = []
  var mediaStatus: MediaStatus?
  /// Whether the application of this session has sent a media status.
  var hasMediaAnswer = false
  /// What happens to the application when the feeder ends.
  var endAction = SessionEndAction.leave
  var applicationSession: ApplicationSessionID?
  /// What the next session is to run.
  var application = FeedApplication.media
  /// The session ends to make room for another one.
  var isSwitching = false
  /// What the application for pages was told last, and whose page it is.
  var page: (url: String, turn: EntryTurn)?

  /// - Parameter latency: how long a message is on its way.
  package init(
    rows: VirtualRows, receiver: VirtualReceiver, configuration: FeederConfiguration = FeederConfiguration(),
    latency: Duration = .milliseconds(5)
  ) {
    self.rows = rows
    self.receiver = receiver
    self.configuration = configuration
    self.latency = latency
    feeder = FeederMachine(queue: "virtual", configuration: configuration)
    reopenAt = now
  }

  var wall: WallTime {
    WallTime(milliseconds: 1_000_000 + Int64(bounded: (now.sinceStart + wallOffset).seconds * 1000))
  }

  // MARK: - Time

  /// Lets time pass until the feeder has ended or the limit is reached.
  package mutating func run(until limit: Tick) {
    while end == nil, let next = nextTick, next <= limit { step(to: next) }
    guard end == nil else { return }
    now = max(now, limit)
    receiver.advance(to: now)
    watch.see(receiver.model, page: page, at: now)
  }

  var nextTick: Tick? {
    var ticks = [
      receiver.nextTick, toReceiver.first?.at, toSender.first?.at, outcomes.first?.at, reopenAt, call?.due,
      leaseEndsAt, receiver.model.firstFrame(after: now),
    ].compactMap { $0 }
    ticks += Array(sessionTimers.values)
    ticks += Array(feederTimers.values)
    return ticks.min()
  }

  mutating func step(to tick: Tick) {
    now = max(now, tick)
    receiver.advance(to: now)
    collect()
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
    while let first = outcomes.first, first.at <= now {
      outcomes.removeFirst()
      if first.session == sessions, first.edit == feeder.editNumber { tell(.edited(first.outcome)) }
    }
    for (timer, at) in sessionTimers.sorted(by: { $0.value < $1.value }) where at <= now {
      sessionTimers[timer] = nil
      tell(session: .timerFired(timer))
    }
    for (timer, at) in feederTimers.sorted(by: { $0.value < $1.value }) where at <= now {
      feederTimers[timer] = nil
      tell(.timerFired(timer))
    }
    if let reopen = reopenAt, reopen <= now {
      reopenAt = nil
      openSession()
    }
    if let end = leaseEndsAt, end <= now { takeBack() }
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

  // MARK: - What the world does

  /// Breaks the connection, as a network does.
  package mutating func cutConnection() {
    guard let broken = connection else { return }
    note("cut")
    connection = nil
    receiver.handle(.connectionClosed(broken))
    collect()
    tell(session: .transportClosed(.failed(CastError(.networkError, "cut"))))
  }

  /// Kills the feeder without a word and starts another one on the same rows a while later.
  package mutating func killFeeder(restartAfter pause: Duration = .milliseconds(500)) {
    note("killed")
    dropSession()
    leaseEndsAt = nil
    watch.excuse(until: now + pause)
    feeder = FeederMachine(queue: "virtual", configuration: configuration)
    applicationSession = nil
    end = nil
    failures = 0
    reopenAt = now + pause
  }

  /// Another sender says something to the application.
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

  /// The user has written to the list.
  package mutating func poke() { tell(.rowsChanged) }

  /// A person asks for something.
  package mutating func ask(_ event: FeederMachine.Event) { tell(event) }

  /// castq is told to stop.
  package mutating func stop(_ reason: String) { tell(.stop(reason)) }

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
    switch event {
    case .active(let application):
      stateChanges += 1
      let isSame = application?.sessionID != nil && application?.sessionID == applicationSession
      applicationSession = application?.sessionID
      tell(
        .begin(
          mediaStatus, isSameApplication: isSame, self.application,
          hasAnswered: hasMediaAnswer || self.application == .pages))
      tell(.application(application))
    case .mediaStatus(let status):
      mediaStatus = status
      hasMediaAnswer = true
      tell(.mediaStatus(status, seenUntil: session.seenUntil))
      if feeder.isShowing { failures = 0 }
    case .queueChange(let change): tell(.queueChange(QueueChange(change)))
    case .queueItemError(let id, let error): tell(.itemError(id, PlayReason(error)))
    case .ended(let error): sessionEnded(error)
    case .receiverStatus(let status): tell(.application(status.application))
    case .channelMessage(let message):
      if case .text(let text) = message.payload { tell(.pageSaid(text)) }
    case .launching, .connecting, .waitingForConsent, .queueItemIDs, .queueItems, .multizone,
      .credentialsWanted, .queueItemFailed, .suspended, .resuming, .resumed, .foreignAction:
      break
    }
  }

  private mutating func completed(_ token: RequestToken, _ result: Result<Reply, CastError>) {
    if questions.remove(token) != nil { questionAnswered(result) }
    guard let edit = edits.removeValue(forKey: token) else { return }
    let outcome: EditOutcome =
      switch result {
      case .success(.queueItemIDs(let answer)): .itemIDs(answer.ids)
      case .success(.queueItems(let items)): .items(items)
      case .success: .done
      case .failure(let error): .failed(EditFailure(error))
      }
    outcomes.append((now + latency, outcome, edit, sessions))
  }

  private mutating func questionAnswered(_ result: Result<Reply, CastError>) {
    let answer: StatusAnswer? =
      switch result {
      case .success(.mediaStatus(nil)): .nothingLoaded
      case .success: .told
      case .failure(let error): StatusAnswer(error)
      }
    if answer == .nothingLoaded { mediaStatus = nil }
    if let answer { tell(.statusAnswered(answer)) }
  }

  // MARK: - The feeder

  mutating func tell(_ event: FeederMachine.Event) {
    for action in feeder.handle(event, at: now, wall: wall) {
      switch action {
      case .readUpcoming(let limit, let besides):
        let list = rows.upcoming(limit: limit, besides: besides, at: wall)
        tell(.upcoming(list.places, until: list.until))
      case .readFallback(let limit, let besides):
        tell(.upcoming(rows.upcomingFallback(limit: limit, besides: besides)))
      case .readTurns(let turns): tell(.heldTurns(rows.held(turns)))
      case .recover(let kept):
        let point = rows.recover(keeping: kept)
        tell(.recovered(point))
      case .adopted(let turn):
        failures = 0
        note("adopted \(turn)")
      case .offer(let turns): rows.write(.offer(turns, at: wall))
      case .markQueued(let turns): rows.write(.markQueued(turns))
      case .release(let turns): rows.write(.release(turns))
      case .record(let facts):
        rows.write(.record(facts))
        for fact in facts {
          if case .started = fact.fact { failures = 0 }
          note(Self.words(fact.fact))
        }
      case .open(let application, let anew): open(application, anew: anew)
      case .tell(let namespace, let text): say(text, under: namespace)
      case .requestApplication:
        tokens += 1
        tell(session: .request(RequestToken(tokens), .receiver(.getStatus)))
      case .load(let items, let start, interrupts: true):
        ask(.load(LoadRequest(interruptingWith: items, startTime: start)), isEdit: true)
      case .load(let items, let start, interrupts: false):
        ask(.queueLoad(QueueLoad(items: items, repeatMode: .off, currentTime: start)), isEdit: true)
      case .insert(let items, let before):
        ask(.queueInsert(QueueInsert(items: items, insertBefore: before)), isEdit: true)
      case .remove(let ids): ask(.queueRemove(QueueRemove(itemIDs: ids)), isEdit: true)
      case .fetchItemIDs: ask(.queueGetItemIDs, isEdit: true)
      case .fetchItems(let ids): ask(.queueGetItems(ids), isEdit: true)
      case .moveList(let entry): rows.write(.moveList(to: entry))
      case .jump(let id): ask(.queueUpdate(QueueUpdate(currentItemID: id)), isEdit: false)
      case .next: ask(.queueUpdate(QueueUpdate(jump: 1)), isEdit: false)
      case .stopMedia where application == .pages: tell(session: .end(.stopApplication))
      case .stopMedia: ask(.stop, isEdit: false)
      case .stopApplication: endAction = .stopApplication
      case .setPlaybackRate(let rate): ask(.setPlaybackRate(.rate(rate)), isEdit: false)
      case .requestStatus:
        questions.insert(RequestToken(tokens + 1))
        ask(.getStatus(), isEdit: false)
      case .reconnect(let words): giveUpSession(words)
      case .startTimer(let timer, let delay): feederTimers[timer] = now + delay
      case .cancelTimer(let timer): feederTimers[timer] = nil
      case .ended(let how): finish(how)
      case .waits(let until, _): wait(until: until)
      }
    }
  }

  private mutating func ask(_ request: MediaRequest, isEdit: Bool) {
    tokens += 1
    let token = RequestToken(tokens)
    if isEdit { edits[token] = feeder.editNumber }
    note("\(request.type)")
    tell(session: .request(token, .media(request)))
  }

  private static func words(_ fact: PlaybackFact) -> String {
    switch fact {
    case .started(let turn, _): "started \(turn)"
    case .progressed(let turn, _): "progressed \(turn)"
    case .ended(let turn, let play):
      "ended \(turn) \(play.outcome) \(play.evidence) played \(play.played) \(play.reason?.note ?? "")"
    case .adEnded(let turn, _): "ad of \(turn)"
    }
  }
}
