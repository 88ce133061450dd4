package import CastProtocol
import CastTLS
package import NIOCore
import NIOPosix
import Synchronization

/// Connections over TCP and TLS, as devices want them (protocol 1.1).
///
/// The connect time-out runs on the event loop and not on a `TimeSource`: it guards against networks, which do not follow
/// a manual clock.
package struct TLSTransport: Transport {
  private let group: any EventLoopGroup

  package init(group: any EventLoopGroup) { self.group = group }

  /// One for the process: it holds nothing of a single connection.
  private static let context: Result<TLSContext, TLSError> = Result { () throws(TLSError) in try .client() }

  package func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async throws(CastError) -> any TransportConnection {
    let context: TLSContext
    do {
      context = try Self.context.get()
    } catch {
      throw CastError(.secureTransportError, "TLS cannot be used on this computer", underlying: "\(error)")
    }
    let attempt = ConnectAttempt()
    let result = await withTaskCancellationHandler {
      await connect(endpoint, name, timeout, context, attempt, deliver)
    } onCancel: {
      attempt.cancel()
    }
    return try result.get()
  }

  private func connect(
    _ endpoint: DeviceEndpoint, _ name: String, _ timeout: Duration, _ context: TLSContext,
    _ attempt: ConnectAttempt, _ deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async -> Result<any TransportConnection, CastError> {
    let limit = TimeAmount.nanoseconds(Int64(max(timeout.seconds, 0.001) * 1e9))
    let deadline = NIODeadline.now() + limit
    let words = ConnectErrorWords(name: name, endpoint: endpoint, timeout: timeout)
    let backlog = Backlog()
    let bootstrap = ClientBootstrap(group: group.next())
      .connectTimeout(limit)
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard attempt.add(channel) else { throw CancellationError() }
          try channel.pipeline.syncOperations.addHandlers([
            TLSHandler(context: context, role: .client),
            FrameHandler(deadline: deadline, backlog: backlog, words: words, deliver: deliver),
          ])
        }
      }
    do {
      let channel = try await Self.connect(bootstrap, endpoint).get()
      return await finishOpening(channel, backlog, words)
    } catch {
      return .failure(attempt.isCancelled ? words.cancelled : words.error(for: error))
    }
  }

  /// Literal addresses need no resolver, and so no thread of one.
  private static func connect(_ bootstrap: ClientBootstrap, _ endpoint: DeviceEndpoint) -> EventLoopFuture<
    any Channel
  > {
    if let address = try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port) {
      return bootstrap.connect(to: address)
    }
    return bootstrap.connect(host: endpoint.host, port: endpoint.port)
  }

  /// TCP stands; waits for TLS.
  private func finishOpening(_ channel: any Channel, _ backlog: Backlog, _ words: ConnectErrorWords) async
    -> Result<any TransportConnection, CastError>
  {
    do {
      let handler = try await channel.eventLoop.submit {
        NIOLoopBound(
          try channel.pipeline.syncOperations.handler(type: FrameHandler.self), eventLoop: channel.eventLoop)
      }.get()
      try await channel.eventLoop.flatSubmit {
        handler.value.opened ?? channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
      }.get()
      return .success(TLSConnection(channel: channel, handler: handler, backlog: backlog))
    } catch {
      await TLSConnection.close(channel)
      return .failure(words.error(for: error))
    }
  }
}

/// The sockets of one attempt to connect, so that cancelling it leaves none open.
private final class ConnectAttempt: Sendable {
  private struct State {
    var channels: [any Channel] = []
    var isCancelled = false
  }
  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// False when it is too late.
  func add(_ channel: any Channel) -> Bool {
    state.withLock { state in
      if !state.isCancelled { state.channels.append(channel) }
      return !state.isCancelled
    }
  }

  func cancel() {
    let channels = state.withLock { state in
      state.isCancelled = true
      return state.channels
    }
    for channel in channels { channel.close(promise: nil) }
  }
}

/// An open connection: a channel whose last handler is a `FrameHandler`.
private struct TLSConnection: TransportConnection {
  let channel: any Channel
  let handler: NIOLoopBound<FrameHandler>
  let backlog: Backlog

  func send(_ message: CastMessage) {
    do {
      let frame = try FrameCodec.encode(message)
      channel.writeAndFlush(ByteBuffer(bytes: frame), promise: nil)
    } catch {
      // Sizes were checked before; what cannot be written all the same must not vanish in silence.
      channel.eventLoop.execute { handler.value.fail(with: error) }
    }
  }

  func consumed() {
    if backlog.remove() { channel.eventLoop.execute { handler.value.resumeReading() } }
  }

  func close() async { await Self.close(channel) }

  static func close(_ channel: any Channel) async {
    channel.close(promise: nil)
    do {
      try await channel.closeFuture.get()
    } catch {
      // The close future reports why it closed; closed it is.
    }
  }
}
