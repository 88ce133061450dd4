package import CastProtocol
package import CastReceiverSim
package import CastqFeeding
package import CastqPlaylists
package import CastqText

/// A site in virtual time: the machine that decides in the product, and a virtual feed for each device. It does the work of
/// `DaemonService`, with rows in memory; runs with the same seed are identical.
package struct VirtualSite: Sendable {
  /// What a feed tells its site.
  enum Told: Sendable {
    case report(RunnerReport)
    case ended(RunEnd)
  }

  /// A command that a runner has, and how its answer goes back.
  private struct Passed {
    let runnerTicket: TicketID
    let answered: Answered

    enum Answered {
      case ticket(TicketID)
      case steering(FeedAsk)
    }
  }

  package private(set) var now = Tick.zero
  package private(set) var machine: SiteMachine
  package internal(set) var feeds: [VirtualFeed]
  /// Who has not been answered yet, and since when.
  package private(set) var open: [TicketID: Tick] = [:]
  /// Every answer, by its ticket.
  package private(set) var answers: [TicketID: ControlReply] = [:]
  /// What must never happen, in words.
  package private(set) var complaints: [String] = []
  /// Notable events, for the transcript of a failed storm.
  package private(set) var log: [String] = []
  private(set) var configuration: DaemonConfiguration
  private var timers: [SiteTimer: Tick] = [:]
  /// What reaches the machine a moment later, as between real tasks.
  private var inbox: [(at: Tick, event: SiteMachine.Event)] = []
  private var passed: [[Passed]]
  /// The devices whose runs the site has begun, and those whose screens are being cleared.
  private(set) var runs: Set<DeviceID> = []
  private var clearing: Set<DeviceID> = []
  /// What was reported of each device.
  private var news: [DeviceID: ReportNews] = [:]
  /// What stands in the lists that the configuration names, and who follows which.
  private var sources: [String: ProgrammeList] = [:]
  private var followed: [FollowedID: String] = [:]
  private var lastTicket = 0
  private var wallOffset = Duration.zero
  /// Until when no row can be read or written.
  private(set) var failsUntil = Tick.zero
  /// When each feed has something to do.
  private var next: [Tick?]

  /// - Parameter feeds: of devices 1, 2, 3…; they wait for their site.
  package init(_ feeds: [VirtualFeed], _ configuration: DaemonConfiguration = DaemonConfiguration()) {
    self.feeds = feeds
    self.configuration = configuration
    machine = SiteMachine(.service, configuration)
    passed = feeds.map { _ in [] }
    next = feeds.map(\.nextTick)
    handle(.begin)
  }

  package var wall: WallTime {
    WallTime(milliseconds: 1_000_000 + Int64(bounded: (now.sinceStart + wallOffset).seconds * 1000))
  }

  /// The devices.
  package var ids: [DeviceID] { feeds.indices.map(Self.id) }

  private static func id(_ index: Int) -> DeviceID { DeviceID(Int64(index + 1)) }

  func index(_ id: DeviceID) -> Int { Int(bounded: Double(id.rawValue)) - 1 }

  // MARK: - Time

  package mutating func run(for time: Duration) {
    let limit = now + time
    while let tick = nextTick, tick <= limit {
      now = max(now, tick)
      var index = 0
      while index < next.count {
        if let tick = next[index], tick <= now { visit(index) { _ in } }
        index += 1
      }
      for (timer, at) in timers.sorted(by: { $0.value < $1.value }) where at <= now {
        timers[timer] = nil
        handle(.timerFired(timer))
      }
      while let first = inbox.first, first.at <= now {
        inbox.removeFirst()
        handle(first.event)
      }
    }
    now = max(now, limit)
    for index in feeds.indices { visit(index) { _ in } }
  }

  private var nextTick: Tick? {
    var earliest = inbox.first?.at
    for tick in timers.values { earliest = min(earliest ?? tick, tick) }
    var index = 0
    // Plain loops: there are many feeds, and this is done for each step.
    while index < next.count {
      if let tick = next[index], earliest.map({ tick < $0 }) ?? true { earliest = tick }
      index += 1
    }
    return earliest
  }

  /// Lets a feed catch up, changes it, and hears what it says.
  mutating func visit(_ index: Int, _ change: (inout VirtualFeed) -> Void) {
    feeds[index].advance(to: now)
    change(&feeds[index])
    let id = Self.id(index)
    for told in feeds[index].takeTold() {
      switch told {
      case .report(let report): hear(report, of: id)
      case .ended(let end):
        news[id] = nil
        if clearing.remove(id) != nil {
          later(.cleared(id))
        } else {
          runs.remove(id)
          later(.ended(id, end))
        }
      }
    }
    let commands = passed[index]
    passed[index] = []
    for command in commands {
      // A runner that is over has answered, or never will.
      let over: ControlReply? = feeds[index].end == nil ? nil : .failed(Self.feederGone)
      guard let reply = feeds[index].takeAnswer(command.runnerTicket) ?? over else {
        passed[index].append(command)
        continue
      }
      switch command.answered {
      case .ticket(let ticket): answer(ticket, reply)
      case .steering(let ask): later(.steered(ask, reply))
      }
    }
    next[index] = feeds[index].nextTick
  }

  private static let feederGone = Failure(Failure.feederGone, "the feeder ended", exit: .tryAgain)

  private mutating func hear(_ report: RunnerReport, of id: DeviceID) {
    guard !clearing.contains(id) else { return }
    if news[id, default: ReportNews()].takes(report) { later(.report(id, report)) }
  }

  private mutating func later(_ event: SiteMachine.Event) { inbox.append((now + .milliseconds(1), event)) }

  // MARK: - Outside events

  /// Asks for something, as a person does.
  @discardableResult
  package mutating func ask(_ command: ControlCommand, of id: DeviceID) -> TicketID {
    lastTicket += 1
    let ticket = TicketID(lastTicket)
    note("\(ticket) asks device \(id) for \(command)")
    open[ticket] = now
    handle(.control(ControlRequest(device: id, command: command), ticket))
    return ticket
  }

  /// Edits the list of a device, as another program does.
  package mutating func edit(_ id: DeviceID, _ change: (inout VirtualRows) -> Void) {
    visit(index(id)) { change(&$0.rows) }
    handle(.rowsChanged)
  }

  /// Somebody writes a list that the configuration names.
  package mutating func write(_ list: ProgrammeList, to source: String) {
    note("\(source) is written")
    sources[source] = list
    for (id, other) in followed where other == source { later(.list(list, of: id, source: source)) }
  }

  /// Something happens to a device.
  package mutating func control(_ id: DeviceID, _ control: SimControl) {
    note("device \(id): \(control)")
    visit(index(id)) { $0.control(control) }
  }

  /// Reads another configuration.
  package mutating func reload(_ new: DaemonConfiguration) {
    note("reloaded")
    configuration = new
    handle(.configured(new, times: .utc))
  }

  /// No row can be read or written for this time.
  package mutating func failRows(for time: Duration) {
    for index in feeds.indices { visit(index) { $0.failRows(for: time) } }
    failsUntil = max(failsUntil, now + time)
    note("the rows fail for \(time)")
  }

  /// Somebody sets the system's clock.
  package mutating func setClock(by time: Duration) {
    note("the clock jumps by \(time)")
    wallOffset += time
    for index in feeds.indices { visit(index) { $0.jumpClock(by: time) } }
    handle(.clockSet)
  }

  /// castq is killed without notice, and comes back after the pause. Its clients see their sockets close.
  package mutating func crash(for pause: Duration) {
    note("castq is killed")
    for index in feeds.indices {
      visit(index) { $0.crash() }
      passed[index] = []
    }
    for ticket in open.keys { answers[ticket] = .failed(Self.feederGone) }
    (open, timers, inbox, runs, clearing, news, followed) = ([:], [:], [], [], [], [:], [:])
    machine = SiteMachine(.service, configuration)
    run(for: pause)
    note("castq is back")
    handle(.begin)
  }

  /// Ends castq, and lets its runs end.
  package mutating func shutDown() {
    note("castq ends")
    handle(.shutDown(nil, because: "the daemon stopped it"))
    let limit = now + .seconds(60)
    while !machine.isFinished, now < limit { run(for: .seconds(1)) }
    if !machine.isFinished { complaints.append("castq did not end") }
  }

  package mutating func note(_ line: String) { log.append("\(now.sinceStart) \(line)") }

  // MARK: - The machine

  private mutating func handle(_ event: SiteMachine.Event) {
    var events = [event]
    while !events.isEmpty {
      var answers: [SiteMachine.Event] = []
      for action in machine.handle(events.removeFirst(), at: now, wall: wall) {
        perform(action, answers: &answers)
      }
      events = answers + events
    }
  }

  private mutating func perform(_ action: SiteMachine.Action, answers: inout [SiteMachine.Event]) {
    switch action {
    case .ask(let question): answers += answer(question)
    case .start(let id, let start):
      if runs.contains(id) || clearing.contains(id) { complaints.append("device \(id) has two runners") }
      runs.insert(id)
      visit(index(id)) { $0.begin(start) }
      answers.append(.started(id, label: "screen \(id)", start))
    case .clear(let id, let manner, let reason):
      if runs.contains(id) || clearing.contains(id) { complaints.append("device \(id) has two runners") }
      clearing.insert(id)
      let clearing = RunnerConfiguration.Clearing(.media, quits: manner == .quit, because: reason)
      visit(index(id)) { $0.begin(RunStart(), clearing: clearing) }
    case .tell(let id, let event): tell(id, event)
    case .pass(let id, let command, let ticket): pass(command, to: id, .ticket(ticket))
    case .steer(let ask): pass(.feed(ask.request), to: ask.device, .steering(ask))
    case .answer(let ticket, let reply): answer(ticket, reply)
    case .tellFetches(let ticket, _), .tellMetrics(let ticket, _): answer(ticket, .done)
    case .startTimer(let timer, let wait): timers[timer] = now + wait
    case .cancelTimer(let timer): timers[timer] = nil
    case .note(let words): note("\(words)")
    case .finished:
      // Releasing the tickets fails those who still wait.
      for ticket in open.keys { answer(ticket, .failed(Self.feederGone)) }
    case .write(let write, let id): visit(index(id)) { $0.write(write) }
    case .closeOutages(let fed):
      for id in ids where !fed.contains(id) {
        visit(index(id)) { [wall] in $0.write(.endOutage(at: wall, hasAnswered: false)) }
      }
    case .follow(let id, let source, _):
      followed[id] = source
      if let list = sources[source] { later(.list(list, of: id, source: source)) }
    case .unfollow(let id): followed[id] = nil
    case .keepLists(let write): keep(write)
    // Nothing is converted.
    case .writeConfiguration, .renewPreparation, .followHooks, .serveMetrics, .noteListsRead, .writeAgain,
      .prepare, .deliver, .changed, .announceEnd:
      break
    }
  }

  mutating func tell(_ id: DeviceID, _ event: RunnerMachine.Event) {
    guard runs.contains(id) || clearing.contains(id) else { return }
    visit(index(id)) { if $0.end == nil { $0.tell(event) } }
  }

  private mutating func pass(_ command: ControlCommand, to id: DeviceID, _ answered: Passed.Answered) {
    var ticket: TicketID?
    visit(index(id)) { if $0.end == nil { ticket = $0.ask(command) } }
    // A runner that has ended answers nothing; the site may not know of its end yet.
    passed[index(id)].append(Passed(runnerTicket: ticket ?? TicketID(0), answered: answered))
    visit(index(id)) { _ in }
  }

  private mutating func answer(_ ticket: TicketID, _ reply: ControlReply) {
    guard open.removeValue(forKey: ticket) != nil else {
      return complaints.append("\(ticket) was answered twice: \(reply)")
    }
    note("\(ticket) is told \(reply)")
    answers[ticket] = reply
  }
}
