import NIOCore
import NIOPosix
import Testing

/// Takes connections and never says a word on them.
struct MuteServer: Sendable {
  let port: Int
  private let channel: any Channel

  static func start() async throws -> MuteServer {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    return MuteServer(port: channel.localAddress?.port ?? 0, channel: channel)
  }

  /// A medium that is never there and never not there.
  var slowMedium: String { "http://127.0.0.1:\(port)/slow.mp4" }

  func stop() async throws { try await channel.close() }
}

/// Whether a web address answers, and how, once the whole answer has been sent; nil when nobody is there.
func httpStatus(_ url: String) async throws -> Int? {
  let parts = url.dropFirst("http://".count).split(separator: "/", maxSplits: 1)
  let colon = try #require(parts[0].lastIndex(of: ":"))
  let host = parts[0][..<colon].filter { $0 != "[" && $0 != "]" }
  let port = Int(parts[0][colon...].dropFirst()) ?? 0
  let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: String.self)
  let connecting = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(FirstWords(answer))
      }
    }
    .connect(host: String(host), port: port)
  guard let channel = try? await connecting.get() else {
    answer.fail(ChannelError.eof)
    return nil
  }
  try await channel.writeAndFlush(
    ByteBuffer(string: "GET /\(parts[1]) HTTP/1.1\r\nHost: \(parts[0])\r\nConnection: close\r\n\r\n"))
  // Whoever else has the port by now may not speak HTTP.
  guard let words = try? await answer.futureResult.get().split(separator: " ") else { return nil }
  channel.close(promise: nil)
  return words.count > 1 ? Int(words[1]) : nil
}

private final class FirstWords: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let answer: EventLoopPromise<String>
  private var text = ""

  init(_ answer: EventLoopPromise<String>) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) {
    if text.isEmpty { answer.fail(ChannelError.eof) } else { answer.succeed(text) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
