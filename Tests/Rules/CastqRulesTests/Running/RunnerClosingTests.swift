import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

@Suite("The end of a run, and live commands")
struct RunnerClosingTests {
  private static func volume(_ level: Double) -> SessionEvent {
    .receiverStatus(
      ReceiverStatus(json: ["volume": ["level": .number(level), "controlType": "attenuation"]]))
  }

  private static func playing(_ session: Int) -> SessionEvent {
    .mediaStatus(MediaStatus(mediaSessionID: MediaSessionID(session)))
  }

  /// A run whose first load is on its way.
  private static func loading(_ configuration: RunnerConfiguration = RunnerConfiguration()) -> RunnerBench {
    var bench = RunnerBench(configuration)
    bench.begin()
    bench.hear(volume(0.5))
    bench.hear(.active(RunnerBench.application))
    bench.tell(.recovered(nil))
    bench.tell(.upcoming(UpcomingList([RunnerBench.place()])))
    return bench
  }

  @Test("the loudness of before is restored at the end, unless somebody else's media play")
  func loudness() {
    var configuration = RunnerConfiguration()
    configuration.start.volume = 0.2
    var bench = Self.loading(configuration)
    bench.hear(Self.volume(0.2))
    var taken = bench
    bench.tell(.stop("by hand"))
    bench.tell(.finishedRows(nil))
    // The load that is on its way is stopped first, for as long as that may take.
    bench.tell(.timerFired(.closing))
    #expect(bench.requests.map(\.name) == ["SET_VOLUME"])
    #expect(bench.closed == nil)
    if let token = bench.requests.first?.token { bench.tell(.completed(token, .success(.sent))) }
    #expect(bench.closed == SessionNumber(1))
    taken.hear(.ended(CastError(.applicationReplaced, "another application runs")))
    taken.close()
    #expect(taken.requests.isEmpty && taken.end != nil)
  }

  private static func clearing(quits: Bool) -> RunnerBench {
    var configuration = RunnerConfiguration()
    configuration.clearing = RunnerConfiguration.Clearing(.media, quits: quits, because: "the night")
    var bench = RunnerBench(configuration)
    bench.tell(.begin)
    #expect(bench.opened?.number == SessionNumber(1), "it reads no list")
    return bench
  }

  @Test(
    "a run that clears the screen leaves the media of a guest, and reads nothing to show",
    arguments: [true, false])
  func clearingAGuest(quits: Bool) {
    var bench = Self.clearing(quits: quits)
    bench.hear(Self.playing(7))
    bench.hear(.active(RunnerBench.application))
    bench.tell(.recovered(nil))
    #expect(bench.requests.isEmpty)
    bench.tell(.finishedRows(nil))
    let leaves = bench.actions.contains { if case .endSession(_, .leave) = $0 { true } else { false } }
    #expect(leaves, "\(bench.actions)")
    if let closed = bench.closed { bench.tell(.sessionClosed(closed, nil)) }
    #expect(bench.end == .stopped)
  }

  @Test("where the application is gone, a run that clears the screen closes the rows and ends")
  func clearingNothing() {
    var bench = Self.clearing(quits: true)
    bench.hear(.ended(CastError(.applicationNotRunning, "another application runs")))
    let closes = bench.actions.contains { if case .recover(keeping: []) = $0 { true } else { false } }
    #expect(closes && bench.requests.isEmpty)
    bench.close()
    #expect(bench.end == .stopped)
  }

  @Test("a device that does not answer holds up no end: each step has its time")
  func silence() {
    var configuration = RunnerConfiguration()
    configuration.start.volume = 0.2
    var bench = Self.loading(configuration)
    bench.tell(.stop("by hand"))
    bench.tell(.finishedRows(nil))
    var steps = 0
    while bench.closed == nil, steps < 5 {
      bench.tell(.timerFired(.closing), after: .milliseconds(600))
      steps += 1
    }
    #expect(bench.closed == SessionNumber(1) && steps == 2)
  }

  @Test("a stop waits until the receiver names the media session of a load that is on its way")
  func stopDuringLoad() {
    var bench = Self.loading()
    bench.tell(.command(.perform(.stop(quits: false)), TicketID(1)))
    #expect(!bench.requests.contains { $0.name == "STOP" }, "it has no name yet")
    bench.hear(Self.playing(1))
    #expect(bench.requests.map(\.name).contains("STOP") || bench.machine.end != nil)
  }

  @Test("a stop that nothing is left of ends the run when the receiver keeps its statuses to itself")
  func halt() {
    var bench = Self.loading()
    bench.hear(Self.playing(1))
    bench.tell(.command(.perform(.stop(quits: true)), TicketID(1)))
    let stop = bench.requests.first { $0.name == "STOP" }
    #expect(stop != nil)
    guard let stop else { return }
    bench.tell(.completed(stop.token, .failure(CastError(.noMediaSession, "there is none"))))
    #expect(bench.pause(of: .halt) == .seconds(1))
    bench.tell(.timerFired(.halt), after: .seconds(1))
    bench.close(CastError(.timeout, "the device did not confirm it"))
    #expect(bench.machine.end != nil)
    let reply = bench.machine.lastAnswers.first { $0.0 == TicketID(1) }?.1
    guard case .failed? = reply else {
      Issue.record("the application did not end, and \(String(describing: reply)) was said")
      return
    }
  }

  @Test(
    "a stop of a device that is not reached, or goes away before it has stopped, is answered as not carried out",
    arguments: [false, true])
  func haltedAway(isLostLater: Bool) {
    var bench = Self.loading()
    bench.hear(Self.playing(1))
    let loss = SessionEvent.suspended(.connectionLost(RunnerBench.lost))
    if !isLostLater { bench.hear(loss) }
    bench.tell(.command(.perform(.stop(quits: false)), TicketID(1)))
    if isLostLater { bench.hear(loss) }
    #expect(bench.machine.end == .halted, "the list is stopped")
    bench.close()
    guard case .failed(let failure)? = bench.machine.lastAnswers.first(where: { $0.0 == TicketID(1) })?.1
    else {
      Issue.record("it was called done")
      return
    }
    #expect(failure.code == Failure.notFeeding, "the caller calls the device itself")
  }

  @Test("a stop that the receiver refuses twice is not called done")
  func haltRefused() {
    var bench = Self.loading()
    bench.hear(Self.playing(1))
    bench.tell(.command(.perform(.stop(quits: false)), TicketID(1)))
    let refusal = CastError(.invalidRequest, "it refuses")
    for stop in bench.requests where stop.name == "STOP" {
      bench.tell(.completed(stop.token, .failure(refusal)))
    }
    bench.tell(.timerFired(.halt))
    let second = bench.requests.filter { $0.name == "STOP" }
    bench.tell(.finishedRows(nil))
    for stop in second { bench.tell(.completed(stop.token, .failure(refusal))) }
    bench.close()
    let reply = bench.machine.lastAnswers.first { $0.0 == TicketID(1) }?.1
    #expect(reply == .failed(Failure(refusal)))
  }

  @Test("commands that need the device are refused while it is away, and carried out when it is there")
  func away() {
    var bench = Self.loading()
    bench.hear(Self.playing(1))
    bench.tell(.command(.perform(.pause), TicketID(1)))
    #expect(
      bench.actions.contains {
        if case .control(.perform(.pause), TicketID(1), SessionNumber(1)) = $0 { true } else { false }
      })
    bench.hear(.suspended(.connectionLost(RunnerBench.lost)))
    for (number, command) in [
      ControlCommand.perform(.pause), .readVolume, .perform(.next), .perform(.previous),
    ].enumerated() {
      let ticket = TicketID(10 + number)
      bench.tell(.command(command, ticket))
      guard case .failed(let failure)? = bench.answers[ticket] else {
        Issue.record("\(command): \(String(describing: bench.answers[ticket]))")
        continue
      }
      #expect(failure.code == "device_away", "\(command)")
    }
  }

  @Test("an entry that is not in the queue is no entry to play, and nothing is reloaded")
  func unknownEntry() {
    var bench = Self.loading()
    bench.tell(.command(.perform(.play(EntryID(7))), TicketID(1)))
    bench.tell(.found(.success(nil), .existing(EntryID(7)), TicketID(1)))
    guard case .failed(let failure)? = bench.answers[TicketID(1)] else {
      Issue.record("nothing was answered")
      return
    }
    #expect(failure.code == "entry_unknown")
    #expect(bench.requests.isEmpty)
  }

  @Test("rows that cannot be read fail a command with the words of the database")
  func unreadable() {
    var bench = Self.loading()
    bench.tell(.command(.perform(.previous), TicketID(1)))
    let failure = Failure("busy", "it is in use", exit: .tryAgain)
    bench.tell(.found(.failure(failure), .before(EntryID(1)), TicketID(1)))
    #expect(bench.answers[TicketID(1)] == .failed(failure))
  }

  @Test("a wait for the first entry of a list fails when the list is replaced; the new one has its own wait")
  func restarted() {
    var bench = Self.loading()
    bench.tell(.command(.feed(FeedRequest(isNewQueue: true)), TicketID(1)))
    bench.tell(.found(.success(EntryID(1)), .first(at: nil), TicketID(1)))
    #expect(bench.answers[TicketID(1)] == nil)
    bench.tell(.command(.feed(FeedRequest(isNewQueue: true)), TicketID(2)))
    bench.tell(.found(.success(EntryID(1)), .first(at: nil), TicketID(2)))
    #expect(bench.answers[TicketID(1)] == .failed(.replaced))
    bench.tell(.stop("by hand"))
    #expect(bench.machine.lastAnswers.map(\.0) == [TicketID(2)])
  }

  @Test("local files of what is held or comes next stay reachable")
  func media() {
    let bench = Self.loading()
    let kept = bench.actions.lazy.compactMap { if case .keepMedia(let entries) = $0 { entries } else { nil } }
      .first
    #expect(kept == [EntryID(1)])
  }

  @Test("what a person has stopped stays stopped, although that cannot be written")
  func unwrittenStop() {
    var bench = Self.loading()
    bench.hear(Self.playing(1))
    bench.tell(.command(.perform(.stop(quits: true)), TicketID(1)))
    let stop = bench.requests.first { $0.name == "STOP" }
    if let stop { bench.tell(.completed(stop.token, .failure(CastError(.noMediaSession, "there is none")))) }
    bench.tell(.timerFired(.halt), after: .seconds(1))
    bench.tell(.finishedRows(Failure("database", "no space is left", exit: .inputOutput)))
    #expect(bench.machine.end == .halted)
  }
}
