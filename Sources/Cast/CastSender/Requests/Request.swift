import CastProtocol
import Synchronization

/// One command to the receiver. Await it, observe it, set a delegate, cancel it, or ignore it.
///
///     try await client.play().value            // wait until the receiver did it
///     client.seek(to: 90)                      // do not wait
///     for await event in client.load(film).events { … }
///
/// It is sent in the order of the calls, whether a caller waits or not. It ends exactly once.
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
  ///   - read: extracts the value from a reply; nil when the reply is of another kind.
  ///   - giveUp: called once when the caller cancels.
  init(
    name: String, read: @escaping @Sendable (Reply) -> Value?, giveUp: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.read = read
    self.giveUp = giveUp
  }

  /// The number of the request on the wire (protocol 1.5); nil until it was sent, and if it was refused at once.
  public var requestID: Int? { state.withLock(\.requestID) }

  /// Whether it has no outcome yet.
  public var isInProgress: Bool { state.withLock { $0.outcome == nil } }

  /// Receives the outcome, at once if it has ended already; held weakly. Nil by default.
  public var delegate: (any RequestDelegate)? {
    get { state.withLock(\.delegate) }
    set {
      let outcome = state.withLock { state in
        state.delegate = newValue
        return state.outcome
      }
      if let outcome { notify(newValue, outcome) }
    }
  }

  /// Waits for the outcome. Cancelling the waiting task cancels the request.
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

  /// The value of the receiver's reply, available after the status in it was published. Cancelling the waiting task cancels the
  /// request.
  /// - Throws: the error; `replaced` or `cancelled` for a request that was aborted.
  public var value: Value {
    get async throws(CastError) { try await outcome.get() }
  }

  /// The events of the request, including earlier ones. Every call creates a sequence.
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

  /// Stops waiting for the outcome. A command that was sent may still be carried out. Does nothing after the end.
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
    notify(ended.delegate, outcome)
    for waiter in ended.waiters.values { waiter.resume(returning: outcome) }
    return true
  }

  private func notify(_ delegate: (any RequestDelegate)?, _ outcome: RequestOutcome<Value>) {
    switch outcome {
    case .completed: delegate?.requestDidComplete(self)
    case .failed(let error): delegate?.request(self, didFailWith: error)
    case .aborted(let reason): delegate?.request(self, didAbortWith: reason)
    }
  }
}

/// A request for the session, independent of the type of its value.
protocol PendingRequest: AnyObject, Sendable {
  /// It was sent with this number.
  func wasSent(_ id: RequestID)
  /// The machine has completed it.
  func end(_ result: Result<Reply, CastError>)
}

/// Passes the outcome of a request to a closure.
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
