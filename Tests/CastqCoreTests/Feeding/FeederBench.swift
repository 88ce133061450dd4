import CastProtocol
import CastqCore

/// A feeder between rows and a receiver that are both in memory, on a clock that only a test moves.
final class FeederBench {
  struct Row {
    var id: EntryID
    var draft: EntryDraft
    var state: EntryState = .pending
    var turn = 0
    var attempts = 0
    var round = 0
  }

  var rows: [Row]
  var machine: FeederMachine
  var receiver = FakeReceiver()
  var now = Tick.zero
  /// Whether the list begins again and again.
  var isRepeating = false
  /// What is shown while nothing of the list can be.
  var standIns: [EntryDraft] = []
  /// Addresses of files that are gone.
  var missing: Set<String> = []
  /// Whether questions for a status get no answer.
  var isMute = false
  private(set) var facts: [PlaybackFact] = []
  private(set) var actions: [FeederMachine.Action] = []
  private(set) var timers: [FeederTimer: Tick] = [:]
  private(set) var end: RunEnd?
  /// Steps taken without the clock moving; a storm shows here.
  private(set) var mostSteps = 0
  /// How long the receiver takes to go to the next item.
  var latency = Duration.zero
  private var waiting: [FeederMachine.Event] = []
  private var nextAt: Tick?
  /// The round in which each of them is due next.
  private var standInRounds: [EntryID: Int] = [:]

  init(_ drafts: [EntryDraft], _ change: (inout FeederConfiguration) -> Void = { _ in }) {
    var configuration = FeederConfiguration()
    change(&configuration)
    machine = FeederMachine(queue: "q", configuration: configuration)
    rows = drafts.enumerated().map { Row(id: EntryID(Int64($0 + 1)), draft: $1) }
  }

  convenience init(count: Int, _ change: (inout FeederConfiguration) -> Void = { _ in }) {
    self.init((1...count).map { video("v\($0)") }, change)
  }

  var wall: WallTime { WallTime(milliseconds: 1_000_000).adding(seconds: now.sinceStart.seconds) }

  /// Outcomes in the order they were told, as `e1.1 finished`.
  var outcomes: [String] {
    facts.compactMap { if case .ended(let turn, let play) = $0 { "\(turn) \(play.outcome)" } else { nil } }
  }

  var plays: [EndedPlay] {
    facts.compactMap { if case .ended(_, let play) = $0 { play } else { nil } }
  }

  /// When plays began.
  var starts: [WallTime] {
    facts.compactMap { if case .started(_, let play) = $0 { play.at } else { nil } }
  }

  /// When the last play ended, in seconds.
  var lastEnd: Double { (plays.last?.at).map { $0 - WallTime(milliseconds: 1_000_000) } ?? 0 }

  var loads: Int { actions.count { if case .load = $0 { true } else { false } } }

  func begin() { send(.begin(receiver.report(at: now))) }

  /// Tells the machine something and lets everything happen that follows at once.
  func send(_ events: FeederMachine.Event...) {
    waiting += events
    var steps = 0
    while !waiting.isEmpty, steps < 2000 {
      steps += 1
      for action in machine.handle(waiting.removeFirst(), at: now, wall: wall) { perform(action) }
    }
    mostSteps = max(mostSteps, steps)
  }

  /// Lets the clock run until this moment, or until nothing is left to wait for.
  func run(seconds: Double) {
    let limit = now + .milliseconds(Int64(seconds * 1000))
    for _ in 0..<20_000 {
      let timer = timers.min { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }
      guard let moment = [timer?.value, receiver.endsAt, nextAt].compactMap({ $0 }).min(), moment <= limit
      else {
        break
      }
      now = max(now, moment)
      if let due = nextAt, due <= now {
        nextAt = nil
        waiting += receiver.advance(.interrupted, at: now)
        send()
      } else if let timer, timer.value == moment {
        timers[timer.key] = nil
        send(.timerFired(timer.key))
      } else {
        waiting += receiver.advance(.finished, at: now)
        send()
      }
    }
    now = max(now, limit)
  }

  private func perform(_ action: FeederMachine.Action) {
    actions.append(action)
    switch action {
    case .readUpcoming(let limit, let besides):
      waiting.append(.upcoming(Array(upcoming(besides).prefix(limit))))
    case .readFallback(let limit, let besides):
      waiting.append(.upcoming(Array(fallback(besides).prefix(limit))))
    case .readTurns: waiting.append(.heldTurns([]))
    case .recover: waiting.append(.recovered(nil))
    case .adopted, .open, .tell, .requestApplication: break
    case .offer(let turns):
      for offered in turns {
        change(offered.turn.entry) { row in
          row.turn = max(row.turn, offered.turn.turn)
          if row.state != .playing { row.state = .offered }
        }
      }
    case .markQueued: break
    case .release(let turns):
      for turn in turns {
        change(turn.entry) { if $0.turn == turn.turn, $0.state.isOnReceiver { $0.state = .pending } }
      }
    case .record(let recorded):
      for fact in recorded {
        facts.append(fact.fact)
        guard let effect = fact.effect else { continue }
        if let round = effect.round { standInRounds[fact.fact.turn.entry] = round }
        change(fact.fact.turn.entry) { row in
          if row.turn == fact.fact.turn.turn { row.state = effect.state }
          row.round = max(row.round, effect.round ?? 0)
          if effect.countsAttempt { row.attempts += 1 }
        }
      }
    case .load(let items, let start, let interrupts):
      waiting += receiver.load(items, startTime: start, interrupts: interrupts, at: now)
    case .stopApplication: receiver.close()
    case .insert(let items, let before): waiting += receiver.insert(items, before: before)
    case .remove(let ids): waiting += receiver.remove(ids)
    case .fetchItemIDs where receiver.isLoading, .fetchItems where receiver.isLoading:
      waiting += receiver.unansweredRequest()
    case .fetchItemIDs: waiting.append(.edited(.itemIDs(receiver.items.compactMap(\.itemID))))
    case .fetchItems(let ids):
      waiting.append(.edited(.items(receiver.items.filter { $0.itemID.map(ids.contains) == true })))
    case .moveList(let entry): moveList(to: entry)
    case .jump(let id): waiting += receiver.jump(to: id, at: now)
    case .next where latency > .zero: nextAt = now + latency
    case .next: waiting += receiver.advance(.interrupted, at: now)
    case .stopMedia: waiting += receiver.stop(.cancelled, at: now)
    case .setPlaybackRate: break
    case .requestStatus where isMute || receiver.isLoading: waiting.append(.statusAnswered(.silence))
    case .requestStatus:
      let status = receiver.report(at: now)
      waiting += [.mediaStatus(status), .statusAnswered(status == nil ? .nothingLoaded : .told)]
    case .reconnect(let words): waiting += [.lost(words), .begin(receiver.report(at: now))]
    case .startTimer(let timer, let after): timers[timer] = now + after
    case .cancelTimer(let timer): timers[timer] = nil
    case .ended(let end): self.end = end
    case .waits: break
    }
  }

  private func moveList(to entry: EntryID) {
    guard let place = rows.firstIndex(where: { $0.id == entry && $0.state != .cancelled }) else { return }
    let round = rows.map(\.round).min() ?? 0
    for index in rows.indices where rows[index].state != .cancelled && rows[index].state != .playing {
      if index >= place {
        rows[index].round = round
        rows[index].attempts = 0
        if rows[index].state.isEnded { rows[index].state = .pending }
      } else if !rows[index].state.isEnded, rows[index].round <= round {
        rows[index].round = round + 1
        rows[index].state = .skipped
      }
    }
  }

  private func upcoming(_ besides: UpcomingPlace?) -> [UpcomingEntry] {
    (0..<(isRepeating ? (rows.map(\.round).min() ?? 0) + 25 : 1)).flatMap { round in
      rows.filter {
        $0.round <= round && $0.state != .cancelled && ($0.id != besides?.entry || round != besides?.round)
      }.map {
        UpcomingEntry(
          entry: $0.id, turn: $0.turn, round: round, attempts: $0.attempts, draft: $0.draft,
          problem: problem(of: $0.draft))
      }
    }
  }

  /// What stands in for the list goes round and round, in turns of its own.
  private func fallback(_ besides: UpcomingPlace?) -> [UpcomingEntry] {
    let ids = standIns.indices.map { EntryID(Int64(1000 + $0)) }
    let first = ids.map { standInRounds[$0] ?? 0 }.min() ?? 0
    return (first..<first + 3).flatMap { round in
      zip(ids, standIns).compactMap { id, draft in
        guard standInRounds[id] ?? 0 <= round, id != besides?.entry || round != besides?.round else {
          return nil
        }
        let turn = facts.map(\.turn).filter { $0.entry == id }.map(\.turn).max() ?? 0
        return UpcomingEntry(
          entry: id, turn: turn, round: round, attempts: 0, draft: draft, problem: problem(of: draft))
      }
    }
  }

  private func problem(of draft: EntryDraft) -> String? {
    missing.contains(draft.media.contentID) ? "the file is gone" : nil
  }

  private func change(_ entry: EntryID, _ body: (inout Row) -> Void) {
    guard let index = rows.firstIndex(where: { $0.id == entry }), rows[index].state != .cancelled else {
      return
    }
    body(&rows[index])
  }
}

func video(_ name: String) -> EntryDraft {
  EntryDraft(media: MediaInformation(contentID: name, contentType: "video/mp4"))
}

func picture(_ name: String) -> EntryDraft {
  EntryDraft(media: MediaInformation(contentID: name, contentType: "image/png", streamType: .none))
}
