package import CastProtocol
import CastSender
package import CastqCore
import CastqStore

/// Clients that wait for the outcome of a device's queue, across runners.
package struct FeedWaiters {
  private enum Goal {
    /// The first entry plays or has failed.
    case firstPlay(FirstPlay)
    /// Nothing is left to play.
    case drained
  }

  private struct Waiter {
    var ticket: ControlTicket
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

  /// Which list a client waits for.
  private enum List {
    /// The one that the runner plays.
    case current
    /// One that the runner has been told of; its reports concern another one yet.
    case accepted
    /// One that the runner is being told of.
    case told
  }

  private var waiters: [Waiter] = []
  /// The last entry that failed finally since the first client began to wait.
  private var lastFailure: (turn: EntryTurn, title: String, reason: PlayReason?)?
  /// Whether feeding ends with its run, so that nobody waits for the next one.
  private let isOneRun: Bool

  package init(isOneRun: Bool) { self.isOneRun = isOneRun }

  /// - Parameters:
  ///   - first: the awaited first play; nil waits until the queue is drained.
  ///   - isCurrent: false until the runner plays the awaited list.
  package mutating func add(
    _ ticket: ControlTicket, first: FirstPlay?, isConnected: Bool, loops: Bool = false,
    until patience: Tick = .zero, isCurrent: Bool = true
  ) {
    if waiters.isEmpty { lastFailure = nil }
    waiters.append(
      Waiter(
        ticket: ticket, goal: first.map(Goal.firstPlay) ?? .drained, hasConnected: isConnected, loops: loops,
        patience: patience, list: isCurrent ? .current : .told))
  }

  /// The runner will play the list that a client waits for.
  package mutating func accepted(_ ticket: ControlTicket) {
    for index in waiters.indices where waiters[index].ticket === ticket && waiters[index].list == .told {
      waiters[index].list = .accepted
    }
  }

  /// Whether a waiting client wants the list to restart at its end.
  var loops: Bool { waiters.contains { $0.loops && $0.list == .current } }

  /// Another list replaced the awaited one.
  mutating func replaced() {
    for waiter in waiters { waiter.ticket.answer(.failed(.replaced)) }
    waiters = []
  }

  /// Removes a client whose request the next runner handles, because this one is ending.
  mutating func withdraw(_ ticket: ControlTicket) { waiters.removeAll { $0.ticket === ticket } }

  /// Whether somebody waits until nothing is left to play.
  package var awaitsEnd: Bool { waiters.contains(where: Self.awaitsEnd) }

  /// Of a list that the runner is still being told of, the rows may be those of the one before.
  private static func awaitsEnd(_ waiter: Waiter) -> Bool {
    if case .drained = waiter.goal { waiter.list != .told } else { false }
  }

  /// Nothing is left in the queue that people fill, and feeding goes on: rules have the screen, or will have it.
  package mutating func drained(history: (EntryTurn) -> PlayReason? = { _ in nil }) {
    for waiter in waiters where Self.awaitsEnd(waiter) {
      waiter.ticket.answer(waiter.failed > 0 ? .failed(entriesFailed(waiter.failed, history)) : .done)
    }
    waiters.removeAll(where: Self.awaitsEnd)
  }

  /// Handles a report of the runner.
  /// - Parameter isOfQueue: whether it is about the queue that people fill, and not about what a rule shows.
  package mutating func observe(_ report: RunnerReport, isOfQueue: Bool = true, at now: Tick) {
    switch report {
    case .connected:
      for index in waiters.indices { waiters[index].hasConnected = true }
    case .retrying(let error, _, _) where !isOneRun:
      answer { $0.hasConnected || now < $0.patience ? nil : .failed(Self.away(error)) }
    // Clients of the replaced list have their reply already; the others wait for the new list.
    case .replaced:
      for index in waiters.indices { waiters[index].list = .current }
      return
    case .ended(let turn, let title, let play, .failed) where isOfQueue:
      lastFailure = (turn, title, play.reason)
      for index in waiters.indices where waiters[index].list != .told { waiters[index].failed += 1 }
    case .connecting, .retrying, .started, .sentTo, .waiting, .decided, .measured, .scheduleNoted, .status,
      .ended,
      .storeFailed,
      .storeCaughtUp:
      break
    }
    for index in waiters.indices.reversed() {
      guard waiters[index].list == .current, case .firstPlay(var play) = waiters[index].goal else { continue }
      let reply = play.observe(report)
      waiters[index].goal = .firstPlay(play)
      if let reply { waiters.remove(at: index).ticket.answer(reply) }
    }
  }

  /// Handles the end of a runner.
  /// - Parameter history: the reason of a play, which may have been extended since it was reported.
  package mutating func ended(_ outcome: RunEnd, history: (EntryTurn) -> PlayReason? = { _ in nil }) {
    // Whoever feeds next begins with the list that the rows have. It may never have come on the screen: a rule had it.
    for index in waiters.indices where waiters[index].list == .accepted { waiters[index].list = .current }
    switch outcome {
    case .drained(let failed):
      let failure = failed > 0 ? entriesFailed(failed, history) : nil
      answer { waiter in
        if case .firstPlay(let play) = waiter.goal { return play.answer(outcome) }
        return failure.map { .failed($0) } ?? .done
      }
    case .halted:
      answer { waiter in
        if case .firstPlay(let play) = waiter.goal { return play.answer(outcome) }
        return .done(["halted": true])
      }
    case .refused, .unreachable, .failed, .entryFailed, .busy, .superseded: fail(outcome.failure)
    case .takenOver, .stoppedElsewhere:
      // Clients that wait for the end of the list keep waiting while a guest has the screen.
      answer { [isOneRun] waiter in
        if case .drained = waiter.goal, !isOneRun { return nil }
        return outcome.failure.map { .failed($0) }
      }
    case .stopped:
      guard isOneRun else { break }
      answer { waiter in
        if case .firstPlay(let play) = waiter.goal { play.answer(outcome) } else { .done }
      }
    }
  }

  /// The failure of an unreachable device.
  static func away(_ error: CastError) -> Failure {
    var failure = Failure(error)
    failure.add(keepsCalling)
    return failure
  }

  /// What a message says of a device that does not answer, and plays when it does.
  package static let keepsCalling = "; the daemon keeps calling it"

  /// Fails all waiting clients: feeding does not continue by itself.
  mutating func fail(_ failure: Failure?) {
    guard let failure else { return }
    answer { _ in .failed(failure) }
  }

  private mutating func answer(_ reply: (Waiter) -> ControlReply?) {
    waiters.removeAll { waiter in
      guard waiter.list == .current, let reply = reply(waiter) else { return false }
      waiter.ticket.answer(reply)
      return true
    }
  }

  private func entriesFailed(_ count: Int, _ history: (EntryTurn) -> PlayReason?) -> Failure {
    let last =
      lastFailure.map { last in
        let reason = history(last.turn)?.words ?? last.reason?.words ?? "no reason given"
        let words = TerminalText.sanitized("\(last.title): \(reason)")
        return count == 1 ? ": \(words)" : "; the last was \(words)"
      } ?? ""
    return Failure(
      "entries_failed",
      "\(count) \(count == 1 ? "entry" : "entries") could not be played\(last)",
      hint: .failedHistory, exit: .refused, receiver: lastFailure?.reason?.receiver)
  }
}
