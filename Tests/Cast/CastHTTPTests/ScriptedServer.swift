import CastTLS
import NIOCore
import NIOPosix
import Synchronization

/// What a server does when a request has come.
enum Step: Sendable {
  case send(String)
  /// The same again and again, as fast as it is taken, until the client has gone.
  case flood(String)
  /// One byte of the text every 5 ms, from the beginning again at its end.
  case drip(String)
  case close
  /// Ends the connection under TLS, which says no farewell then.
  case cut
}

/// A server on the loopback interface whose answers are written by the test, byte by byte.
final class ScriptedServer: Sendable {
  private struct State {
    var requests: [String] = []
    var closed = 0
    var waiting: [(count: Int, promise: EventLoopPromise<Void>)] = []
  }
  private let state = Mutex(State())
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let bound = Mutex<SocketAddress?>(nil)
  /// Succeeds when the first request has come whole.
  let arrived: EventLoopPromise<Void>

  private init() { arrived = group.next().makePromise() }

  var port: Int { bound.withLock { $0?.port } ?? 0 }
  /// The requests so far, heads only.
  var requests: [String] { state.withLock { $0.requests } }

  /// Runs `body` with a server and takes everything down afterwards.
  /// - Parameters:
  ///   - tls: nil for plain HTTP.
  ///   - answer: what to do about a request, given its head.
  static func run(
    host: String = "127.0.0.1", tls: TLSContext? = nil,
    answer: @escaping @Sendable (String) -> [Step],
    body: (ScriptedServer) async throws -> Void
  ) async throws {
    let server = ScriptedServer()
    do {
      let listener = try await ServerBootstrap(group: server.group)
        .childChannelInitializer { channel in
          channel.closeFuture.whenComplete { _ in server.noteClosed() }
          return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(Cutter())
            if let tls { try pipeline.addHandler(TLSHandler(context: tls, role: .server)) }
            try pipeline.addHandler(Performer(server: server, answer: answer))
          }
        }
        .bind(host: host, port: 0).get()
      server.bound.withLock { $0 = listener.localAddress }
      try await body(server)
    } catch {
      server.arrived.succeed()
      try await server.group.shutdownGracefully()
      throw error
    }
    server.arrived.succeed()
    try await server.group.shutdownGracefully()
  }

  /// Waits until so many connections have been closed in all.
  func waitForClosed(_ count: Int) async throws {
    let promise = group.next().makePromise(of: Void.self)
    let isThere = state.withLock { state in
      if state.closed < count { state.waiting.append((count, promise)) }
      return state.closed >= count
    }
    if isThere { promise.succeed() }
    try await promise.futureResult.get()
  }

  fileprivate func note(_ request: String) {
    state.withLock { $0.requests.append(request) }
    arrived.succeed()
  }

  private func noteClosed() {
    let done = state.withLock { state in
      state.closed += 1
      let done = state.waiting.filter { $0.count <= state.closed }
      state.waiting.removeAll { $0.count <= state.closed }
      return done
    }
    for waiter in done { waiter.promise.succeed() }
  }
}

/// Carries out the steps of one connection.
private final class Performer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let server: ScriptedServer
  private let answer: @Sendable (String) -> [Step]
  private var request = ""
  private var isAnswered = false

  init(server: ScriptedServer, answer: @escaping @Sendable (String) -> [Step]) {
    self.server = server
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    request += String(buffer: unwrapInboundIn(data))
    guard !isAnswered, request.hasSuffix("\r\n\r\n") else { return }
    isAnswered = true
    server.note(request)
    for step in answer(request) { perform(step, context) }
  }

  private func perform(_ step: Step, _ context: ChannelHandlerContext) {
    switch step {
    case .send(let text): context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
    case .close: context.close(promise: nil)
    case .cut: context.triggerUserOutboundEvent(Cutter.Cut(), promise: nil)
    case .flood(let text):
      pour(ByteBuffer(string: String(repeating: text, count: 1 + 16_384 / text.utf8.count)), context)
    case .drip(let text): drip(Array(text.utf8), 0, context)
    }
  }

  private func drip(_ bytes: [UInt8], _ index: Int, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    context.writeAndFlush(NIOAny(ByteBuffer(bytes: [bytes[index % bytes.count]])), promise: nil)
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(5)) {
      self.drip(bytes, index + 1, context)
    }
  }

  /// Writes on when the last bytes are with the system; a failed write is the end.
  private func pour(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess {
      context.eventLoop.assumeIsolated().execute { self.pour(bytes, context) }
    }
    context.writeAndFlush(NIOAny(bytes), promise: written)
  }

  /// Clients that hang up are what many of these tests are about.
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Sits between the socket and TLS: ends the connection without TLS knowing.
private final class Cutter: ChannelOutboundHandler {
  struct Cut: Sendable {}
  typealias OutboundIn = ByteBuffer

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    context.close(promise: promise)
  }
}
