import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText

/// A feeder between rows and a receiver that are both in memory, on a clock that only a test moves.
final class FeederBench {
  var rows = VirtualRows()
  var machine: FeederMachine
  var receiver = FakeReceiver()
  var now = Tick.zero
  /// Addresses of files that are gone.
  var missing: Set<String> = []
  /// Addresses whose files are being read.
  var reading: Set<String> = []
  /// Whether questions for a status get no answer.
  var isMute = false
  private(set) var actions: [FeederMachine.Action] = []
  private(set) var timers: [FeederTimer: Tick] = [:]
  private(set) var end: RunEnd?
  /// Steps taken without the clock moving; a storm shows here.
  private(set) var mostSteps = 0
  /// How long the receiver takes to go to the next item.
  var latency = Duration.zero
  private var waiting: [FeederMachine.Event] = []
  private var nextAt: Tick?

  init(_ drafts: [EntryDraft], _ change: (inout FeederConfiguration) -> Void = { _ in }) {
    var configuration = FeederConfiguration()
    change(&configuration)
    machine = FeederMachine(queue: "q", configuration: configuration)
    rows.append(drafts)
  }

  convenience init(count: Int, _ change: (inout FeederConfiguration) -> Void = { _ in }) {
    self.init((1...count).map { video("v\($0)") }, change)
  }

  var wall: WallTime { WallTime(milliseconds: 1_000_000).adding(seconds: now.sinceStart.seconds) }

  var facts: [PlaybackFact] { rows.facts }

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
      let list = rows.upcoming(limit: limit, besides: besides, at: wall)
      waiting.append(.upcoming(resolved(list.places), until: list.until))
    case .readFallback(let limit, let besides):
      waiting.append(.upcoming(resolved(rows.upcomingFallback(limit: limit, besides: besides))))
    case .readTurns(let turns): waiting.append(.heldTurns(rows.held(turns)))
    case .recover(let kept): waiting.append(.recovered(rows.recovered(keeping: kept)))
    case .adopted, .open, .tell, .requestApplication: break
    case .offer(let turns): rows.write(.offer(turns, at: wall))
    case .markQueued(let turns): rows.write(.markQueued(turns))
    case .release(let turns): rows.write(.release(turns))
    case .record(let facts): rows.write(.record(facts))
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
    case .moveList(let entry): rows.write(.moveList(to: entry))
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

  /// Those whose files are gone have a problem.
  private func resolved(_ places: [UpcomingEntry]) -> [UpcomingEntry] {
    places.map { place in
      var place = place
      place.problem = problem(of: place.draft)
      place.awaitsFile = reading.contains(place.draft.media.contentID)
      return place
    }
  }

  private func problem(of draft: EntryDraft) -> String? {
    missing.contains(draft.media.contentID) ? "the file is gone" : nil
  }
}

func video(_ name: String) -> EntryDraft {
  EntryDraft(media: MediaInformation(contentID: name, contentType: "video/mp4"))
}

func picture(_ name: String) -> EntryDraft {
  EntryDraft(media: MediaInformation(contentID: name, contentType: "image/png", streamType: .none))
}

/// These rows never fail here.
extension VirtualRows {
  fileprivate mutating func upcoming(limit: Int, besides: UpcomingPlace?, at now: WallTime) -> UpcomingList {
    let read = try? upcoming(
      of: base, limit: limit, besides: besides, at: now, isLooping: false, remembering: nil)
    return read?.list ?? UpcomingList([])
  }

  fileprivate mutating func upcomingFallback(limit: Int, besides: UpcomingPlace?) -> [UpcomingEntry] {
    let read = try? upcomingFallback(
      of: base, limit: limit, besides: besides, isLooping: false, remembering: nil)
    return read?.places ?? []
  }

  fileprivate func held(_ turns: [EntryTurn]) -> [HeldTurn] { (try? held(turns, isLooping: false)) ?? [] }

  fileprivate mutating func recovered(keeping kept: [EntryTurn]) -> ResumePoint? {
    (try? recover(keeping: kept)) ?? nil
  }

  fileprivate mutating func write(_ write: FeederWrite) { try? perform(write) }
}
