package import CastProtocol
package import CastSender
package import CastqCore
package import CastqStore
import Glibc
import NIOCore
import NIOPosix

/// Sends live commands to the feeder of a device.
package struct ControlClient: Sendable {
  private let socket: String
  private let device: DeviceID

  package init(socket: String, device: DeviceID) {
    self.socket = socket
    self.device = device
  }

  /// Sends a command to the feeder and waits for its reply.
  ///
  /// - Parameter timeout: how long to wait; nil waits as long as the feeder lives. After a timeout the feeder may still perform
  ///   the command.
  /// - Returns: the command's reply; nil if no process feeds the device.
  package static func ask(
    _ command: ControlCommand, device: DeviceID, database: Database, timeout: Duration?,
    time: TimeSource = .continuous
  ) async throws(Failure) -> JSONValue? {
    guard let socket = DatabaseLock.holder(.feeder(device), of: database)?.socket else { return nil }
    return try await ControlClient(socket: socket, device: device).ask(command, timeout: timeout, time: time)
  }

  /// Sends a command to the known socket; nil if nothing listens there.
  package func ask(
    _ command: ControlCommand, timeout: Duration?, time: TimeSource = .continuous
  ) async throws(Failure) -> JSONValue? {
    let line = try ControlRequest(device: device, command: command).line()
    guard let channel = await connect() else { return nil }
    let exchange = Task { () -> Result<[UInt8]?, Failure> in
      do {
        return .success(try await self.exchange(line, over: channel))
      } catch let failure as Failure {
        return .failure(failure)
      } catch {
        return .failure(Self.lost)
      }
    }
    let clock = timeout.map { timeout in
      Task {
        guard (try? await time.sleep(timeout)) != nil else { return false }
        exchange.cancel()
        return true
      }
    }
    let result = await withTaskCancellationHandler {
      await exchange.value
    } onCancel: {
      exchange.cancel()
    }
    clock?.cancel()
    if let timeout, await clock?.value == true {
      throw Failure.late(timeout)
    }
    guard let reply = try result.get() else { throw Self.lost }
    return try ControlReply(parsing: reply).get()
  }

  /// Watches the status of the device, or of all devices for device 0: the feeder's greeting, then a document for each change.
  /// The stream ends with an error when the feeder goes, or does not understand.
  /// - Returns: nil if nothing listens there.
  /// - Parameter command: another command with many replies.
  package func watch(
    _ command: ControlCommand = .watch
  ) async throws(Failure) -> AsyncThrowingStream<JSONValue, any Error>? {
    let line = try ControlRequest(device: device, command: command).line()
    guard let channel = await connect() else { return nil }
    return AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await channel.executeThenClose { inbound, outbound in
            try await checkPeer(of: channel.channel)
            try await outbound.write(ByteBuffer(bytes: line))
            try await Self.follow(inbound) { continuation.yield($0) }
          }
          throw Self.lost
        } catch let failure as Failure {
          continuation.finish(throwing: failure)
        } catch {
          continuation.finish(throwing: Self.lost)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Reads documents until the end. An error in place of the greeting ends the watch; one that follows is about a device that is
  /// gone by now.
  private static func follow(
    _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ show: (JSONValue) -> Void
  ) async throws {
    var received: [UInt8] = []
    var isGreeted = false
    for try await chunk in inbound {
      received += chunk.readableBytesView
      while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let reply = try ControlReply(parsing: Array(received[..<end]))
        received.removeSubrange(...end)
        if !isGreeted { _ = try reply.get() }
        isGreeted = true
        if case .done(let document) = reply { show(document) }
      }
      guard received.count <= ControlRequest.lineLimit else { throw Failure.badReply }
    }
  }

  /// Connects; nil if nothing listens, because a killed feeder leaves its socket behind.
  private func connect() async -> NIOAsyncChannel<ByteBuffer, ByteBuffer>? {
    try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(unixDomainSocketPath: socket) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
  }

  /// The kernel's `struct ucred`.
  private struct PeerCredentials: Sendable {
    var process: Int32
    var user: UInt32
    var group: UInt32
  }

  /// Checks who listens: the path came from a file that others may have written. The peer must be the calling user or the
  /// superuser; the superuser may call any feeder.
  private func checkPeer(of channel: any Channel) async throws(Failure) {
    let user: UInt32?
    do {
      guard let options = channel as? any SocketOptionProvider else {
        throw ChannelError.operationUnsupported
      }
      let peer: PeerCredentials = try await options.unsafeGetSocketOption(
        level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
      ).get()
      user = peer.user
    } catch {
      // A feeder that has no place for a client closes the connection at once; nothing was sent, and nothing can be.
      guard channel.isActive else { throw Failure.tooManyClients }
      user = nil
    }
    if Self.isTrusted(peer: user, by: geteuid()) { return }
    throw Failure(
      "foreign_feeder",
      "\(socket) is served by \(user.map { "user \($0)" } ?? "an unknown user"), not by you: no command was sent; remove it",
      exit: .tryAgain)
  }

  package static func isTrusted(peer: UInt32?, by user: UInt32) -> Bool {
    guard let peer else { return false }
    return peer == user || peer == 0 || user == 0
  }

  /// The reply without its line end; nil if the connection ends first.
  private func exchange(
    _ line: [UInt8], over channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
  ) async throws -> [UInt8]? {
    try await channel.executeThenClose { inbound, outbound in
      try await checkPeer(of: channel.channel)
      // A feeder that has no place for a client says so before it reads, and then nothing can be written.
      try? await outbound.write(ByteBuffer(bytes: line))
      var received: [UInt8] = []
      for try await chunk in inbound {
        received += chunk.readableBytesView
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) { return Array(received[..<end]) }
        guard received.count <= ControlRequest.lineLimit else { return nil }
      }
      return nil
    }
  }

  private static let lost = Failure(
    Failure.feederGone, "the feeder ended before it answered", hint: .checkStatus, exit: .tryAgain)
}

extension Failure {
  /// No answer came in time.
  package static func late(_ timeout: Duration) -> Failure {
    Failure(
      "timeout",
      "the feeder did not answer within \(Int(bounded: timeout.seconds)) s; it may still perform the command",
      exit: .timeout)
  }
}
