import CastProtocol
import CastSender
import CastqCore
import CastqStore

/// Who waits for what becomes of a device's queue, across as many runners as that takes.
struct FeedWaiters {
  private enum Goal {
    /// The first entry plays, or has failed.
    case firstPlay(FirstPlay)
    /// Nothing is left to play.
    case drained
  }

  private struct Waiter {
    var ticket: ControlTicket
    var goal: Goal
    /// The device has answered since: when it goes away now, it is waited for.
    var hasConnected: Bool
    var loops: Bool
    /// Until when a device that does not answer is waited for.
    var patience: Tick
    /// The runner plays the list that they wait for; what it tells before that is about another one.
    var isTaken: Bool
  }

  private var waiters: [Waiter] = []
  /// Entries that failed for good since somebody began to wait, and the last of them.
  private var lastFailure: (words: String, receiver: JSONValue?)?

  /// - Parameters:
  ///   - first: what is waited for; nil is until nothing is left to play.
  ///   - isTaken: false while the runner has not taken up the list that is meant.
  mutating func add(
    _ ticket: ControlTicket, first: FirstPlay?, isConnected: Bool, loops: Bool = false,
    until patience: Tick = .zero, isTaken: Bool = true
  ) {
    if waiters.isEmpty { lastFailure = nil }
    waiters.append(
      Waiter(
        ticket: ticket, goal: first.map(Goal.firstPlay) ?? .drained, hasConnected: isConnected, loops: loops,
        patience: patience, isTaken: isTaken))
  }

  /// Whether somebody waits who wants the list to start over at its end.
  var loops: Bool { waiters.contains { $0.loops && $0.isTaken } }

  /// Another list has taken the place of the one that they wait for.
  mutating func replaced() {
    for waiter in waiters { waiter.ticket.answer(.failed(.replaced)) }
    waiters = []
  }

  /// The runner was ending when it was asked: the wish is for the next one.
  mutating func withdraw(_ ticket: ControlTicket) { waiters.removeAll { $0.ticket === ticket } }

  /// A runner told something.
  mutating func observe(_ report: RunnerReport, at now: Tick) {
    switch report {
    case .connected:
      for index in waiters.indices { waiters[index].hasConnected = true }
    case .retrying(let error, _):
      answer { $0.hasConnected || now < $0.patience ? nil : .failed(Self.away(error)) }
    // Whoever replaced it has said so already, to those who waited then; the others wait for what comes now.
    case .replaced:
      for index in waiters.indices { waiters[index].isTaken = true }
      return
    case .ended(_, let title, let play, .failed):
      let words = TerminalText.sanitized("\(title): \(play.reason?.words ?? "no reason given")")
      lastFailure = (words, play.reason?.receiver)
    case .connecting, .started, .sentTo, .waiting, .status, .ended, .storeFailed, .storeCaughtUp: break
    }
    for index in waiters.indices.reversed() {
      guard waiters[index].isTaken, case .firstPlay(var play) = waiters[index].goal else { continue }
      let reply = play.observe(report)
      waiters[index].goal = .firstPlay(play)
      if let reply { waiters.remove(at: index).ticket.answer(reply) }
    }
  }

  /// A runner is over.
  mutating func ended(_ outcome: RunEnd) {
    switch outcome {
    case .drained(let failed):
      let failure = failed > 0 ? entriesFailed(failed) : nil
      answer { waiter in
        if case .firstPlay(let play) = waiter.goal { return play.answer(outcome) }
        return failure.map { .failed($0) } ?? .done
      }
    case .halted:
      answer { waiter in
        if case .firstPlay(let play) = waiter.goal { return play.answer(outcome) }
        return .done(["halted": true])
      }
    case .refused, .unreachable, .failed, .entryFailed, .busy: fail(outcome.failure)
    case .takenOver, .stoppedElsewhere:
      // Whoever waits for the end of the list waits while the guest has the screen.
      answer { waiter in
        guard case .firstPlay = waiter.goal else { return nil }
        return outcome.failure.map { .failed($0) }
      }
    case .stopped: break
    }
  }

  /// The device is away.
  static func away(_ error: CastError) -> ControlFailure {
    var failure = ControlFailure(error)
    failure.message += "; the daemon goes on calling it"
    return failure
  }

  /// Nothing will go on by itself.
  mutating func fail(_ failure: ControlFailure?) {
    guard let failure else { return }
    answer { _ in .failed(failure) }
  }

  private mutating func answer(_ reply: (Waiter) -> ControlReply?) {
    waiters.removeAll { waiter in
      guard waiter.isTaken, let reply = reply(waiter) else { return false }
      waiter.ticket.answer(reply)
      return true
    }
  }

  private func entriesFailed(_ count: Int) -> ControlFailure {
    let last = lastFailure.map { count == 1 ? ": \($0.words)" : "; the last was \($0.words)" } ?? ""
    return ControlFailure(
      "entries_failed",
      "\(count) \(count == 1 ? "entry" : "entries") could not be played\(last); "
        + "'castq history --outcome failed' lists all",
      exit: .refused, receiver: lastFailure?.receiver)
  }
}
