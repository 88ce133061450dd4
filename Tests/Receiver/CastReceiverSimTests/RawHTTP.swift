import NIOCore
import NIOPosix

/// A client that says what it is told, and hears all that comes until the other side hangs up.
enum RawHTTP {
  /// A connection, and what is heard over it.
  struct Call: Sendable {
    fileprivate let channel: any Channel
    fileprivate let heard: EventLoopFuture<String>

    /// All that came, once the other side has hung up.
    func answer() async throws -> String { try await heard.get() }
  }

  static func connect(_ url: String) async throws -> Call {
    let parts = url.dropFirst("http://".count).split(separator: "/", maxSplits: 1)
    let port = parts.first?.split(separator: ":").last.flatMap { Int($0) } ?? 0
    let heard = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: String.self)
    let channel = try await ClientBootstrap(group: heard.futureResult.eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Listener(heard))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    return Call(channel: channel, heard: heard.futureResult)
  }

  /// Asks for an address; further header lines end with their line ends.
  static func ask(_ url: String, _ method: String, _ headers: String) async throws -> String {
    let call = try await connect(url)
    let path = url.dropFirst("http://".count).drop { $0 != "/" }
    try await call.channel.writeAndFlush(
      ByteBuffer(string: "\(method) \(path) HTTP/1.1\r\nHost: h\r\n\(headers)\r\n"))
    return try await call.answer()
  }

  private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let promise: EventLoopPromise<String>
    private var text = ""

    init(_ promise: EventLoopPromise<String>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      text += String(buffer: unwrapInboundIn(data))
    }
    func channelInactive(context: ChannelHandlerContext) { promise.succeed(text) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
