package import CastProtocol
package import CastqPlaylists
package import CastqSchedule
package import CastqText

/// A session of a runner, counted from 1: an event of one that was replaced is not taken for the new one's.
package struct SessionNumber: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  package var description: String { "session \(rawValue)" }
}

/// A live command that waits for its reply.
package struct TicketID: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  package var description: String { "ticket \(rawValue)" }
}

/// The clocks of a runner.
package enum RunnerTimer: Sendable, Hashable {
  case feeder(FeederTimer)
  /// Another session begins.
  case call
  /// Commands have waited long enough for something on the screen.
  case commands
  /// A time window may have opened.
  case window
  /// A link has to be looked for, or expires.
  case links
  /// The receiver has had its time to report that the media stopped.
  case halt
  /// The device has had its time to do what the end of the run asks of it.
  case closing
  /// The schedule looks again.
  case schedule
  /// What could not be played by the schedule is tried again.
  case scheduleRetry

  /// Whether nothing is lost when it fires a moment later.
  package var isPatient: Bool { self == .feeder(.status) }
}

/// What a live command has to know of the rows before it can be carried out.
package enum EntryQuestion: Sendable, Hashable {
  /// Whether this entry is in the queue; answered with the entry.
  case existing(EntryID)
  /// The entry before this one; nil when it is the first.
  case before(EntryID)
  /// The first entry that is due, of a queue that was replaced; nil when none is. It begins at the position; nil is where its row says.
  case first(at: MediaTime?)
}

extension RunnerMachine {
  /// What happens to a runner.
  package enum Event: Sendable {
    /// The run begins. The first event, and only once.
    case begin
    case session(SessionNumber, SessionEvent, seenUntil: Tick?)
    /// A session sent more events than could be handled; the rest of them is lost.
    case sessionFlooded(SessionNumber)
    /// A session could not be opened at all, and trying again would not help.
    case sessionRefused(SessionNumber, CastError)
    /// Nothing is left of a session that was ended; the error says what was not done.
    case sessionClosed(SessionNumber, CastError?)
    /// Where the device is now.
    case located(Device)
    /// This machine has another address on the way to the device, so that files are served elsewhere.
    case mediaMoved
    /// A request is over.
    case completed(RequestToken, Result<Reply, CastError>)
    /// The answer to `.readSchedule`; nil when no rule is for this device, and none ever was.
    indirect case schedule(ScheduleReading?)
    /// The answer to `.play`.
    case playing(Result<QueueID, Failure>)
    /// The answer to `.follow`; nil when nothing follows.
    case following(QueueID?)
    /// The answer to `.readShares`: milliseconds of the next item of each programme that has one.
    case shareLengths([RuleID: Int64])
    /// The answer to `.readFirst`.
    case first(UpcomingList)
    /// The answer to `.readUpcoming` and `.readFallback`.
    case upcoming(UpcomingList)
    /// The result of a `.resolve`.
    case resolved(LinkNumber, Result<ResolvedLink, LinkFailure>)
    /// The file of a `.readFile` was read, or cannot be.
    case fileRead(EntryTurn)
    /// The answer to `.readTurns`.
    case heldTurns([HeldTurn])
    /// The answer to `.recover`.
    case recovered(ResumePoint?)
    /// The answer to `.find`.
    case found(Result<EntryID?, Failure>, EntryQuestion, TicketID)
    /// The answer to `.finishRows`: what could not be written at last; nil when all was.
    case finishedRows(Failure?)
    /// The database failed for good: what was asked of it last was not done.
    case storeBroken(Failure)
    /// Others wrote to the database, or may have.
    case rowsChanged
    /// Somebody has set the system's clock.
    case clockSet
    case timerFired(RunnerTimer)
    case command(ControlCommand, TicketID)
    /// Ends the run: what plays is cut and waits again. With `quits`, its application ends, too.
    case stop(PlayEnding, quits: Bool = false)
    /// Ends the run and leaves the screen as it is: the next feeder adopts what plays.
    case leave
    /// The volume of the device from now on, 0 to 1; nil is the one before the run.
    case keepVolume(Double?)
    /// The list restarts at its end, or not any more.
    case loop(Bool)
    /// Say when everything is done that was told before; a run that is over says nothing any more.
    case fence

    /// How a run ends in this manner.
    package static func end(_ manner: RunnerEnding, because reason: PlayEnding) -> Event {
      switch manner {
      case .leave: .leave
      case .stop, .black: .stop(reason)
      case .quit: .stop(reason, quits: true)
      }
    }
  }

  /// What a runner wants done, in this order.
  package enum Action: Sendable {
    /// Open a session with an application of this kind on the device, which was there last.
    case openSession(SessionNumber, FeedApplication, Device)
    /// End a session; answered by `.sessionClosed`.
    case endSession(SessionNumber, SessionEndAction)
    /// Have a session that is suspended call its device at once.
    case resumeSession(SessionNumber)
    /// Submit a request over this session, in the order of the actions; answered by `.completed`.
    case request(RequestToken, SenderRequest, SessionNumber)
    /// Carry out a live command that concerns the session alone, and answer its ticket.
    case control(ControlCommand, TicketID, SessionNumber)
    case answer(TicketID, ControlReply)

    /// Read the rules for this device, if they have changed; answered by `.schedule`, at once, when they have.
    case readSchedule
    /// Read this list from now on; answered by `.playing`, at once.
    case play(ListChoice)
    /// Read this list behind the present one, of which no other entry begins when it is closed; nil reads none. Answered by
    /// `.following`, at once.
    case follow(ListChoice?, isClosed: Bool)
    /// What follows is the present list.
    case promote
    /// Read how long the next items of these programmes are; answered by `.shareLengths`, at once.
    case readShares([RuleID: String])
    /// Read the first place in play order; answered by `.first`.
    case readFirst
    /// See `FeederMachine.Action`; these four are answered at once.
    case readUpcoming(limit: Int, besides: UpcomingPlace?)
    case readFallback(limit: Int, besides: UpcomingPlace?)
    case readTurns([EntryTurn])
    case recover(keeping: [EntryTurn])
    /// Answered at once by `.found`.
    case find(EntryQuestion, TicketID)
    case write(FeederWrite)
    /// The device answered there: keep when and where.
    case noteSeen(DeviceEndpoint)
    /// What is remembered of the rows is outdated.
    case forgetRows
    case setLooping(Bool)
    /// Nothing more is written: write what still waits; answered by `.finishedRows`.
    case finishRows
    /// Keep that the list was stopped, so that no program starts it again by itself.
    case noteStopped

    /// Local files of these entries stay reachable, others do not.
    case keepMedia(Set<EntryID>)
    /// Find out what is behind a page; answered by `.resolved`.
    case resolve(LinkRequest)
    /// Find out what a file is made of, before others; answered by `.fileRead`.
    case readFile(String, EntryTurn)
    /// Find out why the media of this play failed, and keep that beside it. The address is nil where it is that of the row.
    case explain(EntryTurn, at: String?)
    case report(RunnerReport)
    case startTimer(RunnerTimer, after: Duration)
    case cancelTimer(RunnerTimer)
    /// The last action: nothing is left of the run. Tickets that still wait are answered by `lastAnswers`.
    case ended(RunEnd)
  }
}
