package import CastqCore
import NIOCore
import NIOPosix

/// The command that started this daemon, at the other end of a socket that the daemon inherited. It reads one line, a `ControlReply`,
/// when commands are answered or the daemon could not start; its end is noticed.
package final class ParentLink: Sendable {
  private let channel: any Channel

  /// - Parameter descriptor: the inherited socket.
  /// - Returns: nil if it is no socket.
  package init?(descriptor: Int32) async {
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    guard let channel = try? await bootstrap.withConnectedSocket(descriptor).get() else { return nil }
    self.channel = channel
  }

  /// Reports once that the daemon is ready, or why it cannot be asked.
  package func report(_ problem: ControlFailure?) {
    let reply = problem.map(ControlReply.failed) ?? .done
    channel.writeAndFlush(ByteBuffer(bytes: reply.line), promise: nil)
  }

  /// Reports why the daemon could not start, and returns when that is sent.
  package func fail(_ failure: ControlFailure) async {
    // An error means that the parent is gone.
    try? await channel.writeAndFlush(ByteBuffer(bytes: ControlReply.failed(failure).line))
  }

  /// Ends the daemon when the parent ends before its request.
  package func watch(for daemon: DaemonService) {
    channel.closeFuture.whenComplete { _ in daemon.endIfIdle() }
  }
}
