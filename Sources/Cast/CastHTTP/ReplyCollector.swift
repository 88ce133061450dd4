import CastTLS
import NIOCore
import NIOHTTP1

/// The last handler of the pipeline: collects one response within its limits of size and time, and closes the connection.
final class ReplyCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  /// The response, or the first error.
  let reply: EventLoopPromise<HTTPReply>
  let allowance = FramingAllowance()
  let words: HTTPErrorWords
  private let byteLimit: Int
  /// Bytes of the body that are enough; nil when all are wanted.
  private let beginning: Int?
  private let isSecure: Bool
  private let connectDeadline: NIODeadline
  private let deadline: NIODeadline
  private var timer: Scheduled<Void>?
  private var head: HTTPResponseHead?
  private var body = ByteBuffer()
  private var isDone = false

  init(
    reply: EventLoopPromise<HTTPReply>, byteLimit: Int, beginning: Int?, isSecure: Bool,
    connectDeadline: NIODeadline,
    deadline: NIODeadline, words: HTTPErrorWords
  ) {
    self.reply = reply
    self.byteLimit = byteLimit
    self.beginning = beginning
    self.isSecure = isSecure
    self.connectDeadline = connectDeadline
    self.deadline = deadline
    self.words = words
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    finish(.failure(ChannelError.ioOnClosedChannel), context)
  }

  func channelActive(context: ChannelHandlerContext) {
    if isSecure {
      limit(to: connectDeadline, words.error(for: ChannelError.connectTimeout(.zero)), context)
    } else {
      limit(to: deadline, words.late, context)
    }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSEvent { limit(to: deadline, words.late, context) }
    context.fireUserInboundEventTriggered(event)
  }

  private func limit(to deadline: NIODeadline, _ error: HTTPFetchError, _ context: ChannelHandlerContext) {
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.finish(.failure(error), context)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDone else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): take(head, context)
    case .body(let bytes):
      allowance.renew()
      if let beginning {
        body.writeImmutableBuffer(
          bytes.getSlice(
            at: bytes.readerIndex, length: min(bytes.readableBytes, beginning - body.readableBytes)) ?? bytes)
        if body.readableBytes >= beginning { finishBeginning(context) }
        return
      }
      guard bytes.readableBytes <= byteLimit - body.readableBytes else {
        return finish(.failure(words.tooLarge(byteLimit)), context)
      }
      body.writeImmutableBuffer(bytes)
    case .end:
      if let head { finish(.success(HTTPReply(head: head, body: Array(body.readableBytesView))), context) }
    }
  }

  private func take(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
    self.head = head
    let reply = HTTPReply(head: head)
    // The body of other responses is only an explanation for people.
    guard reply.isWhole || (reply.status == 206 && beginning != nil) else {
      return finish(.success(reply), context)
    }
    let codings = head.headers[canonicalForm: "content-encoding"].filter { $0.lowercased() != "identity" }
    if let beginning {
      // What is compressed shows nothing.
      guard beginning > 0, codings.isEmpty else { return finish(.success(reply), context) }
      return awaitBeginning(context)
    }
    guard codings.isEmpty else { return finish(.failure(words.encoded), context) }
    if let length = reply.header("content-length").flatMap({ Int($0) }), length > byteLimit {
      finish(.failure(words.tooLarge(byteLimit)), context)
    }
  }

  /// How long the first bytes may be behind the head: the head alone is an answer.
  private static let beginningPatience = TimeAmount.seconds(1)

  private func awaitBeginning(_ context: ChannelHandlerContext) {
    timer?.cancel()
    let end = min(deadline, .now() + Self.beginningPatience)
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { self.finishBeginning(context) }
  }

  private func finishBeginning(_ context: ChannelHandlerContext) {
    guard let head else { return }
    finish(.success(HTTPReply(head: head, body: Array(body.readableBytesView))), context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(.failure(error), context) }

  func channelInactive(context: ChannelHandlerContext) {
    finish(.failure(ChannelError.eof), context)
    context.fireChannelInactive()
  }

  private func finish(_ result: Result<HTTPReply, any Error>, _ context: ChannelHandlerContext) {
    guard !isDone else { return }
    var result = result
    // A body that breaks off has begun nevertheless.
    if beginning != nil, let head, case .failure = result {
      result = .success(HTTPReply(head: head, body: Array(body.readableBytesView)))
    }
    isDone = true
    timer?.cancel()
    reply.completeWith(result)
    context.close(promise: nil)
  }
}

/// Number of bytes outside of the body that a server may still send.
final class FramingAllowance {
  /// Far more than the headers of any server.
  private static let most = 64 * 1024
  private var left = FramingAllowance.most

  func renew() { left = Self.most }

  /// False when the limit was reached before these bytes.
  func spend(_ count: Int) -> Bool {
    guard left > 0 else { return false }
    left -= min(left, count)
    return true
  }
}

/// Precedes the parser, to bound headers, interim responses, chunk extensions and trailers.
final class FramingGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let allowance: FramingAllowance
  private let words: HTTPErrorWords

  init(allowance: FramingAllowance, words: HTTPErrorWords) {
    self.allowance = allowance
    self.words = words
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if allowance.spend(unwrapInboundIn(data).readableBytes) {
      context.fireChannelRead(data)
    } else {
      context.fireErrorCaught(words.framing)
    }
  }
}
