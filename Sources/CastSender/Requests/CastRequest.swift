public import CastProtocol

/// Why a request ended without an outcome of its own (protocol 17.6).
public enum RequestAbortReason: Sendable, Hashable {
  /// A newer request of the same kind took its place: of seeks and of volumes only the newest counts.
  case replaced
  /// The caller lost interest. What was sent stays sent, and may still happen.
  case cancelled
}

/// The one end a request comes to.
public enum RequestOutcome<Value: Sendable>: Sendable {
  /// The receiver did it.
  case completed(Value)
  /// The receiver refused, stayed silent or went away; or the request could not be sent at all.
  case failed(CastError)
  /// Nobody waits for an outcome any more.
  case aborted(RequestAbortReason)

  /// The value.
  /// - Throws: the error that stands for the end it came to: `replaced` or `cancelled` for an aborted request.
  public func get() throws(CastError) -> Value {
    switch self {
    case .completed(let value): return value
    case .failed(let error): throw error
    case .aborted(.replaced): throw .replacedByNewer
    case .aborted(.cancelled): throw .cancelledByCaller
    }
  }
}

/// What a request goes through.
public enum RequestEvent<Value: Sendable>: Sendable {
  /// It went out under this number. A request that is refused at once never does.
  case sent(requestID: Int)
  /// The last event.
  case finished(RequestOutcome<Value>)
}

/// A request of any kind: what there is to know and to do without knowing what it yields.
public protocol CastRequest: AnyObject, Sendable {
  /// Type on the wire, such as `PLAY`.
  var name: String { get }
  /// The number on the wire, never reused in a session (protocol 1.5); nil until it went out.
  var requestID: Int? { get }
  /// Whether its outcome is open.
  var isInProgress: Bool { get }
  /// Ends the waiting, not the command: what was sent stays sent, and may still happen. Without effect once it is over.
  func cancel()
}

/// Hears how requests end. Methods are called in the order of the session's events, on no particular thread: hand on what takes
/// time. All have an empty default.
public protocol RequestDelegate: AnyObject, Sendable {
  /// The receiver did it.
  func requestDidComplete(_ request: any CastRequest)
  /// The receiver refused, stayed silent or went away.
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
