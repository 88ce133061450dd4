import CastqOperations
import NIOCore
import NIOHTTPTypes

/// Closes a connection that takes too long: for a request's head, for its body, or to read an answer.
///
/// Bytes that drip in do not extend a limit: it begins with the request and not with the last byte.
final class ConnectionDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: WebLimits
  private let book: ConnectionBook
  private var number: Int?
  private var timer: Scheduled<Void>?
  private var stall: Scheduled<Void>?
  private var isReading = false
  private var answersDue = 0

  init(_ limits: WebLimits, _ book: ConnectionBook) {
    self.limits = limits
    self.book = book
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard number == nil else { return }
    number = book.add(context.channel)
    start(limits.headTime, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    timer?.cancel()
    stall?.cancel()
    if let number { book.remove(number) }
    number = nil
  }

  private func start(_ seconds: Int, _ context: ChannelHandlerContext) {
    timer?.cancel()
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      isReading = true
      answersDue += 1
      start(limits.bodyTime, context)
      if let number { book.setIdle(number, false) }
    case .body: break
    case .end:
      isReading = false
      timer?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      answersDue -= 1
      if answersDue <= 0, !isReading {
        start(limits.headTime, context)
        if let number { book.setIdle(number, true) }
      }
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    if !context.channel.isWritable {
      let channel = context.channel
      stall = context.eventLoop.scheduleTask(in: .seconds(Int64(limits.writeTime))) {
        channel.close(promise: nil)
      }
    }
    context.fireChannelWritabilityChanged()
  }
}
