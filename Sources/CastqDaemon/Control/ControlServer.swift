package import CastqCore
import Glibc
package import NIOCore
import NIOPosix
import Synchronization

/// Serves live commands on a Unix socket: a request a line, a reply a line, in their order, over as many connections as the
/// limits allow. What a command means is the handler's business; one server may speak for many devices.
package final class ControlServer: Sendable {
  package typealias Handler = @Sendable (ControlRequest) async -> ControlReply

  /// What clients may cost.
  package struct Limits: Sendable {
    /// Connections at a time; more are closed at once.
    package var connections = 256
    /// How long a client may take to send a line; one that says nothing is sent away.
    package var patience: TimeAmount = .seconds(30)
    /// How long clients may take to fetch their last replies when the server stops.
    package var farewell: TimeAmount = .seconds(1)

    package init() {}
  }

  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var answers: [Int: Task<Void, Never>] = [:]
    var lastAnswer = 0
    var isListening = true
  }

  package let path: String
  private let listener: any Channel
  private let limits: Limits
  private let handler: Handler
  private let state: Mutex<State>

  private init(path: String, listener: any Channel, limits: Limits, handler: @escaping Handler) {
    self.path = path
    self.listener = listener
    self.limits = limits
    self.handler = handler
    state = Mutex(State())
  }

  /// Listens at the path; returns when clients can connect.
  package static func start(
    path: String, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
    limits: Limits = Limits(),
    handler: @escaping Handler
  ) async throws(ControlSocketError) -> ControlServer {
    let socket = try ControlListener(path: path)
    let box = ServerBox()
    let listener: any Channel
    do {
      listener = try await ServerBootstrap(group: group)
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
    let server = ControlServer(path: path, listener: listener, limits: limits, handler: handler)
    box.server = server
    return server
  }

  /// Takes no more clients, and removes the socket's file: another feeder may serve there from now on.
  package func stopListening() async {
    let isFirst = state.withLock { state in
      defer { state.isListening = false }
      return state.isListening
    }
    guard isFirst else { return }
    unlink(path)
    // A listener that is closed already is what was wanted.
    try? await listener.close()
  }

  /// Stops listening, lets replies that are under way go out, and closes every connection.
  package func stop() async {
    await stopListening()
    let guardian = listener.eventLoop.scheduleTask(in: limits.farewell) { self.closeAll() }
    while let answer = state.withLock({ $0.answers.first?.value }) { await answer.value }
    guardian.cancel()
    closeAll()
  }

  private func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }

  // MARK: - Connections

  /// False when there are too many already, or none is wanted any more.
  func admit(_ channel: any Channel) -> Bool {
    state.withLock { state in
      guard state.isListening, state.channels.count < limits.connections else { return false }
      state.channels[ObjectIdentifier(channel)] = channel
      return true
    }
  }

  func forget(_ channel: any Channel) {
    state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Answers one line; `completion` is called on the channel's event loop when the reply is out, or cannot be.
  func answer(_ line: [UInt8], on channel: any Channel, completion: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.lastAnswer += 1
      let number = state.lastAnswer
      state.answers[number] = Task {
        let reply = await self.reply(to: line)
        // A client that is gone does not want its reply.
        try? await channel.writeAndFlush(ByteBuffer(bytes: reply.line))
        channel.eventLoop.execute(completion)
        self.state.withLock { _ = $0.answers.removeValue(forKey: number) }
      }
    }
  }

  private func reply(to line: [UInt8]) async -> ControlReply {
    do throws(ControlFailure) {
      return await handler(try ControlRequest(parsing: line))
    } catch {
      return .failed(error)
    }
  }
}

/// Clients may come before the server exists as an object.
private final class ServerBox: Sendable {
  private let value = Mutex<ControlServer?>(nil)
  var server: ControlServer? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
