import CastProtocol
import CastReceiverSim
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import Testing

/// Control lines over a Unix socket, answered when they are done.
@Suite(.timeLimit(.minutes(5)))
struct ControlSocketTests {
  /// Two receivers and somebody at their socket.
  private func control(
    _ work: (_ ask: @Sendable (String) async throws -> String, _ path: String) async throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory.path() + "castq-\(UUID().uuidString.prefix(8)).sock"
    let receivers = ["One", "Two"].map { name in
      var receiver = ReceiverConfiguration()
      receiver.friendlyName = name
      return receiver
    }
    let fleet = SimFleet(
      receivers: receivers, bind: "127.0.0.1", port: 0, setupPort: nil, speed: 5, log: nil)
    try await fleet.start { _ in }
    try await fleet.listen(at: path)
    let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(unixDomainSocketPath: path) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await connection.executeThenClose { inbound, outbound in
      let lines = Lines(inbound)
      try await work(
        { line in
          try await outbound.write(ByteBuffer(string: line + "\n"))
          return try await lines.next()
        }, path)
    }
    await fleet.stop()
  }

  /// The answers, one a line.
  private actor Lines {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var text = ""

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) { self.inbound = inbound.makeAsyncIterator() }

    func next() async throws -> String {
      var inbound = inbound
      defer { self.inbound = inbound }
      while !text.contains("\n") {
        guard let bytes = try await inbound.next(isolation: self) else { return "end" }
        text += String(buffer: bytes)
      }
      let line = text.prefix { $0 != "\n" }
      text = String(text.dropFirst(line.count + 1))
      return String(line)
    }
  }

  @Test("each line is answered when it is done, and only its receiver follows it")
  func lines() async throws {
    try await control { ask, path in
      var mode = stat()
      #expect(lstat(path, &mode) == 0 && mode.st_mode & 0o777 == 0o600)
      #expect(try await ask("2: takeover CC1AD845") == "ok")
      let second = try JSONValue(parsing: String(try await ask("2:status").dropFirst(3)))
      #expect(second["name"] == "Two" && second["application"]?["isReady"] == true)
      #expect(try await ask("1:exit") == "error: no application runs")
      #expect(try await ask("2:exit") == "ok")
      #expect(try await ask("3:exit") == "error: there is no receiver 3")
      #expect(try await ask("reboot 50ms") == "ok")
      #expect(try await ask("wait") == "ok")
      let port = Int(try await ask("1:move any").dropFirst(3)) ?? 0
      let first = try JSONValue(parsing: String(try await ask("1:status").dropFirst(3)))
      #expect(first["port"]?.int == port && first["network"] == "on")
      #expect(try await ask("1:transfer 127.0.0.1:\(port)").hasPrefix("error: nothing is loaded"))
      #expect(try await ask("transfer nowhere").hasPrefix("error: "))
      #expect(try await ask("").hasPrefix("error: "))
    }
  }

  @Test("a line without an end is refused before it has grown large")
  func longLine() async throws {
    try await control { ask, _ in
      let answer = try await ask(String(repeating: "x", count: 10_000))
      #expect(answer == "error: the line is too long")
    }
  }

  @Test("a socket that is served is not taken away, nor is anything else; a dead one is replaced")
  func taken() async throws {
    try await control { _, path in
      await #expect(throws: SimControlError.self) {
        try await ControlSocket.open(path: path, on: MultiThreadedEventLoopGroup.singleton) { $0 }
      }
      let file = path + ".txt"
      try "text".write(toFile: file, atomically: false, encoding: .utf8)
      await #expect(throws: SimControlError.self) {
        try await ControlSocket.open(path: file, on: MultiThreadedEventLoopGroup.singleton) { $0 }
      }
      try FileManager.default.removeItem(atPath: file)
    }
  }
}
