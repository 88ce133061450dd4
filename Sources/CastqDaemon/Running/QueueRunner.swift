package import CastSender
package import CastqCore
import CastqMediaServer
package import CastqStore
package import Logging

/// Feeds one device from its rows until nothing is left, across as many sessions as it takes.
///
/// Decides nothing about queues or history: the feeder machine does. The runner opens sessions, carries out the machine's
/// actions in order with no wait in between, and turns what happens into its events.
package actor QueueRunner {
  let executor: StoreExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let device: KnownDevice
  /// The device where it was last, which may be another place than its row had at the beginning.
  var place: Device
  let options: RunnerOptions
  let logger: Logger
  let time: TimeSource
  let queueStore: QueueStore
  let deviceStore: DeviceStore
  let watcher: StoreWatcher
  let media: MediaResolver
  private let reporter: @Sendable (RunnerReport) -> Void
  nonisolated let send: RunnerInbox

  let queueName: String
  var feeder: FeederMachine
  /// What the feeder reads and writes, also while the database does not work.
  var rows: FeederRows
  var timers: TimerSet<FeederTimer>
  /// When the event happened that is being handled, or was handled last. For the feeder, time does not go back.
  var moment = Tick.zero
  /// The session in use; nil between two.
  var session: FeedSession?
  var sessionCount = 0
  /// The newest media status of the session; what the feeder is told when it begins.
  var mediaStatus: MediaStatus?
  /// Whether the application of the session has said anything of media.
  var hasMediaAnswer = false
  /// The run of the application that the last session spoke to.
  private var applicationSession: ApplicationSessionID?
  /// Nothing may be shown yet: there is no session, and this wait is under way; nil while there is something to show.
  var wait: Int?
  var waits = 0
  /// The moment that was told last: it is said once.
  var announced: WallTime?
  /// Entries that have failed for good before the last wait.
  var failedBefore = 0
  /// What the next session is to run.
  var application = FeedApplication.media
  var hasConnected = false
  /// When the present call, or the last one, began.
  var calledAt = Tick.zero
  /// The device is there now.
  var isConnected = false
  /// Sessions in a row that showed nothing, and when the first of them was lost: an application that crashes as soon as it
  /// is fed must not be launched for ever.
  var failures = 0
  var goneSince: Tick?
  var titles: [EntryTurn: String] = [:]
  /// What the media server is to serve.
  var published = PublishedMedia()
  var outcome: RunEnd?
  /// What has been looked at lately, by address, and what is still to be written about plays.
  var looks: [String: Look] = [:]
  var notes: [EntryTurn: Task<Void, Never>] = [:]
  let historyStore: HistoryStore
  var stopping: Task<CastError?, Never>?
  /// A load was sent and is not over; the media session that was there before is none of its own.
  var isLoading = false
  var sessionBeforeLoad: MediaSessionID?

  /// The live command that is being carried out; taken by the action that asks the receiver for it.
  var ticket: ControlTicket?
  /// Live commands that wait for what becomes of the next entry.
  var firstPlays: [(ticket: ControlTicket, play: FirstPlay)] = []
  /// Whoever waits until the list is drained, and whoever stopped it: answered when everything is over.
  var listTickets: [ControlTicket] = []
  var haltTickets: [ControlTicket] = []
  var volume = VolumeKeeper()
  /// A person wants the media stopped and the run ended.
  var isHalting = false
  /// Whether the application stays when the run is over.
  var endAction = SessionEndAction.leave
  /// Why the application did not end.
  var quitFailure: ControlFailure?

  /// A runner for a device that the caller has locked.
  package init(
    device: KnownDevice, database: Database, media: MediaResolver, options: RunnerOptions, logger: Logger,
    time: TimeSource = .continuous, report: @escaping @Sendable (RunnerReport) -> Void = { _ in }
  ) throws(StoreError) {
    executor = database.executor
    self.device = device
    place = device.castDevice
    self.media = media
    self.options = options
    self.time = time
    self.logger = logger
    reporter = RunnerLog(logger, device: device).telling(report)
    queueStore = QueueStore(database)
    rows = FeederRows(device: device, database: database)
    rows.isLooping = options.loops
    deviceStore = DeviceStore(database)
    historyStore = HistoryStore(database)
    watcher = StoreWatcher(database: database, time: time)
    volume.wanted = options.volume
    let settings = try queueStore.settings(for: device.id)
    queueName = settings.queue
    feeder = FeederMachine(
      queue: queueName, configuration: options.configuration, resume: options.resume,
      startsOver: options.startsOver)
    let send = RunnerInbox(time: time)
    self.send = send
    timers = TimerSet(time: time) { send.yield(.timersDue) }
  }

  /// Keeps the device at another loudness from now on, 0 to 1; nil is the one it had before.
  package nonisolated func keepVolume(_ level: Double?) { send.yield(.keepVolume(level)) }

  /// Has the list start over at its end from now on, or not any more.
  package nonisolated func loop(_ isLooping: Bool) { send.yield(.loop(isLooping)) }

  /// Ends the run: what plays is cut and waits again. Safe from anywhere, also before `run()`.
  package nonisolated func stop(_ reason: String) { send.yield(.stop(reason)) }

  /// Ends the run and leaves the screen as it is: the next feeder takes up what plays. Safe from anywhere, also before `run()`.
  package nonisolated func leave() { send.yield(.leave) }

  /// Says that rows were written by this very process, which the watcher does not notice.
  package nonisolated func poke() { send.yield(.rowsChanged) }

  /// Feeds until nothing is left, or it cannot go on. Call once.
  package func run() async -> RunEnd {
    await withDiscardingTaskGroup { group in
      if options.watchesRows {
        group.addTask { [watcher, send] in await watcher.watch { send.yield(.rowsChanged) } }
      }
      moment = time.now()
      noteStart(in: &group)
      if outcome == nil { begin(in: &group) }
      for await arrival in send.arrivals {
        moment = max(moment, arrival.moment)
        handle(arrival.event, in: &group)
        if outcome != nil { break }
      }
      finishRows()
      noteStop()
      await close()
      group.cancelAll()
    }
    return outcome ?? .stopped
  }

  private func handle(_ event: RunnerEvent, in group: inout DiscardingTaskGroup) {
    switch event {
    case .session(let number, let event):
      guard number == session?.number else { return }
      session?.received(event)
      handle(event, in: &group)
    case .sessionFlooded(let number):
      guard let session, number == session.number else { return }
      // History must not have gaps that look like none: start over, with what the rows say.
      giveUp(session.session, CastError(.disconnected, Self.tooMuch(place)), in: &group)
    case .sessionUseless(let number, let words):
      guard let session, number == session.number else { return }
      giveUp(session.session, CastError(.timeout, "\(place.endpoint): \(words)"), in: &group)
    case .statusAnswered(let number, let answer):
      guard number == session?.number else { return }
      if answer == .nothingLoaded { mediaStatus = nil }
      feed(.statusAnswered(answer), in: &group)
    case .edited(let number, let edit, let edited):
      // An edit that was abandoned is of no interest.
      guard number == session?.number, edit == feeder.editNumber else { return }
      if isLoading, case .failed = edited { stopping?.cancel() }
      isLoading = false
      feed(.edited(edited), in: &group)
    case .timersDue:
      for timer in timers.takeDue(at: moment) { feed(.timerFired(timer), in: &group) }
    case .rowsChanged:
      rows.forget()
      if wait != nil { return begin(in: &group) }
      feed(.rowsChanged, in: &group)
    case .writesDue: catchUp(in: &group)
    case .retry(let place):
      self.place = place
      guard wait == nil else { return }
      openSession(in: &group)
    case .look(let number): if wait == number { begin(in: &group) }
    case .stop(let reason):
      feed(.stop(reason), in: &group)
      outcome = outcome ?? .stopped
    case .leave:
      volume.stays = true
      feed(.leave, in: &group)
      outcome = outcome ?? .stopped
    case .loop(let isLooping):
      rows.isLooping = isLooping
      if wait != nil { return begin(in: &group) }
      feed(.rowsChanged, in: &group)
    case .keepVolume(let level):
      volume.wanted = level
      adjustVolume()
    case .control(let command, let ticket): control(command, ticket, in: &group)
    case .refused(let failure):
      feed(.refused, in: &group)
      if let failure { failFirstPlays(failure) }
    }
  }

  private func handle(_ stamped: StampedSessionEvent, in group: inout DiscardingTaskGroup) {
    switch stamped.event {
    case .connecting, .launching, .waitingForConsent, .queueItemIDs, .queueItems, .queueItemFailed,
      .multizone,
      .credentialsWanted, .suspended, .resuming, .resumed, .foreignAction:
      break
    case .receiverStatus: feed(.application(session?.session.application), in: &group)
    case .channelMessage(let message):
      if case .text(let text) = message.payload { feed(.pageSaid(text), in: &group) }
    case .active(let application):
      report(.connected(application))
      hasConnected = true
      isConnected = true
      place = session?.session.device ?? place
      do throws(StoreError) {
        try deviceStore.seen(
          device.id, at: WallTime(milliseconds: time.wallMilliseconds()), endpoint: place.endpoint)
      } catch {
        // When it was seen is worth no more than the database is.
        if !error.isOutage { outcome = .failed(ControlFailure(error)) }
      }
      let isSame = application?.sessionID != nil && application?.sessionID == applicationSession
      applicationSession = application?.sessionID
      // Before anything is loaded: the first sound is as loud as it is to be.
      adjustVolume()
      feed(
        .begin(
          mediaStatus, isSameApplication: isSame, self.application,
          hasAnswered: hasMediaAnswer || self.application == .pages), in: &group)
      feed(.application(application), in: &group)
    case .mediaStatus(let status):
      mediaStatus = status
      hasMediaAnswer = true
      feed(.mediaStatus(status, seenUntil: stamped.seenUntil), in: &group)
      if let status { report(.status(status)) }
      // Whoever shows what it was given is healthy, however often its connection was lost.
      if feeder.isShowing { forgetFailures() }
    case .queueChange(let change): feed(.queueChange(QueueChange(change)), in: &group)
    case .queueItemError(let id, let error): feed(.itemError(id, PlayReason(error)), in: &group)
    case .ended(let error): sessionEnded(error, in: &group)
    }
  }

  /// Tells everybody who watches.
  func report(_ report: RunnerReport) {
    for index in firstPlays.indices.reversed() {
      guard let reply = firstPlays[index].play.observe(report) else { continue }
      firstPlays.remove(at: index).ticket.answer(reply)
    }
    reporter(report)
  }

  /// Leaves the device as the outcome wants it, within the time a person waits for an interrupted program.
  private func close() async {
    let sleeper = timers.end()
    if let stopping {
      let guardian = Task { [time] in
        try? await time.sleep(.milliseconds(600))
        stopping.cancel()
      }
      _ = await stopping.value
      guardian.cancel()
      await guardian.value
    }
    await restoreVolume()
    let error = await session?.session.end(endAction)
    if endAction == .stopApplication { quitFailure = quitFailure ?? error.map { ControlFailure($0) } }
    await finishLooks()
    await sleeper?.value
    send.finish()
    // Commands that came too late are told so by the end of their tickets.
    for await _ in send.arrivals {}
  }
}

/// How a runner behaves.
package struct RunnerOptions: Sendable {
  package var sessionOptions: SessionOptions
  package var configuration: FeederConfiguration
  /// When a device that went away is called again, and when the run gives up; by default after five minutes. A policy that
  /// never gives up also calls a device that has not answered yet.
  package var reconnect: ReconnectPolicy
  /// Says where the device is when it is not where it was; nil calls the same address again.
  package var resolver: (any DeviceResolver)?
  /// What the device has to prove, looked up for each session; nil goes by the session's options.
  package var trust: LedgerTrust?
  /// What plays media; nil goes by the session's options.
  package var receiverApplicationID: String?
  /// What shows web pages (protocol 15).
  package var pageApplicationID = "84912283"
  /// How loud the device is to be while it is fed, 0 to 1; nil leaves it as it is.
  package var volume: Double?
  /// Whether the runner looks for rows of other processes itself; else somebody pokes it.
  package var watchesRows = true
  /// An entry that was cut on another device, and where it goes on; nil goes on where the rows say that this one was cut.
  package var resume: ResumePoint?
  /// What the device still plays for this queue is replaced, not taken up.
  package var startsOver = false
  /// The list starts over at its end.
  package var loops = false
  /// How long a device is called that has not answered yet, before it is called unreachable.
  package var devicePatience: Duration = .zero

  package init(
    sessionOptions: SessionOptions = SessionOptions(),
    configuration: FeederConfiguration = FeederConfiguration(),
    reconnect: ReconnectPolicy = ReconnectPolicy(giveUpAfter: .seconds(300)),
    resolver: (any DeviceResolver)? = nil
  ) {
    self.sessionOptions = sessionOptions
    self.configuration = configuration
    self.reconnect = reconnect
    self.resolver = resolver
  }

  /// Each session is good for one connection: what the feeder has to know of a loss is told by its end.
  func sessionOptions(for application: FeedApplication) -> SessionOptions {
    var options = sessionOptions
    options.reconnection = nil
    guard application == .pages else {
      if let id = receiverApplicationID { options.purpose = .play(applicationID: id) }
      return options
    }
    options.purpose = .play(applicationID: pageApplicationID)
    options.requiredNamespaces = []
    return options
  }
}
