import CastqAccepting
package import CastqFeeding
package import CastqText
import Glibc
package import NIOCore
import NIOPosix
import Synchronization

/// Serves live commands on a Unix socket: one request and one reply per line, in order, over as many connections as the limits
/// allow. The handler performs the commands; one server may serve many devices.
package final class ControlServer: Sendable {
  package typealias Handler = @Sendable (ControlRequest) async -> ControlReply
  /// The replies to a request that has many; nil for a request with one.
  package typealias Watch = @Sendable (ControlRequest) -> AsyncStream<ControlReply>?

  /// Limits for clients.
  package struct Limits: Sendable {
    /// Concurrent connections. For a further one that goes which has sent nothing for longest; without one it is told that the feeder is
    /// busy.
    package var connections = 256
    /// How long a client may take to send a line before its connection is closed.
    package var patience: TimeAmount = .seconds(30)
    /// How long clients may take to read their last replies when the server stops.
    package var farewell: TimeAmount = .seconds(1)

    package init() {}
  }

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// Those from which a line is awaited, each with its turn.
    var idle: [ObjectIdentifier: UInt64] = [:]
    var turns: UInt64 = 0
    var answers: [Int: Task<Void, Never>] = [:]
    var lastAnswer = 0
    /// The clients that get one reply after the other.
    var watchers: [ObjectIdentifier: Task<Void, Never>] = [:]
    var isListening = true
  }

  package let path: String
  private let listener: any Channel
  private let limits: Limits
  private let watch: Watch
  private let handler: Handler
  private let state: Mutex<State>

  private init(
    path: String, listener: any Channel, limits: Limits, watch: @escaping Watch, handler: @escaping Handler
  ) {
    self.path = path
    self.listener = listener
    self.limits = limits
    self.watch = watch
    self.handler = handler
    state = Mutex(State())
  }

  /// Listens at the path; returns when clients can connect.
  package static func start(
    path: String, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
    limits: Limits = Limits(), watch: @escaping Watch = { _ in nil },
    handler: @escaping Handler
  ) async throws(ControlSocketError) -> ControlServer {
    let socket = try ControlListener(path: path)
    let box = ServerBox()
    let listener: any Channel
    do {
      listener = try await ServerBootstrap(group: group)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptPause())
          }
        }
        .childChannelOption(ChannelOptions.autoRead, value: false)
        .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              ControlConnection(patience: limits.patience) { box.server })
          }
        }
        .withBoundSocket(socket.descriptor).get()
    } catch {
      close(socket.descriptor)
      unlink(path)
      throw .failed(path, words: String(describing: error))
    }
    let server = ControlServer(
      path: path, listener: listener, limits: limits, watch: watch, handler: handler)
    box.server = server
    return server
  }

  /// Stops accepting clients and removes the socket's file, so that another feeder can serve there.
  package func stopListening() async {
    let isFirst = state.withLock { state in
      defer { state.isListening = false }
      return state.isListening
    }
    guard isFirst else { return }
    unlink(path)
    // An error means that the listener is closed already.
    try? await listener.close()
  }

  /// Stops listening, sends pending replies and closes every connection.
  package func stop() async {
    await stopListening()
    for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.cancel() }
    let guardian = listener.eventLoop.scheduleTask(in: limits.farewell) { self.closeAll() }
    while let answer = state.withLock({ $0.answers.first?.value }) { await answer.value }
    guardian.cancel()
    closeAll()
  }

  private func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }

  // MARK: - Connections

  /// The number of clients.
  package var clients: Int { state.withLock { $0.channels.count } }

  /// Registers a connection, and closes another one for it where there are too many.
  /// - Returns: what the client is told that cannot be admitted; empty when the server has stopped listening. Nil for one that is.
  func refusal(of channel: any Channel) -> [UInt8]? {
    let (refusal, oldest) = state.withLock { state -> ([UInt8]?, (any Channel)?) in
      guard state.isListening else { return ([], nil) }
      var oldest: (any Channel)?
      if state.channels.count >= limits.connections {
        guard let idle = state.idle.min(by: { $0.value < $1.value })?.key else {
          return (ControlReply.failed(.tooManyClients).line, nil)
        }
        state.idle[idle] = nil
        oldest = state.channels.removeValue(forKey: idle)
      }
      state.channels[ObjectIdentifier(channel)] = channel
      return (nil, oldest)
    }
    oldest?.close(promise: nil)
    return refusal
  }

  /// Whether a line is awaited from a connection: one that may go when another one comes.
  func note(_ channel: any Channel, isIdle: Bool) {
    state.withLock { state in
      guard state.channels[ObjectIdentifier(channel)] != nil else { return }
      state.turns &+= 1
      state.idle[ObjectIdentifier(channel)] = isIdle ? state.turns : nil
    }
  }

  func forget(_ channel: any Channel) {
    let watcher = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = nil
      state.idle[ObjectIdentifier(channel)] = nil
      return state.watchers.removeValue(forKey: ObjectIdentifier(channel))
    }
    watcher?.cancel()
  }

  /// Sends the replies to a request that has many, each when the client has taken the one before it, until the client goes.
  /// - Returns: false if the request has one reply.
  func stream(_ line: [UInt8], on channel: any Channel) -> Bool {
    guard let request = try? ControlRequest(parsing: line), let replies = watch(request) else { return false }
    let task = Task {
      for await reply in replies {
        guard (try? await channel.writeAndFlush(ByteBuffer(bytes: reply.line))) != nil else { break }
      }
      channel.close(promise: nil)
    }
    state.withLock { $0.watchers[ObjectIdentifier(channel)] = task }
    return true
  }

  /// Answers one line; calls `completion` on the channel's event loop when the reply is sent or has failed.
  func answer(_ line: [UInt8], on channel: any Channel, completion: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.lastAnswer += 1
      let number = state.lastAnswer
      state.answers[number] = Task {
        let reply = await self.reply(to: line)
        // A write error means that the client is gone.
        try? await channel.writeAndFlush(ByteBuffer(bytes: reply.line))
        channel.eventLoop.execute(completion)
        self.state.withLock { _ = $0.answers.removeValue(forKey: number) }
      }
    }
  }

  private func reply(to line: [UInt8]) async -> ControlReply {
    do throws(Failure) {
      return await handler(try ControlRequest(parsing: line))
    } catch {
      return .failed(error)
    }
  }
}

extension Failure {
  /// All places of a feeder's clients are taken by such as are being answered.
  package static let tooManyClients = Failure(
    "too_many_clients", "the feeder is busy: it has too many clients at once; try again", exit: .tryAgain)
}

/// Holds the server, because clients may connect before its object exists.
private final class ServerBox: Sendable {
  private let value = Mutex<ControlServer?>(nil)
  var server: ControlServer? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
