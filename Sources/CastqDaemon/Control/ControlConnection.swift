import CastqCore
import NIOCore

/// One client of a control socket. It is read from only while a line is wanted, so that what it sends faster than it is
/// answered waits in the kernel; and it is sent away when it does not finish its line in time.
final class ControlConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let patience: TimeAmount
  private let server: @Sendable () -> ControlServer?
  private var received: [UInt8] = []
  /// Bytes of `received` known to hold no line end.
  private var searched = 0
  private var isAnswering = false
  private var hasEnded = false
  private var deadline: Scheduled<Void>?

  init(patience: TimeAmount, server: @escaping @Sendable () -> ControlServer?) {
    self.patience = patience
    self.server = server
  }

  func channelActive(context: ChannelHandlerContext) {
    guard let server = server(), server.admit(context.channel) else { return context.close(promise: nil) }
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
    if !isAnswering { takeLine(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    hasEnded = true
    if !isAnswering { takeLine(context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func awaitLine(_ context: ChannelHandlerContext) {
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    context.read()
  }

  /// Answers the first whole line; without one, waits for the rest of it.
  private func takeLine(_ context: ChannelHandlerContext) {
    if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(received[..<end])
      received.removeSubrange(...end)
      searched = 0
      return answer(line, context)
    }
    searched = received.count
    if received.count > ControlRequest.lineLimit {
      // It is answered as what it is, and there is no telling where the next line would begin.
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
    deadline?.cancel()
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
    takeLine(context)
  }
}
