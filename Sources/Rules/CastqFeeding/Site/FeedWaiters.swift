import CastProtocol
package import CastqPlaylists
import CastqText

/// The clients that wait for an outcome of a device's queue, across its runners.
struct FeedWaiters: Sendable {
  private enum Goal {
    /// The first entry plays or has failed.
    case firstPlay(FirstPlay)
    /// Nothing is left to play.
    case drained
  }

  private struct Waiter {
    var ticket: TicketID
    var goal: Goal
    /// The device has answered since the wait began, so a later loss does not end the wait.
    var hasConnected: Bool
    var loops: Bool
    /// Deadline for a device that does not answer.
    var patience: Tick
    var list: List
    /// Entries of the list that have failed for good.
    var failed = 0
  }

  /// Which list somebody waits for.
  private enum List {
    /// The one that the runner plays.
    case current
    /// One that the runner has been told of; its reports concern another one yet.
    case accepted
    /// One that the runner is being told of.
    case told
  }

  /// An answer that is known, or one that names the entry that failed last: why it failed may be known better by now.
  enum Answer: Sendable, Hashable {
    case plain(ControlReply)
    case failures(FailedEntries)
  }

  typealias Answers = [(ticket: TicketID, answer: Answer)]

  private var waiters: [Waiter] = []
  /// The last entry that failed finally since the first one began to wait.
  private var lastFailure: FailedEntries.Last?
  /// Whether feeding ends with the first run, so that no client waits for a next one.
  private let isOneRun: Bool

  init(isOneRun: Bool) { self.isOneRun = isOneRun }

  /// - Parameters:
  ///   - first: the awaited first play; nil waits until the queue is drained.
  ///   - isCurrent: false until the runner plays the awaited list.
  mutating func add(
    _ ticket: TicketID, first: FirstPlay?, isConnected: Bool, loops: Bool = false,
    until patience: Tick = .zero, isCurrent: Bool = true
  ) {
    if waiters.isEmpty { lastFailure = nil }
    waiters.append(
      Waiter(
        ticket: ticket, goal: first.map(Goal.firstPlay) ?? .drained, hasConnected: isConnected, loops: loops,
        patience: patience, list: isCurrent ? .current : .told))
  }

  /// The runner will play the list that somebody waits for.
  mutating func accepted(_ ticket: TicketID) {
    for index in waiters.indices where waiters[index].ticket == ticket && waiters[index].list == .told {
      waiters[index].list = .accepted
    }
  }

  /// Whether one who waits wants the list to restart at its end.
  var loops: Bool { waiters.contains { $0.loops && $0.list == .current } }

  /// Another list replaced the awaited one.
  mutating func replaced() -> Answers {
    defer { waiters = [] }
    return waiters.map { ($0.ticket, .plain(.failed(.replaced))) }
  }

  /// Removes one whose request the next runner handles, because this one is ending.
  mutating func withdraw(_ ticket: TicketID) { waiters.removeAll { $0.ticket == ticket } }

  /// Whether somebody waits until nothing is left to play.
  var awaitsEnd: Bool { waiters.contains(where: Self.awaitsEnd) }

  /// Of a list that the runner is still being told of, the rows may be those of the one before.
  private static func awaitsEnd(_ waiter: Waiter) -> Bool {
    if case .drained = waiter.goal { waiter.list != .told } else { false }
  }

  /// Nothing is left in the queue that people fill, and feeding goes on: rules have the screen, or will have it.
  mutating func drained() -> Answers {
    let over = waiters.filter(Self.awaitsEnd)
    waiters.removeAll(where: Self.awaitsEnd)
    return over.map { ($0.ticket, $0.failed > 0 ? .failures(failures($0.failed)) : .plain(.done)) }
  }

  /// Handles a report of the runner.
  /// - Parameter isOfQueue: whether it is about the queue that people fill, and not about what a rule shows.
  mutating func observe(_ report: RunnerReport, isOfQueue: Bool = true, at now: Tick) -> Answers {
    var answers: Answers = []
    switch report {
    case .connected:
      for index in waiters.indices { waiters[index].hasConnected = true }
    case .retrying(let error, _, _) where !isOneRun:
      answers = answer { $0.hasConnected || now < $0.patience ? nil : .plain(.failed(Self.away(error))) }
    // Those of the replaced list have their reply already; the others wait for the new list.
    case .replaced:
      for index in waiters.indices { waiters[index].list = .current }
      return []
    case .ended(let turn, let title, let play, .failed) where isOfQueue:
      lastFailure = FailedEntries.Last(turn: turn, title: title, reason: play.reason)
      for index in waiters.indices where waiters[index].list != .told { waiters[index].failed += 1 }
    case .connecting, .retrying, .started, .sentTo, .waiting, .decided, .measured, .scheduleNoted, .status,
      .ended,
      .storeFailed,
      .storeCaughtUp, .fencePassed, .unanswered:
      break
    }
    for index in waiters.indices.reversed() {
      guard waiters[index].list == .current, case .firstPlay(var play) = waiters[index].goal else { continue }
      let reply = play.observe(report)
      waiters[index].goal = .firstPlay(play)
      if let reply { answers.append((waiters.remove(at: index).ticket, .plain(reply))) }
    }
    return answers
  }

  /// Handles the end of a runner.
  mutating func ended(_ outcome: RunEnd) -> Answers {
    // The next runner begins with the list in the rows. That list may never have been on the screen: a rule had the screen.
    for index in waiters.indices where waiters[index].list == .accepted { waiters[index].list = .current }
    switch outcome {
    case .drained(let failed):
      let failures = failures(failed)
      return answer { waiter in
        if case .firstPlay(let play) = waiter.goal { return .plain(play.answer(outcome)) }
        return failed > 0 ? .failures(failures) : .plain(.done)
      }
    case .halted:
      return answer { waiter in
        if case .firstPlay(let play) = waiter.goal { return .plain(play.answer(outcome)) }
        return .plain(.done(["halted": true]))
      }
    case .refused, .unreachable, .failed, .entryFailed, .busy, .superseded: return fail(outcome.failure)
    case .takenOver, .stoppedElsewhere:
      // Those who wait for the end of the list keep waiting while a guest has the screen.
      return answer { [isOneRun] waiter in
        if case .drained = waiter.goal, !isOneRun { return nil }
        return outcome.failure.map { .plain(.failed($0)) }
      }
    case .stopped:
      guard isOneRun else { return [] }
      return answer { waiter in
        if case .firstPlay(let play) = waiter.goal { .plain(play.answer(outcome)) } else { .plain(.done) }
      }
    }
  }

  /// The failure of an unreachable device.
  static func away(_ error: CastError) -> Failure {
    var failure = Failure(error)
    failure.add(SiteMachine.keepsCalling)
    return failure
  }

  /// Fails those who wait for a first play: nothing is shown now.
  mutating func failFirstPlays(_ failure: Failure) -> Answers {
    answer { if case .firstPlay = $0.goal { .plain(.failed(failure)) } else { nil } }
  }

  /// Fails all who wait: feeding does not continue by itself.
  mutating func fail(_ failure: Failure?) -> Answers {
    guard let failure else { return [] }
    return answer { _ in .plain(.failed(failure)) }
  }

  private mutating func answer(_ reply: (Waiter) -> Answer?) -> Answers {
    var answers: Answers = []
    waiters.removeAll { waiter in
      guard waiter.list == .current, let reply = reply(waiter) else { return false }
      answers.append((waiter.ticket, reply))
      return true
    }
    return answers
  }

  private func failures(_ count: Int) -> FailedEntries { FailedEntries(count: count, last: lastFailure) }
}

/// Entries that could not be played, for one who has waited for the end of their list.
package struct FailedEntries: Sendable, Hashable {
  package struct Last: Sendable, Hashable {
    package let turn: EntryTurn
    let title: String
    /// Why, as it was reported.
    let reason: PlayReason?
  }

  let count: Int
  /// The one that failed last; nil when that is not known any more.
  package let last: Last?

  /// What is said of them.
  /// - Parameter reason: why the last one failed, as history has it; nil is as it was reported.
  func failure(_ reason: PlayReason?) -> Failure {
    let last =
      last.map { last in
        let reason = (reason ?? last.reason)?.words ?? "no reason given"
        let words = TerminalText.sanitized("\(last.title): \(reason)")
        return count == 1 ? ": \(words)" : "; the last was \(words)"
      } ?? ""
    return Failure(
      "entries_failed",
      "\(count) \(count == 1 ? "entry" : "entries") could not be played\(last)",
      hint: .failedHistory, exit: .refused, receiver: self.last?.reason?.receiver)
  }
}
