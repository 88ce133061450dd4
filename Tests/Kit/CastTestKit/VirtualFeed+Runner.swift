import CastProtocol
import CastReceiverSim
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText

/// The actions of a runner's machine, and those of the runner's supervisor.
extension VirtualFeed {
  mutating func perform(
    _ action: RunnerMachine.Action, answers: inout [RunnerMachine.Event]
  ) throws(VirtualRows.Outage) {
    switch action {
    case .openSession(let number, let application, _): openSession(number, application)
    case .endSession(let number, let action): endSession(number, action)
    case .resumeSession(let number): if number == self.number { tell(session: .resume) }
    case .request(let token, let request, let number): send(request, token, over: number)
    // These concern the session alone, which has tests of its own.
    case .control(_, let ticket, _): if told != nil { self.answers[ticket] = .done }
    case .answer(let ticket, let reply): self.answers[ticket] = reply
    case .readSchedule: if let reading = scheduleReading() { answers.append(.schedule(reading)) }
    case .play(let choice): answers.append(.playing(try feederRows.play(choice, at: now, wall: wall)))
    case .follow(let choice, let isClosed):
      answers.append(.following(try feederRows.follow(choice, isClosed: isClosed, at: now, wall: wall)))
    case .promote: try feederRows.promote(at: now)
    case .readShares(let shares):
      answers.append(.shareLengths(try feederRows.lengths(of: shares, at: now, wall: wall)))
    case .readFirst:
      answers.append(.first(try feederRows.upcoming(limit: 1, besides: nil, at: now, wall: wall)))
    case .readUpcoming(let limit, let besides):
      answers.append(
        .upcoming(
          files.resolved(try feederRows.upcoming(limit: limit, besides: besides, at: now, wall: wall))))
    case .readFallback(let limit, let besides):
      answers.append(
        .upcoming(UpcomingList(try feederRows.upcomingFallback(limit: limit, besides: besides, at: now))))
    case .readTurns(let turns): answers.append(.heldTurns(try feederRows.held(turns, at: now)))
    case .recover(let kept): answers.append(.recovered(try feederRows.recover(keeping: kept, at: now)))
    case .find(let question, let ticket):
      answers.append(.found(.success(try answer(question)), question, ticket))
    case .write(let write):
      try feederRows.write(write, at: now)
      if case .record(let facts) = write { for fact in facts { note(Self.words(fact.fact)) } }
    case .finishRows: answers.append(.finishedRows(finishRows()))
    case .forgetRows: feederRows.forget()
    case .setLooping(let isLooping): feederRows.isLooping = isLooping
    case .report(let report): heard(report)
    case .startTimer(let timer, let delay): runnerTimers[timer] = now + delay
    case .cancelTimer(let timer): runnerTimers[timer] = nil
    case .ended(let how): finish(how)
    // No address is kept, and no file is served.
    case .noteSeen, .keepMedia, .explain: break
    case .noteStopped: try feederRows.write(.stop(at: wall), at: now)
    case .resolve(let request):
      note("resolve \(request.address)")
      let answer = resolver.answer(request, at: now)
      resolving.append((now + resolver.latency, .resolved(request.number, answer)))
    case .readFile(let file, let turn):
      files.read(file, at: now)
      resolving.append((now + files.latency, .fileRead(turn)))
    }
  }

  private mutating func answer(_ question: EntryQuestion) throws(VirtualRows.Outage) -> EntryID? {
    switch question {
    case .existing(let entry): rows.rows.contains { $0.id == entry } ? entry : nil
    case .before(let entry): rows.rows.prefix { $0.id != entry }.last?.id
    case .first: try first()
    }
  }

  /// By the rows, which are only looked at: a copy that a feeder keeps may be of the list before.
  private func first() throws(VirtualRows.Outage) -> EntryID? {
    var rows = rows
    let read = try rows.upcoming(
      of: rows.base, limit: 1, besides: nil, at: wall, isLooping: feederRows.isLooping, remembering: nil)
    return read.list.places.first?.entry
  }

  private mutating func scheduleReading() -> ScheduleReading?? {
    guard let book, !hasReadBook else { return nil }
    hasReadBook = true
    var reading = ScheduleReading(book: book, device: screen, last: rows.lastDecision, credits: rows.credits)
    if let last = rows.decisions.last, last.kind == .share, let rule = last.onAir?.occurrence.rule {
      reading.share = .init(rule: rule, since: last.at, played: rows.unfinishedSeconds)
    }
    return reading
  }

  // MARK: - Outages of the rows

  mutating func noticeOutage() {
    if let error = feederRows.takeNews() { heard(.storeFailed(error.failure)) }
  }

  mutating func workOnRows() {
    do throws(VirtualRows.Outage) {
      guard let done = try feederRows.work(at: now) else { return noticeOutage() }
      heard(.storeCaughtUp(done))
      tell(.rowsChanged)
    } catch {
      tell(.storeBroken(error.failure))
    }
  }

  private mutating func finishRows() -> Failure? {
    guard let done = feederRows.finish(at: now) else { return nil }
    heard(.storeCaughtUp(done))
    return done.missing > 0 ? done.error : nil
  }

  private mutating func heard(_ report: RunnerReport) {
    story?.tell(report, at: now)
    told?.append(.report(report))
    guard case .waiting(let outlook) = report else { return }
    stateChanges += 1
    note("feeder waits until \(outlook.until.map { "\($0)" } ?? "something is due")")
    // Without one, no rule begins as far as the schedule looks ahead.
    watch.excuse(until: now + .bounded(seconds: outlook.until.map { $0 - wall } ?? 86_400))
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

  // MARK: - Sessions

  private mutating func openSession(_ number: SessionNumber, _ application: FeedApplication) {
    note("open \(application)")
    hangUp()
    session = SessionMachine()
    sessionTimers = [:]
    mediaStatus = nil
    self.number = number
    isEnding = false
    var target = SessionTarget(
      endpoint: DeviceEndpoint(host: "virtual"),
      purpose: .play(applicationID: application == .pages ? DashCastApplication.publicID : "CC1AD845"),
      firstRequestID: 1)
    if application == .pages { target.requiredNamespaces = [] }
    target.reconnection = reconnect
    if isClearing {
      // It launches nothing, and drives no guest away.
      target.purpose = .join(applicationID: target.purpose.applicationID)
      target.recovery = .end
    }
    tell(session: .start(target))
  }

  private mutating func endSession(_ number: SessionNumber, _ action: SessionEndAction) {
    guard number == self.number else { return tell(.sessionClosed(number, nil)) }
    isEnding = true
    tell(session: .end(action))
  }

  private mutating func send(_ request: SenderRequest, _ token: RequestToken, over number: SessionNumber) {
    guard number == self.number, !isEnding else { return }
    note(request.name)
    // A message to the page application sets the page.
    if case .message(let message) = request, case .text(let text) = message.payload,
      let url = (try? JSONValue(parsing: text))?["url"]?.string, let turn = feeder.currentTurn
    {
      page = (url, turn)
    }
    tell(session: .request(token, request))
  }

  /// Closes the connection of a process that has ended, or that aborts.
  mutating func hangUp() {
    if let broken = connection { receiver.handle(.connectionClosed(broken)) }
    connection = nil
    call = nil
    collect()
  }

  /// Discards the session and everything pending.
  mutating func dropSession() {
    hangUp()
    session = SessionMachine()
    number = nil
    isEnding = false
    sessionTimers = [:]
    runnerTimers = [:]
    replies = []
    emptyInbox()
    startsAt = nil
  }

  // MARK: - Runs

  /// The options of a run that no person has started.
  var usual: RunnerConfiguration {
    var machine = RunnerConfiguration(feeder: configuration, reconnect: reconnect)
    machine.resolvers = resolvers
    machine.obeysSchedule = book != nil
    return machine
  }

  mutating func startRun(_ machine: RunnerConfiguration) {
    startsAt = nil
    feederRows = FeederRows(rows)
    resolving = []
    hasReadBook = false
    runner = Self.runner(machine)
    tell(.begin)
  }

  /// Ends a run; after a takeover, the supervisor reclaims the screen at the end of the lease.
  private mutating func finish(_ how: RunEnd) {
    stateChanges += 1
    note("run ended: \(how)")
    for (ticket, reply) in runner.lastAnswers { answers[ticket] = reply }
    if told != nil {
      dropSession()
      told?.append(.ended(how))
      end = how
      return
    }
    switch how {
    case .takenOver, .stoppedElsewhere:
      guard let lease else { fallthrough }
      dropSession()
      leaseEndsAt = now + lease
      watch.excuse(until: now + lease)
    case .drained, .superseded, .refused, .unreachable, .stopped, .halted, .entryFailed, .failed, .busy:
      end = how
    }
  }

  mutating func takeBack() {
    leaseEndsAt = nil
    note("lease over")
    startRun(usual)
  }

  // MARK: - The network

  mutating func answerCall() {
    guard let calling = call else { return }
    switch receiver.model.door {
    case .open:
      call = nil
      connections += 1
      let new = SimConnectionID(connections)
      connection = new
      receiver.handle(.connectionOpened(new))
      collect()
      tell(session: .transportOpened())
    case .closed:
      call = nil
      tell(session: .transportClosed(.failed(CastError(.connectionRefused, "refused"))))
    case .silent:
      call = calling.later(than: now)
      if call == nil { tell(session: .transportClosed(.failed(CastError(.timeout, "no answer")))) }
    }
  }
}
