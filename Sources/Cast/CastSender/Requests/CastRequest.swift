public import CastProtocol

/// Why a request ended without a result (protocol 17.6).
public enum RequestAbortReason: Sendable, Hashable {
  /// A newer request of the same kind replaced it: of seeks and of volumes only the newest counts.
  case replaced
  /// The caller cancelled it. A request that was sent may still be carried out.
  case cancelled
}

/// The outcome of a request.
public enum RequestOutcome<Value: Sendable>: Sendable {
  /// The receiver carried it out.
  case completed(Value)
  /// The receiver refused it, did not reply or disconnected; or the request could not be sent.
  case failed(CastError)
  /// It was replaced or cancelled.
  case aborted(RequestAbortReason)

  /// The value of a successful request.
  /// - Throws: the error of the outcome: `replaced` or `cancelled` for an aborted request.
  public func get() throws(CastError) -> Value {
    switch self {
    case .completed(let value): return value
    case .failed(let error): throw error
    case .aborted(.replaced): throw .replacedByNewer
    case .aborted(.cancelled): throw .cancelledByCaller
    }
  }
}

/// An event of a request.
public enum RequestEvent<Value: Sendable>: Sendable {
  /// It was sent with this number. Does not occur for a request that is refused at once.
  case sent(requestID: Int)
  /// The last event.
  case finished(RequestOutcome<Value>)
}

/// A request of any kind, independent of the type of its value.
public protocol CastRequest: AnyObject, Sendable {
  /// Type on the wire, such as `PLAY`.
  var name: String { get }
  /// The request ID, never reused in a session (protocol 1.5); nil until it was sent.
  var requestID: Int? { get }
  /// Whether it has no outcome yet.
  var isInProgress: Bool { get }
  /// Stops waiting for the outcome. A command that was sent may still be carried out. Does nothing after the end.
  func cancel()
}

/// Receives the outcome of requests. Methods are called in the order of the session's events, on no particular thread, and must
/// return soon. All have an empty default.
public protocol RequestDelegate: AnyObject, Sendable {
  /// The receiver carried it out.
  func requestDidComplete(_ request: any CastRequest)
  /// The receiver refused it, did not reply or disconnected.
  func request(_ request: any CastRequest, didFailWith error: CastError)
  /// It was replaced or cancelled.
  func request(_ request: any CastRequest, didAbortWith reason: RequestAbortReason)
}

extension RequestDelegate {
  /// Does nothing.
  public func requestDidComplete(_ request: any CastRequest) {}
  /// Does nothing.
  public func request(_ request: any CastRequest, didFailWith error: CastError) {}
  /// Does nothing.
  public func request(_ request: any CastRequest, didAbortWith reason: RequestAbortReason) {}
}
