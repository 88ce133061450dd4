package import CastGuard
import CastqAccepting
import Glibc
package import NIOCore
import NIOHTTP1
import NIOPosix

/// What a path is answered with.
package struct DoorAnswer: Sendable, Hashable {
  /// The status of HTTP, such as 200.
  package let status: Int
  package let text: String

  package init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }

  /// All is well.
  package init(_ text: String) { self.init(200, text) }
}

/// Serves a few short texts over HTTP to those who watch: `/metrics`, `/healthz`, `/readyz`. It has a thread of its own, so that it
/// answers also while everything else stands still.
package final class MetricDoor: Sendable {
  /// Answers a path, without its query, on the loop that is given.
  package typealias Handler = @Sendable (String, any EventLoop) -> EventLoopFuture<DoorAnswer>

  /// How long a connection may take for its request and its answer.
  static let patience = TimeAmount.seconds(15)
  /// Bytes that a request may have behind its head; nobody reads them.
  static let mostBody = 64 << 10

  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel

  private init(_ group: MultiThreadedEventLoopGroup, _ channel: any Channel) {
    (self.group, self.channel) = (group, channel)
  }

  /// The port; that of the system's choice where 0 was asked for.
  package var port: Int { channel.localAddress?.port ?? 0 }

  /// Listens; throws when the address cannot be had.
  /// - Parameters:
  ///   - hosts: under which names it is asked; nil has those that belong to the address.
  ///   - connections: how many there may be at a time; further ones are closed at once.
  package static func open(
    host: String, port: Int, hosts: AskedHosts? = nil, connections: Int = 64, _ handler: @escaping Handler
  ) async throws -> MetricDoor {
    let hosts = hosts ?? AskedHosts(listeningAt: host)
    guard DescriptorRoom.has(DescriptorRoom.ofLoop + 1) else {
      throw IOError(errnoCode: EMFILE, reason: "too many files are open")
    }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let places = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: group.next())
    do {
      let channel = try await ServerBootstrap(group: group)
        .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptPause())
          }
        }
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            guard places.value < connections else { throw ChannelError.operationUnsupported }
            places.value += 1
            channel.closeFuture.whenComplete { _ in places.value -= 1 }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(DoorHandler(hosts, handler))
          }
        }
        .bind(host: host, port: port).get()
      return MetricDoor(group, channel)
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  /// Closes every connection, and ends the thread.
  package func close() async {
    try? await channel.close()
    try? await group.shutdownGracefully()
  }
}

/// One connection: one request, one answer.
private final class DoorHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let hosts: AskedHosts
  private let handler: MetricDoor.Handler
  private var head: HTTPRequestHead?
  private var received = 0
  private var isAnswered = false

  init(_ hosts: AskedHosts, _ handler: @escaping MetricDoor.Handler) {
    (self.hosts, self.handler) = (hosts, handler)
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    let clock = context.eventLoop.scheduleTask(in: MetricDoor.patience) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in clock.cancel() }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): if self.head == nil { self.head = head }
    case .body(let bytes):
      received += bytes.readableBytes
      if received > MetricDoor.mostBody { context.close(promise: nil) }
    case .end:
      guard let head, !isAnswered else { return }
      isAnswered = true
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard head.method == .GET || head.method == .HEAD else {
      return write(DoorAnswer(405, "only GET is answered here\n"), head, context)
    }
    guard isAskedRightly(head) else {
      return write(
        DoorAnswer(
          403, "this is asked by its address, or by a name of metrics: hosts: in the configuration\n"), head,
        context)
    }
    let path = String(head.uri.prefix { $0 != "?" })
    handler(path, context.eventLoop).hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
      let failed = DoorAnswer(500, "the answer could not be made\n")
      self.write((try? result.get()) ?? failed, head, context)
    }
  }

  /// Browsers always name a host; balancers that speak HTTP/1.0 need not.
  private func isAskedRightly(_ head: HTTPRequestHead) -> Bool {
    let fields = head.headers["Host"]
    guard let field = fields.first else { return head.version.major == 1 && head.version.minor == 0 }
    return fields.count == 1 && hosts.admits(field: field)
  }

  private func write(_ answer: DoorAnswer, _ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    let headers: HTTPHeaders = [
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff", "Connection": "close",
      "Content-Length": "\(answer.text.utf8.count)",
    ]
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.text)))), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
