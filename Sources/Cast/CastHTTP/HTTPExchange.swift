import CastGuard
import CastTLS
import NIOCore
import NIOHTTP1
import NIOPosix

/// The sockets of one exchange, each with its reply.
typealias HTTPAttempt = ConnectionAttempt<EventLoopFuture<HTTPReply>>

/// One request and its response over its own connection.
struct HTTPExchange: Sendable {
  let request: HTTPRequest
  let screen: AddressScreen
  let connector: HTTPConnector
  let words: HTTPErrorWords
  /// The deadline of the exchange.
  let deadline: NIODeadline
  /// Time limit for TCP and TLS together.
  let connectTimeout: TimeAmount

  func run() async throws(HTTPFetchError) -> HTTPReply {
    let attempt = HTTPAttempt()
    let result: Result<HTTPReply, HTTPFetchError> = await withTaskCancellationHandler {
      let result: Result<HTTPReply, HTTPFetchError>
      do {
        result = .success(try await reply(attempt))
      } catch {
        result = .failure(attempt.isCancelled ? words.cancelled : self.error(for: error))
      }
      await attempt.end()
      return result
    } onCancel: {
      attempt.cancel()
    }
    return try result.get()
  }

  private func reply(_ attempt: HTTPAttempt) async throws -> HTTPReply {
    let now = NIODeadline.now()
    let connectDeadline = min(deadline, now + connectTimeout)
    let connection = try connector.connect(
      attempt, to: request.address, through: screen, timeout: max(connectDeadline - now, .milliseconds(1))
    ) { [request, words, deadline] loop in
      ReplyCollector(
        reply: loop.makePromise(), byteLimit: request.byteLimit, beginning: request.beginning,
        isSecure: request.address.isSecure,
        connectDeadline: connectDeadline, deadline: deadline, words: words)
    }
    let channel = try await attempt.wait(for: connection)
    guard let reply = attempt.attachment(of: channel) else { throw ChannelError.ioOnClosedChannel }
    // Read now: a connection that has ended has no other end.
    let peer = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0.prefix { $0 != "%" }) }
    channel.write(HTTPClientRequestPart.head(request.head), promise: nil)
    if !request.body.isEmpty {
      channel.write(
        HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil)
    }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    var answer = try await reply.get()
    answer.peer = peer
    return answer
  }

  /// Whichever timer fires first, the error names the caller's limit.
  private func error(for error: any Error) -> HTTPFetchError {
    // Where something else was tried, that has failed.
    let isUntried =
      (error as? NIOConnectionError)?.connectionErrors.isEmpty ?? (error is ScreenedResolver.NothingPassed)
    if isUntried, let refusal = screen.refusal { return words.error(.refused, "\(refusal)") }
    let error = words.error(for: error)
    return error.kind == .unreachable && NIODeadline.now() >= deadline ? words.late : error
  }
}
