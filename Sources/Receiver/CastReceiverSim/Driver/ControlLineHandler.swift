import NIOCore

/// One connection of a control socket: lines in, answers out, in order.
final class ControlLineHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Longest line, in bytes.
  static let lineLimit = 8192

  private let answer: ControlSocket.Answer
  private var unread = ByteBuffer()
  private var isAnswering = false
  /// Whether the input has ended; pending lines are still answered.
  private var hasEnded = false

  init(answer: @escaping ControlSocket.Answer) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unread.writeImmutableBuffer(unwrapInboundIn(data))
    proceed(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    hasEnded = true
    proceed(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Dequeues the next line, unless one is being answered.
  private func proceed(_ context: ChannelHandlerContext) {
    guard !isAnswering else { return }
    let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n"))
    let length = (end ?? unread.writerIndex) - unread.readerIndex
    guard length <= Self.lineLimit else { return refuse(context) }
    guard end != nil, let line = unread.readString(length: length) else {
      if hasEnded { return context.close(promise: nil) }
      unread.discardReadBytes()
      return setReading(true, context)
    }
    unread.moveReaderIndex(forwardBy: 1)
    isAnswering = true
    // Backpressure: nothing is read while a line is being answered.
    setReading(false, context)
    let answer = answer
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.makeFutureWithTask { await answer(line) }.whenSuccess { text in
      let (handler, context) = bound.value
      context.writeAndFlush(handler.wrapOutboundOut(ByteBuffer(string: text + "\n")), promise: nil)
      handler.isAnswering = false
      handler.proceed(context)
    }
  }

  private func setReading(_ isReading: Bool, _ context: ChannelHandlerContext) {
    context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
  }

  private func refuse(_ context: ChannelHandlerContext) {
    // Further lines of this connection are ignored.
    isAnswering = true
    setReading(false, context)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "error: the line is too long\n")))
      .whenComplete { _ in channel.close(promise: nil) }
  }
}
