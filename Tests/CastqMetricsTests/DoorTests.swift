import CastqMetrics
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite("The port of metrics", .timeLimit(.minutes(2)))
struct DoorTests {
  /// What a connection is answered with, to its end.
  private func ask(_ request: String, _ door: MetricDoor) async throws -> String {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: door.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: request))
      var text = ""
      do {
        for try await piece in inbound { text += String(buffer: piece) }
      } catch {
        // It closes without reading what nobody asked for.
      }
      return text
    }
  }

  private func door() async throws -> MetricDoor {
    try await MetricDoor.open(host: "127.0.0.1", port: 0) { path, loop in
      loop.makeSucceededFuture(DoorAnswer(path == "/there" ? 200 : 404, "path \(path)\n"))
    }
  }

  @Test("a path is answered without its query, and the connection closes")
  func answering() async throws {
    let door = try await door()
    let answer = try await ask("GET /there?x=1 HTTP/1.1\r\nHost: h\r\n\r\n", door)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("\r\n\r\npath /there\n"))
    let head = try await ask("HEAD /elsewhere HTTP/1.1\r\nHost: h\r\n\r\n", door)
    #expect(head.hasPrefix("HTTP/1.1 404 ") && head.hasSuffix("\r\n\r\n"))
    await door.close()
  }

  @Test(
    "nothing but GET is answered, two requests get one answer, and what is no HTTP gets none of the texts")
  func strangers() async throws {
    let door = try await door()
    #expect(
      try await ask("POST /there HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi", door).hasPrefix(
        "HTTP/1.1 405 "))
    let two = try await ask(String(repeating: "GET /there HTTP/1.1\r\nHost: h\r\n\r\n", count: 2), door)
    #expect(two.matches(of: /HTTP\/1\.1 200/).count == 1)
    let noise = try await ask("\u{1}\u{2}\r\n\r\n" + String(repeating: "x", count: 100_000), door)
    #expect(!noise.contains("path "))
    await door.close()
  }
}
