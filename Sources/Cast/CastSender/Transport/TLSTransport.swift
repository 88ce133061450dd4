package import CastProtocol
import CastTLS
import Glibc
import Logging
package import NIOCore
import NIOPosix

/// Connections over TCP and TLS (protocol 1.1).
///
/// The connect time-out runs on the event loop and not on a `TimeSource`: it guards against networks, which do not follow a manual
/// clock.
package struct TLSTransport: Transport {
  private let group: any EventLoopGroup
  private let mostUnsent: Int
  private let resolver: (any Resolver & Sendable)?
  private let logger = CastLogger.shared.logger(for: .tlsTransport)

  package init(group: any EventLoopGroup) { self.init(group: group, mostUnsent: UnsentOutput.limit) }

  /// - Parameters:
  ///   - mostUnsent: bytes of unsent output beyond which a connection closes.
  ///   - resolver: finds the addresses of host names; nil asks the system.
  init(
    group: any EventLoopGroup, mostUnsent: Int = UnsentOutput.limit,
    resolver: (any Resolver & Sendable)? = nil
  ) {
    self.group = group
    self.mostUnsent = mostUnsent
    self.resolver = resolver
  }

  /// Time limit for the device's close_notify: to the device, a lost CLOSE looks like a sender that vanished.
  private static let lingering = TimeAmount.milliseconds(500)

  /// A year, in seconds: NIO counts nanoseconds, of which 64 bits hold some 290 years.
  private static let longestTimeout = 31_536_000.0

  /// Shared by the process: it holds no state of a single connection.
  private static let context: Result<TLSContext, TLSError> = Result { () throws(TLSError) in try .client() }

  /// Makes what the first connection would make, which takes OpenSSL some milliseconds.
  package static func prepare() { _ = context }

  /// Opens TCP, then TLS. Certificates are not verified here: devices sign their own (protocol 1.1, 2).
  package func open(
    _ endpoint: DeviceEndpoint, name: String, timeout: Duration, early: EarlyLaunch?,
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
    do throws(CastError) {
      let connection = try result.get()
      logger.debug("connected", metadata: ["cast.device": "\(endpoint)"])
      return connection
    } catch {
      logger.debug("cannot connect", metadata: ["cast.device": "\(endpoint)", "cast.error": "\(error)"])
      throw error
    }
  }

  private func connect(
    _ endpoint: DeviceEndpoint, _ name: String, _ timeout: Duration, _ context: TLSContext,
    _ attempt: ConnectAttempt, _ deliver: @escaping @Sendable (TransportEvent) -> Void
  ) async -> Result<any TransportConnection, CastError> {
    let limit = TimeAmount.nanoseconds(
      Int64(bounded: min(max(timeout.seconds, 0.001), Self.longestTimeout) * 1e9))
    let deadline = NIODeadline.now() + limit
    let words = ConnectErrorWords(name: name, endpoint: endpoint, timeout: timeout)
    // Beyond 16 bits NIO would trap on an address, and call another port of a name.
    guard endpoint.hasPort else { return .failure(words.badPort) }
    let backlog = Backlog()
    let bootstrap = ClientBootstrap(group: group.next())
      .connectTimeout(limit)
      .resolver(resolver)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // The call that can fail precedes the promise, which must be completed.
          let tls = try TLSHandler(context: context, role: .client, lingering: Self.lingering)
          let frames = FrameHandler(
            opened: channel.eventLoop.makePromise(), deadline: deadline, backlog: backlog, words: words,
            deliver: deliver)
          do {
            let opening = Opening(
              handler: NIOLoopBound(frames, eventLoop: channel.eventLoop), opened: frames.opened.futureResult)
            guard attempt.add(channel, opening) else { throw CancellationError() }
            try channel.pipeline.syncOperations.addHandlers([tls, frames])
          } catch {
            frames.opened.fail(error)
            throw error
          }
        }
      }
    do {
      let channel = try await attempt.wait(for: Self.connect(bootstrap, endpoint))
      return await finishOpening(channel, attempt, backlog, words)
    } catch {
      await attempt.end()
      return .failure(attempt.isCancelled ? words.cancelled : words.error(for: error))
    }
  }

  /// IP addresses need no resolver, and so no resolver thread.
  private static func connect(_ bootstrap: ClientBootstrap, _ endpoint: DeviceEndpoint) -> EventLoopFuture<
    any Channel
  > {
    if let address = try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port) {
      return bootstrap.connect(to: address)
    }
    return bootstrap.connect(host: endpoint.host, port: endpoint.port)
  }

  /// Waits for TLS after TCP is established.
  private func finishOpening(
    _ channel: any Channel, _ attempt: ConnectAttempt, _ backlog: Backlog, _ words: ConnectErrorWords
  ) async -> Result<any TransportConnection, CastError> {
    do {
      guard let opening = attempt.attachment(of: channel) else { throw ChannelError.ioOnClosedChannel }
      let certificate = try await opening.opened.map { opening.handler.value.peerCertificate }.get()
      return .success(
        TLSConnection(
          channel: channel, handler: opening.handler, backlog: backlog,
          unsent: UnsentOutput(limit: mostUnsent), peerCertificate: certificate))
    } catch {
      await TLSConnection.close(channel)
      return .failure(attempt.isCancelled ? words.cancelled : words.error(beforeHandshake: error))
    }
  }
}

/// What belongs to a socket of an attempt.
private struct Opening: Sendable {
  let handler: NIOLoopBound<FrameHandler>
  /// Completed with TLS.
  let opened: EventLoopFuture<Void>
}

private typealias ConnectAttempt = ConnectionAttempt<Opening>

/// An open connection: a channel whose last handler is a `FrameHandler`.
private struct TLSConnection: TransportConnection {
  let channel: any Channel
  let handler: NIOLoopBound<FrameHandler>
  let backlog: Backlog
  let unsent: UnsentOutput
  let peerCertificate: [UInt8]?

  func send(_ message: CastMessage) {
    do {
      let frame = try FrameCodec.encode(message)
      guard unsent.add(frame.count) else { throw UnreadOutput() }
      let sent = channel.eventLoop.makePromise(of: Void.self)
      sent.futureResult.whenComplete { [unsent, count = frame.count] _ in unsent.remove(count) }
      channel.writeAndFlush(ByteBuffer(bytes: frame), promise: sent)
    } catch {
      // Sizes were checked before; a message that still cannot be sent must not vanish silently.
      channel.eventLoop.execute { handler.value.fail(with: error) }
    }
  }

  var isWritable: Bool { channel.isWritable }

  var peerHost: String? {
    // The system writes an address of one link with its interface, without which it says nothing.
    channel.remoteAddress?.withSockAddr { address, size in
      var text = [CChar](repeating: 0, count: 64)
      guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      else { return nil }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
      // The close future reports the cause; the channel is closed in any case.
    }
  }
}
