import CastTLS
import NIOCore
import NIOPosix
import Testing

@Suite("TLSHandler on sockets", .timeLimit(.minutes(5))) struct SocketTests {
  @Test(
    "a farewell, a cut and a reset after the handshake are told apart",
    arguments: Ending.allCases, [TLSVersion.v1_2, .v1_3])
  func endings(ending: Ending, version: TLSVersion) async throws {
    let context = try TestCredentials.server(version)
    try await LoopbackServer.run(accepted: { channel in
      try channel.pipeline.syncOperations.addHandlers([
        Cutter(), TLSHandler(context: context, role: .server), EndOnBytes(ending),
      ])
    }) { server in
      let ended = server.group.next().makePromise(of: [String].self)
      let channel = try await server.connect { _ in EventLog(ended: ended) }.get()
      try await channel.writeAndFlush(ByteBuffer(string: "bye"))
      let told =
        switch ending {
        case .farewell: "peerClosed"
        case .cut: "error: \(TLSError.truncated)"
        case .reset: "error: \(TLSError.reset)"
        }
      let name = version == .v1_2 ? "TLSv1.2" : "TLSv1.3"
      #expect(try await ended.futureResult.get() == ["handshake \(name)", told, "inactive"])
    }
  }

  @Test("an end before the handshake has its own words", arguments: [Ending.cut, .reset])
  func endingEarly(ending: Ending) async throws {
    try await LoopbackServer.run(accepted: { channel in
      try channel.pipeline.syncOperations.addHandlers([Cutter(), EndOnBytes(ending)])
    }) { server in
      let ended = server.group.next().makePromise(of: [String].self)
      let lost = server.group.next().makePromise(of: Void.self)
      _ = try await server.connect { _ in
        EventLog(ended: ended) { context in
          context.writeAndFlush(NIOAny(ByteBuffer(string: "CONNECT")), promise: lost)
        }
      }.get()
      let error: TLSError = ending == .cut ? .closedDuringHandshake : .reset
      await #expect(throws: error) { try await lost.futureResult.get() }
      #expect(try await ended.futureResult.get() == ["error: \(error)", "inactive"])
    }
  }

  @Test("a server that stops reading stops the client, without memory growing; later all arrives")
  func backPressure() async throws {
    let total = 8 << 20
    let context = try TestCredentials.server()
    let group = MultiThreadedEventLoopGroup.singleton
    let accepted = group.next().makePromise(of: (any Channel).self)
    let arrived = group.next().makePromise(of: Int.self)
    try await LoopbackServer.run(
      receiveBuffer: 64 * 1024, autoRead: false,
      accepted: { channel in
        try channel.pipeline.syncOperations.addHandlers([
          TLSHandler(context: context, role: .server), Counter(total: total, arrived: arrived),
        ])
        accepted.succeed(channel)
      }
    ) { server in
      let stalled = server.group.next().makePromise(of: Int.self)
      let done = server.group.next().makePromise(of: Int.self)
      _ = try await server.connect(sendBuffer: 64 * 1024) { _ in
        Pump(total: total, stalled: stalled, done: done)
      }.get()
      // The kernel's buffers fill first; what they hold is small against the total.
      #expect(try await stalled.futureResult.get() < total / 2)
      let peer = try await accepted.futureResult.get()
      try await peer.setOption(.autoRead, value: true).get()
      // What comes along with the end of the handshake: one burst of four reads.
      #expect(try await arrived.futureResult.get() <= 4 * 64 * 1024)
      // NIO's high watermark of 64 KiB, one chunk beyond it.
      #expect(try await done.futureResult.get() <= 64 * 1024 + Pump.chunk)
    }
  }

  @Test("1,000 connections on one event loop shake hands and echo")
  func thousand() async throws {
    let context = try TestCredentials.server()
    try await LoopbackServer.run(accepted: { channel in
      try channel.pipeline.syncOperations.addHandlers([TLSHandler(context: context, role: .server), Echo()])
    }) { server in
      let answers = (0..<1000).map { index in
        let answer = server.group.next().makePromise(of: String.self)
        server.connect { _ in Question("hello \(index)", answer) }.cascadeFailure(to: answer)
        return answer.futureResult
      }
      let texts = try await EventLoopFuture.whenAllSucceed(answers, on: server.group.next()).get()
      #expect(texts == (0..<1000).map { "hello \($0)" })
    }
  }
}

/// Ends its connection in the given way when the first bytes come.
private final class EndOnBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  let ending: Ending
  init(_ ending: Ending) { self.ending = ending }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch ending {
    case .farewell: context.close(promise: nil)
    case .cut, .reset: context.triggerUserOutboundEvent(ending, promise: nil)
    }
  }
}

/// Writes `total` bytes as fast as the channel is writable.
private final class Pump: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  static let chunk = 64 * 1024

  private let total: Int
  private let stalled: EventLoopPromise<Int>
  private let done: EventLoopPromise<Int>
  private let bytes = ByteBuffer(repeating: 7, count: Pump.chunk)
  private var written = 0
  private var sent = 0
  private var mostUnsent = 0

  /// - Parameters:
  ///   - stalled: gets how much was written when the channel first became unwritable.
  ///   - done: gets the most bytes that ever waited in memory.
  init(total: Int, stalled: EventLoopPromise<Int>, done: EventLoopPromise<Int>) {
    self.total = total
    self.stalled = stalled
    self.done = done
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is TLSEvent { pump(context) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) { pump(context) }

  private func pump(_ context: ChannelHandlerContext) {
    while context.channel.isWritable, written < total {
      written += Self.chunk
      mostUnsent = max(mostUnsent, written - sent)
      let promise = context.eventLoop.makePromise(of: Void.self)
      promise.futureResult.assumeIsolated().whenSuccess {
        self.sent += Self.chunk
        if self.sent == self.total { self.done.succeed(self.mostUnsent) }
      }
      context.writeAndFlush(NIOAny(bytes), promise: promise)
      if !context.channel.isWritable || written == total { stalled.succeed(written) }
    }
  }
}

/// Counts bytes up to a total.
private final class Counter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let total: Int
  private let arrived: EventLoopPromise<Int>
  private var count = 0
  private var unasked = 0

  /// - Parameter arrived: gets, with the last byte, how many came while autoRead was off.
  init(total: Int, arrived: EventLoopPromise<Int>) {
    self.total = total
    self.arrived = arrived
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let length = unwrapInboundIn(data).readableBytes
    count += length
    if (try? context.channel.syncOptions?.getOption(.autoRead)) == false { unasked += length }
    if count == total { arrived.succeed(unasked) }
  }
}

private final class Echo: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.writeAndFlush(data, promise: nil) }
}

/// Says something after the handshake and hands on the answer.
private final class Question: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let text: String
  private let answer: EventLoopPromise<String>

  init(_ text: String, _ answer: EventLoopPromise<String>) {
    self.text = text
    self.answer = answer
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is TLSEvent { context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    answer.succeed(unwrapInboundIn(data).text)
  }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { answer.fail(error) }
}
