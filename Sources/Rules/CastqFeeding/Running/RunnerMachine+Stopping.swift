import CastProtocol
import CastqText

/// Media that is being stopped. That of a load under way can be named only when the receiver has reported it: what was sent cannot
/// be called back, and would play on without us.
struct MediaStop: Sendable {
  /// The command that asked for it; nil when none waits.
  var ticket: TicketID?
  /// The request; nil while the load under way has to be reported first, or to fail.
  var request: RequestToken?

  var isWaiting: Bool { request == nil }
}

extension RunnerMachine {
  /// How long the receiver may take to report that the media stopped, once it has confirmed it.
  private static let haltPatience = Duration.seconds(1)

  /// Ends the media session.
  mutating func stopMedia() {
    let ticket = commands.takeSkip()
    guard let session else { return }
    let request = session.isLoadUnnamed ? nil : request(.media(.stop), for: .stop)
    requests.stop = MediaStop(ticket: ticket, request: request)
  }

  /// The receiver has reported the media session that is to be stopped.
  mutating func continueStop() {
    guard requests.stop?.isWaiting == true, let session, session.mediaStatus != nil, !session.isLoadUnnamed
    else {
      return
    }
    let request = request(.media(.stop), for: .stop)
    requests.stop?.request = request
  }

  /// The stop is over.
  mutating func endStop(_ error: CastError?) {
    guard requests.stop != nil else { return }
    let failure = answerStop(error)
    requests.stop = nil
    if exit.isHalting {
      exit.haltFailure = failure
      // The status that says so comes on its own way; without it, the end is ours.
      actions.append(.startTimer(.halt, after: failure == nil ? Self.haltPatience : .zero))
    } else if let failure {
      refuse(failure)
    }
  }

  /// Answers who asked for the stop.
  /// - Returns: why nothing was stopped; nil when nothing is left to stop.
  @discardableResult
  mutating func answerStop(_ error: CastError?) -> Failure? {
    // That the receiver knows of nothing, or that what ran there is gone, is what was wanted; the end of the session comes on its
    // own way.
    let error = error.flatMap { StatusAnswer($0) == .nothingLoaded || $0.isEndOfSession ? nil : $0 }
    let failure = error.map { Failure($0) }
    if let ticket = requests.stop?.ticket { answer(ticket, failure.map { .failed($0) } ?? .done) }
    return failure
  }
}
