import CastProtocol
import CastqText

/// What a request of a runner was made for.
enum RunnerRequest: Sendable {
  /// An edit of the feeder, with the feeder's number for it.
  case edit(Int, SessionNumber)
  /// The feeder's question for a status.
  case question(SessionNumber)
  /// A command whose effect comes back as statuses; a person may wait for it.
  case command(TicketID?, isJump: Bool)
  /// A page was asked for.
  case page(TicketID?)
  /// The media is to stop.
  case stop
  /// The loudness that was there before.
  case restoring
  /// Its answer comes as an event.
  case nothing

  /// Whether somebody waits for it, even when the connection is lost.
  var isAwaited: Bool {
    switch self {
    case .command(let ticket, _), .page(let ticket): ticket != nil
    case .edit, .question, .stop, .restoring, .nothing: false
    }
  }
}

/// Requests of a runner over its session, and what came of them.
extension RunnerMachine {
  /// Submits a request over the session in use; without one, nothing is submitted.
  @discardableResult
  mutating func request(_ request: SenderRequest, for purpose: RunnerRequest) -> RequestToken? {
    guard let session else { return nil }
    let token = requests.add(purpose)
    actions.append(.request(token, request, session.number))
    return token
  }

  mutating func edit(_ media: MediaRequest) {
    guard let session else { return }
    request(.media(media), for: .edit(feeder.editNumber, session.number))
  }

  /// Asks where playback is. The status comes on its own way; what became of the question is news, too: a receiver that keeps its
  /// statuses to itself says by the answer alone that everything is over.
  mutating func ask() {
    guard let session else { return }
    request(.media(.getStatus()), for: .question(session.number))
  }

  mutating func completed(_ token: RequestToken, _ result: Result<Reply, CastError>) {
    switch requests.finish(token) {
    case .edit(let number, let session): edited(number, session, result)
    case .question(let number): if number == session?.number { answered(result) }
    case .command(let ticket, let isJump): commanded(ticket, isJump: isJump, result)
    case .page(let ticket): if let ticket { answer(ticket, ControlReply(result)) }
    case .stop: if requests.stop?.request == token { endStop(result.failure) }
    case .restoring, .nothing, nil: break
    }
  }

  private mutating func edited(
    _ number: Int, _ session: SessionNumber, _ result: Result<Reply, CastError>
  ) {
    // An edit that was abandoned is of no interest.
    guard session == self.session?.number, number == feeder.editNumber else { return }
    let outcome: EditOutcome =
      switch result {
      case .success(.queueItemIDs(let answer)): .itemIDs(answer.ids)
      case .success(.queueItems(let items)): .items(items)
      case .success: .done
      case .failure(let error): .failed(EditFailure(error))
      }
    // A load that failed by itself leaves nothing to stop.
    if self.session?.load != nil, case .failed = outcome, requests.stop?.isWaiting == true { endStop(nil) }
    update { $0.load = nil }
    feed(.edited(outcome))
  }

  private mutating func answered(_ result: Result<Reply, CastError>) {
    let answer: StatusAnswer?
    switch result {
    case .success(.mediaStatus(nil)): answer = .nothingLoaded
    case .success: answer = .told
    case .failure(let error): answer = StatusAnswer(error)
    }
    if answer == .nothingLoaded { update { $0.mediaStatus = nil } }
    if let answer { feed(.statusAnswered(answer)) }
  }

  private mutating func commanded(_ ticket: TicketID?, isJump: Bool, _ result: Result<Reply, CastError>) {
    if let error = result.failure {
      if isJump, !error.isEndOfSession { refuse(Failure(error)) }
      if ticket != nil { refuse(nil) }
    }
    if let ticket { answer(ticket, ControlReply(result)) }
  }

  /// The receiver did not do what a live command asked for.
  /// - Parameter failure: for those who wait for the play it was to bring; nil when they hear of it otherwise.
  mutating func refuse(_ failure: Failure?) {
    feed(.refused)
    if let failure { failFirstPlays(failure) }
  }

  // MARK: - Loudness

  /// Sets the volume of the device. Nothing waits for it: what is loaded afterwards is heard afterwards.
  mutating func adjustVolume() {
    guard let session, session.isConnected, let level = volume.level(now: session.volume) else { return }
    request(.receiver(.setVolume(.level(level))), for: .nothing)
  }
}

extension Result where Failure == CastError {
  var failure: CastError? { if case .failure(let error) = self { error } else { nil } }
}

extension ControlReply {
  /// Whether a request was done.
  init(_ result: Result<Reply, CastError>) {
    self = result.failure.map { .failed(Failure($0)) } ?? .done
  }
}
