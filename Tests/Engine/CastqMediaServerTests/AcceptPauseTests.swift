import CastqAccepting
import Glibc
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(5))) struct AcceptPauseTests {
  @Test("a listener without a descriptor does not read on, and accepts again by itself")
  func pause() async throws {
    let (accepted, accept) = AsyncStream.makeStream(of: Void.self)
    let group = MultiThreadedEventLoopGroup.singleton
    let listener = try await ServerBootstrap(group: group)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause())
        }
      }
      .childChannelInitializer { channel in
        accept.yield()
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(listener.localAddress?.port)
    // What accepting fails with, as the listener has it.
    let reads = try await listener.eventLoop.submit {
      for _ in 0..<2 {
        listener.pipeline.syncOperations.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
      }
      return try listener.syncOptions?.getOption(.autoRead)
    }.get()
    #expect(reads == false)
    let client = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get()
    for await _ in accepted { break }
    #expect(try await listener.getOption(.autoRead).get())
    try await client.close()
    try await listener.close()
  }
}
