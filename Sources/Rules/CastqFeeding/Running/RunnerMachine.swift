package import CastProtocol
import CastqPlaylists
package import CastqSchedule
package import CastqText

/// Everything castq decides about one device, from the beginning of a run to its end: when it is called, which application it runs,
/// what a person's command does, how loud it is, and how the run ends. What is on the receiver is its feeder's.
///
///     idle ──first place──> session ──lost──> pausing ──> session
///      │ ^                   │  └──another application──> switching ──> session
///      │ └──window opens── waiting <──nothing may be shown──┘
///     any ──stop, leave, drained, taken over, out of reach──> closing ──> ended
///
/// It opens no connection and reads no row itself: its actions are carried out by a driver, and `handle` receives the results. The
/// driver performs the actions in order and answers reads before the next event.
package struct RunnerMachine: Sendable {
  let configuration: RunnerConfiguration
  var stage = RunnerStage.idle
  /// The device where it was located last.
  package internal(set) var device: Device
  package internal(set) var feeder: FeederMachine
  /// What entries wait for before they can be sent.
  var waits: EntryWaits
  var calls: DeviceCalls
  var volume = VolumeKeeper()
  var plays = ToldPlays()
  var application = RunnerApplication()
  var opening = OpeningWait()
  /// What rules have on the screen; nil when no rule is for this device, or this feeder obeys none.
  var schedule: RunnerSchedule?
  var requests = RunnerRequests()
  var commands = RunnerCommands()
  package internal(set) var exit = RunnerExit()
  var moment = RunnerMoment()
  /// What the event being handled has led to so far.
  var actions: [Action] = []

  /// How the run ends; nil while it does not.
  package internal(set) var end: RunEnd? {
    get { exit.end }
    set { exit.end = newValue }
  }

  /// - Parameters:
  ///   - device: where it was last.
  ///   - label: what people call it.
  ///   - queue: the name of its queue, which marks the items on the receiver.
  package init(
    device: Device, label: String, queue: String, configuration: RunnerConfiguration = RunnerConfiguration()
  ) {
    self.device = device
    var configuration = configuration
    configuration.label = label
    self.configuration = configuration
    calls = DeviceCalls(jitter: Jitter(seed: configuration.jitterSeed))
    volume.wanted = configuration.start.volume
    waits = EntryWaits(links: EntryLinks(configuration.resolvers))
    feeder = FeederMachine(
      queue: queue, configuration: configuration.feeder, resume: configuration.start.resume,
      startsOver: configuration.start.startsOver)
  }

  /// The one door.
  /// - Parameter seenUntil: up to when the device was certainly there, by the newest session; nil is as the
  ///   last event of that session says.
  package mutating func handle(
    _ event: Event, at now: Tick, wall: WallTime, seenUntil: Tick? = nil
  ) -> [Action] {
    moment.advance(to: now, wall: wall, seenUntil: seenUntil)
    if end == nil { run(event) } else { close(event) }
    if requests.reads == 0, let ticket = commands.takeSkip() {
      // Between two entries there is nothing to pass over.
      answer(ticket, .failed(.nothingPlays))
    }
    if end == nil { clearScreen() }
    if end == nil {
      performPostponed()
      settleLists()
      timeLinks()
    }
    if end != nil, exit.step == nil { beginClosing() }
    defer { actions = [] }
    return actions
  }

  private mutating func run(_ event: Event) {
    switch event {
    case .begin:
      if let clearing = configuration.clearing { return beginClearing(clearing) }
      actions.append(.write(.start))
      actions.append(configuration.obeysSchedule ? .readSchedule : .readFirst)
    case .session(let number, let event, let seen):
      guard number == session?.number else { return }
      update { $0.seenUntil = seen }
      receive(event, seenUntil: seen)
    case .sessionFlooded(let number):
      // History must not have gaps that look like none: the next session begins with what the rows say.
      guard number == session?.number else { return }
      abandon(number, Self.tooMuch(device, isUsual: calls.overflowed(at: moment.now)))
    case .sessionRefused(let number, let error):
      guard number == session?.number else { return }
      stage = .idle
      end = .unreachable(Failure(error))
    case .sessionClosed(let number, _):
      if case .switching(from: number) = stage { openSession() }
    case .located(let device): self.device = device
    case .completed(let token, let result): completed(token, result)
    case .schedule(let reading): receive(reading)
    case .playing(let result): playing(result)
    case .following(let queue): following(queue)
    case .shareLengths(let lengths): receive(lengths: lengths)
    case .first(let list):
      schedule?.choosing = nil
      begin(with: prepared(list))
    case .upcoming(let list):
      schedule?.choosing = nil
      requests.finishRead()
      receive(list)
    case .resolved(let number, let result): resolved(number, result)
    case .fileRead(let turn): fileRead(turn)
    case .heldTurns(let turns):
      requests.finishRead()
      for turn in turns { plays.titles[turn.turn] = turn.place.draft.media.label }
      feed(.heldTurns(turns))
      settleAdopted()
    case .recovered(let point):
      requests.finishRead()
      feed(.recovered(point))
    case .found(let result, let question, let ticket): found(result, question, ticket)
    case .finishedRows: break
    case .mediaMoved: feed(.mediaMoved)
    case .storeBroken(let failure): end = .failed(failure)
    case .rowsChanged:
      actions.append(.forgetRows)
      if configuration.obeysSchedule { actions.append(.readSchedule) }
      lookAgain()
    case .clockSet:
      tell(.clockSet)
      feed(.rowsChanged)
    case .timerFired(let timer): fire(timer)
    case .command(let command, let ticket): control(command, ticket)
    case .stop(let reason, let quits):
      if quits, session?.isConnected == true,
        feeder.isShowing || application.kind == .media && feeder.hasScreen
      {
        exit.action = .stopApplication
      }
      feed(.stop(reason))
      end = end ?? .stopped
    case .leave:
      volume.stays = true
      feed(.leave)
      end = end ?? .stopped
    case .keepVolume(let level):
      volume.wanted = level
      adjustVolume()
    case .loop(let isLooping):
      actions.append(.setLooping(isLooping))
      lookAgain()
    case .fence: report(.fencePassed)
    }
  }

  private mutating func fire(_ timer: RunnerTimer) {
    switch timer {
    case .feeder(let timer): feed(.timerFired(timer))
    case .call: if case .pausing = stage { openSession() }
    case .commands: performPostponed(atOnce: true)
    case .window: if case .waiting = stage { readFirst() }
    case .links:
      waits.linksDue = nil
      if waits.links.refresh(at: moment.now) { feed(.linksChanged) }
    case .halt:
      feed(.stop(PlayEnding(.stopped, "without a word from the receiver")))
      end = end ?? .stopped
    case .schedule: tell(.timer)
    case .scheduleRetry: retrySchedule()
    case .closing: break
    }
  }

  /// The rows may say something else than before.
  mutating func lookAgain() {
    if case .waiting = stage { return readFirst() }
    feed(.rowsChanged)
  }

  // MARK: - The session

  /// The session in use; nil between two.
  var session: RunnerSession? {
    if case .session(let session) = stage { session } else { nil }
  }

  mutating func update(_ change: (inout RunnerSession) -> Void) {
    guard case .session(var session) = stage else { return }
    change(&session)
    stage = .session(session)
  }

  // MARK: - Reports

  /// Publishes a report, also to the commands that wait for what becomes of an entry.
  mutating func report(_ report: RunnerReport) {
    for (ticket, reply) in commands.observe(report) { answer(ticket, reply) }
    actions.append(.report(report))
  }

  mutating func answer(_ ticket: TicketID, _ reply: ControlReply) { actions.append(.answer(ticket, reply)) }

  /// What the list waits for.
  package var outlook: Outlook {
    if case .waiting(let outlook) = stage { return outlook }
    if session != nil, let loads = feeder.deadLoads { return Outlook(.failed, calls: loads) }
    guard calls.failures > 0, session?.isConnected != true, let since = calls.since else { return Outlook() }
    return Outlook(
      .unreachable, since: moment.wall.adding(seconds: -(moment.now - since).seconds), calls: calls.failures)
  }
}
