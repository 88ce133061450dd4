import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqText

/// A run in readable form: one line for each event that had an effect, with its actions.
///
///     at 0.135  the first places: e1 e2 -> write offered e1.1 e2.1 · QUEUE_LOAD e1.1 e2.1
///
/// Omitted is housekeeping: cancelled timers, statuses that change nothing, requests for a status.
package struct RunStory: Sendable {
  package private(set) var lines: [String] = []
  /// Requests by their token, to name their answers.
  private var requests: [RequestToken: String] = [:]

  package init() {}

  /// Longest line in columns; the actions of a longer one are written below each other.
  private static let width = 110

  mutating func tell(_ event: RunnerMachine.Event, _ actions: [RunnerMachine.Action], at now: Tick) {
    for case .request(let token, let request, _) in actions { requests[token] = request.name }
    let done = actions.compactMap(words)
    guard !done.isEmpty else { return }
    let head = "at \(Self.stamp(now))  \(words(event))"
    let line = "\(head) -> \(done.joined(separator: " · "))"
    guard line.count > Self.width else { return lines.append(line) }
    lines.append(head)
    for (index, action) in done.enumerated() { lines.append((index == 0 ? "    -> " : "     · ") + action) }
  }

  /// Logs an unsolicited report of the rows.
  mutating func tell(_ report: RunnerReport, at now: Tick) {
    switch report {
    case .storeFailed(let failure): tell("the database fails", "report: \(failure.message)", at: now)
    case .storeCaughtUp(let catchUp): tell("the database works", "report: \(catchUp)", at: now)
    case .connecting, .retrying, .connected, .waiting, .replaced, .sentTo, .decided, .measured,
      .scheduleNoted, .started,
      .status,
      .ended, .fencePassed, .unanswered:
      break
    }
  }

  private mutating func tell(_ event: String, _ action: String, at now: Tick) {
    lines.append("at \(Self.stamp(now))  \(event) -> \(action)")
  }

  private static func stamp(_ now: Tick) -> String {
    let milliseconds = Int(bounded: (now.sinceStart.seconds * 1000).rounded())
    return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
  }

  // MARK: - Events

  private func words(_ event: RunnerMachine.Event) -> String {
    switch event {
    case .begin: "begin"
    case .session(_, let event, _): TranscriptWords.words(event)
    case .sessionFlooded: "the session sends too much"
    case .sessionRefused(_, let error): "no session: \(error)"
    case .sessionClosed: "the session is closed"
    case .located(let device): "the device is at \(device.endpoint)"
    case .completed(let token, .success): "\(requests[token] ?? "?") answered"
    case .completed(let token, .failure(let error)): "\(requests[token] ?? "?") failed: \(error)"
    case .schedule(let reading): reading == nil ? "no rules" : "rules"
    case .playing(.success): "the list is there"
    case .playing(.failure(let failure)): "no list: \(failure.message)"
    case .following(let queue): queue == nil ? "nothing follows" : "the list that follows is there"
    case .shareLengths(let lengths): "lengths of \(lengths.count) shares"
    case .first(let list): "first place: \(words(list))"
    case .upcoming(let list): "places: \(words(list))"
    case .fileRead(let turn): "the file of \(turn) is known"
    case .resolved(let number, .success(let link)): "\(number) is \(link.url)"
    case .resolved(let number, .failure(let reason)): "\(number): \(reason.words)"
    case .heldTurns(let turns): "held: \(list(turns.map(\.turn)))"
    case .recovered(let point):
      point.map { "cut at \($0.position.seconds) s of \($0.entry)" } ?? "nothing was cut"
    case .found: "the entry is found"
    case .finishedRows(let failure):
      failure.map { "rows are missing: \($0.message)" } ?? "all rows are written"
    case .storeBroken(let failure): "the database failed: \(failure.message)"
    case .rowsChanged: "rows changed"
    case .mediaMoved: "this machine is elsewhere"
    case .clockSet: "the clock was set"
    case .timerFired(let timer): "timer \(words(timer))"
    case .command(.perform(let verb), _): "command \(verb)"
    case .command(let command, _): "command \(command)"
    case .stop(let reason, let quits): "stop\(quits ? " with its application" : ""): \(reason.words)"
    case .leave: "leave"
    case .keepVolume(let level): "volume \(level.map { "\($0)" } ?? "as before")"
    case .loop(let isLooping): isLooping ? "loop" : "loop no more"
    case .fence: "fence"
    }
  }

  private func words(_ choice: ListChoice) -> String {
    let name = choice.programme ?? "the base"
    switch choice.resume {
    case .second: return "\(name) at its second"
    case .item: return "\(name) at its item"
    case .restart, nil: return "\(name)\(choice.isOnce ? " once" : "") from the beginning"
    }
  }

  private func words(_ list: UpcomingList) -> String {
    let places = list.places.map { "\($0.entry)\($0.problem == nil ? "" : "!")" }.joined(separator: " ")
    let until = list.until.map { " until \($0.milliseconds / 1000 - 1000) s" } ?? ""
    return (places.isEmpty ? "none" : places) + until
  }

  // MARK: - Actions

  private func words(_ action: RunnerMachine.Action) -> String? {
    switch action {
    case .openSession(_, let application, _): "open a session for \(application)"
    case .endSession(_, .leave): "leave the session"
    case .endSession(_, .stopApplication): "stop the application"
    case .resumeSession: "call at once"
    case .request(_, let request, _): words(request)
    case .control(let command, _, _): "carry out \(command)"
    case .answer(_, .done): "answer: done"
    case .answer(_, .failed(let failure)): "answer: \(failure.message)"
    case .readSchedule: "read the rules"
    case .play(let choice): "play \(words(choice))"
    case .follow(let choice, let isClosed):
      "\(choice.map { "\(words($0)) follows" } ?? "nothing follows")\(isClosed ? " the item" : "")"
    case .readShares: "read the shares"
    case .promote: "what follows is the list"
    case .readFirst: "read the first place"
    case .readUpcoming(_, let besides): "read places\(besides.map { " besides \($0.entry)" } ?? "")"
    case .readFallback: "read the fallback list"
    case .readTurns(let turns): "read \(turns.isEmpty ? "no turn" : list(turns))"
    case .recover(let kept): kept.isEmpty ? "close what is open" : "close what is open but \(list(kept))"
    case .find: "find the entry"
    case .write(let write): "write \(words(write))"
    case .finishRows: "write all that is left"
    case .noteStopped: "write that a person stopped it"
    case .setLooping(let isLooping): isLooping ? "restart at the end" : "end at the end"
    case .readFile(let file, let turn): "read \(file) for \(turn)"
    case .resolve(let request): "resolve \(request.address) as \(request.number)"
    case .explain(let turn, _): "find out why \(turn) failed"
    case .report(.retrying(let error, _, _)): "report: lost, \(error)"
    case .report(.waiting): "report: nothing is due"
    case .startTimer(let timer, let wait): clock(timer, wait)
    case .ended(let end): "end: \(end)"
    case .noteSeen, .forgetRows, .keepMedia, .report, .cancelTimer: nil
    }
  }

  /// Timers that decide what the screen shows.
  private func clock(_ timer: RunnerTimer, _ wait: Duration) -> String? {
    switch timer {
    case .feeder(.entryEnd), .feeder(.pause), .feeder(.window), .call, .commands, .window, .links, .halt,
      .closing, .scheduleRetry:
      "timer \(words(timer)) \(Double(Int(bounded: (wait.seconds * 10).rounded())) / 10) s"
    case .feeder(.status), .feeder(.load), .feeder(.edit), .feeder(.stall), .feeder(.refresh), .feeder(.page),
      .schedule:
      nil
    }
  }

  private func words(_ timer: RunnerTimer) -> String {
    switch timer {
    case .feeder(let timer): "\(timer)"
    case .call, .commands, .window, .links, .halt, .closing, .schedule, .scheduleRetry: "\(timer)"
    }
  }

  private func words(_ request: SenderRequest) -> String? {
    switch request {
    case .media(.queueLoad(let load), _): "QUEUE_LOAD \(words(load.items))\(words(load.currentTime))"
    case .media(.load(let load), _): "LOAD \(words(load.queueData?.items ?? []))\(words(load.currentTime))"
    case .media(.queueInsert(let insert), _):
      "QUEUE_INSERT \(words(insert.items))\(insert.insertBefore.map { " before item \($0)" } ?? "")"
    case .media(.queueRemove(let remove), _):
      "QUEUE_REMOVE items \(remove.itemIDs.map { "\($0)" }.joined(separator: " "))"
    case .media(.getStatus, _): nil
    case .message(let message): "say \(message.payload)"
    case .media, .receiver, .platform: request.name
    }
  }

  private func words(_ items: [MediaQueueItem]) -> String {
    list(items.compactMap { EntryTag(customData: $0.customData)?.turn })
  }

  private func words(_ position: MediaTime?) -> String { position.map { " at \($0.seconds) s" } ?? "" }

  private func words(_ write: FeederWrite) -> String {
    switch write {
    case .choose(let choice, _, _): "that \(choice.programme ?? "the base") was chosen"
    case .start: "that the list was started"
    case .stop: "that the list was stopped"
    case .offer(let turns, _): "offered \(list(turns.map(\.turn)))"
    case .markQueued(let turns): "held \(list(turns))"
    case .release(let turns): "released \(list(turns))"
    case .record(let facts): facts.map { words($0.fact) }.joined(separator: ", ")
    case .describe(let entry, let description): "\(entry) is called \(description.title ?? "nothing")"
    case .moveList(let entry): "list at \(entry)"
    case .recover(let kept): "recovered but \(list(kept))"
    case .decide(let decision): "decision: \(decision.onAir?.programme ?? "base"), \(decision.reason)"
    case .amend: "the decision has changed"
    case .keepCredits: "what shares are owed"
    case .seen(let endpoint, _): "seen at \(endpoint)"
    case .beginOutage(_, let cause): "away: \(cause)"
    case .endOutage(_, let hasAnswered): hasAnswered ? "answers again" : "called no more"
    }
  }

  private func words(_ fact: PlaybackFact) -> String {
    switch fact {
    case .started(let turn, let play): "\(turn) started at \(tenths(play.position.seconds)) s"
    case .progressed(let turn, let play): "\(turn) played \(tenths(play.played)) s"
    case .ended(let turn, let play):
      "\(turn) \(play.outcome), \(play.evidence), played \(tenths(play.played)) s\(play.reasonWords.map { ": \($0)" } ?? "")"
    case .adEnded(let turn, _): "an ad of \(turn) ended"
    }
  }

  private func tenths(_ seconds: Double) -> Double {
    Double(Int(bounded: (seconds * 10).rounded())) / 10
  }

  private func list(_ turns: [EntryTurn]) -> String { turns.map { "\($0)" }.joined(separator: " ") }
}
