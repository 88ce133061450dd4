import CastTLS
import Glibc
import NIOCore
import NIOPosix

/// A TLS server on 127.0.0.1 with a port of the system's choice, and clients for it.
struct LoopbackServer {
  let listener: any Channel
  let group: MultiThreadedEventLoopGroup
  let clientContext: TLSContext

  var port: Int { listener.localAddress?.port ?? 0 }

  /// Runs `body` with a server on one event loop, which clients share, and takes everything down afterwards.
  /// - Parameters:
  ///   - receiveBuffer: of accepted sockets, in bytes; nil leaves the system's.
  ///   - accepted: adds handlers to a new connection.
  static func run(
    receiveBuffer: Int? = nil, autoRead: Bool = true,
    accepted: @escaping @Sendable (any Channel) throws -> Void,
    body: (LoopbackServer) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      var bootstrap = ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 2048)
        .childChannelOption(.autoRead, value: autoRead)
        .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try accepted(channel) }
        }
      if let receiveBuffer {
        bootstrap = bootstrap.serverChannelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
      }
      let listener = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
      try await body(LoopbackServer(listener: listener, group: group, clientContext: .client()))
    } catch {
      try await group.shutdownGracefully()
      throw error
    }
    try await group.shutdownGracefully()
  }

  /// Connects a client whose last handler is made by `last`.
  func connect(
    sendBuffer: Int? = nil, last: @escaping @Sendable (any EventLoop) -> any ChannelHandler
  ) -> EventLoopFuture<any Channel> {
    // A thousand that connect at once wait for each other's handshakes.
    var bootstrap = ClientBootstrap(group: group).connectTimeout(.minutes(4)).channelInitializer {
      [clientContext] channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([
          TLSHandler(context: clientContext, role: .client), last(channel.eventLoop),
        ])
      }
    }
    if let sendBuffer {
      bootstrap = bootstrap.channelOption(.socketOption(.so_sndbuf), value: .init(sendBuffer))
    }
    return bootstrap.connect(host: "127.0.0.1", port: port)
  }
}

/// How a peer ends a connection.
enum Ending: Hashable, Sendable, CaseIterable {
  /// close_notify, then the end.
  case farewell
  /// The end (FIN) alone.
  case cut
  /// A reset (RST).
  case reset
}

/// Sits between the socket and TLS: ends the connection without TLS knowing.
final class Cutter: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    if event as? Ending == .reset, let socket = context.channel as? any SocketOptionProvider {
      socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
        context.close(promise: promise)
      }
    } else {
      context.close(promise: promise)
    }
  }
}
