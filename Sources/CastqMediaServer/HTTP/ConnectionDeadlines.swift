import NIOCore

/// Closes a connection whose next request does not start or end in time (slow-loris protection).
///
/// It is placed before the decoder, because the first byte of a request starts the clock, not its complete header.
final class ConnectionDeadlines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private enum Phase { case idle, reading, answering }

  private let requestTime: TimeAmount
  private let idleTime: TimeAmount
  private var phase = Phase.reading
  private var timer: Scheduled<Void>?

  init(_ limits: MediaServerLimits) {
    requestTime = TimeAmount(limits.requestTime)
    idleTime = TimeAmount(limits.idleTime)
  }

  func channelActive(context: ChannelHandlerContext) {
    arm(requestTime, context: context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if phase == .idle {
      phase = .reading
      arm(requestTime, context: context)
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  /// A request is complete and its response begins: no deadline runs until `answered`.
  func answering() {
    phase = .answering
    timer?.cancel()
  }

  /// - Parameter hasBegun: whether a part of the next request has arrived.
  func answered(nextHasBegun hasBegun: Bool, context: ChannelHandlerContext) {
    phase = hasBegun ? .reading : .idle
    arm(hasBegun ? requestTime : idleTime, context: context)
  }

  private func arm(_ time: TimeAmount, context: ChannelHandlerContext) {
    timer?.cancel()
    guard context.channel.isActive else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
  }
}
