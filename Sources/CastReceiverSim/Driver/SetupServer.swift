import CastProtocol
package import NIOCore
import NIOHTTP1
import NIOPosix

/// The device's small web page, `/setup/eureka_info`, which some senders read before they connect (protocol
/// 13.6).
package enum SetupServer {
  /// Starts to listen for HTTP; returns the port.
  package static func start(
    _ configuration: ReceiverConfiguration, bind: String, port: Int, on group: any EventLoopGroup
  ) async throws -> Int {
    let listener = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(SetupHandler(configuration: configuration))
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

  private let configuration: ReceiverConfiguration
  private var path = ""

  init(configuration: ReceiverConfiguration) { self.configuration = configuration }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): path = String(head.uri.prefix { $0 != "?" })
    case .body: break
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    let isKnown = path == "/setup/eureka_info"
    let body = ByteBuffer(string: isKnown ? information.text : "")
    let headers: HTTPHeaders = [
      "Content-Type": "application/json", "Content-Length": String(body.readableBytes), "Connection": "close",
    ]
    let head = HTTPResponseHead(version: .http1_1, status: isKnown ? .ok : .notFound, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }

  private var information: JSONValue {
    [
      "name": .string(configuration.friendlyName), "ssdp_udn": .string(configuration.uuid), "version": 12,
      "build_version": "1",
      "device_info": [
        "manufacturer": "castq", "model_name": .string(configuration.model),
        "product_name": .string(configuration.model), "ssdp_udn": .string(configuration.uuid),
        "capabilities": [
          "display_supported": .bool(!configuration.isAudioOnly), "multizone_supported": false,
        ],
      ],
      "multizone": ["groups": [], "dynamic_groups": []],
    ]
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
