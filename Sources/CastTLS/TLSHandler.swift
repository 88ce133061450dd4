package import NIOCore

/// What a `TLSHandler` tells the handlers behind it.
package enum TLSEvent: Sendable, Hashable {
  /// From here on bytes are plain.
  case handshakeCompleted(TLSPeer)
  /// The peer said goodbye: the end that follows is a clean one.
  case peerClosed
}

/// TLS in a channel: encrypted bytes towards the socket, plain bytes towards the application.
///
/// A clean end fires `TLSEvent.peerClosed` before `channelInactive`; an end without a goodbye fires the error
/// `TLSError.truncated`; a reset fires the socket's own error. What was written before the handshake waits for it. Decrypts
/// only what the socket has read, so a reader that stops reading stops the peer.
package final class TLSHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  private let engine: TLSEngine
  private var early: [(buffer: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
  private var earlyBytes = 0
  private var hasPeerClosed = false
  private var hasFailed = false

  package init(context: TLSContext, role: TLSRole) throws(TLSError) {
    engine = try TLSEngine(context: context, role: role)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  package func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    deliver(engine.start(), context)
    flushOutput(context, promise: nil)
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let outcomes = engine.receive(unwrapInboundIn(data))
    // The peer's answer may owe it something: the rest of a handshake, a key update, an alert.
    flushOutput(context, promise: nil)
    deliver(outcomes, context)
  }

  package func channelInactive(context: ChannelHandlerContext) {
    if !hasPeerClosed, !hasFailed {
      let error: TLSError =
        engine.state == .handshake ? .handshakeFailed("the peer closed the connection") : .truncated
      fail(error, context)
    }
    dropEarly(TLSError.closed)
    context.fireChannelInactive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) { dropEarly(TLSError.closed) }

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let buffer = unwrapOutboundIn(data)
    if engine.state == .handshake {
      guard earlyBytes + buffer.readableBytes <= TLSEngine.earlyLimit else {
        promise?.fail(TLSError.tooMuchBeforeHandshake)
        return
      }
      earlyBytes += buffer.readableBytes
      early.append((buffer, promise))
      return
    }
    encrypt(buffer, promise, context)
  }

  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode != .input {
      engine.closeNotify()
      flushOutput(context, promise: nil)
    }
    context.close(mode: mode, promise: promise)
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    hasFailed = true
    context.fireErrorCaught(error)
  }

  private func encrypt(
    _ buffer: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
  ) {
    do throws(TLSError) {
      try engine.write(buffer)
      writeOutput(context, promise: promise)
    } catch {
      promise?.fail(error)
    }
  }

  private func deliver(_ outcomes: [TLSEngine.Outcome], _ context: ChannelHandlerContext) {
    for outcome in outcomes {
      switch outcome {
      case .handshakeCompleted(let peer):
        context.fireUserInboundEventTriggered(TLSEvent.handshakeCompleted(peer))
        let waiting = early
        early = []
        earlyBytes = 0
        for (buffer, promise) in waiting { encrypt(buffer, promise, context) }
        if !waiting.isEmpty { context.flush() }
      case .data(let plain): context.fireChannelRead(wrapInboundOut(plain))
      case .peerClosed:
        hasPeerClosed = true
        context.fireUserInboundEventTriggered(TLSEvent.peerClosed)
      case .failed(let error):
        fail(error, context)
        context.close(promise: nil)
      }
    }
  }

  private func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
    hasFailed = true
    dropEarly(error)
    context.fireErrorCaught(error)
  }

  private func dropEarly(_ error: TLSError) {
    let waiting = early
    early = []
    earlyBytes = 0
    for (_, promise) in waiting { promise?.fail(error) }
  }

  private func writeOutput(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
    guard let output = engine.takeOutput(context.channel.allocator) else {
      promise?.succeed(())
      return
    }
    context.write(wrapOutboundOut(output), promise: promise)
  }

  private func flushOutput(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
    guard let output = engine.takeOutput(context.channel.allocator) else { return }
    context.writeAndFlush(wrapOutboundOut(output), promise: promise)
  }
}
