import CastProtocol

/// What of the end of a run has been reached.
enum RunnerClosing: Sendable {
  /// What waits to be written is written at last.
  case writing
  /// The media is being stopped.
  case stopping
  /// The device is made as loud as it was.
  case restoring
  /// The session is being ended.
  case leaving(SessionNumber)
  case ended
}

/// The end of a run: the rows are written, the screen is left as the end wants it, within the time a person waits for an
/// interrupted program.
extension RunnerMachine {
  /// How long each step at the device may take.
  private static let closingPatience = Duration.milliseconds(600)

  mutating func beginClosing() {
    closing = .writing
    actions.append(.finishRows)
  }

  /// An event after the end of the run was decided.
  mutating func close(_ event: Event) {
    switch event {
    case .finishedRows(let failure):
      guard case .writing = closing else { return }
      report(missing: failure)
      noteStop()
      waitForStop()
    case .session(let number, let event, _): if number == session?.number { receive(event) }
    case .completed(let token, let result): finished(token, result)
    case .timerFired(.closing): closingIsLate()
    case .sessionClosed(let number, let error):
      guard case .leaving(number) = closing else { return }
      if endAction == .stopApplication { quitFailure = quitFailure ?? error.map { ControlFailure($0) } }
      finish()
    case .begin, .sessionFlooded, .sessionRefused, .located, .first, .upcoming, .heldTurns, .recovered,
      .found,
      .storeBroken, .rowsChanged, .timerFired, .command, .stop, .leave, .keepVolume, .loop:
      break
    }
  }

  private mutating func closingIsLate() {
    switch closing {
    case .stopping: restoreVolume()
    case .restoring: leave()
    case .writing, .leaving, .ended, nil: break
    }
  }

  private mutating func receive(_ event: SessionEvent) {
    guard case .stopping = closing else { return }
    if case .ended = event { return restoreVolume() }
    guard case .mediaStatus(let status) = event else { return }
    update { $0.mediaStatus = status }
    continueStop()
  }

  /// A request is over after the end of the run was decided.
  private mutating func finished(_ token: RequestToken, _ result: Result<Reply, CastError>) {
    switch requests.removeValue(forKey: token) {
    case .command(let ticket, _), .page(let ticket): if let ticket { answer(ticket, ControlReply(result)) }
    case .stop:
      guard case .stopping = closing, stop?.request == token else { return }
      answerStop(result.failure)
      restoreVolume()
    case .edit:
      // A load that failed by itself leaves nothing to stop.
      guard case .stopping = closing, result.failure != nil, stop?.isWaiting == true else { return }
      restoreVolume()
    case .restoring: if case .restoring = closing { leave() }
    case .question, .nothing, nil: break
    }
  }

  /// A list whose plays could not be written has not ended well.
  private mutating func report(missing failure: ControlFailure?) {
    guard let failure, end?.failure == nil else { return }
    if case .stopped? = end { return }
    end = .failed(failure)
  }

  /// What a person has stopped, or an entry that says so, stays so whatever becomes of the programs.
  private mutating func noteStop() {
    switch end {
    case .halted, .entryFailed: actions.append(.noteStopped)
    case nil, .drained, .takenOver, .stoppedElsewhere, .refused, .unreachable, .stopped, .failed, .busy: break
    }
  }

  private mutating func waitForStop() {
    guard stop != nil else { return restoreVolume() }
    closing = .stopping
    actions.append(.startTimer(.closing, after: Self.closingPatience))
  }

  /// Leaves the device as loud as it was, unless somebody else's media play now.
  private mutating func restoreVolume() {
    stop = nil
    if case .takenOver? = end { return leave() }
    guard let session, session.isConnected, let level = volume.last(now: session.volume),
      request(.receiver(.setVolume(.level(level))), for: .restoring) != nil
    else { return leave() }
    closing = .restoring
    actions.append(.startTimer(.closing, after: Self.closingPatience))
  }

  private mutating func leave() {
    actions.append(.cancelTimer(.closing))
    guard let session else { return finish() }
    closing = .leaving(session.number)
    actions.append(.endSession(session.number, endAction))
  }

  private mutating func finish() {
    closing = .ended
    if let end { actions.append(.ended(end)) }
  }

  /// The replies to all who still wait, once everything is over and tidied up.
  package var lastAnswers: [(TicketID, ControlReply)] {
    guard let end else { return [] }
    return firstPlays.map { ($0.ticket, $0.play.answer(end)) }
      + haltTickets.map { ($0, quitFailure.map { .failed($0) } ?? .done) }
  }
}
