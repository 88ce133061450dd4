import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText
import Testing

@Suite("The machine of a runner")
struct RunnerMachineTests {
  @Test("a device that has never answered ends the run at once")
  func unreachable() {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.ended(CastError(.connectionRefused, "nobody listens")))
    bench.close()
    #expect(bench.end?.failure?.exit == .unreachable)
  }

  @Test("a device that somebody waits for is called again at the pace of the policy, and not for ever")
  func awaited() {
    var configuration = RunnerConfiguration()
    configuration.start.patience = .seconds(10)
    var bench = RunnerBench(configuration)
    bench.begin()
    var calls = 1
    while bench.machine.end == nil, calls < 100 {
      // Each call rings for a while.
      bench.hear(.ended(CastError(.timeout, "no answer")), of: calls, after: .milliseconds(500))
      guard let pause = bench.pause(of: .call) else { break }
      #expect(pause <= .milliseconds(3_750 - 500))
      bench.tell(.timerFired(.call), after: pause)
      calls += 1
      #expect(bench.opened?.number == SessionNumber(calls))
    }
    #expect((4...10).contains(calls))
    #expect(bench.now >= Tick(.seconds(10)))
    #expect(bench.machine.end?.failure?.exit == .unreachable)
  }

  /// The commands that were passed on to the session.
  private func controls(_ bench: RunnerBench) -> [TicketID] {
    bench.actions.compactMap { if case .control(_, let ticket, _) = $0 { ticket } else { nil } }
  }

  @Test(
    "a command for what plays waits while the device is being called, and is performed when something plays")
  func earlyCommand() {
    var bench = RunnerBench()
    bench.begin()
    bench.tell(.command(.perform(.pause), TicketID(1)))
    #expect(controls(bench).isEmpty && bench.answers.isEmpty)
    #expect(bench.pause(of: .commands) == .seconds(10))
    bench.tell(.command(.perform(.toggle), TicketID(3)), after: .seconds(5))
    #expect(bench.pause(of: .commands) == nil, "what comes later does not make the first wait longer")
    bench.hear(.active(RunnerBench.application))
    #expect(controls(bench).isEmpty && bench.answers.isEmpty)
    var status = MediaStatus(mediaSessionID: MediaSessionID(1))
    status.playerState = .playing
    bench.hear(.mediaStatus(status))
    #expect(controls(bench) == [TicketID(1), TicketID(3)])
    // The volume is the device's own.
    bench = RunnerBench()
    bench.begin()
    bench.tell(.command(.readVolume, TicketID(2)))
    #expect(controls(bench) == [TicketID(2)])
  }

  @Test("a command that has waited in vain is answered: nothing is playing", arguments: [true, false])
  func vainCommand(hasTime: Bool) {
    var bench = RunnerBench()
    bench.begin()
    bench.tell(.command(.perform(.next), TicketID(1)))
    #expect(bench.answers.isEmpty)
    if hasTime {
      bench.tell(.timerFired(.commands), after: .seconds(10))
      #expect(bench.answers[TicketID(1)] == .failed(.nothingPlays))
    } else {
      bench.hear(.ended(CastError(.connectionRefused, "nobody listens")))
      bench.close()
      #expect(bench.machine.lastAnswers.map(\.0) == [TicketID(1)])
    }
  }

  @Test("until when a rule has the screen is told by the clocks of the site", .enabled(if: TestZone.isThere))
  func scheduled() {
    var configuration = RunnerConfiguration()
    configuration.obeysSchedule = true
    var bench = RunnerBench(configuration)
    bench.tell(.begin)
    let book = Bench.book("Europe/Berlin", [Bench.rule(1, "lunch", "daily", "23:00-12:30")])
    bench.tell(
      .schedule(ScheduleReading(book: book, device: ScheduleDevice(id: "1", name: "lobby"), last: nil)))
    bench.tell(.command(.feed(FeedRequest(isNewQueue: true)), TicketID(1)))
    let answer = bench.answers[TicketID(1)].map { "\($0)" } ?? "no answer"
    #expect(answer.contains("the rule lunch has the screen, until 12:30 Europe/Berlin;"), "\(answer)")
  }

  @Test("a lost connection is the session's to get back; the runner opens no other")
  func suspended() {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    bench.hear(.suspended(.connectionLost(RunnerBench.lost)))
    #expect(bench.opened == nil && bench.closed == nil)
    #expect(bench.pause(of: .call) == nil)
    #expect(bench.resumed == SessionNumber(1), "one that was well is called at once")
    bench.hear(.retrying(RunnerBench.lost, after: .seconds(1)))
    #expect(bench.machine.outlook.calls == 2)
    bench.hear(.resumed(RunnerBench.application, isSameApplicationSession: true))
    #expect(bench.machine.outlook.calls == nil)
    #expect(bench.opened == nil)
    bench.hear(.suspended(.connectionLost(RunnerBench.lost)))
    #expect(bench.resumed == nil, "nothing was shown meanwhile")
  }

  @Test("a loss is reported with the last moment at which the device was heard, not with that of its notice")
  func lastHeard() {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    let heard = bench.now
    bench.tell(
      .session(SessionNumber(1), .suspended(.connectionLost(RunnerBench.lost)), seenUntil: heard),
      after: .seconds(9))
    let reported = bench.reports.compactMap { report -> Tick? in
      if case .retrying(_, _, let heard) = report { heard } else { nil }
    }
    #expect(reported == [heard])
  }

  @Test("losses between which nothing is shown are not lived through for longer than one long loss")
  func flapping() {
    var bench = RunnerBench(RunnerConfiguration(reconnect: ReconnectPolicy(giveUpAfter: .seconds(300))))
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    for _ in 0..<100 where bench.machine.end == nil {
      bench.hear(.suspended(.connectionLost(RunnerBench.lost)), after: .seconds(5))
      guard bench.machine.end == nil else { break }
      bench.hear(.resumed(RunnerBench.application, isSameApplicationSession: true), after: .seconds(5))
    }
    bench.close()
    #expect(bench.end?.failure?.exit == .unreachable)
    #expect(bench.now >= Tick(.seconds(300)) && bench.now <= Tick(.seconds(320)))
  }

  @Test("a device that does not prove itself any more is given a session that knows what it has to prove now")
  func proof() {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    bench.hear(.suspended(.connectionLost(RunnerBench.lost)))
    bench.hear(.retrying(CastError(.deviceAuthenticationFailure, "another key"), after: .seconds(1)))
    #expect(bench.closed == SessionNumber(1))
    bench.tell(.timerFired(.call), after: .seconds(2))
    #expect(bench.opened?.number == SessionNumber(2))
  }

  @Test("an application that is gone is launched again, at the pace of the policy until something is shown")
  func relaunched() {
    var bench = RunnerBench()
    bench.begin()
    var pauses: [Duration] = []
    for number in 1...5 {
      bench.hear(.active(RunnerBench.application), of: number)
      bench.hear(.ended(CastError(.applicationNotRunning, "it is gone")), of: number)
      pauses.append(bench.pause(of: .call) ?? .zero)
      bench.tell(.timerFired(.call), after: pauses.last ?? .zero)
    }
    #expect(pauses[0] == .zero)
    #expect(pauses[4] > .seconds(3), "\(pauses)")
  }

  @Test("an application that has taken the screen ends the run, and nothing is sent to it")
  func takenOver() {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    bench.hear(.suspended(.connectionLost(RunnerBench.lost)))
    bench.hear(.ended(CastError(.applicationReplaced, "another application runs")))
    #expect(bench.requests.isEmpty && bench.closed == nil)
    bench.close()
    guard case .takenOver? = bench.end else {
      Issue.record("\(String(describing: bench.end))")
      return
    }
  }

  @Test("an event of a session that was replaced changes nothing")
  func replaced() {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    bench.tell(.sessionFlooded(SessionNumber(1)))
    #expect(bench.closed == SessionNumber(1))
    bench.tell(.timerFired(.call), after: .seconds(1))
    #expect(bench.opened?.number == SessionNumber(2))
    for event: SessionEvent in [
      .active(RunnerBench.application), .ended(RunnerBench.lost), .mediaStatus(nil),
    ] {
      bench.hear(event, of: 1)
      #expect(bench.actions.isEmpty)
    }
    bench.tell(.sessionFlooded(SessionNumber(1)))
    bench.tell(.sessionRefused(SessionNumber(1), RunnerBench.lost))
    #expect(bench.actions.isEmpty && bench.machine.end == nil)
  }

  @Test("a session that cannot be opened at all ends the run with its reason")
  func refused() {
    var bench = RunnerBench()
    bench.begin()
    bench.tell(.sessionRefused(SessionNumber(1), CastError(.deviceAuthenticationFailure, "no such file")))
    #expect(bench.closed == nil)
    bench.close()
    #expect(bench.end?.failure?.exit == .notPermitted)
  }

  @Test(
    "while nothing may be shown there is no session; one begins when a window opens, with the application it needs"
  )
  func windows() {
    var bench = RunnerBench()
    let opening = WallTime(milliseconds: 1_000_000).adding(seconds: 90)
    bench.begin(UpcomingList([], until: opening))
    #expect(bench.opened == nil)
    #expect(bench.machine.outlook.reason == .notYet && bench.machine.outlook.until == opening)
    // The wait is bounded: the clock may be set meanwhile.
    let pause = bench.pause(of: .window)
    #expect(pause == .seconds(60))
    // Nobody has lost the device: what is asked of it is left to whoever asks.
    for (number, command) in [
      ControlCommand.readVolume, .perform(.mute(true)), .status, .perform(.pause), .perform(.play(nil)),
      .perform(.next), .perform(.previous),
    ].enumerated() {
      let ticket = TicketID(20 + number)
      bench.tell(.command(command, ticket))
      guard case .failed(let failure)? = bench.answers[ticket] else {
        Issue.record("\(command): \(String(describing: bench.answers[ticket]))")
        continue
      }
      #expect(failure.code == Failure.notFeeding, "\(command)")
    }
    bench.tell(.timerFired(.window), after: pause ?? .zero)
    bench.tell(.first(UpcomingList([], until: opening)))
    #expect(bench.reports.count { if case .waiting = $0 { true } else { false } } == 1, "it is reported once")
    bench.tell(.timerFired(.window), after: .seconds(30))
    bench.tell(.first(UpcomingList([RunnerBench.place("http://media/a.html", type: "text/html")])))
    #expect(bench.opened?.application == .pages)
    #expect(bench.machine.outlook.reason == nil)
  }

  /// Nothing may be shown for 90 seconds.
  private static let closed = UpcomingList(
    [], until: WallTime(milliseconds: 1_000_000).adding(seconds: 90))

  private func code(_ bench: RunnerBench, _ ticket: Int) -> String? {
    if case .failed(let failure)? = bench.answers[TicketID(ticket)] { failure.code } else { nil }
  }

  @Test("a wait after a session is reported, although the wait before was for the same moment")
  func waitsAgain() {
    var bench = RunnerBench()
    bench.begin(Self.closed)
    bench.tell(.rowsChanged)
    bench.tell(.first(UpcomingList([RunnerBench.place()])))
    bench.hear(.active(RunnerBench.application))
    bench.tell(.recovered(nil))
    bench.tell(.upcoming(Self.closed))
    #expect(bench.closed == SessionNumber(1))
    #expect(bench.machine.outlook.reason == .notYet)
    #expect(bench.reports.count { if case .waiting = $0 { true } else { false } } == 2)
  }

  @Test("a list that is cast while a run waits is answered at once when nothing of it is due either")
  func castWhileWaiting() {
    var bench = RunnerBench()
    bench.begin(Self.closed)
    for ticket in 1...2 {
      bench.tell(.command(.feed(FeedRequest(isNewQueue: true)), TicketID(ticket)))
      bench.tell(.found(.success(nil), .first(at: nil), TicketID(ticket)))
      bench.tell(.first(Self.closed))
      #expect(code(bench, ticket) == "not_due")
    }
  }

  @Test("an entry that is played while a run waits is due from now on")
  func playWhileWaiting() {
    var bench = RunnerBench()
    bench.begin(Self.closed)
    bench.tell(.command(.perform(.play(EntryID(1))), TicketID(1)))
    bench.tell(.found(.success(EntryID(1)), .existing(EntryID(1)), TicketID(1)))
    let moved = bench.actions.contains {
      if case .write(.moveList(to: EntryID(1))) = $0 { true } else { false }
    }
    #expect(moved)
    bench.tell(.first(UpcomingList([RunnerBench.place()])))
    #expect(bench.opened != nil && bench.answers.isEmpty)
  }

  @Test("a database that fails for good ends the run with its own words")
  func storeBroken() {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    let failure = Failure("database", "the table is gone", exit: .inputOutput)
    bench.tell(.storeBroken(failure))
    bench.close()
    #expect(bench.end == .failed(failure))
  }

  @Test(
    "what could not be written at last is an end that failed, unless the run was stopped",
    arguments: [true, false])
  func missing(isStopped: Bool) {
    var bench = RunnerBench()
    bench.begin()
    bench.hear(.active(RunnerBench.application))
    bench.tell(isStopped ? .stop("by hand") : .upcoming(UpcomingList([])))
    let failure = Failure("database", "no space is left", exit: .inputOutput)
    bench.tell(.finishedRows(failure))
    bench.tell(.sessionClosed(SessionNumber(1), nil))
    #expect(bench.end == (isStopped ? .stopped : .failed(failure)))
  }
}
