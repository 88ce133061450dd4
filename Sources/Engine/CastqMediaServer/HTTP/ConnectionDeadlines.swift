import NIOCore

/// Closes a connection whose next request does not start or end in time (slow-loris protection).
///
/// It is placed before the decoder, because the first byte of a request starts the clock, not its complete header. A deadline is kept
/// within a round of `ConnectionRounds`.
final class ConnectionDeadlines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private enum Phase { case idle, reading, answering }

  private let requestTime: TimeAmount
  private let idleTime: TimeAmount
  private let rounds: ConnectionRounds
  private var phase = Phase.reading
  /// Nil during a response.
  private var deadline: NIODeadline?
  private var context: ChannelHandlerContext?
  /// Called in each round while a response with a file is in progress.
  var checkFile: (() -> Void)?

  init(_ limits: MediaServerLimits, rounds: ConnectionRounds) {
    requestTime = TimeAmount(limits.requestTime)
    idleTime = TimeAmount(limits.idleTime)
    self.rounds = rounds
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    deadline = .now() + requestTime
    rounds.add(self)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if phase == .idle {
      phase = .reading
      deadline = .now() + requestTime
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    forget()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { forget() }

  /// A request is complete and its response begins: no deadline runs until `answered`.
  func answering() {
    phase = .answering
    deadline = nil
  }

  /// - Parameter hasBegun: whether a part of the next request has arrived.
  func answered(nextHasBegun hasBegun: Bool) {
    phase = hasBegun ? .reading : .idle
    deadline = .now() + (hasBegun ? requestTime : idleTime)
  }

  /// Closes the connection if its time is over.
  func look(at now: NIODeadline) {
    if let deadline, deadline <= now { context?.close(promise: nil) } else { checkFile?() }
  }

  private func forget() {
    (context, checkFile) = (nil, nil)
    rounds.remove(self)
  }
}
