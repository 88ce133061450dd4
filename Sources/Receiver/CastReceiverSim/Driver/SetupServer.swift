package import CastProtocol
package import NIOCore
import NIOHTTP1
import NIOPosix

/// The device's small web page, `/setup/eureka_info`, which some senders read before they connect (protocol
/// 13.6).
package enum SetupServer {
  /// The content of the page; nil when the device is unreachable: the connection is closed without an answer.
  package typealias Information = @Sendable () async -> JSONValue?

  /// Starts to listen for HTTP; returns the port.
  package static func start(
    bind: String, port: Int, on group: any EventLoopGroup, information: @escaping Information
  ) async throws -> Int {
    let listener = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(SetupHandler(information: information))
        }
      }
      .bind(host: bind, port: port)
      .get()
    return listener.localAddress?.port ?? port
  }
}

private final class SetupHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let information: SetupServer.Information
  private var path = ""

  init(information: @escaping SetupServer.Information) { self.information = information }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): path = String(head.uri.prefix { $0 != "?" })
    case .body: break
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    let information = information
    let isKnown = path == "/setup/eureka_info"
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.makeFutureWithTask { await information() }.whenSuccess { body in
      let (handler, context) = handler.value
      guard let body else { return context.close(promise: nil) }
      handler.say(isKnown ? body.text : "", status: isKnown ? .ok : .notFound, context)
    }
  }

  private func say(_ text: String, status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
    let body = ByteBuffer(string: text)
    let headers: HTTPHeaders = [
      "Content-Type": "application/json", "Content-Length": String(body.readableBytes), "Connection": "close",
    ]
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
