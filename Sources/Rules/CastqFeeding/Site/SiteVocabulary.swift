import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// A request to feed a device, and who waits for its answer.
package struct FeedAsk: Sendable, Hashable {
  package let device: DeviceID
  package let request: FeedRequest
  package let ticket: TicketID

  package init(_ device: DeviceID, _ request: FeedRequest, _ ticket: TicketID) {
    (self.device, self.request, self.ticket) = (device, request, ticket)
  }
}

/// The clocks of a site.
package enum SiteTimer: Sendable, Hashable {
  /// The wait of a device has ended.
  case device(DeviceID)
  /// A minute of wall-clock time has begun.
  case minute
  /// A screen may have been dark for long enough.
  case screens
  /// Rows that could not be read may be read again.
  case work
  /// What could not be written may be written again.
  case unwritten(SiteMachine.Unwritten)
}

/// A device of the rows, as the configuration may name it.
package struct SiteName: Sendable, Hashable {
  package let id: DeviceID
  /// What people call it.
  package let label: String
  /// All its names.
  package let names: [String]

  package init(_ id: DeviceID, label: String, names: [String]) {
    (self.id, self.label, self.names) = (id, label, names)
  }
}

extension SiteMachine {
  /// Which devices are fed, and for how long.
  package enum Scope: Sendable, Hashable {
    /// Every device of the rows, for ever.
    case service
    /// Every device that has something to play, each until its run ends.
    case untilIdle
    /// One device, until its run ends.
    /// - Parameter awaitsRequest: whether it starts at the first request only.
    case device(DeviceID, awaitsRequest: Bool)

    /// The only device; nil for others.
    package var device: DeviceID? { if case .device(let id, _) = self { id } else { nil } }

    var span: SupervisorMachine.Span {
      switch self {
      case .service: .forever
      case .untilIdle: .untilIdle(awaitsStart: false)
      case .device(_, let awaitsRequest): .untilIdle(awaitsStart: awaitsRequest)
      }
    }
  }

  /// What the site asks the rows; each is answered at once by an event.
  package enum Question: Sendable {
    /// Answered by `.devices`.
    case devices
    /// Which devices have something to play, where these lists restart at their ends; answered by `.work`.
    case work(looping: Set<DeviceID>, then: AfterWork?)
    /// Which programmes rules play; answered by `.programmes`.
    /// - Parameter read: the one whose source was read; nil where what rules name is followed.
    case programmes(read: String?)
    /// Keep what was not taken up of the list of a device; answered by `.keptProblems`.
    case keepProblems([ListProblem], source: String, DeviceID)
    /// Where something was left on the screen; answered by `.left`.
    case left
    /// Whether writes wait for rows that cannot be written; answered by `.unwritten` if any does.
    case unwritten
    /// Whether a request is for what the rows have; answered by `.admitted`.
    case admission(FeedAsk)
    /// Lift the stop of the device and move its list to the first entry that is wanted; answered by `.begun`. With `recovers`, what a
    /// killed feeder has left waits again before.
    case begin(FeedAsk, recovers: Bool)
    /// Answered by `.looked`.
    case queue(FeedAsk)
    /// Whether a report is about the queue that people fill, and what that has left; answered by `.placed`.
    case place(RunnerReport, DeviceID, looping: Bool)
    /// Why an entry failed, as history has it; answered by `.reason`.
    case reason(FailedEntries, TicketID)
    /// Stop the list of a device without a runner; answered by `.held`.
    case hold(DeviceID, TicketID)
    /// Since when the device is stopped; answered by `.outlook`.
    case stoppedAt(DeviceID, TicketID)
    /// When something is due; answered by `.outlook`.
    case nextChange(DeviceID, TicketID)
  }

  /// What waits because it could not be written.
  package enum Unwritten: Sendable, Hashable {
    /// Writes of the daemon, and of feeders that have ended.
    case rows
    /// What hooks have to deliver.
    case hooks

    /// How long to wait before it is written again.
    var pause: Duration {
      switch self {
      case .rows: .seconds(2)
      case .hooks: .seconds(5)
      }
    }
  }

  /// What is done when the rows have been read, also when they cannot be.
  package enum AfterWork: Sendable, Hashable {
    /// The supervisor hears that a run has ended.
    case ended(EndedRun)
    /// The supervisor hears that what was left on the screen is gone.
    case cleared(DeviceID)
  }

  /// A run that is over.
  package struct EndedRun: Sendable, Hashable {
    package let device: DeviceID
    let end: RunEnd
    let hasShown: Bool
    /// Requests that arrived while it was ending.
    let asks: [FeedAsk]
  }

  /// What the rows say of all devices.
  package struct WorkReading: Sendable, Hashable {
    /// Those whose queues have entries which are due.
    package var queued: Set<DeviceID>
    /// Those that rules are for.
    package var ruled: Set<DeviceID> = []
    /// Those whose queues have a list of the configuration.
    package var configured: Set<DeviceID> = []
    /// Those whose lists a person has stopped.
    package var stopped: Set<DeviceID>
    /// Whether something still waits to be written, such as a stop.
    package var hasPending: Bool

    package init(queued: Set<DeviceID> = [], stopped: Set<DeviceID> = [], hasPending: Bool = false) {
      (self.queued, self.stopped, self.hasPending) = (queued, stopped, hasPending)
    }
  }

  /// What the rows say of the queue that people fill.
  package struct QueueReading: Sendable, Hashable {
    /// The first entry that is due, an interrupted round resumed; nil if none is.
    package var next: EntryID?
    /// Whether an entry is due now or later.
    package var hasWork: Bool
    /// Whether a rule is for the device.
    package var hasRules: Bool

    package init(next: EntryID? = nil, hasWork: Bool = false, hasRules: Bool = false) {
      (self.next, self.hasWork, self.hasRules) = (next, hasWork, hasRules)
    }
  }

  /// What a report is about.
  package struct Placing: Sendable, Hashable {
    /// Whether it is about the queue that people fill, and not about what a rule shows.
    package var isOfQueue: Bool
    /// Whether nothing is left in that queue, and a rule is for the device, so that feeding goes on.
    package var isOver: Bool

    package init(isOfQueue: Bool = true, isOver: Bool = false) {
      (self.isOfQueue, self.isOver) = (isOfQueue, isOver)
    }
  }

  /// What happens to a site.
  package enum Event: Sendable {
    /// The site begins. The first event, and only once.
    case begin
    /// The configuration was read again.
    case configured(DaemonConfiguration, times: SiteTimes)
    /// The answer to `.devices`.
    case devices([SiteName])
    /// Others wrote to the rows, or may have.
    case rowsChanged
    /// Something waits because it cannot be written.
    case unwritten(Unwritten)
    /// What had to wait was written.
    case rowsWritten
    /// The rows cannot be read, in their words.
    case rowsFailed(String)
    /// Somebody has set the system's clock.
    case clockSet
    /// The answer to `.programmes`, with a number that changes with the rules.
    case programmes([PlayedProgramme], version: Int, read: String?)
    /// The source of a list was read.
    case list(ProgrammeList, of: FollowedID, source: String)
    /// The queue of a device has lost the entries of a list that has left the configuration.
    case listRemoved(DeviceID)
    /// The answer to `.keepProblems`: those that are new.
    case keptProblems([ListProblem], source: String, DeviceID)
    /// The answer to `.work`; nil when the rows cannot be read.
    case work(WorkReading?, then: AfterWork?)
    /// The answer to `.left`.
    case left(Set<DeviceID>)
    case timerFired(SiteTimer)

    case control(ControlRequest, TicketID)
    /// The answer to `.admission`; nil when it is.
    case admitted(FeedAsk, Failure?)
    /// The answer to `.begin`.
    case begun(FeedAsk, Result<QueueReading, Failure>)
    /// The answer to `.queue`.
    case looked(FeedAsk, Result<QueueReading, Failure>)
    /// A runner's reply to a request for another list or entry.
    case steered(FeedAsk, ControlReply)
    /// The answer to `.hold`; nil when it was done.
    case held(DeviceID, Failure?, TicketID)
    /// The answer to `.stoppedAt` and `.nextChange`.
    case outlook(Result<Outlook, Failure>, TicketID)
    /// The answer to `.reason`.
    case reason(PlayReason?, FailedEntries, TicketID)

    /// The answer to `.start`.
    case started(DeviceID, label: String, RunStart)
    case report(DeviceID, RunnerReport)
    /// The answer to `.place`.
    case placed(DeviceID, RunnerReport, Placing)
    /// A runner has ended, or could not start.
    case ended(DeviceID, RunEnd)
    /// A run that ends what was left on the screen is over.
    case cleared(DeviceID)

    /// The command that started castq has no further requests.
    case abandoned
    /// castq ends, for this reason; the failure says that it did not want to.
    case shutDown(RunnerEnding?, because: PlayEnding, Failure? = nil)
  }

  /// What a site wants done, in this order. Questions are answered after all actions of an event, and before any other event.
  package enum Action: Sendable {
    case ask(Question)
    /// Start a runner; answered by `.started`, or by `.ended` where that is impossible.
    case start(DeviceID, RunStart)
    /// End what castq has left on the screen, and nothing else; `.black` then shows its picture. Answered by `.cleared`.
    case clear(DeviceID, RunnerEnding, because: PlayEnding)
    /// Tell the runner of a device, or the one that clears its screen.
    case tell(DeviceID, RunnerMachine.Event)
    /// Have the runner perform a live command and answer it.
    case pass(DeviceID, ControlCommand, TicketID)
    /// Have the runner go on with another list or entry; answered by `.steered`.
    case steer(FeedAsk)
    case answer(TicketID, ControlReply)
    /// Answer with what devices fetched, beside why this one is not connected.
    case tellFetches(TicketID, problem: String?)
    /// Answer with what was counted, beside for how long screens were dark, in seconds by cause.
    case tellMetrics(TicketID, dark: [DeviceID: [DarkReason: Double]])

    /// Bring what the rows have of the configuration into line with it: devices that it names with an address, and the zone of rules.
    case writeConfiguration(DaemonConfiguration)
    /// Convert ahead of time by this configuration.
    case renewPreparation(DaemonConfiguration)
    /// Deliver by these rules from now on.
    case followHooks([HookRule])
    /// Serve what was counted as these rules say.
    case serveMetrics(MetricRules)
    /// Read this source, and read it again after each edit, one on the web each time that the duration has passed. Each reading is
    /// answered by `.list`.
    case follow(FollowedID, String, Duration?)
    case unfollow(FollowedID)
    case keepLists(ListWrite)
    /// Programmes have other lists: what could not be played may be now.
    case noteListsRead
    /// Write an outage of a device, or its end; or keep it until the rows can be written, and answer with `.unwritten`.
    case write(FeederWrite, DeviceID)
    /// Close the outages of all other devices.
    case closeOutages(besides: Set<DeviceID>)
    /// Write again what waits; answered by `.unwritten` if it still cannot be written, and by `.rowsWritten` if rows now have it.
    case writeAgain(Unwritten)
    /// Convert ahead of time for these devices, and for no others.
    case prepare(Set<DeviceID>)
    /// Deliver it to the hooks of the configuration; answered by `.unwritten` if it cannot be written.
    case deliver(HookEvent)

    case startTimer(SiteTimer, after: Duration)
    case cancelTimer(SiteTimer)
    /// What is known of a device has changed, for those who watch.
    case changed(DeviceID)
    case note(SiteNote)
    /// Notify the service manager that castq is about to end.
    case announceEnd
    /// No runner is left, and castq ends. Tickets that still wait fail.
    case finished
  }
}

/// What is worth a line in the log.
package enum SiteNote: Sendable, Hashable {
  case feeding(String)
  case ended(String, words: String)
  case decided(String, onAir: String, reason: String)
  case schedule(String, words: String)
  case waits(String, SupervisorWait)
  case clockSet
  case listTakenUp(String)
  case listProblem(ListProblem, source: String, devices: [String])
  /// Nothing is wrong with a list any more.
  case listIsWhole(String)
  case rowsUnreadable(String)
  case ending(RunnerEnding)
  case leaseEnded(String)
}
