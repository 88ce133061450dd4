import CastTLS
import NIOCore
import NIOPosix
import Testing

/// The end of a connection whose peer is still talking.
@Suite struct LingeringTests {
  @Test("last words reach a peer whose own words were not read", .timeLimit(.minutes(5)))
  func lastWordsArrive() async throws {
    let context = try TestCredentials.server()
    let group = MultiThreadedEventLoopGroup.singleton
    for _ in 0..<20 {
      let heard = group.next().makePromise(of: String.self)
      do {
        try await LoopbackServer.run(accepted: { channel in
          try channel.pipeline.syncOperations.addHandlers([
            TLSHandler(context: context, role: .server), Talker(heard),
          ])
        }) { server in
          let clientContext = server.clientContext
          let channel = try await ClientBootstrap(group: server.group)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
              channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                  TLSHandler(context: clientContext, role: .client, lingering: .seconds(10)), HangUp(),
                ])
              }
            }
            .connect(host: "127.0.0.1", port: server.port).get()
          try await channel.closeFuture.get()
        }
      } catch {
        // Nobody else does when there was no connection, and a promise that nobody keeps ends the whole run.
        heard.fail(error)
        throw error
      }
      #expect(try await heard.futureResult.get() == "goodbye")
    }
  }

  @Test("a peer that never closes is left when the time is up", .timeLimit(.minutes(5)))
  func waitsNoLonger() async throws {
    let context = try TestCredentials.server()
    try await LoopbackServer.run(
      autoRead: true,
      accepted: { channel in
        try channel.pipeline.syncOperations.addHandlers([
          IgnoresTheEnd(), TLSHandler(context: context, role: .server),
        ])
      }
    ) { server in
      let clientContext = server.clientContext
      let channel = try await ClientBootstrap(group: server.group)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
              TLSHandler(context: clientContext, role: .client, lingering: .milliseconds(50)), HangUp(),
            ])
          }
        }
        .connect(host: "127.0.0.1", port: server.port).get()
      // Without a limit this would not come back.
      try await channel.closeFuture.get()
    }
  }
}

/// Talks without end, and listens for one word.
private final class Talker: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer
  private let heard: EventLoopPromise<String>
  private var text = ""
  private var isTalking = false

  init(_ heard: EventLoopPromise<String>) { self.heard = heard }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSEvent.handshakeCompleted? = event as? TLSEvent {
      isTalking = true
      talk(context)
    }
  }

  private func talk(_ context: ChannelHandlerContext) {
    guard isTalking else { return }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 7, count: 4096)))
      .whenSuccess { bound.value.0.talk(bound.value.1) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { isTalking = false }

  func channelInactive(context: ChannelHandlerContext) {
    isTalking = false
    heard.succeed(text)
  }
}

/// Says one word when TLS stands, and closes.
private final class HangUp: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelActive(context: ChannelHandlerContext) { context.read() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case TLSEvent.handshakeCompleted? = event as? TLSEvent else { return }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "goodbye")), promise: nil)
    context.close(promise: nil)
  }
}

/// Keeps TLS from hearing that the peer has ended, and the channel from closing for it.
private final class IgnoresTheEnd: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    promise?.succeed()
  }
}
