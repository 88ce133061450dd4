import CastProtocol
import CastqPlaylists
import NIOCore
import NIOPosix
import Synchronization
import Testing
@testable import CastqMPD

@Suite("Serving clients of the Music Player Daemon", .timeLimit(.minutes(5)))
struct ServingTests {
  /// A gate with one password for each role.
  private struct Gate: MPDGate {
    func permissions(password: String, peer: String?) throws(MPDFailure) -> MPDPermissions? {
      switch password {
      case "look": .read
      case "edit": .all
      default: nil
      }
    }

    func permissions(stillOf password: String) -> MPDPermissions? {
      try? permissions(password: password, peer: nil)
    }
  }

  /// Lines of a server.
  private struct Lines {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var rest: [UInt8] = []

    init(
      _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
      _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
      iterator = inbound.makeAsyncIterator()
      self.outbound = outbound
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// The next line; nil at the end.
    mutating func next() async throws -> String? {
      while true {
        if let end = rest.firstIndex(of: 10) {
          defer { rest.removeSubrange(...end) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard let piece = try await iterator.next() else { return nil }
        rest += piece.readableBytesView
      }
    }

    /// Sends a line and returns the answer, its end included.
    mutating func ask(_ line: String) async throws -> [String] {
      try await send(line + "\n")
      return try await answer()
    }

    mutating func answer() async throws -> [String] {
      var lines: [String] = []
      while let line = try await next() {
        lines.append(line)
        if line == "OK" || line.hasPrefix("ACK ") { break }
      }
      return lines
    }
  }

  private func with(
    permissions: MPDPermissions = .all, _ change: (inout MPDSettings) -> Void = { _ in },
    _ body: @escaping @Sendable (Int, FakeSource) async throws -> Void
  ) async throws {
    let source = FakeSource()
    var settings = MPDSettings(sleep: { _ in await FakeSource.forever() })
    change(&settings)
    let face = MPDFace(source: source, folders: MediaFolders([]) { EmptyLoader() }, settings: settings)
    let door = MPDDoor(.address(host: "127.0.0.1", port: 0), partition: nil, permissions: permissions)
    let server = MPDServer([door], face: face, gate: Gate())
    let (ports, ready) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.run { ports in
          for case let port? in ports { ready.yield(port) }
          ready.finish()
        }
      }
      var first: Int?
      for await port in ports { first = port }
      try await body(try #require(first), source)
      group.cancelAll()
    }
  }

  private func connect(
    _ port: Int, _ body: (inout Lines) async throws -> Void
  ) async throws {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await channel.executeThenClose { inbound, outbound in
      var lines = Lines(inbound, outbound)
      try await body(&lines)
    }
  }

  @Test("one client hears in idle what another one does")
  func idle() async throws {
    try await with { port, _ in
      try await connect(port) { watcher in
        #expect(try await watcher.next() == "OK MPD 0.23.5")
        #expect(try await watcher.ask("status").last == "OK")
        try await watcher.send("idle playlist\n")
        try await connect(port) { actor in
          _ = try await actor.next()
          #expect(try await actor.ask("addid http://192.0.2.1/a.mp3") == ["Id: 1", "OK"])
        }
        #expect(try await watcher.answer() == ["changed: playlist", "OK"])
        #expect(try await watcher.ask("plchangesposid 1") == ["cpos: 0", "Id: 1", "OK"])
      }
    }
  }

  @Test("a client hears of its own partition, and of another one when it chose it")
  func partitions() async throws {
    try await with { port, source in
      try await connect(port) { client in
        _ = try await client.next()
        _ = try await client.ask("status")
        #expect(try await client.ask("partition bar") == ["OK"])
        #expect(try await client.ask("status").contains("partition: bar"))
        _ = try await client.ask("idle playlist player mixer output options")
        source.fill("lobby", 1)
        source.report(.queue(partition: "lobby"))
        source.fill("bar", 1)
        try await client.send("idle playlist\n")
        source.report(.queue(partition: "bar"))
        #expect(try await client.answer() == ["changed: playlist", "OK"])
        #expect(try await client.ask("status").contains("playlistlength: 1"))
        #expect(
          try await client.ask("partition nowhere") == ["ACK [50@0] {partition} partition does not exist"])
      }
    }
  }

  @Test("what the device does is heard as player and mixer")
  func player() async throws {
    try await with { port, source in
      source.fill("lobby", 2)
      try await connect(port) { client in
        _ = try await client.next()
        _ = try await client.ask("status")
        try await client.send("idle player mixer\n")
        source.show(
          "lobby", ["player_state": "PLAYING", "entry": 1, "volume": ["level": 20, "muted": false]])
        #expect(try await client.answer() == ["changed: player", "changed: mixer", "OK"])
      }
    }
  }

  @Test("without a password nothing is seen, and one opens what its role may")
  func passwords() async throws {
    try await with(permissions: []) { port, _ in
      try await connect(port) { client in
        _ = try await client.next()
        #expect(try await client.ask("status").first?.hasPrefix("ACK [4@0]") == true)
        #expect(try await client.ask("password wrong") == ["ACK [3@0] {password} incorrect password"])
        #expect(try await client.ask("password look") == ["OK"])
        #expect(try await client.ask("status").last == "OK")
        #expect(try await client.ask("play").first?.hasPrefix("ACK [4@0]") == true)
        #expect(try await client.ask("password edit") == ["OK"])
        #expect(try await client.ask("play") == ["OK"])
      }
    }
  }

  @Test("one client too many is disconnected without a greeting, and the others stay")
  func seats() async throws {
    try await with(permissions: .all, { $0.clients = 1 }) { port, _ in
      try await connect(port) { first in
        _ = try await first.next()
        try await connect(port) { second in
          let line = try await second.next()
          #expect(line == nil)
        }
        #expect(try await first.ask("ping") == ["OK"])
      }
    }
  }

  @Test("a client that is silent is disconnected, and one in idle is not")
  func silence() async throws {
    let wakes = Wakes()
    try await with(permissions: .all, { $0.sleep = { _ in await wakes.next() } }) { port, _ in
      try await connect(port) { client in
        _ = try await client.next()
        try await client.send("idle\n")
        #expect(try await client.ask("noidle") == ["OK"])
        // Once for what was said before, and once for the silence after it.
        for _ in 0..<3 { await wakes.tick() }
        #expect(try await client.next() == nil)
      }
    }
  }

  @Test("a line without end and a browser's request end the connection")
  func strangers() async throws {
    try await with { port, _ in
      for text in [String(repeating: "a", count: 20_000), "GET / HTTP/1.1\r\n\r\n"] {
        try await connect(port) { client in
          _ = try await client.next()
          try await client.send(text)
          let line = try? await client.next()
          #expect(line == .some(nil) || line == nil)
        }
      }
    }
  }

  @Test("a client that does not read holds one piece of its answer, and delays nobody")
  func stalled() async throws {
    try await with { port, source in
      source.fill("lobby", 50_000)
      try await connect(port) { stalled in
        _ = try await stalled.next()
        for _ in 0..<20 { try await stalled.send("playlistinfo\n") }
        try await connect(port) { other in
          _ = try await other.next()
          #expect(try await other.ask("ping") == ["OK"])
          #expect(try await other.ask("playlistinfo 3:4").last == "OK")
        }
      }
    }
  }
}

/// Lets one sleeper wake at each tick.
private actor Wakes {
  private var ticks = 0
  private var sleepers: [AsyncStream<Never>.Continuation] = []

  func tick() {
    if sleepers.isEmpty { ticks += 1 } else { sleepers.removeFirst().finish() }
  }

  func next() async {
    guard ticks == 0 else {
      ticks -= 1
      return
    }
    let (never, end) = AsyncStream.makeStream(of: Never.self)
    sleepers.append(end)
    for await _ in never {}
  }
}
