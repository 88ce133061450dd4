import NIOCore
import NIOEmbedded
import Testing

@testable import CastTLS

/// A handler in a channel without a socket, and an engine as its peer.
private struct HandlerBench {
  let channel: EmbeddedChannel
  let peer: TLSEngine
  let seen: AsyncStream<Seen>
  private(set) var plain: [UInt8] = []

  init(_ handlers: (any ChannelHandler)...) throws {
    let (seen, report) = AsyncStream.makeStream(of: Seen.self)
    self.seen = seen
    let context = try TLSContext.server(identity: TestIdentity.valid.get())
    peer = try TLSEngine(context: context, role: .server)
    channel = EmbeddedChannel()
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(TLSHandler(context: .client(), role: .client))
    try pipeline.addHandlers(handlers)
    try pipeline.addHandler(Witness(report))
  }

  func connect() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  /// Carries bytes until both are silent.
  mutating func pump() throws {
    while true {
      var isQuiet = true
      while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
        isQuiet = false
        plain += peer.receive(bytes).plain
      }
      if let answer = peer.takeOutput(ByteBufferAllocator()) {
        isQuiet = false
        try channel.writeInbound(answer)
      }
      if isQuiet { return }
    }
  }
}

/// Writes when it hears that the handshake is over.
private final class Greeter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted = event as? TLSEvent {
      context.writeAndFlush(NIOAny(ByteBuffer(string: "late")), promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }
}

@Suite("The TLS handler")
struct TLSHandlerTests {
  @Test("what was written first arrives first, also when the end of the handshake leads to more")
  func order() throws {
    var bench = try HandlerBench(Greeter())
    try bench.connect()
    let early = bench.channel.writeAndFlush(ByteBuffer(string: "early "))
    try bench.pump()
    try early.wait()
    #expect(String(decoding: bench.plain, as: UTF8.self) == "early late")
  }

  @Test("no more than a mebibyte waits for the handshake")
  func limit() throws {
    var bench = try HandlerBench()
    try bench.connect()
    let block = ByteBuffer(repeating: 1, count: 1 << 19)
    let fitting = (0..<2).map { _ in bench.channel.writeAndFlush(block) }
    #expect(throws: TLSError.tooMuchBeforeHandshake) {
      try bench.channel.writeAndFlush(ByteBuffer(string: "x")).wait()
    }
    try bench.pump()
    for write in fitting { try write.wait() }
    #expect(bench.plain.count == 1 << 20)
  }

  @Test("an end inside the handshake fails it, and what waited")
  func endInHandshake() async throws {
    let bench = try HandlerBench()
    try bench.connect()
    let write = bench.channel.eventLoop.makePromise(of: Void.self)
    bench.channel.writeAndFlush(ByteBuffer(string: "x"), promise: write)
    bench.channel.pipeline.fireChannelInactive()
    let failure = TLSError.handshakeFailed("the peer closed the connection")
    #expect(await bench.seen.all() == [.error("\(failure)"), .inactive])
    await #expect(throws: failure) { try await write.futureResult.get() }
  }

  @Test("a peer that speaks something else ends the connection, with words and once")
  func garbage() async throws {
    let bench = try HandlerBench()
    try bench.connect()
    _ = try bench.channel.writeInbound(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"))
    bench.channel.embeddedEventLoop.run()
    #expect(!bench.channel.isActive)
    let seen = await bench.seen.all()
    #expect(seen.count == 2)
    #expect(seen.last == .inactive)
    guard case .error(let words)? = seen.first else { return }
    #expect(words.hasPrefix("the TLS handshake failed ("))
  }
}
