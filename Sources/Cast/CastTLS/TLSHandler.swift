import Glibc
package import NIOCore

/// TLS in a channel: a `TLSEngine` between the network and the handlers after it. Both sides are plain `ByteBuffer`s, so the
/// handlers after it need not know about it.
///
/// Those handlers receive, in this order:
/// * `TLSEvent.handshakeCompleted`, then decrypted bytes;
/// * at the end either `TLSEvent.peerClosed` (all bytes have arrived), or one `TLSError` through `errorCaught`
///   (`.truncated`, `.reset`, …), or nothing when they closed the channel themselves;
/// * `channelInactive`. The handler closes the channel by itself in the first two cases.
///
/// The user is responsible for a time-out of the handshake. A write's promise completes when its encrypted bytes are written, so
/// NIO's watermarks and `channelWritability` work; before the end of the handshake up to `TLSEngine.earlyWriteLimit` bytes are
/// buffered. With autoRead off the socket is not read between calls of `read()`; only the handshake reads by itself, and data that
/// arrives with its end is passed on without a call. (It cannot be held back: switching autoRead on reads from the socket without
/// notifying the handlers.)
package final class TLSHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  private enum Phase {
    case waiting
    case running
    /// The end has been reported; only `channelInactive` follows.
    case closing
  }

  private let engine: TLSEngine
  private var phase = Phase.waiting
  /// Promises of the writes that the engine buffers until the end of the handshake.
  private var earlyPromises: [EventLoopPromise<Void>] = []
  /// A call of `read()` by the user has not been answered yet.
  private var isReadWanted = false
  /// Data was passed on since the last `channelReadComplete`.
  private var hasDelivered = false
  /// Bytes produced by the engine itself that the socket has not accepted yet.
  private var unsentReplies = 0
  private let unsentReplyLimit: Int
  /// How long the end of the channel waits for the peer's; nil does not wait.
  private let lingering: TimeAmount?
  /// The end of the wait for the peer's end, and its promise.
  private var linger: (limit: Scheduled<Void>, done: EventLoopPromise<Void>?)?
  /// The socket's failure; distinguishes a reset from an end without close_notify.
  private var transportError: IOError?

  /// - Parameters:
  ///   - serverName: the name in the server's certificate, as for `TLSEngine`.
  ///   - unsentReplyLimit: how many bytes of replies a peer may cause without reading them (such as refused renegotiations), before
  ///     the connection is closed.
  ///   - lingering: how long a closed channel continues to read, and discards the data, until the peer has closed it, too. Closing
  ///     a socket with unread data resets the connection, and the peer loses the last bytes that it has not read. Nil closes at
  ///     once.
  /// - Throws: `TLSError.unusable` when OpenSSL has no memory, or the name is missing or unusable.
  package init(
    context: TLSContext, role: TLSEngine.Role, serverName: String? = nil, unsentReplyLimit: Int = 64 * 1024,
    lingering: TimeAmount? = nil
  ) throws(TLSError) {
    self.unsentReplyLimit = unsentReplyLimit
    self.lingering = lingering
    engine = try TLSEngine(context: context, role: role, serverName: serverName)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { start(context) }
  }

  package func channelActive(context: ChannelHandlerContext) {
    start(context)
    context.fireChannelActive()
  }

  private func start(_ context: ChannelHandlerContext) {
    guard phase == .waiting else { return }
    phase = .running
    deliver(engine.start(), context)
    if phase == .running { context.read() }
  }
}

// MARK: - From the network

extension TLSHandler {
  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase == .running else { return }
    deliver(engine.receive(unwrapInboundIn(data)), context)
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    if hasDelivered {
      hasDelivered = false
      isReadWanted = false
    }
    context.fireChannelReadComplete()
    if linger != nil { context.read() }
    // The bytes were part of a handshake or of a record: the read has no result yet.
    if phase == .running, isReadWanted || engine.state == .handshake { context.read() }
  }

  /// Reports the result of received bytes. Every call may close the channel, hence the checks of `phase`.
  private func deliver(_ outcome: TLSEngine.Outcome, _ context: ChannelHandlerContext) {
    if outcome.completed != nil { sendEarly(context) } else { sendReplies(context) }
    if let peer = outcome.completed, phase == .running {
      context.fireUserInboundEventTriggered(TLSEvent.handshakeCompleted(peer))
    }
    if let plaintext = outcome.plaintext, phase == .running {
      hasDelivered = true
      context.fireChannelRead(wrapInboundOut(plaintext))
    }
    guard phase == .running else { return }
    if let error = outcome.failure {
      end(context, error)
    } else if outcome.peerClosed {
      phase = .closing
      context.fireUserInboundEventTriggered(TLSEvent.peerClosed)
      context.close(mode: .all, promise: nil)
    } else if unsentReplies > unsentReplyLimit {
      end(context, .recordFailed("the peer forces replies without reading them"))
    }
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { lose(context) }
    context.fireUserInboundEventTriggered(event)
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard phase == .running, let error = error as? IOError else {
      return context.fireErrorCaught(error)
    }
    transportError = error
    lose(context)
  }

  package func channelInactive(context: ChannelHandlerContext) {
    lose(context)
    linger?.limit.cancel()
    linger?.done?.succeed()
    linger = nil
    phase = .closing
    failEarly(.closed)
    context.fireChannelInactive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    phase = .closing
    failEarly(.closed)
  }

  /// The connection ended without close_notify.
  private func lose(_ context: ChannelHandlerContext) {
    guard phase == .running else { return }
    switch transportError {
    case .some(let error) where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
      end(context, .reset)
    case .some(let error): end(context, reason: .reset, told: error)
    case nil: end(context, engine.state == .handshake ? .closedDuringHandshake : .truncated)
    }
  }

  private func end(_ context: ChannelHandlerContext, _ error: TLSError) {
    end(context, reason: error, told: error)
  }

  /// - Parameter told: other socket errors (no route, timed out) keep their own words.
  private func end(_ context: ChannelHandlerContext, reason: TLSError, told: any Error) {
    phase = .closing
    failEarly(reason)
    context.fireErrorCaught(told)
    context.close(mode: .all, promise: nil)
  }
}

// MARK: - To the network

extension TLSHandler {
  package func read(context: ChannelHandlerContext) {
    isReadWanted = true
    context.read()
  }

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    do throws(TLSError) {
      guard phase != .closing else { throw .closed }
      let isEarly = engine.state == .handshake
      let bytes = unwrapOutboundIn(data)
      try engine.write(bytes)
      if !isEarly {
        send(engine.takeOutput() ?? ByteBuffer(), context, promise)
      } else if let promise {
        earlyPromises.append(promise)
      }
    } catch {
      promise?.fail(error)
      if case .recordFailed = error { end(context, error) }
    }
  }

  /// Sends close_notify, then closes. Half-closing is refused: CASTV2 does not use it.
  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .all else {
      promise?.fail(ChannelError.operationUnsupported)
      return
    }
    let isOrderly = phase == .running && engine.state != .handshake
    if phase == .running {
      phase = .closing
      engine.closeNotify()
      if let goodbye = engine.takeOutput() {
        send(goodbye, context, nil)
        context.flush()
      }
    }
    failEarly(.closed)
    if isOrderly, let lingering {
      closeSlowly(context, within: lingering, promise)
    } else {
      context.close(mode: .all, promise: promise)
    }
  }

  /// Shuts down the output, and waits for the peer to do the same.
  private func closeSlowly(
    _ context: ChannelHandlerContext, within limit: TimeAmount, _ promise: EventLoopPromise<Void>?
  ) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let timer = context.eventLoop.scheduleTask(in: limit) {
      let (handler, context) = bound.value
      let promise = handler.linger?.done
      handler.linger = nil
      context.close(mode: .all, promise: promise)
    }
    linger = (timer, promise)
    context.close(mode: .output, promise: nil)
    context.read()
  }

  /// Sends the end of the handshake and the buffered writes.
  private func sendEarly(_ context: ChannelHandlerContext) {
    let promises = earlyPromises
    earlyPromises = []
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { result in
      for promise in promises { promise.completeWith(result) }
    }
    send(engine.takeOutput() ?? ByteBuffer(), context, sent)
    context.flush()
  }

  /// Sends the engine's own output: handshake messages, alerts, replies.
  private func sendReplies(_ context: ChannelHandlerContext) {
    guard let output = engine.takeOutput() else { return }
    let count = output.readableBytes
    unsentReplies += count
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { [self] _ in unsentReplies -= count }
    send(output, context, sent)
    context.flush()
  }

  /// Records a failure, because NIO reports a socket's write failure to the promises only.
  private func send(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?)
  {
    let sent = promise ?? context.eventLoop.makePromise()
    sent.futureResult.assumeIsolated().whenFailure { [self] error in
      if let error = error as? IOError { transportError = error }
    }
    context.write(wrapOutboundOut(bytes), promise: sent)
  }

  private func failEarly(_ error: TLSError) {
    let promises = earlyPromises
    earlyPromises = []
    for promise in promises { promise.fail(error) }
  }
}
