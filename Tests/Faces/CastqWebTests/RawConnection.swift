import NIOCore
import NIOPosix

/// A TCP connection that sends what a real client would refuse to send.
struct RawConnection: Sendable {
  struct Silence: Error {}

  private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

  init(_ port: Int) async throws {
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
  }

  /// Sends a text, and reads until the server closes the connection.
  func ask(_ text: String) async throws -> RawAnswer {
    RawAnswer(try await receive(Array(text.utf8)) { _ in false })
  }

  /// Sends a text, and reads until something has come or the server closes the connection.
  func read(_ text: String, until isEnough: @Sendable (String) -> Bool) async throws -> String {
    try await read(Array(text.utf8), until: isEnough)
  }

  /// Sends bytes that may be no text.
  func read(_ bytes: [UInt8], until isEnough: @Sendable (String) -> Bool) async throws -> String {
    String(decoding: try await receive(bytes, until: isEnough), as: UTF8.self)
  }

  /// Sends bytes, and has what came as it came.
  func receive(_ bytes: [UInt8], until isEnough: @Sendable (String) -> Bool) async throws -> [UInt8] {
    try await channel.executeThenClose { inbound, outbound in
      var received: [UInt8] = []
      do {
        if !bytes.isEmpty { try await outbound.write(ByteBuffer(bytes: bytes)) }
        for try await piece in inbound {
          received += piece.readableBytesView
          // What is looked for may be in two pieces; all of it need not be searched again.
          let recent = received.suffix(piece.readableBytes + 500)
          if isEnough(String(decoding: recent, as: UTF8.self)) { break }
        }
      } catch is IOError {
        // A server that refuses may reset the connection.
      } catch ChannelError.ioOnClosedChannel {
        // It may also have closed it before anything was sent.
      }
      return received
    }
  }

  /// Ends the connection.
  func end() async { try? await channel.executeThenClose { _, _ in } }

  /// Sends a text, reads until some words come, and then nothing until the task is cancelled.
  func stall(_ text: String, after words: String, _ hasBegun: @Sendable () -> Void) async throws {
    try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: text))
      var received = ""
      for try await piece in inbound {
        received += String(buffer: piece)
        if received.contains(words) { break }
      }
      hasBegun()
      let (never, end) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      end.finish()
    }
  }
}
