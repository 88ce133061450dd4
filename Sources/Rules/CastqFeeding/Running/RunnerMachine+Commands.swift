import CastProtocol
import CastqPlaylists
import CastqSchedule
import CastqText

/// What people ask of a feeder while it feeds.
extension RunnerMachine {
  /// - Parameter mayWait: whether a command for what plays waits while that is being found out or loaded.
  mutating func control(_ command: ControlCommand, _ ticket: TicketID, mayWait: Bool = true) {
    if mayWait, isTooEarly(for: command) {
      // The first has waited longest: those that follow do not make it wait longer.
      if !commands.hasPostponed {
        actions.append(.startTimer(.commands, after: RunnerCommands.patience))
      }
      if commands.postpone(command, ticket) { return }
    }
    do throws(Failure) {
      switch command {
      case .perform(let verb): try perform(verb, ticket)
      case .feed(let request):
        if request.first != nil || request.isNewQueue || request.asksForScreen { try requireBase() }
        if request.isNewQueue {
          actions.append(.find(.first(at: request.position), ticket))
        } else if let entry = request.first {
          actions.append(.find(.existing(entry), ticket))
        } else {
          fallthrough
        }
      case .poke:
        actions.append(.forgetRows)
        feed(.rowsChanged)
        answer(ticket, .done)
      case .outlook: answer(ticket, .done(outlook.json))
      case .fetches: throw Failure("bug", "what serves the files answers this", exit: .bug)
      case .watch, .health, .metrics:
        throw Failure("bug", "the control server answers this", exit: .bug)
      case .readTracks:
        try requireMedia()
        try askSession(command, ticket)
      case .readVolume, .send, .status: try askSession(command, ticket)
      }
    } catch {
      answer(ticket, .failed(error))
    }
  }

  private mutating func perform(_ verb: PlaybackVerb, _ ticket: TicketID) throws(Failure) {
    switch verb {
    case .next: return try skip(ticket)
    case .previous: return actions.append(.find(.before(try shownEntry()), ticket))
    case .play(let entry?):
      try requireBase()
      return actions.append(.find(.existing(entry), ticket))
    case .stop(let quits): return halt(quits: quits, ticket)
    default: break
    }
    switch verb.reach {
    case .media: try requireMedia()
    case .device: break
    case .list, .rows, .transfer: throw Failure("bug", "no feeder does '\(verb.name.rawValue)'", exit: .bug)
    }
    try askSession(.perform(verb), ticket)
  }

  private mutating func askSession(_ command: ControlCommand, _ ticket: TicketID) throws(Failure) {
    guard let session, !isAway else { throw away }
    actions.append(.control(command, ticket, session.number))
  }

  private func requireMedia() throws(Failure) {
    guard application.kind != .media else { return }
    throw Failure(
      "web_page", "a web page is on the screen: it can be passed over or stopped, nothing else",
      exit: .refused)
  }

  /// Whether what a command is for is not on the screen yet, and something will be: the device is being called for the first time, what
  /// it shows is being found out, or an entry is being loaded. A daemon that has just come back is in this state.
  private func isTooEarly(for command: ControlCommand) -> Bool {
    guard command.concernsMedia, end == nil, !exit.isHalting, !feeder.isDead else { return false }
    switch stage {
    case .idle, .switching: return true
    case .session(let session):
      guard session.connection != .suspended, application.kind == .media else { return false }
      return command.skips
        ? feeder.currentEntry == nil || feeder.restarts || session.connection == .calling
        : session.mediaStatus?.isEnded != false
    case .waiting, .pausing: return false
    }
  }

  /// Performs the commands that have waited, once something is on the screen or will not be.
  mutating func performPostponed(atOnce: Bool = false) {
    guard commands.hasPostponed else { return }
    for (command, ticket) in commands.takePostponed() {
      if !atOnce, isTooEarly(for: command), commands.postpone(command, ticket) { continue }
      control(command, ticket, mayWait: false)
    }
    if !atOnce, !commands.hasPostponed { actions.append(.cancelTimer(.commands)) }
  }

  /// What people enqueue waits while a rule has the screen.
  private func requireBase() throws(Failure) {
    guard let schedule, let onAir = schedule.machine.onAir else { return }
    let name = schedule.machine.name(of: onAir.occurrence.rule) ?? onAir.programme
    let end = onAir.occurrence.end.map { end in
      let time = end.dated.map { schedule.machine.siteTime($0, now: moment.wall) }
      return ", until \(time ?? "it is changed")"
    }
    throw Failure(
      Failure.scheduled,
      "the rule \(name) has the screen\(end ?? ""); what is in the queue plays afterwards",
      hint: .disableRule(name), exit: .tryAgain)
  }

  /// Whether there is no connection, and none is being made for the first time.
  private var isAway: Bool { session.map { $0.connection == .suspended } ?? true }

  private var away: Failure {
    // Nothing may be on the screen now, so that nobody calls the device: whoever wants something of it has a session of their own.
    if case .waiting = stage {
      return Failure(
        Failure.notFeeding, "nothing is due on \(configuration.label) now", exit: .no)
    }
    return Failure(
      "device_away", "\(configuration.label) went away and is being called again; try again when it is back",
      exit: .unreachable)
  }

  private mutating func skip(_ ticket: TicketID) throws(Failure) {
    _ = try shownEntry()
    commands.begin(skip: ticket)
    feed(.skip)
  }

  /// The entry on the screen, or next to be there. What was there before the device went away is not: nothing can be passed over.
  private func shownEntry() throws(Failure) -> EntryID {
    guard !isAway else { throw away }
    guard let current = feeder.currentEntry else { throw .nothingPlays }
    guard session?.connection != .calling else { throw away }
    return current
  }

  mutating func confirmSkip() {
    if let ticket = commands.takeSkip() { answer(ticket, .done) }
  }

  // MARK: - Another entry

  mutating func found(
    _ result: Result<EntryID?, Failure>, _ question: EntryQuestion, _ ticket: TicketID
  ) {
    switch (result, question) {
    case (.failure(let failure), _): answer(ticket, .failed(failure))
    case (.success(let entry), .before(let current)): go(to: entry ?? current, ticket)
    case (.success(let entry?), .existing): go(to: entry, ticket)
    case (.success(nil), .existing(let entry)):
      answer(
        ticket,
        .failed(
          Failure(
            "entry_unknown", "no entry \(entry.rawValue) in this queue", hint: .listEntries,
            exit: .badData)))
    case (.success(let first), .first(let position)): startOver(from: first, at: position, ticket)
    }
  }

  private mutating func go(to entry: EntryID, _ ticket: TicketID) {
    report(.sentTo(entry))
    expect(entry, ticket)
    restart(from: entry)
  }

  /// Starts over with the rows. A run that waits has nothing on the receiver: it looks at the rows, and publishes again what it waits
  /// for, because a command waits for that.
  private mutating func restart(from entry: EntryID?, resume: ResumePoint? = nil) {
    passShares()
    guard case .waiting = stage else { return feed(.restart(from: entry, resume: resume)) }
    opening.announced = nil
    if let entry { actions.append(.write(.moveList(to: entry))) }
    actions.append(.forgetRows)
    readFirst()
  }

  /// The queue was replaced: waiters of the previous one are answered.
  private mutating func startOver(from first: EntryID?, at position: MediaTime?, _ ticket: TicketID) {
    // What is being stopped does not begin again.
    if exit.isHalting { return answer(ticket, .failed(Self.ending)) }
    failFirstPlays(.replaced)
    report(.replaced)
    // Without an entry that is due, the end of the run answers: no entry has this number.
    expect(first ?? EntryID(0), ticket)
    restart(
      from: nil, resume: first.flatMap { entry in position.map { ResumePoint(entry: entry, position: $0) } })
  }

  /// The caller performs the stop without a feeder, and says what comes of it.
  static let notReached = Failure(
    Failure.notFeeding, "the device was not reached, so nothing was stopped there", exit: .unreachable)

  private static let ending = Failure(
    Failure.feederGone, "the feeder is being stopped; try again", exit: .tryAgain)

  /// Somebody waits for what becomes of this entry from now on. What the receiver answers before is heard only when it is a
  /// refusal.
  private mutating func expect(_ entry: EntryID, _ ticket: TicketID) {
    // The entry that is on the screen, or is being loaded, must be reloaded.
    let turn = feeder.currentEntry == entry ? feeder.newestTurn(of: entry) + 1 : 0
    let isConnected =
      switch stage {
      case .session(let session): session.isConnected
      case .switching: true
      case .idle, .waiting, .pausing: false
      }
    commands.await(
      FirstPlay(of: entry, from: turn, isConnected: isConnected, times: configuration.times), ticket)
  }

  mutating func failFirstPlays(_ failure: Failure) {
    for (ticket, reply) in commands.fail(failure) { answer(ticket, reply) }
  }

  // MARK: - The end

  private mutating func halt(quits: Bool, _ ticket: TicketID) {
    exit.isHalting = true
    if quits { exit.action = .stopApplication }
    // The list is stopped all the same. What the screen shows is not known: who asked for the stop calls the device.
    if session?.isConnected != true { exit.haltFailure = Self.notReached }
    commands.awaitEnd(ticket)
    feed(.halt)
  }
}

extension ControlCommand {
  /// Whether it goes to another entry.
  fileprivate var skips: Bool { self == .perform(.next) || self == .perform(.previous) }

  /// Whether it is for what is on the screen, and means nothing without.
  fileprivate var concernsMedia: Bool {
    switch self {
    case .perform(let verb): verb.reach == .media || skips
    case .readTracks: true
    case .feed, .poke, .outlook, .fetches, .watch, .health, .metrics, .readVolume, .send, .status: false
    }
  }
}
