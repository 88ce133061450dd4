package import CastProtocol
package import CastSender
package import CastqFeeding
package import CastqPlaylists
package import CastqStore
package import CastqText
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
    guard let exchange = await ControlExchange.begin(line, to: socket) else { return nil }
    let clock = timeout.map { timeout in
      Task {
        guard (try? await time.sleep(timeout)) != nil else { return false }
        exchange.channel.close(promise: nil)
        return true
      }
    }
    let reply: Result<[UInt8], any Error> = await withTaskCancellationHandler {
      do { return .success(try await exchange.reply.get()) } catch { return .failure(error) }
    } onCancel: {
      exchange.channel.close(promise: nil)
    }
    clock?.cancel()
    if let timeout, await clock?.value == true { throw Failure.late(timeout) }
    switch reply {
    case .success(let line): return try ControlReply(parsing: line).get()
    case .failure(let error): throw error as? Failure ?? Self.lost
    }
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
            try await Self.peer(of: channel.channel, at: socket).get()
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
  static func peer(of channel: any Channel, at socket: String) -> EventLoopFuture<Void> {
    let credentials: EventLoopFuture<PeerCredentials> =
      (channel as? any SocketOptionProvider)?.unsafeGetSocketOption(
        level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
      ?? channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    return credentials.map { UInt32?.some($0.user) }.flatMapErrorThrowing { _ in
      // A feeder that has no place for a client closes the connection at once; nothing was sent, and nothing can be.
      guard channel.isActive else { throw Failure.tooManyClients }
      return nil
    }.flatMapThrowing { user in
      if isTrusted(peer: user, by: geteuid()) { return }
      throw Failure(
        "foreign_feeder",
        "\(socket) is served by \(user.map { "user \($0)" } ?? "an unknown user"), not by you: no command was sent; remove it",
        exit: .tryAgain)
    }
  }

  package static func isTrusted(peer: UInt32?, by user: UInt32) -> Bool {
    guard let peer else { return false }
    return peer == user || peer == 0 || user == 0
  }

  static let lost = Failure(
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
