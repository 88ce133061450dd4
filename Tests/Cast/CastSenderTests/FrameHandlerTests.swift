import CastProtocol
import Glibc
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import CastSender

extension SenderTests {
  /// The end of the pipeline, without sockets.
  @Suite struct FrameHandlerTests {
    private static let words = ConnectErrorWords(
      name: "Lobby", endpoint: DeviceEndpoint(host: "192.0.2.1"), timeout: .seconds(10))

    /// Counts what the pipeline asks the socket for.
    private final class ReadCounter: ChannelOutboundHandler {
      typealias OutboundIn = ByteBuffer
      var count = 0
      func read(context: ChannelHandlerContext) { count += 1 }
    }

    @Test("a session that does not keep up stops the reading, and goes on with it later")
    func holdsReading() throws {
      let delivered = Mutex(0)
      let backlog = Backlog()
      let counter = ReadCounter()
      let channel = EmbeddedChannel()
      let handler = FrameHandler(
        opened: channel.eventLoop.makePromise(), deadline: .distantFuture, backlog: backlog, words: Self.words
      ) { _ in delivered.withLock { $0 += 1 } }
      try channel.pipeline.syncOperations.addHandlers([counter, handler])
      let frame = try FrameCodec.encode(HeartbeatMachine.ping)
      try channel.writeInbound(ByteBuffer(bytes: Array(repeating: frame, count: 100).flatMap { $0 }))
      #expect(delivered.withLock { $0 } == 100)
      let before = counter.count
      channel.read()
      #expect(counter.count == before)
      let resumes = (0..<100).count { _ in backlog.remove() }
      #expect(resumes == 1)
      handler.resumeReading()
      #expect(counter.count == before + 1)
      channel.read()
      #expect(counter.count == before + 2)
      _ = try? channel.finish()
    }

    @Test("a peer that sends no frames ends the connection before it opened, and says what it was")
    func refusesRubbish() throws {
      let channel = EmbeddedChannel()
      let opened = channel.eventLoop.makePromise(of: Void.self)
      let handler = FrameHandler(
        opened: opened, deadline: .distantFuture, backlog: Backlog(), words: Self.words
      ) { _ in }
      try channel.pipeline.syncOperations.addHandler(handler)
      try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 400 Bad Request"))
      #expect(throws: FrameError.self) { try opened.futureResult.wait() }
      // It has closed itself; what that left to be done is done here.
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test(
      "what the operating system says is translated, and kept",
      arguments: [
        (ECONNREFUSED, .connectionRefused), (EHOSTUNREACH, .networkNotReachable),
        (ENETUNREACH, .networkNotReachable), (ETIMEDOUT, .networkNotReachable), (ECONNRESET, .networkError),
        (EMFILE, .networkError), (EPERM, .networkError), (EINVAL, .networkError),
      ] as [(CInt, CastError.Code)])
    func translates(_ number: CInt, _ code: CastError.Code) {
      let error = Self.words.error(for: IOError(errnoCode: number, reason: "connect"))
      #expect(error.code == code)
      #expect(error.message.contains("Lobby (192.0.2.1:8009)"))
      #expect(error.underlying == String(cString: strerror(number)), "and nothing of the library around it")
      #expect(!error.description.contains("errno"))
    }

    @Test(
      "what a call of ours fails with is not told as a fault of the device",
      arguments: [EPERM, EACCES, EMFILE, ENFILE, ENOBUFS, EINVAL, ENOTSOCK, ENETUNREACH, EAFNOSUPPORT])
    func ownFaults(_ number: CInt) {
      for error in [
        Self.words.error(for: IOError(errnoCode: number, reason: "setsockopt")),
        Self.words.error(beforeHandshake: IOError(errnoCode: number, reason: "setsockopt")),
      ] {
        #expect(!error.message.contains("its power"))
        #expect(!error.message.contains("handshake"))
        #expect(!error.message.contains("castq"), "the program may be any that uses the SDK")
      }
    }
  }
}
