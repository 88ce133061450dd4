import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import CastTLS

/// A client and a server joined by a real connection over loopback.
private struct Link {
  let client: any Channel
  let server: any Channel
  let clientSeen: AsyncStream<Seen>
  let serverSeen: AsyncStream<Seen>
  private let listener: any Channel

  /// `early` is what the client writes before the handshake can have begun.
  static func open(early: [String] = []) async throws -> Link {
    let group = MultiThreadedEventLoopGroup.singleton
    let (clientSeen, clientReport) = AsyncStream.makeStream(of: Seen.self)
    let (serverSeen, serverReport) = AsyncStream.makeStream(of: Seen.self)
    let (accepted, accept) = AsyncStream.makeStream(of: (any Channel).self)
    let serverContext = try TLSContext.server(identity: TestIdentity.valid.get())
    let clientContext = try TLSContext.client()
    let listener = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandlers(TLSHandler(context: serverContext, role: .server), Witness(serverReport))
          accept.yield(channel)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let client = try await ClientBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandlers(
            TLSHandler(context: clientContext, role: .client), EarlyWriter(early), Witness(clientReport))
        }
      }
      .connect(to: #require(listener.localAddress)).get()
    var channels = accepted.makeAsyncIterator()
    let server = try #require(await channels.next())
    return Link(
      client: client, server: server, clientSeen: clientSeen, serverSeen: serverSeen, listener: listener)
  }

  /// Waits until both sides have agreed.
  func agree() async {
    for seen in [clientSeen, serverSeen] {
      var iterator = seen.makeAsyncIterator()
      #expect(await iterator.next() == .handshake)
    }
  }

  /// Closes the server's socket without a word of TLS.
  func cut(reset: Bool) async throws {
    let server = server
    if reset, let socket = server as? any SocketOptionProvider {
      try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try await server.eventLoop.submit {
      try server.pipeline.syncOperations.context(handlerType: TLSHandler.self).close(promise: nil)
    }.get()
  }

  func end() async throws {
    try? await client.close()
    try? await server.close()
    try await listener.close()
  }
}

/// Writes as soon as there is a connection.
private final class EarlyWriter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let texts: [String]
  init(_ texts: [String]) { self.texts = texts }

  func channelActive(context: ChannelHandlerContext) {
    for text in texts { context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil) }
    context.fireChannelActive()
  }
}

@Suite("TLS over sockets")
struct TLSSocketTests {
  enum Ending: Sendable, CaseIterable {
    case clean, cut, reset
  }

  @Test("a goodbye, a cut and a reset are told apart", arguments: Ending.allCases)
  func endings(ending: Ending) async throws {
    let link = try await Link.open()
    await link.agree()
    switch ending {
    case .clean: try await link.server.close()
    case .cut: try await link.cut(reset: false)
    case .reset: try await link.cut(reset: true)
    }
    let seen = await link.clientSeen.all()
    switch ending {
    case .clean: #expect(seen == [.peerClosed, .inactive])
    case .cut: #expect(seen == [.error("\(TLSError.truncated)"), .inactive])
    case .reset: #expect(seen == [.error("errno \(ECONNRESET)"), .inactive])
    }
    try await link.end()
  }

  @Test("who closes hears of no error")
  func ownClose() async throws {
    let link = try await Link.open()
    await link.agree()
    try await link.client.close()
    #expect(await link.clientSeen.all() == [.inactive])
    #expect(await link.serverSeen.all() == [.peerClosed, .inactive])
    try await link.end()
  }

  @Test("what is written before the handshake arrives after it, in order")
  func early() async throws {
    let link = try await Link.open(early: ["one ", "two ", "three"])
    try await link.client.writeAndFlush(ByteBuffer(string: " four"))
    try await link.client.close()
    #expect(
      await link.serverSeen.all() == [
        .handshake, .bytes(Array("one two three four".utf8)), .peerClosed, .inactive,
      ])
    try await link.end()
  }

  @Test("a reader that stops makes the writer stop; when it goes on, everything arrives")
  func backPressure() async throws {
    let link = try await Link.open()
    await link.agree()
    try await link.server.setOption(.autoRead, value: false).get()
    let target = 48 << 20
    let client = link.client
    // Fills until the channel says that it can take no more; the reader has not read a byte of it.
    let sent = try await client.eventLoop.submit {
      var sent = 0
      let block = ByteBuffer(repeating: 7, count: 64 << 10)
      while client.isWritable, sent < target {
        client.writeAndFlush(block, promise: nil)
        sent += block.readableBytes
      }
      return sent
    }.get()
    #expect(sent < 24 << 20)
    #expect(sent > 0)
    try await link.server.setOption(.autoRead, value: true).get()
    var received = 0
    for await seen in link.serverSeen {
      if case .bytes(let bytes) = seen { received += bytes.count }
      if received >= sent { break }
    }
    #expect(received == sent)
    try await link.end()
  }

  @Test("five hundred connections live on one event loop")
  func many() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let serverContext = try TLSContext.server(identity: TestIdentity.valid.get())
    let clientContext = try TLSContext.client()
    let listener = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 600)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandlers(TLSHandler(context: serverContext, role: .server), Echo())
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let address = try #require(listener.localAddress)
    var links: [(channel: any Channel, seen: AsyncStream<Seen>)] = []
    for number in 0..<500 {
      let (seen, report) = AsyncStream.makeStream(of: Seen.self)
      let channel = try await ClientBootstrap(group: group)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers(
              TLSHandler(context: clientContext, role: .client), EarlyWriter(["\(number)"]), Witness(report))
          }
        }
        .connect(to: address).get()
      links.append((channel, seen))
    }
    for (number, link) in links.enumerated() {
      var iterator = link.seen.makeAsyncIterator()
      #expect(await iterator.next() == .handshake)
      #expect(await iterator.next() == .bytes(Array("\(number)".utf8)))
    }
    for link in links { try await link.channel.close() }
    try await listener.close()
    try await group.shutdownGracefully()
  }
}

/// Sends back what comes.
private final class Echo: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.writeAndFlush(data, promise: nil) }
}
