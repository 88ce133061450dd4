package import NIOCore
import Synchronization

/// The sockets of one connection attempt: a host with several addresses may need several. Cancelling closes
/// all of them.
///
/// - Parameter Attachment: what an attempt keeps beside each socket.
package final class ConnectionAttempt<Attachment: Sendable>: Sendable {
  private struct Socket: Sendable {
    let channel: any Channel
    let attachment: Attachment
  }
  private struct State {
    var sockets: [Socket] = []
    var isCancelled = false
    /// Completed when TCP is established, has failed, or is cancelled.
    var connected: EventLoopPromise<any Channel>?
  }
  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Called on the channel's loop. False when the attempt was cancelled; the channel is then not used.
  package func add(_ channel: any Channel, _ attachment: Attachment) -> Bool {
    state.withLock { state in
      if !state.isCancelled { state.sockets.append(Socket(channel: channel, attachment: attachment)) }
      return !state.isCancelled
    }
  }

  /// What was added with a channel; nil when it was not added.
  package func attachment(of channel: any Channel) -> Attachment? {
    state.withLock { $0.sockets.first { $0.channel === channel }?.attachment }
  }

  /// Waits for a connection or for cancellation: a resolver cannot be cancelled, and its later result is ignored.
  package func wait(for connection: EventLoopFuture<any Channel>) async throws -> any Channel {
    let promise = connection.eventLoop.makePromise(of: (any Channel).self)
    let isCancelled = state.withLock { state in
      state.connected = promise
      return state.isCancelled
    }
    if isCancelled { promise.fail(CancellationError()) }
    connection.cascade(to: promise)
    return try await promise.futureResult.get()
  }

  package func cancel() {
    let (sockets, connected) = state.withLock { state in
      state.isCancelled = true
      return (state.sockets, state.connected)
    }
    connected?.fail(CancellationError())
    for socket in sockets { socket.channel.close(promise: nil) }
  }

  /// Closes all sockets, and returns when they are closed.
  package func end() async {
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
