import NIOCore
import NIOHTTP1

/// The requests of one connection, in order (pipelining): one is answered at a time, few may wait.
struct RequestQueue {
  /// What to do now.
  enum Step {
    case answer(HTTPRequestHead)
    /// Refuse what could not be understood or was too much, then close.
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

  /// A request has begun that is not complete.
  var hasPartOfNext: Bool { incoming != nil }

  mutating func receive(_ part: HTTPServerRequestPart) {
    // After a failure the rest of the stream means nothing.
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
      // Far more than any device sends; what is over is not answered, and the connection ends after the others.
      if waiting.count < limits.waitingRequests { waiting.append(head) } else { fail(.tooManyRequests) }
    }
  }

  mutating func fail(_ status: HTTPResponseStatus) {
    incoming = nil
    failure = failure ?? status
  }

  /// The peer will send nothing more; what it has asked for is still answered.
  mutating func end() { hasEnded = true }

  mutating func next() -> Step {
    if !waiting.isEmpty { return .answer(waiting.removeFirst()) }
    if let failure { return .refuse(failure) }
    return hasEnded ? .close : .wait
  }
}
