import NIOCore
import NIOHTTP1

/// The requests of one connection, in order (pipelining): one is in progress, a limited number waits.
struct RequestQueue {
  /// The next step.
  enum Step {
    case answer(HTTPRequestHead)
    /// Refuse an invalid request or an excess one, then close the connection.
    case refuse(HTTPResponseStatus)
    case close
    case wait
  }

  private let limits: MediaServerLimits
  private var waiting: [HTTPRequestHead] = []
  private var incoming: HTTPRequestHead?
  private var bodyBytes = 0
  private var failure: HTTPResponseStatus?
  private var hasEnded = false

  init(limits: MediaServerLimits) { self.limits = limits }

  /// Whether a part of the next request has arrived.
  var hasPartOfNext: Bool { incoming != nil }

  mutating func receive(_ part: HTTPServerRequestPart) {
    // After a failure the rest of the stream is meaningless.
    guard failure == nil else { return }
    switch part {
    case .head(let head):
      incoming = head
      bodyBytes = 0
    case .body(let bytes):
      bodyBytes += bytes.readableBytes
      if bodyBytes > limits.bodyBytes { fail(.payloadTooLarge) }
    case .end:
      guard let head = incoming else { return }
      incoming = nil
      // The limit is far above what devices send. Excess requests get no response, and the connection closes after the others.
      if waiting.count < limits.waitingRequests { waiting.append(head) } else { fail(.tooManyRequests) }
    }
  }

  mutating func fail(_ status: HTTPResponseStatus) {
    incoming = nil
    failure = failure ?? status
  }

  /// The peer sends nothing more; its requests still get their responses.
  mutating func end() { hasEnded = true }

  mutating func next() -> Step {
    if !waiting.isEmpty { return .answer(waiting.removeFirst()) }
    if let failure { return .refuse(failure) }
    return hasEnded ? .close : .wait
  }
}
