import CastGuard
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
    let answer = try await ask("GET /there?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n", door)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("\r\n\r\npath /there\n"))
    let head = try await ask("HEAD /elsewhere HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", door)
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
    let two = try await ask(
      String(repeating: "GET /there HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", count: 2), door)
    #expect(two.matches(of: /HTTP\/1\.1 200/).count == 1)
    let noise = try await ask("\u{1}\u{2}\r\n\r\n" + String(repeating: "x", count: 100_000), door)
    #expect(!noise.contains("path "))
    await door.close()
  }

  @Test(
    "a name that somebody else controls is refused, also beside a good one; none at all is right for HTTP/1.0 alone",
    arguments: [
      ("1.1", "Host: evil.example\r\n", 403), ("1.1", "Host: evil.example:9464\r\n", 403),
      ("1.1", "Host: 127.0.0.1.evil.example\r\n", 403), ("1.1", "Host: 192.0.2.7\r\n", 403),
      ("1.1", "Host: localhost\r\nHost: evil.example\r\n", 403), ("1.1", "Host: localhost:x\r\n", 403),
      ("1.1", "", 403), ("1.0", "", 200), ("1.1", "Host: LocalHost.:9464\r\n", 200),
      ("1.1", "Host: 127.8.8.8\r\n", 200), ("1.1", "Host: Castq.Example:1\r\n", 200),
    ])
  func names(_ version: String, _ fields: String, _ status: Int) async throws {
    let hosts = AskedHosts(listeningAt: "127.0.0.1", names: ["castq.EXAMPLE"])
    let door = try await MetricDoor.open(host: "127.0.0.1", port: 0, hosts: hosts) { _, loop in
      loop.makeSucceededFuture(DoorAnswer("secret\n"))
    }
    let answer = try await ask("GET /metrics HTTP/\(version)\r\n\(fields)\r\n", door)
    #expect(answer.split(separator: " ").dropFirst().first == "\(status)", "\(answer)")
    #expect(answer.contains("secret") == (status == 200))
    await door.close()
  }

  @Test("a body without end ends the connection, and makes no answer")
  func endlessBody() async throws {
    let door = try await door()
    let piece = String(repeating: "x", count: 60_000)
    let answer = try await ask(
      "GET /there HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n\(piece)\(piece)", door)
    #expect(answer.isEmpty)
    await door.close()
  }
}
