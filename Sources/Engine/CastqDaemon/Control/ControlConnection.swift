import CastqFeeding
import NIOCore

/// One client of a control socket. Reads only while a line is needed, so that excess input waits in the kernel, and closes the
/// connection if a line is not completed in time.
final class ControlConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let patience: TimeAmount
  private let server: @Sendable () -> ControlServer?
  private var received: [UInt8] = []
  /// Number of bytes of `received` already searched for a line end.
  private var searched = 0
  private var isAnswering = false
  /// The client gets one reply after the other, and sends nothing any more.
  private var isWatching = false
  private var hasEnded = false
  private var deadline: Scheduled<Void>?

  init(patience: TimeAmount, server: @escaping @Sendable () -> ControlServer?) {
    self.patience = patience
    self.server = server
  }

  func channelActive(context: ChannelHandlerContext) {
    guard let server = server() else { return context.close(promise: nil) }
    if let refusal = server.refusal(of: context.channel) {
      context.writeAndFlush(NIOAny(ByteBuffer(bytes: refusal)), promise: nil)
      return context.close(promise: nil)
    }
    awaitLine(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    server()?.forget(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isWatching {
      // The channel may be closing its input itself just now, and must not be closed before it has done so.
      let channel = context.channel
      if !received.isEmpty { context.eventLoop.execute { channel.close(promise: nil) } }
      return
    }
    if !isAnswering { answerNextLine(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    hasEnded = true
    if isWatching { return context.close(promise: nil) }
    if !isAnswering { answerNextLine(context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func awaitLine(_ context: ChannelHandlerContext) {
    let channel = context.channel
    server()?.note(channel, isIdle: true)
    deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    context.read()
  }

  /// Answers the first complete line, or reads on.
  private func answerNextLine(_ context: ChannelHandlerContext) {
    if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(received[..<end])
      received.removeSubrange(...end)
      searched = 0
      return answer(line, context)
    }
    searched = received.count
    if received.count > ControlRequest.lineLimit {
      // Answer with the parser's error, then close: the start of the next line is unknown.
      hasEnded = true
      let line = received
      received = []
      searched = 0
      return answer(line, context)
    }
    if hasEnded { return context.close(promise: nil) }
    context.read()
  }

  private func answer(_ line: [UInt8], _ context: ChannelHandlerContext) {
    guard let server = server() else { return context.close(promise: nil) }
    isAnswering = true
    server.note(context.channel, isIdle: false)
    deadline?.cancel()
    if server.stream(line, on: context.channel) {
      isWatching = true
      return context.read()
    }
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    let context = NIOLoopBound(context, eventLoop: context.eventLoop)
    server.answer(line, on: context.value.channel) { this.value.answered(context.value) }
  }

  private func answered(_ context: ChannelHandlerContext) {
    isAnswering = false
    guard context.channel.isActive else { return }
    if received.isEmpty, !hasEnded { return awaitLine(context) }
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    answerNextLine(context)
  }
}
