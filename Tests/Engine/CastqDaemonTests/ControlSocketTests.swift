import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import CastqText
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Testing

/// A socket in a folder of its own, and raw clients of it.
private struct SocketStage: ~Copyable {
  let folder: URL
  let path: String

  init() throws {
    folder = try Stage.makeFolder()
    chmod(folder.path, 0o700)
    path = folder.appending(path: "s.sock").path
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Sends bytes, then reads to the end of the stream.
  static func exchange(_ bytes: [UInt8], at path: String, closing: Bool = true) async throws -> String {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
      .connect(unixDomainSocketPath: path) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var text = ""
      // A server that has had enough closes while we still write.
      do { try await outbound.write(ByteBuffer(bytes: bytes)) } catch {}
      if closing { outbound.finish() }
      do { for try await chunk in inbound { text += String(buffer: chunk) } } catch {}
      return text
    }
  }
}

extension DaemonTests {
  @Suite struct ControlSocketTests {
    private static func mode(_ path: String) -> mode_t {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// A connection that the server accepts before those that come later.
    private static func connect(_ path: String) throws -> Int32 {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(descriptor >= 0 && result == 0)
      return descriptor
    }

    private static func echo(_ request: ControlRequest) -> ControlReply {
      .done(["device": .integer(request.device.rawValue)])
    }

    /// What a process leaves that was killed.
    private static func leaveSocket(_ path: String) {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      close(descriptor)
    }

    @Test("the socket is its owner's alone, and goes with the server")
    func permissions() async throws {
      let stage = try SocketStage()
      let path = stage.path
      let before = umask(0)
      let server = try await ControlServer.start(path: path) { Self.echo($0) }
      umask(before)
      #expect(Self.mode(path) == 0o600)
      await server.stop()
      #expect(Self.mode(path) == 0)
      #expect(
        try await ControlClient(socket: path, device: DeviceID(1)).ask(.perform(.pause), timeout: nil) == nil)
    }

    @Test("what a dead feeder left is replaced; a living one and a file are not")
    func stale() async throws {
      let stage = try SocketStage()
      let path = stage.path
      Self.leaveSocket(path)
      try #require(Self.mode(path) != 0, "what a killed process leaves")
      let server = try await ControlServer.start(path: path) { Self.echo($0) }
      let answer = try await ControlClient(socket: path, device: DeviceID(5)).ask(
        .perform(.pause), timeout: nil)
      #expect(answer?["device"] == .integer(5))
      await #expect(throws: ControlSocketError.taken(path)) {
        _ = try await ControlServer.start(path: path) { Self.echo($0) }
      }
      await server.stop()
      try Data("mine".utf8).write(to: URL(filePath: path))
      await #expect(throws: ControlSocketError.notASocket(path)) {
        _ = try await ControlServer.start(path: path) { Self.echo($0) }
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test("a hundred clients at once are all answered")
    func crowd() async throws {
      let stage = try SocketStage()
      let path = stage.path
      let server = try await ControlServer.start(path: path) { Self.echo($0) }
      let answers = try await withThrowingTaskGroup(of: Int?.self) { group in
        for number in 1...100 {
          group.addTask {
            try await ControlClient(socket: path, device: DeviceID(Int64(number))).ask(
              .perform(.pause), timeout: nil)?[
                "device"]?.int
          }
        }
        return try await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
      }
      #expect(answers == Set(1...100))
      await server.stop()
    }

    @Test("lines that are no requests are answered with errors, and the connection goes on")
    func hostile() async throws {
      let stage = try SocketStage()
      let path = stage.path
      let server = try await ControlServer.start(path: path) { Self.echo($0) }
      let good = String(
        decoding: try ControlRequest(device: DeviceID(1), command: .perform(.next)).line(), as: UTF8.self)
      let text = try await SocketStage.exchange(Array("\n\0\u{FF}\n{}\n\(good)\(good)".utf8), at: path)
      let lines = text.split(separator: "\n")
      #expect(lines.map { $0.contains("\"error\"") } == [true, true, true, false, false])
      // Without an end, a line is none.
      #expect(try await SocketStage.exchange(Array(good.dropLast().utf8), at: path) == "")
      // One that does not end is answered once, and no more is taken.
      let flood = [UInt8](repeating: UInt8(ascii: "{"), count: 3 * ControlRequest.lineLimit)
      let reply = try await SocketStage.exchange(flood, at: path, closing: false)
      #expect(reply.split(separator: "\n").count <= 1)
      #expect(reply.isEmpty || reply.contains("longer"))
      await server.stop()
    }

    @Test("a client that says nothing is sent away, and so is one too many")
    func silence() async throws {
      let stage = try SocketStage()
      let path = stage.path
      var limits = ControlServer.Limits()
      limits.patience = .milliseconds(50)
      limits.connections = 0
      let full = try await ControlServer.start(path: path, limits: limits) { Self.echo($0) }
      let busy = try await SocketStage.exchange(Array("{}\n".utf8), at: path, closing: false)
      #expect(busy.contains("too_many_clients"), "\(busy)")
      await full.stop()
      limits.connections = 1
      let server = try await ControlServer.start(path: path, limits: limits) { Self.echo($0) }
      #expect(try await SocketStage.exchange(Array("{".utf8), at: path, closing: false) == "")
      await server.stop()
    }

    @Test("an idle client goes for a command; where all are being answered, the feeder says that it is busy")
    func busy() async throws {
      let stage = try SocketStage()
      let path = stage.path
      let (entered, enter) = AsyncStream.makeStream(of: Void.self)
      let (open, door) = AsyncStream.makeStream(of: Void.self)
      var limits = ControlServer.Limits()
      limits.connections = 1
      let server = try await ControlServer.start(path: path, limits: limits) { request in
        guard request.device == DeviceID(2) else { return Self.echo(request) }
        enter.yield()
        for await _ in open {}
        return Self.echo(request)
      }
      // It has nothing to say, and lasts until it is closed for another one.
      let idle = try Self.connect(path)
      defer { close(idle) }
      let client = ControlClient(socket: path, device: DeviceID(1))
      #expect(try await client.ask(.perform(.pause), timeout: nil)?["device"] == .integer(1))
      let slow = Task {
        try await ControlClient(socket: path, device: DeviceID(2)).ask(.perform(.pause), timeout: nil)
      }
      for await _ in entered { break }
      var byte: UInt8 = 0
      #expect(recv(idle, &byte, 1, 0) == 0, "it is closed")
      await #expect {
        try await client.ask(.perform(.pause), timeout: nil)
      } throws: { ($0 as? Failure) == .tooManyClients }
      door.finish()
      #expect(try await slow.value?["device"] == .integer(2))
      await server.stop()
    }

    @Test("a reply that is under way when the server stops still goes out")
    func farewell() async throws {
      let stage = try SocketStage()
      let path = stage.path
      let (entered, enter) = AsyncStream.makeStream(of: Void.self)
      let (open, door) = AsyncStream.makeStream(of: Void.self)
      let server = try await ControlServer.start(path: path) { request in
        enter.yield()
        for await _ in open {}
        return Self.echo(request)
      }
      let answer = Task {
        try await ControlClient(socket: path, device: DeviceID(1)).ask(.perform(.pause), timeout: nil)
      }
      for await _ in entered { break }
      let stopping = Task { await server.stop() }
      door.finish()
      #expect(try await answer.value?["device"] == .integer(1))
      await stopping.value
    }

    @Test("a feeder that does not answer in time is given up")
    func timeout() async throws {
      let stage = try SocketStage()
      let path = stage.path
      let (open, door) = AsyncStream.makeStream(of: Void.self)
      let server = try await ControlServer.start(path: path) { request in
        for await _ in open {}
        return Self.echo(request)
      }
      await #expect {
        try await ControlClient(socket: path, device: DeviceID(1)).ask(
          .perform(.pause), timeout: .milliseconds(50))
      } throws: { ($0 as? Failure)?.exit == .timeout }
      door.finish()
      await server.stop()
    }

    @Test("the path fits, and lies where nobody else can reach it")
    func paths() throws {
      let stage = try SocketStage()
      let folder = stage.folder.path
      let database = "\(folder)/q.db"
      try Data().write(to: URL(filePath: database))
      let runtime = "\(folder)/run"
      mkdir(runtime, 0o700)
      func choose(_ database: String, runtime: String?) throws -> String {
        try SocketPath.choose(database: database, device: DeviceID(2), runtime: runtime, temporary: folder)
      }
      #expect(try choose(database, runtime: runtime).hasSuffix("/q.db.feeder-2.sock"))
      let long = "\(folder)/\(String(repeating: "d", count: 120))"
      #expect(try choose(long, runtime: runtime).hasPrefix("\(runtime)/castq/"))
      #expect(Self.mode("\(runtime)/castq") == 0o700)
      #expect(try choose(long, runtime: runtime) != choose(long + "e", runtime: runtime))
      chmod(runtime, 0o755)
      #expect(
        try choose(long, runtime: runtime).hasPrefix("\(folder)/castq-"), "a folder that others may enter")
      chmod("\(folder)/castq-\(geteuid())", 0o777)
      #expect(throws: ControlSocketError.self) { try choose(long, runtime: nil) }
      chmod(folder, 0o755)
      #expect(throws: ControlSocketError.self, "not beside the database, where others may look") {
        try choose(database, runtime: nil)
      }
    }
  }
}

@Suite struct ControlPeerTests {
  @Test(
    "a client speaks to its own user and to the superuser alone; the superuser may ask whoever feeds"
  )
  func peers() {
    #expect(ControlClient.isTrusted(peer: 1000, by: 1000))
    #expect(ControlClient.isTrusted(peer: 0, by: 1000))
    #expect(ControlClient.isTrusted(peer: 1000, by: 0))
    #expect(!ControlClient.isTrusted(peer: 1001, by: 1000))
    #expect(!ControlClient.isTrusted(peer: nil, by: 1000))
    #expect(!ControlClient.isTrusted(peer: nil, by: 0))
  }
}
