import CastProtocol
import CastqText

/// The end of a run: the rows are written, the screen is left as the end wants it, within the time a person waits for an
/// interrupted program.
extension RunnerMachine {
  /// How long each step at the device may take.
  private static let closingPatience = Duration.milliseconds(600)

  mutating func beginClosing() {
    exit.step = .writing
    actions.append(.finishRows)
  }

  /// An event after the end of the run was decided.
  mutating func close(_ event: Event) {
    switch event {
    case .finishedRows(let failure):
      guard case .writing = exit.step else { return }
      report(missing: failure)
      noteStop()
      waitForStop()
    case .session(let number, let event, _): if number == session?.number { receive(event) }
    case .completed(let token, let result): finished(token, result)
    case .timerFired(.closing): closingIsLate()
    case .sessionClosed(let number, let error):
      guard case .leaving(number) = exit.step else { return }
      // With its application all media are gone, where the device was there to end it.
      if exit.action == .stopApplication, self.session?.isConnected == true {
        exit.haltFailure = error.map { Failure($0) }
      }
      finish()
    case .begin, .sessionFlooded, .sessionRefused, .located, .schedule, .playing, .following,
      .shareLengths, .first, .upcoming, .heldTurns, .recovered,
      .found, .resolved, .fileRead, .mediaMoved,
      .storeBroken, .rowsChanged, .clockSet, .timerFired, .command, .stop, .leave, .keepVolume, .loop,
      .fence:
      break
    }
  }

  private mutating func closingIsLate() {
    switch exit.step {
    case .stopping: restoreVolume()
    case .restoring: leave()
    case .writing, .leaving, .ended, nil: break
    }
  }

  private mutating func receive(_ event: SessionEvent) {
    guard case .stopping = exit.step else { return }
    if case .ended = event { return restoreVolume() }
    guard case .mediaStatus(let status) = event else { return }
    update { $0.mediaStatus = status }
    continueStop()
  }

  /// A request is over after the end of the run was decided.
  private mutating func finished(_ token: RequestToken, _ result: Result<Reply, CastError>) {
    switch requests.finish(token) {
    case .command(let ticket, _), .page(let ticket): if let ticket { answer(ticket, ControlReply(result)) }
    case .stop:
      guard case .stopping = exit.step, requests.stop?.request == token else { return }
      let failure = answerStop(result.failure)
      if exit.isHalting { exit.haltFailure = failure }
      restoreVolume()
    case .edit:
      // A load that failed by itself leaves nothing to stop.
      guard case .stopping = exit.step, result.failure != nil, requests.stop?.isWaiting == true else {
        return
      }
      restoreVolume()
    case .restoring: if case .restoring = exit.step { leave() }
    case .question, .nothing, nil: break
    }
  }

  /// A list whose plays could not be written has not ended well.
  private mutating func report(missing failure: Failure?) {
    guard let failure, end?.failure == nil else { return }
    switch end {
    // What a person has stopped is not to be started again because the disk is full.
    case .stopped, .halted: return
    case nil, .drained, .takenOver, .superseded, .stoppedElsewhere, .refused, .unreachable, .entryFailed,
      .failed,
      .busy:
      end = .failed(failure)
    }
  }

  /// What a person has stopped, or an entry that says so, stays so whatever becomes of the programs.
  private mutating func noteStop() {
    switch end {
    case .halted, .entryFailed: actions.append(.noteStopped)
    case nil, .drained, .takenOver, .superseded, .stoppedElsewhere, .refused, .unreachable, .stopped, .failed,
      .busy:
      break
    }
  }

  private mutating func waitForStop() {
    guard requests.stop != nil else { return restoreVolume() }
    exit.step = .stopping
    actions.append(.startTimer(.closing, after: Self.closingPatience))
  }

  /// Leaves the device as loud as it was, unless somebody else's media play now.
  private mutating func restoreVolume() {
    requests.stop = nil
    switch end {
    case .takenOver, .superseded: return leave()
    case nil, .drained, .stoppedElsewhere, .refused, .unreachable, .stopped, .halted, .entryFailed, .failed,
      .busy:
      break
    }
    guard let session, session.isConnected, let level = volume.last(now: session.volume),
      request(.receiver(.setVolume(.level(level))), for: .restoring) != nil
    else { return leave() }
    exit.step = .restoring
    actions.append(.startTimer(.closing, after: Self.closingPatience))
  }

  private mutating func leave() {
    actions.append(.cancelTimer(.closing))
    guard let session else { return finish() }
    exit.step = .leaving(session.number)
    actions.append(.endSession(session.number, exit.action))
  }

  private mutating func finish() {
    exit.step = .ended
    if let end { actions.append(.ended(end)) }
  }

  /// The replies to all who still wait, once everything is over and tidied up.
  package var lastAnswers: [(TicketID, ControlReply)] {
    end.map { commands.lastAnswers($0, haltFailure: exit.haltFailure) } ?? []
  }
}
