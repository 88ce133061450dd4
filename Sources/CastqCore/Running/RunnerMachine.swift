package import CastProtocol

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
  let queue: String
  let label: String
  /// The device where it was located last.
  package internal(set) var device: Device
  package internal(set) var feeder: FeederMachine
  var stage = RunnerStage.idle
  var calls = DeviceCalls()
  var volume = VolumeKeeper()
  var jitter: Jitter
  var titles: [EntryTurn: String] = [:]
  /// What the next session runs.
  package internal(set) var application = FeedApplication.media
  /// The run of the application that the last session spoke to; nil before the first one.
  var applicationSession: ApplicationSessionID?
  var hasConnected = false
  /// The moment that was reported last: it is reported once.
  var announced: WallTime?
  /// Entries that had failed for good before the last wait.
  var failedBefore = 0

  var sessionCount = 0
  var tokenCount = 0
  /// What the requests that are not over were made for.
  var requests: [RequestToken: RunnerRequest] = [:]
  /// The skip that is being carried out; taken by the action that asks the receiver for it.
  var skip: TicketID?
  /// Reads whose answers are due before the next event.
  var readCount = 0
  /// The media that is being stopped; nil when none is.
  var stop: MediaStop?
  /// Live commands that wait for what becomes of the next entry.
  var firstPlays: [(ticket: TicketID, play: FirstPlay)] = []
  /// Who stopped the list: answered when everything is over.
  var haltTickets: [TicketID] = []
  /// A person wants the media stopped and the run ended.
  var isHalting = false
  /// Whether the application stays when the run is over.
  var endAction = SessionEndAction.leave
  /// Why the application did not end.
  var quitFailure: ControlFailure?
  /// How the run ends; nil while it does not.
  package internal(set) var end: RunEnd?
  /// What of its end has been reached; nil while the run continues.
  var closing: RunnerClosing?

  /// The moment of the event being handled. For the machine, time does not go back.
  var now = Tick.zero
  var wall = WallTime(milliseconds: 0)
  /// What the event being handled has led to so far.
  var actions: [Action] = []

  /// - Parameters:
  ///   - device: where it was last.
  ///   - label: what people call it.
  ///   - queue: the name of its queue, which marks the items on the receiver.
  package init(
    device: Device, label: String, queue: String, configuration: RunnerConfiguration = RunnerConfiguration()
  ) {
    self.device = device
    self.label = label
    self.queue = queue
    self.configuration = configuration
    jitter = Jitter(seed: configuration.jitterSeed)
    volume.wanted = configuration.volume
    feeder = FeederMachine(
      queue: queue, configuration: configuration.feeder, resume: configuration.resume,
      startsOver: configuration.startsOver)
  }

  /// The one door.
  package mutating func handle(_ event: Event, at now: Tick, wall: WallTime) -> [Action] {
    self.now = max(self.now, now)
    self.wall = wall
    if end == nil { run(event) } else { close(event) }
    if readCount == 0, let ticket = takeSkip() {
      // Between two entries there is nothing to pass over.
      answer(ticket, .failed(.nothingPlays))
    }
    if end != nil, closing == nil { beginClosing() }
    defer { actions = [] }
    return actions
  }

  private mutating func run(_ event: Event) {
    switch event {
    case .begin:
      actions.append(.write(.start))
      actions.append(.readFirst)
    case .session(let number, let event, let seen):
      guard number == session?.number else { return }
      update { $0.seenUntil = seen }
      receive(event, seenUntil: seen)
    case .sessionFlooded(let number):
      // History must not have gaps that look like none: the next session begins with what the rows say.
      abandon(number, CastError(.disconnected, Self.tooMuch(device)))
    case .sessionRefused(let number, let error):
      guard number == session?.number else { return }
      stage = .idle
      end = .unreachable(ControlFailure(error))
    case .sessionClosed(let number, _):
      if case .switching(from: number) = stage { openSession() }
    case .located(let device): self.device = device
    case .completed(let token, let result): completed(token, result)
    case .first(let list): begin(with: list)
    case .upcoming(let list):
      readCount -= 1
      receive(list)
    case .heldTurns(let turns):
      readCount -= 1
      for turn in turns { titles[turn.turn] = turn.place.draft.media.label }
      feed(.heldTurns(turns))
    case .recovered(let point):
      readCount -= 1
      feed(.recovered(point))
    case .found(let result, let question, let ticket): found(result, question, ticket)
    case .finishedRows: break
    case .storeBroken(let failure): end = .failed(failure)
    case .rowsChanged:
      actions.append(.forgetRows)
      lookAgain()
    case .timerFired(let timer): fire(timer)
    case .command(let command, let ticket): control(command, ticket)
    case .stop(let reason):
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
    }
  }

  private mutating func fire(_ timer: RunnerTimer) {
    switch timer {
    case .feeder(let timer): feed(.timerFired(timer))
    case .call: if case .pausing = stage { openSession() }
    case .window: if case .waiting = stage { actions.append(.readFirst) }
    case .halt:
      feed(.stop("stopped by castq, without a word from the receiver"))
      end = end ?? .stopped
    case .closing: break
    }
  }

  /// The rows may say something else than before.
  private mutating func lookAgain() {
    if case .waiting = stage { return actions.append(.readFirst) }
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
    for index in firstPlays.indices.reversed() {
      guard let reply = firstPlays[index].play.observe(report) else { continue }
      answer(firstPlays.remove(at: index).ticket, reply)
    }
    actions.append(.report(report))
  }

  mutating func answer(_ ticket: TicketID, _ reply: ControlReply) { actions.append(.answer(ticket, reply)) }

  /// What the list waits for.
  package var outlook: Outlook {
    if case .waiting(let until) = stage { return Outlook(.notBefore, until: until) }
    guard calls.failures > 0, session?.isConnected != true, let since = calls.since else { return Outlook() }
    return Outlook(.device, since: wall.adding(seconds: -(now - since).seconds), calls: calls.failures)
  }
}
