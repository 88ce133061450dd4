import CastProtocol
import Testing
@testable import CastqFeeding
@testable import CastqPlaylists
@testable import CastqSchedule
@testable import CastqText

/// Who is fed, who waits for what, and what they are told.
@Suite struct SiteMachineTests {
  private static let lobby = DeviceID(1)

  /// A site of one device in the lobby, whose questions are answered by what a test says of its rows.
  private struct Site {
    var machine: SiteMachine
    var now = Tick.zero
    var work: Set<DeviceID> = []
    var stopped: Set<DeviceID> = []
    var reading = SiteMachine.QueueReading(next: EntryID(1), hasWork: true)
    /// The programmes of rules, which are for the lobby.
    var played: [PlayedProgramme] = []
    var version = 0
    var isFailing = false
    /// Everything that was to be done but questions, in its order.
    var done: [SiteMachine.Action] = []
    var answers: [TicketID: [ControlReply]] = [:]

    init(_ scope: SiteMachine.Scope = .service, _ change: (inout DaemonConfiguration) -> Void = { _ in }) {
      var configuration = DaemonConfiguration()
      change(&configuration)
      machine = SiteMachine(scope, configuration)
      handle(.begin)
    }

    mutating func handle(_ event: SiteMachine.Event) {
      var events = [event]
      while !events.isEmpty {
        var replies: [SiteMachine.Event] = []
        let wall = WallTime(milliseconds: Int64(bounded: now.sinceStart.seconds * 1000))
        for action in machine.handle(events.removeFirst(), at: now, wall: wall) {
          switch action {
          case .ask(let question): replies += answer(question)
          case .answer(let ticket, let reply): answers[ticket, default: []].append(reply)
          case .start(let id, let start):
            done.append(action)
            replies.append(.started(id, label: "lobby", start))
          default: done.append(action)
          }
        }
        events = replies + events
      }
    }

    private func answer(_ question: SiteMachine.Question) -> [SiteMachine.Event] {
      let failure = Failure("database", "the disk is full", exit: .inputOutput)
      switch question {
      case .devices:
        return isFailing
          ? [.rowsFailed("full")] : [.devices([SiteName(lobby, label: "lobby", names: ["lobby"])])]
      case .work(_, let next):
        guard !isFailing else { return [.rowsFailed("full"), .work(nil, then: next)] }
        return [.work(SiteMachine.WorkReading(queued: work, stopped: stopped), then: next)]
      case .left: return [.left([])]
      case .unwritten: return []
      case .admission(let ask):
        return [.admitted(ask, isFailing ? failure : nil)]
      case .programmes(let name):
        return isFailing ? [.rowsFailed("full")] : [.programmes(played, version: version, read: name)]
      case .keepProblems(let problems, let source, let id):
        return [.keptProblems(problems, source: source, id)]
      case .begin(let ask, _): return [.begun(ask, isFailing ? .failure(failure) : .success(reading))]
      case .queue(let ask): return [.looked(ask, isFailing ? .failure(failure) : .success(reading))]
      case .place(let report, let id, _): return [.placed(id, report, SiteMachine.Placing())]
      case .reason(let entries, let ticket): return [.reason(nil, entries, ticket)]
      case .hold(let id, let ticket): return [.held(id, isFailing ? failure : nil, ticket)]
      case .stoppedAt(_, let ticket), .nextChange(_, let ticket):
        return [.outlook(.success(Outlook(.nothingDue)), ticket)]
      }
    }

    /// Has a rule play this programme.
    mutating func play(_ name: String) {
      version += 1
      played.append(
        PlayedProgramme(
          name: name, source: "/\(name).m3u", filler: nil,
          order: PlayedProgramme.Order(number: Int64(version), isShuffled: false, seed: 0), devices: [lobby],
          starts: []))
    }

    /// The list of a programme was read.
    mutating func read(_ name: String) {
      handle(.list(.list(Playlist()), of: .programme(name), source: "/\(name).m3u"))
    }

    /// Asks for the device to be fed.
    mutating func feed(_ ticket: Int, _ request: FeedRequest = FeedRequest()) {
      handle(.control(ControlRequest(device: lobby, command: .feed(request)), TicketID(ticket)))
    }

    mutating func report(_ report: RunnerReport) { handle(.report(lobby, report)) }

    /// The only answer to a ticket; nil when there is none, or more than one.
    func answer(_ ticket: Int) -> ControlReply? {
      let replies = answers[TicketID(ticket)] ?? []
      return replies.count == 1 ? replies[0] : nil
    }

    /// The code of the failure of a ticket.
    func refusal(_ ticket: Int) -> String? {
      if case .failed(let failure)? = answer(ticket) { failure.code } else { nil }
    }

    var starts: Int { done.filter { if case .start = $0 { true } else { false } }.count }
  }

  private static let started = RunnerReport.started(EntryTurn(entry: EntryID(1), turn: 1), title: "film")

  @Test("a request starts its device, and is answered when something plays")
  func feeding() {
    var site = Site()
    site.work = [Self.lobby]
    site.feed(1)
    #expect(site.starts == 1 && site.answer(1) == nil)
    site.report(.connected(nil))
    #expect(site.answer(1) == nil)
    site.report(Self.started)
    guard case .done? = site.answer(1) else {
      Issue.record("\(String(describing: site.answer(1)))")
      return
    }
  }

  @Test("who wants nothing that plays is told so, and nothing starts")
  func nothingToPlay() {
    var site = Site()
    site.reading = SiteMachine.QueueReading()
    site.feed(1)
    site.feed(2, FeedRequest(waits: true))
    #expect(site.starts == 0 && site.refusal(1) == Failure.nothingPlayed && site.answer(2) == .done)
  }

  @Test("rows that cannot be read fail a request, and are read again")
  func rowsFailing() {
    var site = Site()
    site.isFailing = true
    site.feed(1)
    #expect(site.refusal(1) == "database" && site.starts == 0)
    site.handle(.rowsChanged)
    site.isFailing = false
    site.work = [Self.lobby]
    site.handle(.timerFired(.work))
    #expect(site.starts == 1)
  }

  @Test("in quiet hours a request is told until when, and the device starts then")
  func quietHours() throws {
    var site = Site { $0.standard.quietHours = [.wholeDay] }
    site.work = [Self.lobby]
    site.feed(1)
    #expect(site.refusal(1) == "quiet_hours" && site.starts == 0)
    site.handle(.configured(DaemonConfiguration(), times: .utc))
    #expect(site.starts == 1)
  }

  @Test("a request for what rules show waits for the list, and then for the runner to have seen it")
  func lateList() {
    var site = Site()
    site.play("news")
    site.feed(1, FeedRequest(takesRules: true))
    #expect(site.answer(1) == nil && site.starts == 0)
    site.work = [Self.lobby]
    site.read("news")
    #expect(site.starts == 1)
    site.play("weather")
    site.feed(2, FeedRequest(takesRules: true))
    site.read("weather")
    #expect(site.answer(2) == nil)
    site.report(.connected(nil))
    site.report(Self.started)
    #expect(site.answer(1) != nil && site.answer(2) == nil, "its runner has not said that it has seen it")
    site.report(.fencePassed)
    #expect(site.answer(2) == .done)
  }

  @Test("a request that reaches an ending runner goes to the next one")
  func endingRunner() {
    var site = Site()
    site.work = [Self.lobby]
    site.feed(1)
    site.report(Self.started)
    let ask = FeedAsk(Self.lobby, FeedRequest(first: EntryID(2), waits: true), TicketID(2))
    site.feed(2, ask.request)
    let gone = ControlReply.failed(Failure(Failure.feederGone, "over", exit: .tryAgain))
    site.handle(.steered(ask, gone))
    #expect(site.answer(2) == nil && site.starts == 1)
    site.handle(.ended(Self.lobby, .drained(failed: 0)))
    #expect(site.starts == 2)
    site.handle(.ended(Self.lobby, .drained(failed: 0)))
    #expect(site.answer(2) == .done)
  }

  @Test("another list answers those who wait for the one before, once")
  func replacing() {
    var site = Site()
    site.work = [Self.lobby]
    site.feed(1, FeedRequest(waits: true))
    site.report(Self.started)
    let ask = FeedAsk(Self.lobby, FeedRequest(isNewQueue: true, waits: true), TicketID(2))
    site.feed(2, ask.request)
    #expect(site.refusal(1) == "replaced")
    site.handle(.steered(ask, .done))
    site.report(.replaced)
    site.handle(.ended(Self.lobby, .drained(failed: 0)))
    #expect(site.answer(2) == .done && site.refusal(1) == "replaced")
  }

  @Test("a device that is away when another list is wanted is told to play it, and its asker that it is away")
  func away() {
    var site = Site()
    site.work = [Self.lobby]
    site.feed(1)
    site.report(.retrying(CastError(.timeout, "no answer"), after: .seconds(1), lastHeard: nil))
    let ask = FeedAsk(Self.lobby, FeedRequest(isNewQueue: true), TicketID(2))
    site.feed(2, ask.request)
    #expect(site.answer(2) != nil)
    site.handle(.steered(ask, .done))
    #expect(site.answer(2) != nil, "it was answered twice")
  }

  @Test("an outage begins when a device goes away, and ends when it answers or is not called any more")
  func outages() {
    var site = Site()
    site.work = [Self.lobby]
    site.feed(1)
    site.report(.connected(nil))
    site.now = Tick(.seconds(100))
    site.report(.retrying(CastError(.timeout, "lost"), after: .seconds(1), lastHeard: Tick(.seconds(90))))
    site.report(.retrying(CastError(.timeout, "lost"), after: .seconds(1), lastHeard: Tick(.seconds(90))))
    var writes: [FeederWrite] {
      site.done.compactMap { if case .write(let write, _) = $0 { write } else { nil } }.filter { write in
        if case .beginOutage = write { return true }
        return write == .endOutage(at: WallTime(milliseconds: 100_000), hasAnswered: true)
      }
    }
    guard case .beginOutage(since: WallTime(milliseconds: 90_000), _)? = writes.first, writes.count == 1
    else {
      Issue.record("\(writes)")
      return
    }
    site.report(.connected(nil))
    #expect(writes.count == 2)
  }

  @Test("the list of the configuration is taken up when the queue has nothing left, and only then")
  func configuredList() {
    var site = Site { $0.standard.list = "/list.m3u" }
    var replaced: Int {
      site.done.filter { if case .keepLists(.replace) = $0 { true } else { false } }.count
    }
    site.work = [Self.lobby]
    let list = Playlist(drafts: [
      EntryDraft(media: MediaInformation(contentID: "a", contentType: "video/mp4"))
    ])
    site.handle(.list(.list(list), of: .base(Self.lobby), source: "/list.m3u"))
    #expect(replaced == 0 && site.starts == 1)
    site.work = []
    site.handle(.ended(Self.lobby, .drained(failed: 0)))
    #expect(replaced == 1)
  }

  @Test("what could not be written of a list is written when the rows can be")
  func unwrittenList() {
    var site = Site()
    site.play("news")
    site.handle(.rowsChanged)
    site.read("news")
    var written: Int { site.done.filter { if case .keepLists(.list) = $0 { true } else { false } }.count }
    #expect(written == 1)
    site.handle(.rowsChanged)
    #expect(written == 1)
    site.handle(.rowsFailed("full"))
    site.handle(.timerFired(.work))
    #expect(written == 2)
  }

  @Test("what could not be written is written again after a pause, for as long as it waits")
  func unwritten() {
    for (what, pause) in [(SiteMachine.Unwritten.rows, 2), (.hooks, 5)] {
      var site = Site()
      var waits: [Duration] {
        site.done.compactMap { action in
          if case .startTimer(.unwritten(what), let wait) = action { wait } else { nil }
        }
      }
      var attempts: Int {
        site.done.filter { if case .writeAgain(what) = $0 { true } else { false } }.count
      }
      site.handle(.unwritten(what))
      #expect(waits == [.seconds(pause)] && attempts == 0)
      site.handle(.timerFired(.unwritten(what)))
      #expect(waits.count == 1 && attempts == 1)
      site.handle(.unwritten(what))
      #expect(waits.count == 2)
    }
  }

  @Test(
    "only the service changes rows and hooks by its configuration, and what feeds one device converts nothing ahead",
    arguments: [
      (
        SiteMachine.Scope.service,
        ["takeOver", "prepare", "hooks", "write", "metrics", "prepare", "hooks", "write"]
      ),
      (.untilIdle, ["prepare", "prepare"]), (.device(lobby, awaitsRequest: false), []),
    ])
  func besideFeeding(_ scope: SiteMachine.Scope, _ expected: [String]) {
    var site = Site(scope)
    site.handle(.configured(DaemonConfiguration(), times: .utc))
    let done = site.done.compactMap { action -> String? in
      switch action {
      case .keepLists(.takeOver): "takeOver"
      case .renewPreparation: "prepare"
      case .followHooks: "hooks"
      case .writeConfiguration: "write"
      case .serveMetrics: "metrics"
      default: nil
      }
    }
    #expect(done == expected)
  }

  @Test("what was counted is told whatever device the question names")
  func metrics() {
    var site = Site(.device(Self.lobby, awaitsRequest: false))
    site.handle(.control(ControlRequest(device: DeviceID(0), command: .metrics), TicketID(1)))
    #expect(site.done.contains { if case .tellMetrics(TicketID(1), _) = $0 { true } else { false } })
  }

  @Test("a stop without a runner holds the device until somebody starts it")
  func holding() {
    var site = Site()
    site.handle(
      .control(ControlRequest(device: Self.lobby, command: .perform(.stop(quits: false))), TicketID(1)))
    #expect(site.refusal(1) == Failure.notFeeding)
    site.work = [Self.lobby]
    site.handle(.rowsChanged)
    #expect(site.starts == 0)
    site.feed(2)
    #expect(site.starts == 1)
  }

  @Test("a stop that could not be written holds nothing")
  func unwrittenStop() {
    var site = Site()
    site.isFailing = true
    site.handle(
      .control(ControlRequest(device: Self.lobby, command: .perform(.stop(quits: false))), TicketID(1)))
    #expect(site.refusal(1) == "database")
    site.isFailing = false
    site.work = [Self.lobby]
    site.handle(.rowsChanged)
    #expect(site.starts == 1)
  }

  @Test("whatever happens in whatever order, nobody is answered twice, and no device has two runners")
  func totality() {
    for seed in 0..<200 {
      var dice = SeededGenerator(seed: UInt64(seed) &+ 1)
      var site = Site([.service, .untilIdle, .device(Self.lobby, awaitsRequest: seed % 2 == 0)][seed % 3])
      var asks: [FeedAsk] = []
      var running = 0
      for number in 0..<150 {
        func chance(_ odds: UInt64) -> Bool { dice.next() % odds == 0 }
        site.now = site.now + .milliseconds(Int64(dice.next() % 5_000))
        site.isFailing = chance(8)
        site.work = chance(4) ? [] : [Self.lobby]
        site.stopped = chance(8) ? [Self.lobby] : []
        if site.played.count < 3, chance(10) { site.play("p\(number)") }
        site.reading = SiteMachine.QueueReading(
          next: chance(3) ? nil : EntryID(1), hasWork: !chance(3), hasRules: chance(2))
        switch dice.next() % 14 {
        case 0, 1, 2:
          let request = FeedRequest(
            first: chance(3) ? EntryID(1) : nil, isNewQueue: chance(4), waits: chance(2), loops: chance(5),
            patience: chance(2) ? 0 : 5, takesRules: chance(3))
          asks.append(FeedAsk(Self.lobby, request, TicketID(number)))
          site.feed(number, request)
        case 3: if let ask = asks.randomElement(using: &dice) { site.handle(.steered(ask, .done)) }
        case 4:
          let gone = ControlReply.failed(Failure(Failure.feederGone, "over", exit: .tryAgain))
          if let ask = asks.randomElement(using: &dice) { site.handle(.steered(ask, gone)) }
        case 5: site.report(Self.started)
        case 6: site.report(.connected(nil))
        case 7: site.report(.retrying(CastError(.timeout, "lost"), after: .seconds(1), lastHeard: nil))
        case 8: site.report(.waiting(Outlook(.nothingDue)))
        case 9:
          let ends = SupervisorMachineTests.ends
          site.handle(.ended(Self.lobby, ends[Int(dice.next() % UInt64(ends.count))]))
        case 10: site.report(.fencePassed)
        case 11: if let name = site.played.randomElement(using: &dice)?.name { site.read(name) }
        case 12: site.handle(.timerFired(chance(2) ? .device(Self.lobby) : .minute))
        default: site.handle(.rowsChanged)
        }
        running = site.starts
      }
      #expect(running >= 0)
      for (ticket, replies) in site.answers where replies.count != 1 {
        Issue.record("seed \(seed): \(ticket) was told \(replies)")
      }
    }
  }
}
