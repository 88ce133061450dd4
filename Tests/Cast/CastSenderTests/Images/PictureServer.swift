import NIOCore
import NIOPosix
import Synchronization

/// A web server on the loopback interface that answers as the test says at the moment.
final class PictureServer: Sendable {
  private struct State {
    var answer = ""
    var body: [UInt8] = []
    var requests: [String] = []
    var listener: (any Channel)?
  }
  private let state = Mutex(State())
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  /// Answers wait for it.
  private let gate: EventLoopPromise<Void>
  /// Succeeds with the first request.
  let asked: EventLoopPromise<Void>
  /// Succeeds when the first connection is closed.
  let closed: EventLoopPromise<Void>

  private init() {
    gate = group.next().makePromise()
    asked = group.next().makePromise()
    closed = group.next().makePromise()
  }

  var requests: [String] { state.withLock { $0.requests } }
  var address: String { "http://127.0.0.1:\(state.withLock { $0.listener?.localAddress?.port } ?? 0)" }

  /// What every request is answered with from now on; the connection is closed after it.
  func answer(_ status: String = "200 OK", headers: [String] = [], body: [UInt8] = []) {
    let head = (["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers).joined(separator: "\r\n")
    state.withLock { ($0.answer, $0.body) = (head + "\r\n\r\n", body) }
  }

  /// Lets answers out.
  func openGate() { gate.succeed() }

  /// Nobody listens any more.
  func stopListening() async throws { try await state.withLock { $0.listener }?.close() }

  static func run(isGated: Bool = false, _ body: (PictureServer) async throws -> Void) async throws {
    let server = PictureServer()
    if !isGated { server.openGate() }
    let listener = try await ServerBootstrap(group: server.group).childChannelInitializer { channel in
      channel.closeFuture.whenComplete { _ in server.closed.succeed() }
      return channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(Answerer(server))
      }
    }.bind(host: "127.0.0.1", port: 0).get()
    server.state.withLock { $0.listener = listener }
    var failure: (any Error)?
    do { try await body(server) } catch { failure = error }
    server.openGate()
    server.asked.succeed()
    server.closed.succeed()
    try await server.group.shutdownGracefully()
    if let failure { throw failure }
  }

  fileprivate func take(_ request: String) -> EventLoopFuture<Void> {
    state.withLock { $0.requests.append(request) }
    asked.succeed()
    return gate.futureResult
  }

  fileprivate var bytes: ByteBuffer {
    state.withLock { state in
      var bytes = ByteBuffer(string: state.answer)
      bytes.writeBytes(state.body)
      return bytes
    }
  }
}

private final class Answerer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let server: PictureServer
  private var request = ""

  init(_ server: PictureServer) { self.server = server }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    request += String(buffer: unwrapInboundIn(data))
    guard request.hasSuffix("\r\n\r\n") else { return }
    let channel = context.channel
    server.take(request).whenComplete { [server] _ in
      channel.writeAndFlush(server.bytes).whenComplete { _ in channel.close(promise: nil) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Time that stands still until a test moves it.
final class StoppedClock: Sendable {
  private let milliseconds = Atomic<Int64>(1_800_000_000_000)

  var now: Int64 { milliseconds.load(ordering: .sequentiallyConsistent) }

  func advance(seconds: Int64) { milliseconds.wrappingAdd(seconds * 1000, ordering: .sequentiallyConsistent) }
}

/// The smallest heads of picture files that tell a size.
enum Picture {
  static func png(_ width: UInt8, _ height: UInt8, padding: Int = 0) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, width, 0, 0, 0, height] + [UInt8](repeating: 7, count: padding)
  }
  static let gif: [UInt8] = Array("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0x00]
  static let bmp: [UInt8] =
    Array("BM".utf8) + [
      1, 1, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 0x40, 1, 0, 0, 0x10, 0xFF, 0xFF, 0xFF,
    ]
  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC2, 0, 17, 8, 0, 0xF0, 1, 0x40, 3]
  private static func webp(_ kind: String, _ rest: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(kind)".utf8) + [0, 0, 0, 0] + rest
  }
  static let webpLossy = webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x41, 0xF0, 0x00])
  static let webpLossless = webp("VP8L", [0x2F, 0x3F, 0xC1, 0x3B, 0x00])
  static let webpExtended = webp("VP8X", [0, 0, 0, 0, 0x3F, 0x01, 0, 0xEF, 0, 0])
}
