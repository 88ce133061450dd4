import NIOCore
import Synchronization

/// The sockets of one exchange: a host with several addresses may need several. All are closed after `end()`.
final class HTTPAttempt: Sendable {
  private struct Socket {
    let channel: any Channel
    let reply: EventLoopFuture<HTTPReply>
  }
  private struct State {
    var sockets: [Socket] = []
    var isCancelled = false
    /// Completed when the connection is established, has failed, or is cancelled.
    var connected: EventLoopPromise<any Channel>?
  }
  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Called on the channel's loop. False when the attempt has ended; the channel is then not used.
  func add(_ channel: any Channel, _ collector: ReplyCollector) -> Bool {
    let socket = Socket(channel: channel, reply: collector.reply.futureResult)
    return state.withLock { state in
      if !state.isCancelled { state.sockets.append(socket) }
      return !state.isCancelled
    }
  }

  func reply(of channel: any Channel) -> EventLoopFuture<HTTPReply>? {
    state.withLock { $0.sockets.first { $0.channel === channel }?.reply }
  }

  /// Waits for a connection or for cancellation: a resolver cannot be cancelled, and its later result is ignored.
  func wait(for connection: EventLoopFuture<any Channel>) async throws -> any Channel {
    let promise = connection.eventLoop.makePromise(of: (any Channel).self)
    let isCancelled = state.withLock { state in
      state.connected = promise
      return state.isCancelled
    }
    if isCancelled { promise.fail(CancellationError()) }
    connection.cascade(to: promise)
    return try await promise.futureResult.get()
  }

  func cancel() {
    let (sockets, connected) = state.withLock { state in
      state.isCancelled = true
      return (state.sockets, state.connected)
    }
    connected?.fail(CancellationError())
    for socket in sockets { socket.channel.close(promise: nil) }
  }

  /// Closes everything and returns when it is closed.
  func end() async {
    let sockets = state.withLock { $0.sockets }
    for socket in sockets { socket.channel.close(promise: nil) }
    for socket in sockets {
      do {
        try await socket.channel.closeFuture.get()
      } catch {
        // The close future reports the cause; the channel is closed in any case.
      }
    }
  }
}
