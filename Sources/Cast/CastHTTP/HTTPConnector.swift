import CastTLS
import NIOCore
import NIOHTTP1
import NIOPosix

/// Opens connections that end in a `ReplyCollector`.
struct HTTPConnector: Sendable {
  let group: any EventLoopGroup
  let extraRoots: String?
  let lookup: AddressLookup

  /// Shared by the process, because reading the system's roots takes time.
  private static let shared: Result<TLSContext, TLSError> = Result { () throws(TLSError) in
    try .verifyingClient()
  }

  /// The settings for `https`.
  private func tls() throws(TLSError) -> TLSContext {
    guard let extraRoots else { return try Self.shared.get() }
    return try .verifyingClient(extraRoots: extraRoots)
  }

  /// Connects; each channel registers with the attempt.
  /// - Parameters:
  ///   - screen: what may be connected to.
  ///   - timeout: for the TCP connection, including name resolution.
  func connect(
    _ attempt: HTTPAttempt, to address: HTTPAddress, through screen: AddressScreen, timeout: TimeAmount,
    collector: @escaping @Sendable (any EventLoop) -> ReplyCollector
  ) throws -> EventLoopFuture<any Channel> {
    let context = address.isSecure ? try tls() : nil
    let loop = group.next()
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(timeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // The call that can fail precedes the promise in the collector, which must be completed.
          let tls = try context.map { try TLSHandler(context: $0, role: .client, serverName: address.host) }
          let collector = collector(channel.eventLoop)
          do {
            guard attempt.add(channel, collector.reply.futureResult) else { throw CancellationError() }
            let pipeline = channel.pipeline.syncOperations
            if let tls { try pipeline.addHandler(tls) }
            try pipeline.addHandler(PlainHead())
            try pipeline.addHandlers([
              FramingGuard(allowance: collector.allowance, words: collector.words), HTTPRequestEncoder(),
              ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)), collector,
            ])
          } catch {
            collector.reply.fail(error)
            throw error
          }
        }
      }
    // An IP address needs no resolver, and so no resolver thread.
    if let literal = try? SocketAddress(ipAddress: address.host, port: address.port) {
      guard let passed = screen.passed([literal]).first else { throw ScreenedResolver.NothingPassed() }
      return bootstrap.connect(to: passed)
    }
    return bootstrap.resolver(ScreenedResolver(lookup, screen, on: loop))
      .connect(host: address.host, port: address.port)
  }
}
