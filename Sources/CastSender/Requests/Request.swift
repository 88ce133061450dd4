import CastProtocol
import Synchronization

/// One command on its way: await it, watch it, give it a delegate, cancel it, or let it go.
///
///     try await client.play().value            // wait until the receiver did it
///     client.seek(to: 90)                      // do not wait
///     for await event in client.load(film).events { … }
///
/// It is sent whether anybody waits or not, in the order in which commands were called. It ends exactly once.
public final class Request<Value: Sendable>: CastRequest {
  /// Type on the wire, such as `PLAY`; the namespace for a message over a custom channel.
  public let name: String
  private let read: @Sendable (Reply) -> Value?
  private let giveUp: @Sendable () -> Void

  private struct State {
    var requestID: Int?
    var outcome: RequestOutcome<Value>?
    var waiters: [Int: CheckedContinuation<RequestOutcome<Value>, Never>] = [:]
    var watchers: [AsyncStream<RequestEvent<Value>>.Continuation] = []
    var lastWaiter = 0
    weak var delegate: (any RequestDelegate)?
  }
  private let state = Mutex(State())

  /// - Parameters:
  ///   - read: takes out of a reply what was asked for; nil when the reply is of another kind.
  ///   - giveUp: told once when the caller cancels.
  init(
    name: String, read: @escaping @Sendable (Reply) -> Value?, giveUp: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.read = read
    self.giveUp = giveUp
  }

  /// The number on the wire (protocol 1.5); nil until it went out, and for what is refused at once.
  public var requestID: Int? { state.withLock(\.requestID) }

  /// Whether its outcome is open.
  public var isInProgress: Bool { state.withLock { $0.outcome == nil } }

  /// Hears how it ends, at once when it has ended already; held weakly. Nil by default.
  public var delegate: (any RequestDelegate)? {
    get { state.withLock(\.delegate) }
    set {
      let outcome = state.withLock { state in
        state.delegate = newValue
        return state.outcome
      }
      if let outcome { tell(newValue, outcome) }
    }
  }

  /// The end it came to, or comes to. Cancelling the task that waits cancels the request.
  public var outcome: RequestOutcome<Value> {
    get async {
      let number = state.withLock { state in
        state.lastWaiter += 1
        return state.lastWaiter
      }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let known = state.withLock { state in
            if state.outcome == nil { state.waiters[number] = continuation }
            return state.outcome
          }
          if let known { continuation.resume(returning: known) }
        }
      } onCancel: {
        cancel()
      }
    }
  }

  /// What the receiver answered, after the status it answered with was published. Cancelling the task that waits cancels the
  /// request.
  /// - Throws: what went wrong; `replaced` or `cancelled` for a request that was aborted.
  public var value: Value {
    get async throws(CastError) { try await outcome.get() }
  }

  /// What it goes through from now on; what has happened already is told first. Every call makes a sequence of its own.
  public var events: AsyncStream<RequestEvent<Value>> {
    let (stream, continuation) = AsyncStream.makeStream(of: RequestEvent<Value>.self)
    state.withLock { state in
      if let id = state.requestID { continuation.yield(.sent(requestID: id)) }
      if let outcome = state.outcome {
        continuation.yield(.finished(outcome))
        continuation.finish()
      } else {
        state.watchers.append(continuation)
      }
    }
    return stream
  }

  /// Ends the waiting, not the command: what was sent stays sent, and may still happen. Without effect once it is over.
  public func cancel() {
    if finish(.aborted(.cancelled)) { giveUp() }
  }

  /// Ends it, unless it has ended.
  @discardableResult
  private func finish(_ outcome: RequestOutcome<Value>) -> Bool {
    let ended: State? = state.withLock { state in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer {
        state.waiters = [:]
        state.watchers = []
      }
      return state
    }
    guard let ended else { return false }
    for watcher in ended.watchers {
      watcher.yield(.finished(outcome))
      watcher.finish()
    }
    tell(ended.delegate, outcome)
    for waiter in ended.waiters.values { waiter.resume(returning: outcome) }
    return true
  }

  private func tell(_ delegate: (any RequestDelegate)?, _ outcome: RequestOutcome<Value>) {
    switch outcome {
    case .completed: delegate?.requestDidComplete(self)
    case .failed(let error): delegate?.request(self, didFailWith: error)
    case .aborted(let reason): delegate?.request(self, didAbortWith: reason)
    }
  }
}

/// A request as the session sees it.
protocol PendingRequest: AnyObject, Sendable {
  /// It went out under this number.
  func wasSent(_ id: RequestID)
  /// The machine is done with it.
  func end(_ result: Result<Reply, CastError>)
}

/// Waits for the end of a request in the place of a caller.
final class RequestHook: PendingRequest {
  private let whenDone: @Sendable (Result<Reply, CastError>) -> Void

  init(_ whenDone: @escaping @Sendable (Result<Reply, CastError>) -> Void) { self.whenDone = whenDone }

  func wasSent(_ id: RequestID) {}
  func end(_ result: Result<Reply, CastError>) { whenDone(result) }
}

extension Request: PendingRequest {
  func wasSent(_ id: RequestID) {
    state.withLock { state in
      guard state.outcome == nil, state.requestID == nil else { return }
      state.requestID = id.rawValue
      for watcher in state.watchers { watcher.yield(.sent(requestID: id.rawValue)) }
    }
  }

  func end(_ result: Result<Reply, CastError>) {
    switch result {
    case .success(let reply):
      if let value = read(reply) {
        finish(.completed(value))
      } else {
        finish(
          .failed(
            CastError(
              .invalidResponse, "the receiver answered \(name) with another kind of reply; try again",
              request: name)
          ))
      }
    case .failure(let error) where error.code == .replaced: finish(.aborted(.replaced))
    case .failure(let error): finish(.failed(error))
    }
  }
}
