import CastProtocol
import NIOCore
import NIOPosix
import Testing

@testable import CastSender

extension SenderTests {
  /// A device that cannot be reached: each way has its own code and its own words.
  @Suite(.timeLimit(.minutes(5))) struct ConnectErrorTests {
    /// What listens, or does not, where a device should be.
    enum Listener: CaseIterable {
      case closedPort, unknownHost, mute, webServer, hangsUp
    }

    @Test("who cannot be called is told why", arguments: Listener.allCases)
    func saysWhy(_ listener: Listener) async throws {
      let (code, words): (CastError.Code, String) =
        switch listener {
        case .closedPort: (.connectionRefused, "does not accept connections at port")
        case .unknownHost: (.hostUnknown, "no address is known for nowhere.invalid")
        case .mute: (.secureTransportError, "sends nothing")
        case .webServer, .hangsUp: (.secureTransportError, "does not complete a TLS handshake")
        }
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Impostor(listener))
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      let port = channel.localAddress?.port ?? 0
      if listener == .closedPort { try await channel.close() }
      let host = listener == .unknownHost ? "nowhere.invalid" : "127.0.0.1"
      let session = Session(
        device: Device(endpoint: DeviceEndpoint(host: host, port: port), friendlyName: "Lobby"),
        options: SessionOptions(connectTimeout: .seconds(listener == .mute ? 2 : 60)))
      do {
        try await session.start()
        Issue.record("it started")
      } catch {
        #expect(error.code == code, "\(error)")
        #expect(error.message.contains(words), "\(error)")
      }
      #expect(try SimulatorTests.socketsToPort(port) == 0)
      if listener != .closedPort { try await channel.close() }
    }

    @Test("calling can be given up, and leaves no socket")
    func canBeCancelled() async throws {
      let (connected, signal) = AsyncStream.makeStream(of: Void.self)
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          signal.finish()
          return channel.eventLoop.makeSucceededVoidFuture()
        }
        .bind(host: "127.0.0.1", port: 0).get()
      let port = channel.localAddress?.port ?? 0
      let session = Session(device: Device(endpoint: DeviceEndpoint(host: "127.0.0.1", port: port)))
      let call = Task { await failure { () throws(CastError) in _ = try await session.start() } }
      for await _ in connected {}
      call.cancel()
      #expect(await call.value == .cancelled)
      #expect(try SimulatorTests.socketsToPort(port) == 0)
      try await channel.close()
    }

    @Test("calling can be given up while the name of the device is looked up", arguments: [false, true])
    func canBeCancelledEarly(isCancelledBefore: Bool) async {
      let resolver = EndlessResolver(on: SimulatedDevice.group.next())
      let transport = TLSTransport(group: SimulatedDevice.group, resolver: resolver)
      let call = Task {
        if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
        return await failure { () throws(CastError) in
          _ = try await transport.open(
            DeviceEndpoint(host: "lobby.invalid"), name: "Lobby", timeout: .seconds(3600), early: nil
          ) { _ in }
        }
      }
      for await _ in resolver.asked {}
      call.cancel()
      #expect(await call.value == .cancelled)
      resolver.end()
    }

    /// Looks a name up until it is ended.
    private final class EndlessResolver: Resolver, Sendable {
      let asked: AsyncStream<Void>
      private let question: AsyncStream<Void>.Continuation
      private let answer: EventLoopPromise<[SocketAddress]>

      init(on loop: any EventLoop) {
        (asked, question) = AsyncStream.makeStream(of: Void.self)
        answer = loop.makePromise()
      }

      func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { ask() }
      func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { ask() }
      func cancelQueries() {}
      func end() { answer.succeed([]) }

      private func ask() -> EventLoopFuture<[SocketAddress]> {
        question.finish()
        return answer.futureResult
      }
    }

    private final class Impostor: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer
      private let listener: Listener

      init(_ listener: Listener) { self.listener = listener }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch listener {
        case .webServer:
          let answer = ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n")
          context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        case .hangsUp: context.close(promise: nil)
        case .mute, .closedPort, .unknownHost: break
        }
      }
    }
  }
}
