import CastTLS
import CastqOperations
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection: TLS if there are certificate files, then HTTP/1.1 with limits.
struct WebChannel: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  private let http: HTTP1Channel
  private let certificate: WebCertificate?

  init(
    _ limits: WebLimits, _ book: ConnectionBook, _ certificate: WebCertificate?,
    responder: @escaping HTTPChannelHandler.Responder
  ) {
    let configuration = HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionDeadline(limits, book)],
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: limits.head, maxHeaderListSize: limits.head, maxHeaderFieldCount: 100))
    http = HTTP1Channel(responder: responder, configuration: configuration)
    self.certificate = certificate
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    if let certificate {
      do {
        let handler = try TLSHandler(context: certificate.context, role: .server, lingering: .seconds(1))
        try channel.pipeline.syncOperations.addHandler(handler)
      } catch {
        return channel.eventLoop.makeFailedFuture(error)
      }
    }
    return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(RequestTarget(), position: .after(decoder))
      return value
    }
  }

  func handle(value: Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
