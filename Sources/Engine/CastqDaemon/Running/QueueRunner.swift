import CastProtocol
import CastSender
package import CastqFeeding
import CastqPlaylists
package import CastqStore
import CastqText
package import Logging

/// Feeds one device from its rows until its queue is drained, over one session after another.
///
/// `RunnerMachine` makes all decisions. The runner opens sessions, performs the machine's actions in order without suspending in
/// between, and feeds it events.
package actor QueueRunner {
  private let executor: StoreExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let report: @Sendable (RunnerReport) -> Void
  /// What happens to the runner. Its first event is the beginning of the run.
  package nonisolated let inbox: RunnerInbox

  private var machine: RunnerMachine
  private var sessions: FeedSessions
  /// The rows that the feeder reads and writes, also during a database outage.
  private var rows: FeederRows<StoredRows>
  private var media: EntryMedia
  private var notes: FailureNotes
  private var schedule: RunnerDesk
  private var timers: TimerSet<RunnerAlarm>
  private var tickets = TicketBook()
  private var clock: RunnerClock

  /// A runner for a device that the caller has locked.
  package init(
    device: KnownDevice, database: Database, media: MediaResolver, host: FeederHost, settings: DeviceSettings,
    logger: Logger, inbox: RunnerInbox, report: @escaping @Sendable (RunnerReport) -> Void
  ) throws(StoreError) {
    executor = database.executor
    let time = inbox.time
    clock = RunnerClock(time)
    self.inbox = inbox
    let log = RunnerLog(logger, device: device) { entry in
      ((try? QueueStore(database).entry(entry)) ?? nil)?.draft.media.url
    }
    self.report = log.logging(report)
    self.media = EntryMedia(
      media, host.probes, host.pictures, subtitles: settings.subtitles, style: settings.subtitleStyle,
      prepared: settings.prepared, live: host.live.map(LiveMedia.init), links: settings.links,
      allowed: settings.allowed, inbox: inbox)
    notes = FailureNotes(database, settings, host, logger: logger)
    schedule = RunnerDesk(settings.schedule, device: device.id)
    rows = FeederRows(device: device, database: database, at: clock.now)
    rows.isLooping = settings.runner.start.loops
    machine = RunnerMachine(
      device: device.castDevice, label: device.label,
      queue: try QueueStore(database).settings(for: device.id).queue,
      configuration: settings.machine)
    sessions = FeedSessions(device, settings, inbox, time, logger)
    timers = TimerSet(time: time, isPatient: \.isPatient) { inbox.yield(.timersDue) }
  }

  // MARK: - The run

  /// Feeds until the queue is drained or feeding fails. Call once.
  package func run() async -> RunEnd {
    await withDiscardingTaskGroup { group in
      group.addTask { [inbox] in await inbox.watch() }
      var arrivals = inbox.arrivals.makeAsyncIterator()
      while !isOver, let arrival = await executor.next(of: &arrivals) {
        handle(arrival, in: &group)
      }
      let sleeper = timers.end()
      await notes.finish(after: end)
      await sleeper?.value
      group.cancelAll()
    }
    return end ?? .stopped
  }

  // What is not inlined below would be part of the task's frame for as long as the device is fed: the machine alone has five kilobytes.

  private var isOver: Bool { @inline(never) get { machine.exit.isOver } }
  private var end: RunEnd? { @inline(never) get { machine.end } }

  /// Answers the remaining tickets, after everything is released.
  @inline(never)
  func answerLast() {
    for (ticket, reply) in machine.lastAnswers { tickets.answer(ticket, reply) }
    tickets.close()
  }

  @inline(never)
  private func handle(_ arrival: RunnerInbox.Arrival, in group: inout DiscardingTaskGroup) {
    clock.advance(to: arrival.moment)
    switch arrival.event {
    case .machine(let event): handle(event, in: &group)
    case .session(let number, let stamped):
      guard let session = sessions.receive(stamped, from: number) else { return }
      if sessions.follow(session, media.follow) { handle(.mediaMoved, in: &group) }
      if session.device != machine.device { handle(.located(session.device), in: &group) }
      handle(.session(number, stamped.event, seenUntil: stamped.seenUntil), in: &group)
    case .control(let command, let ticket):
      handle(.command(command, tickets.add(ticket)), in: &group)
    case .timersDue:
      for timer in timers.takeDue(at: clock.moment) {
        switch timer {
        case .machine(let timer): handle(.timerFired(timer), in: &group)
        case .rows: workOnRows(in: &group)
        }
      }
    }
  }

  /// Handles an event in the machine, performs its actions, and handles their immediate answers likewise.
  private func handle(_ event: RunnerMachine.Event, in group: inout DiscardingTaskGroup) {
    var events = [event]
    while !events.isEmpty {
      let wall = clock.wall
      let actions = machine.handle(
        events.removeFirst(), at: clock.moment, wall: wall, seenUntil: sessions.seenUntil(at: clock.moment))
      do throws(StoreError) {
        for action in actions { try perform(action, wall, answers: &events, in: &group) }
      } catch {
        events = [.storeBroken(Failure(error))]
      }
      followRows()
    }
  }

  /// Reports a new outage, and schedules the next work.
  private func followRows() {
    if let error = rows.takeNews() { report(.storeFailed(Failure(error))) }
    guard let next = rows.nextWork else { return timers.cancel(.rows) }
    timers.start(.rows, after: .zero, since: next)
  }

  private func perform(
    _ action: RunnerMachine.Action, _ wall: WallTime, answers: inout [RunnerMachine.Event],
    in group: inout DiscardingTaskGroup
  ) throws(StoreError) {
    let now = clock.now
    switch action {
    case .openSession(let number, let application, let place):
      sessions.open(number, application, at: place, in: &group)
    case .endSession(let number, let action): sessions.end(number, action, in: &group)
    case .resumeSession(let number): sessions[number]?.resume()
    case .request(let token, let request, let number):
      sessions.send(request, token, over: number, in: &group)
    case .control(let command, let id, let number):
      guard let control = sessions.control(number), let ticket = tickets.take(id) else { return }
      group.addTask { ticket.answer(await control.reply(to: command)) }
    case .answer(let id, let reply): tickets.answer(id, reply)
    case .readSchedule: if let reading = schedule.read() { answers.append(.schedule(reading.schedule)) }
    case .play(let choice): answers.append(.playing(try rows.play(choice, at: now, wall: wall)))
    case .follow(let choice, let isClosed):
      answers.append(.following(try rows.follow(choice, isClosed: isClosed, at: now, wall: wall)))
    case .promote: try rows.promote(at: now)
    case .readShares(let shares):
      answers.append(.shareLengths(try rows.lengths(of: shares, at: now, wall: wall)))
    case .readFirst:
      let first = try rows.upcoming(limit: 1, besides: nil, at: now, wall: wall)
      // Read while the session opens, which takes longer on most devices.
      media.probe(first.places, at: now, in: &group)
      answers.append(.first(first))
    case .readUpcoming(let limit, let besides):
      let list = try rows.upcoming(limit: limit, besides: besides, at: now, wall: wall)
      answers.append(.upcoming(media.resolve(list, after: besides, mayWait: true, at: now, in: &group)))
    case .readFallback(let limit, let besides):
      let list = UpcomingList(try rows.upcomingFallback(limit: limit, besides: besides, at: now))
      answers.append(.upcoming(media.resolve(list, after: besides, mayWait: false, at: now, in: &group)))
    case .readTurns(let turns): answers.append(.heldTurns(media.resume(try rows.held(turns, at: now))))
    case .recover(let kept): answers.append(.recovered(try rows.recover(keeping: kept, at: now)))
    case .find(let question, let ticket):
      answers.append(.found(rows.answer(question, at: wall), question, ticket))
    case .write(let write): try rows.write(write, at: now)
    case .noteSeen(let endpoint): try rows.write(.seen(endpoint, at: wall), at: now)
    case .forgetRows: rows.forget()
    case .setLooping(let isLooping): rows.isLooping = isLooping
    case .finishRows: answers.append(.finishedRows(finishRows()))
    case .noteStopped:
      do throws(StoreError) { try rows.noteStopped(at: wall) } catch {
        report(.storeFailed(Failure(error)))
      }
    case .keepMedia(let entries): media.keep(entries)
    case .resolve(let request): media.find(request, clock.source, in: &group)
    case .readFile(let file, let turn): media.read(file, for: turn, in: &group)
    case .explain(let turn, let address): notes.explain(turn, at: address, now: now)
    case .report(let report): self.report(report)
    case .startTimer(let timer, let delay): timers.start(.machine(timer), after: delay, since: clock.moment)
    case .cancelTimer(let timer): timers.cancel(.machine(timer))
    case .ended: break  // `machine.exit.isOver` ends the loop
    }
  }

  // MARK: - Rows

  private func workOnRows(in group: inout DiscardingTaskGroup) {
    do throws(StoreError) {
      if let catchUp = try rows.work(at: clock.now) {
        report(.storeCaughtUp(catchUp))
        // Other processes may have written, too.
        handle(.rowsChanged, in: &group)
      }
    } catch {
      handle(.storeBroken(Failure(error)), in: &group)
    }
    followRows()
  }

  /// Writes the remaining rows.
  /// - Returns: the error if rows are missing; nil if none are.
  private func finishRows() -> Failure? {
    guard let catchUp = rows.finish(at: clock.now) else { return nil }
    report(.storeCaughtUp(catchUp))
    return catchUp.missing > 0 ? catchUp.error : nil
  }
}
