import CastTLS
import CastqDocuments
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// A connection: TLS if there are certificate files, then HTTP/1.1 with limits.
struct WebChannel: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  private let http: HTTP1Channel
  private let tls: TLSContext?

  init(
    _ limits: WebLimits, _ book: ConnectionBook, tls: TLSContext?,
    responder: @escaping HTTPChannelHandler.Responder
  ) {
    let configuration = HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionDeadline(limits, book)],
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: limits.head, maxHeaderListSize: limits.head, maxHeaderFieldCount: 100))
    http = HTTP1Channel(responder: responder, configuration: configuration)
    self.tls = tls
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    if let tls {
      do {
        let handler = try TLSHandler(context: tls, role: .server, lingering: .seconds(1))
        try channel.pipeline.syncOperations.addHandler(handler)
      } catch {
        return channel.eventLoop.makeFailedFuture(error)
      }
    }
    return http.setup(channel: channel, logger: logger)
  }

  func handle(value: Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
