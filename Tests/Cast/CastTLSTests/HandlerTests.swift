import CastTLS
import Glibc
import NIOCore
import NIOEmbedded
import Testing

/// A client handler in a channel of memory; the other end of the wire is a bare engine.
private final class HandlerBench {
  let log = EventLog.Entries()
  let channel: EmbeddedChannel
  let server: EnginePair.Side

  init(version: TLSVersion = .v1_3, unsentReplyLimit: Int = 64 * 1024, before: [any ChannelHandler] = [])
    throws
  {
    let handler = try TLSHandler(context: .client(), role: .client, unsentReplyLimit: unsentReplyLimit)
    server = EnginePair.Side(try TLSEngine(context: TestCredentials.server(version), role: .server))
    channel = EmbeddedChannel()
    for handler in before { try channel.pipeline.syncOperations.addHandler(handler) }
    try channel.pipeline.syncOperations.addHandlers([handler, EventLog(log)])
  }

  func connect() throws { try channel.connect(to: .init(unixDomainSocketPath: "/none")).wait() }

  /// Carries bytes to and fro until both are silent.
  func exchange() throws {
    while true {
      let toServer = try channel.readOutbound(as: ByteBuffer.self)
      if let toServer { server.receive(toServer, pieceSize: .max) }
      let toClient = server.engine.takeOutput()
      if let toClient { try channel.writeInbound(toClient) }
      if toServer == nil, toClient == nil { return }
    }
  }

  func shutDown() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}

/// Keeps or fails what is written to it, as a socket does.
private final class StuckSocket: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  var failure: IOError?
  var isStuck = false
  var kept = 0
  var reads = 0
  private var promises: [EventLoopPromise<Void>] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let failure {
      promise?.fail(failure)
    } else if isStuck {
      kept += unwrapOutboundIn(data).readableBytes
      if let promise { promises.append(promise) }
    } else {
      context.write(data, promise: promise)
    }
  }

  func read(context: ChannelHandlerContext) {
    reads += 1
    context.read()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for promise in promises { promise.fail(ChannelError.eof) }
  }
}

@Suite("TLSHandler in memory") struct HandlerTests {
  @Test(
    "a connection that is lost is told without the words of the protocol",
    arguments: [TLSError.truncated, .reset])
  func plainWords(error: TLSError) {
    for word in ["TLS", "close_notify", "peer", "bytes", "farewell"] {
      #expect(!error.description.contains(word), "\(error)")
    }
  }

  @Test("events, bytes and the end come in order", arguments: [TLSVersion.v1_2, .v1_3])
  func order(version: TLSVersion) throws {
    let bench = try HandlerBench(version: version)
    defer { bench.shutDown() }
    try bench.connect()
    try bench.exchange()
    try bench.server.engine.write(ByteBuffer(string: "one"))
    try bench.exchange()
    try bench.server.engine.write(ByteBuffer(string: "two"))
    bench.server.engine.closeNotify()
    try bench.exchange()
    bench.channel.embeddedEventLoop.run()
    let name = version == .v1_2 ? "TLSv1.2" : "TLSv1.3"
    #expect(bench.log.lines == ["handshake \(name)", "one", "two", "peerClosed", "inactive"])
    #expect(bench.server.isPeerClosed, "our close_notify answers the peer's")
  }

  @Test("promises of early writes complete when the bytes go out, or fail with the connection")
  func earlyPromises() throws {
    for isCut in [false, true] {
      let bench = try HandlerBench()
      defer { bench.shutDown() }
      let before = bench.channel.writeAndFlush(ByteBuffer(string: "CONNECT"))
      try bench.connect()
      let after = bench.channel.writeAndFlush(ByteBuffer(string: " GET_STATUS"))
      let results = Results([before, after])
      let tooMuch = bench.channel.writeAndFlush(ByteBuffer(repeating: 0, count: TLSEngine.earlyWriteLimit))
      #expect(throws: TLSError.earlyWriteLimit(bytes: TLSEngine.earlyWriteLimit)) { try tooMuch.wait() }
      #expect(results.isEmpty)
      if isCut {
        bench.channel.pipeline.fireChannelInactive()
        #expect(results.errors == [.closedDuringHandshake, .closedDuringHandshake])
        #expect(bench.log.lines.first == "error: \(TLSError.closedDuringHandshake)")
      } else {
        try bench.exchange()
        #expect(results.successes == 2)
        #expect(bench.server.received.text == "CONNECT GET_STATUS")
      }
    }
  }

  @Test("what is written on the news of the handshake follows what was written before it")
  func writeOrder() throws {
    let bench = try HandlerBench()
    defer { bench.shutDown() }
    bench.log.onHandshake = { $0.writeAndFlush(NIOAny(ByteBuffer(string: "then PING")), promise: nil) }
    bench.channel.write(ByteBuffer(string: "first CONNECT, "), promise: nil)
    try bench.connect()
    try bench.exchange()
    #expect(bench.server.received.text == "first CONNECT, then PING")
  }

  @Test("the handshake reads for itself, then only who asks; half a record is asked for again")
  func reads() throws {
    let socket = StuckSocket()
    let bench = try HandlerBench(before: [socket])
    defer { bench.shutDown() }
    try bench.connect()
    #expect(socket.reads == 1)
    try bench.exchange()
    #expect(bench.log.lines == ["handshake TLSv1.3"])
    #expect(socket.reads == 1, "nothing is read for nobody")

    bench.channel.read()
    #expect(socket.reads == 2)
    try bench.server.engine.write(ByteBuffer(string: "asked"))
    var record = try #require(bench.server.engine.takeOutput())
    let half = record.readSlice(length: 10)
    try bench.channel.writeInbound(try #require(half))
    #expect(socket.reads == 3, "half a record is not what was asked for")
    try bench.channel.writeInbound(record)
    #expect(bench.log.lines.last == "asked")
    #expect(socket.reads == 3)
  }

  @Test("a closing channel says close_notify first, fails later writes and reports no error")
  func close() throws {
    let bench = try HandlerBench()
    defer { bench.shutDown() }
    try bench.connect()
    try bench.exchange()
    #expect(throws: ChannelError.operationUnsupported) { try bench.channel.close(mode: .output).wait() }
    try bench.channel.close().wait()
    try bench.exchange()
    #expect(bench.server.isPeerClosed)
    #expect(bench.log.lines == ["handshake TLSv1.3", "inactive"])
    #expect(throws: (any Error).self) { try bench.channel.write(ByteBuffer(string: "x")).wait() }
  }

  @Test(
    "an end without close_notify is truncation, a reset is a reset, whoever notices it",
    arguments: [
      (Int32?.none, false, "\(TLSError.truncated)"),
      (ECONNRESET, false, "\(TLSError.reset)"),
      (ECONNRESET, true, "\(TLSError.reset)"),
      (EPIPE, true, "\(TLSError.reset)"),
      (ETIMEDOUT, false, "\(IOError(errnoCode: ETIMEDOUT, reason: "socket"))"),
      (ETIMEDOUT, true, "\(IOError(errnoCode: ETIMEDOUT, reason: "socket"))"),
    ])
  func losses(errno: Int32?, isWrite: Bool, words: String) throws {
    let error = errno.map { IOError(errnoCode: $0, reason: "socket") }
    let socket = StuckSocket()
    let bench = try HandlerBench(before: [socket])
    defer { bench.shutDown() }
    try bench.connect()
    try bench.exchange()
    if isWrite {
      socket.failure = error
      #expect(throws: IOError.self) { try bench.channel.writeAndFlush(ByteBuffer(string: "PING")).wait() }
    } else if let error {
      bench.channel.pipeline.fireErrorCaught(error)
    }
    bench.channel.pipeline.fireChannelInactive()
    #expect(bench.log.lines.prefix(3) == ["handshake TLSv1.3", "error: \(words)", "inactive"])
  }

  @Test("a peer that provokes answers and reads none loses the connection")
  func unreadReplies() throws {
    let socket = StuckSocket()
    socket.isStuck = true
    let bench = try HandlerBench(unsentReplyLimit: 100, before: [socket])
    defer { bench.shutDown() }
    try bench.connect()
    #expect(socket.kept > 100)
    #expect(
      bench.log.lines.first
        == "error: the TLS connection broke: the peer forces replies without reading them")
  }

  @Test("garbage fails the handshake once, in words, and closes")
  func garbage() throws {
    let bench = try HandlerBench()
    defer { bench.shutDown() }
    try bench.connect()
    try bench.channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"))
    bench.channel.embeddedEventLoop.run()
    #expect(bench.log.lines == ["error: the TLS handshake failed: wrong version number", "inactive"])
  }
}

/// How futures of one event loop ended.
private final class Results {
  private(set) var successes = 0
  private(set) var errors: [TLSError] = []
  var isEmpty: Bool { successes == 0 && errors.isEmpty }

  init(_ futures: [EventLoopFuture<Void>]) {
    for future in futures {
      future.assumeIsolated().whenComplete { result in
        switch result {
        case .success: self.successes += 1
        case .failure(let error): if let error = error as? TLSError { self.errors.append(error) }
        }
      }
    }
  }
}
